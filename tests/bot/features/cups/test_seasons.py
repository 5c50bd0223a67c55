"""Cups that repeat each month: opening, confirming, groups, promotion, the end."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest
from sqlalchemy import select, update

from bot.domain.clocks import DAY
from bot.domain.ids import GuildId, UserId
from bot.domain.models import Player
from bot.domain.outcomes import Outcome, OutcomeKind
from bot.features.cups import views
from bot.features.cups.leagues import League
from bot.features.cups.rows import Cup, CupStatus, load_cup
from bot.features.cups.seasons import SIGN_UP_SECONDS, open_season, season_of
from bot.features.cups.service import MAX_OPEN_CUPS, Actor
from bot.services.events import ClockShifted
from bot.shards import Shards
from bot.storage.connection import Connection
from bot.storage.hooks import publish
from bot.storage.schema import cup_entrants, cups, leagues
from bot.views.message import Message
from tests.support.cups import ORGANISER, CupFixture, user
from tests.support.fake_objects import GUILD
from tests.support.matches import EVE, MatchFixture

JANUARY, FEBRUARY, MARCH = (
    datetime(
        2027, month, 31 if month == 1 else 28 if month == 2 else 31, 18, tzinfo=UTC
    ).timestamp()
    for month in (1, 2, 3)
)
"""The starts of three seasons; the first is on the 31st."""


class LeagueFixture(CupFixture):
    """A cup that repeats, from January on."""

    async def first(self, players: int = 6, divisions: int = 2, **fields: Any) -> None:
        """Begin the first season."""
        self.env.now = JANUARY - DAY
        await self.create(players, divisions=divisions, starts_at=JANUARY, **fields)
        await self.at(JANUARY)

    async def at(self, time: float) -> None:
        """Run the job at a time."""
        self.env.now = time
        await self.env.cup_dates.run()

    async def all(self) -> list[Cup]:
        """Return all cups in order."""
        async with self.env.database.read() as connection:
            ids = (await connection.execute(select(cups.c.id).order_by(cups.c.id))).scalars().all()
        return [await self.get(cup_id) for cup_id in ids]

    async def league(self) -> League:
        async with self.env.database.read() as connection:
            return League(*(await connection.execute(select(leagues))).one())

    async def confirm(self, cup_id: int, user_ids: Sequence[UserId]) -> None:
        for user_id in user_ids:
            assert (await self.join(cup_id, user_id)).kind == OutcomeKind.DONE


@pytest.fixture
def league(env: MatchFixture) -> LeagueFixture:
    return LeagueFixture(env)


def players(cup: Cup) -> list[UserId]:
    return [entrant.user_id for entrant in cup.entrants]


async def test_first_season_is_divided_at_random(league: LeagueFixture) -> None:
    await league.first(7)
    best, other = await league.all()
    assert (best.row.name, other.row.name) == ("Spring · 1 A", "Spring · 1 B")
    assert [(cup.row.season, cup.row.division) for cup in (best, other)] == [(1, 1), (1, 2)]
    assert [len(cup.entrants) for cup in (best, other)] == [3, 4]
    assert {*players(best), *players(other)} == {user(number) for number in range(1, 8)}
    assert {cup.row.status for cup in (best, other)} == {CupStatus.RUNNING}
    assert [len(cup.pairings) for cup in (best, other)] == [3, 6]
    assert {cup.row.ends_at for cup in (best, other)} == {FEBRUARY}
    assert best.row.seed != other.row.seed
    for name in ("channel_id", "guild_id", "organiser_id", "game", "clock", "format", "rules"):
        assert getattr(best.row, name) == getattr(other.row, name)
    stored = await league.league()
    assert (stored.first_at, stored.opens_at) == (JANUARY, FEBRUARY - SIGN_UP_SECONDS)
    assert (stored.season, stored.divisions, stored.name) == (1, 2, "Spring")


async def test_few_players_are_one_group_without_a_letter(league: LeagueFixture) -> None:
    await league.first(5)
    (cup,) = await league.all()
    assert (cup.row.name, cup.row.division, len(cup.entrants)) == ("Spring · 1", 1, 5)


async def test_next_season_opens_once_a_week_before_it_starts(league: LeagueFixture) -> None:
    await league.first()
    await league.at(FEBRUARY - SIGN_UP_SECONDS - 1)
    assert len(await league.all()) == 2
    for _ in range(2):
        await league.at(FEBRUARY - SIGN_UP_SECONDS)
    _best, _other, opened = await league.all()
    assert (opened.row.name, opened.row.season) == ("Spring · 2", 2)
    assert (opened.row.status, opened.row.starts_at) == (CupStatus.SIGN_UP, FEBRUARY)
    assert set(players(opened)) == {user(number) for number in range(1, 7)}
    assert opened.confirmed == []
    stored = await league.league()
    assert (stored.season, stored.opens_at) == (2, None)


async def test_two_processes_open_one_season(league: LeagueFixture, env: MatchFixture) -> None:
    await league.first()
    env.now = FEBRUARY - SIGN_UP_SECONDS
    await asyncio.gather(*(env.cup_dates.run() for _ in range(3)))
    assert len(await league.all()) == 3


async def test_a_kill_while_a_season_opens_leaves_nothing(
    league: LeagueFixture, env: MatchFixture
) -> None:
    """The transaction is rolled back as a whole, and the next process opens the season."""
    await league.first()
    now = FEBRUARY - SIGN_UP_SECONDS

    async def killed(connection: Connection) -> None:
        assert await open_season(connection, 1, now)
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        async with env.database.write() as connection:
            await killed(connection)
    assert len(await league.all()) == 2
    await league.at(now)
    assert len(await league.all()) == 3


async def test_players_confirm_or_drop_out(league: LeagueFixture, env: MatchFixture) -> None:
    """Without an answer a player sits the season out; others can join it."""
    await league.first()
    await league.at(FEBRUARY - SIGN_UP_SECONDS)
    await league.confirm(3, [user(1), user(2), EVE])
    assert (await league.join(3, user(1))).sentence == "You're already in this cup."
    assert (await league.withdraw(3, user(3))).kind == OutcomeKind.DONE
    opened = await league.get(3)
    assert {entrant.user_id for entrant in opened.confirmed} == {user(1), user(2), EVE}
    assert user(3) not in players(opened)
    offered = await env.cups.joinable(GuildId(GUILD), user(4), 5)
    assert [row.id for row in offered] == [3], "who has not confirmed still can"
    assert await env.cups.joinable(GuildId(GUILD), user(1), 5) == []
    await league.at(FEBRUARY)
    started = await league.get(3)
    assert started.row.status == CupStatus.RUNNING
    assert set(players(started)) == {user(1), user(2), EVE}


async def test_best_and_last_players_change_places(league: LeagueFixture) -> None:
    await league.first()
    for cup_id in (1, 2):
        await league.play_out(cup_id)
    best, other = await league.all()
    by_place = [
        sorted(cup.entrants, key=lambda entrant: entrant.place or 0) for cup in (best, other)
    ]
    for cup, entrants in zip((best, other), by_place, strict=True):
        assert [entrant.number for entrant in entrants] == [line.number for line in cup.standings()]
    first, second = ([entrant.user_id for entrant in entrants] for entrants in by_place)
    await league.at(FEBRUARY - SIGN_UP_SECONDS)
    await league.confirm(3, [user(number) for number in range(6, 0, -1)])
    await league.at(FEBRUARY)
    *_, best, other = await league.all()
    assert (best.row.name, other.row.name) == ("Spring · 2 A", "Spring · 2 B")
    assert set(players(best)) == {*first[:2], second[0]}
    assert set(players(other)) == {first[2], *second[1:]}


async def test_free_places_are_filled_from_below_and_by_new_players(league: LeagueFixture) -> None:
    await league.first()
    for cup_id in (1, 2):
        await league.play_out(cup_id)
    best, other = (
        [e.user_id for e in sorted(c.entrants, key=lambda e: e.place or 0)]
        for c in await league.all()
    )
    await league.at(FEBRUARY - SIGN_UP_SECONDS)
    await league.confirm(3, [EVE, *other, *best[1:]])
    await league.at(FEBRUARY)
    *_, first, second = await league.all()
    assert set(players(first)) == {best[1], other[0], best[2]}
    assert set(players(second)) == {*other[1:], EVE}


async def test_substitute_plays_in_one_group_of_a_season(
    league: LeagueFixture, env: MatchFixture
) -> None:
    """Neither by offers in two groups, nor as a player of one of them."""
    await league.first()

    async def offer(cup: Cup, substitute: UserId) -> Outcome:
        player, actor = Player(substitute, "Eve"), Actor(ORGANISER)
        offered = env.cups.offer_place(next(env.ids), cup.row.id, actor, players(cup)[0], player)
        return await offered

    best, other = await league.all()
    refused = await offer(best, players(other)[0])
    assert refused.sentence == "Eve already plays in another group of this season."
    for cup in (best, other):
        assert (await offer(cup, EVE)).kind == OutcomeKind.DONE
    assert (await league.join(other.row.id, EVE)).kind == OutcomeKind.DONE
    refused = await league.join(best.row.id, EVE)
    assert refused.sentence == "You already play in another group of this season."
    assert [EVE in players(cup) for cup in await league.all()] == [False, True]
    assert (await offer(best, UserId(EVE + 1))).kind == OutcomeKind.DONE


async def test_season_ends_when_the_next_one_starts(
    league: LeagueFixture, env: MatchFixture
) -> None:
    await league.first()
    await league.at(FEBRUARY - SIGN_UP_SECONDS)
    await league.confirm(3, [user(number) for number in range(1, 7)])
    early = await league.cups.start(next(env.ids), 3, Actor(ORGANISER))
    assert "last season is still in progress" in early.sentence
    await league.at(FEBRUARY)
    first, second, third, fourth = await league.all()
    assert {first.row.status, second.row.status} == {CupStatus.FINISHED}
    assert all(entrant.place for cup in (first, second) for entrant in cup.entrants)
    assert {third.row.status, fourth.row.status} == {CupStatus.RUNNING}
    assert {third.row.ends_at, fourth.row.ends_at} == {MARCH}, "the 31st again"
    places = [{e.place: e.user_id for e in cup.entrants} for cup in (first, second)]
    assert set(players(third)) == {places[0][1], places[0][2], places[1][1]}, "by final places"


async def test_organiser_can_start_early_when_a_season_is_over(
    league: LeagueFixture, env: MatchFixture
) -> None:
    await league.first(3, 1)
    await league.play_out(1)
    await league.at(FEBRUARY - SIGN_UP_SECONDS)
    few = await league.cups.start(next(env.ids), 2, Actor(ORGANISER))
    assert "at least 3 players; there are 0 now" in few.sentence
    await league.confirm(2, [user(1), user(2), user(3)])
    assert (await league.start(2)).kind == OutcomeKind.DONE
    assert (await league.get(2)).row.ends_at == MARCH


@pytest.mark.parametrize(("confirmed", "plays"), [(2, False), (3, True)])
async def test_seasons_end_with_too_few_players(
    league: LeagueFixture, confirmed: int, *, plays: bool
) -> None:
    await league.first(4, 1)
    await league.at(FEBRUARY - SIGN_UP_SECONDS)
    await league.confirm(2, [user(number) for number in range(1, confirmed + 1)])
    await league.at(FEBRUARY)
    cup = await league.get(2)
    assert cup.row.status == (CupStatus.RUNNING if plays else CupStatus.CANCELLED)
    await league.at(MARCH)
    assert len(await league.all()) == (3 if plays else 2)


async def test_no_season_follows_a_cancelled_one(league: LeagueFixture, env: MatchFixture) -> None:
    await league.first(4, 1)
    await league.cups.cancel(next(env.ids), 1, Actor(ORGANISER))
    assert (await league.league()).opens_at is None
    await league.at(MARCH)
    assert len(await league.all()) == 1


async def test_absent_players_are_not_asked_again(league: LeagueFixture, env: MatchFixture) -> None:
    await league.first(5, 1)
    await league.withdraw(1, user(1))
    cup = await league.get(1)
    leaver = cup.entrant_of(user(2))
    assert leaver
    async with env.database.write() as connection:
        await connection.execute(
            update(cup_entrants).where(cup_entrants.c.number == leaver.number).values(has_left=True)
        )
    await league.at(FEBRUARY - SIGN_UP_SECONDS)
    assert set(players(await league.get(2))) == {user(3), user(4), user(5)}


async def test_groups_of_a_season_are_one_cup_of_the_organiser(
    league: LeagueFixture, env: MatchFixture
) -> None:
    await league.first(9, 3)
    assert len(await league.all()) == 3
    for _ in range(MAX_OPEN_CUPS - 1):
        await league.create(0)
    with pytest.raises(AssertionError, match="already organise"):
        await league.create(0)


async def test_an_outage_moves_the_opening_like_the_dates(
    league: LeagueFixture, env: MatchFixture
) -> None:
    await league.first(3, 1)
    opens_at = (await league.league()).opens_at
    assert opens_at
    for last, moved in ((JANUARY, DAY), (opens_at + 2 * DAY, 0.0)):
        async with env.database.write() as connection:
            await publish(connection, ClockShifted(Shards(), last, DAY))
        opens_at += moved
        assert (await league.league()).opens_at == opens_at
    assert (await league.league()).first_at == JANUARY, "the months are counted from it"


async def test_repeating_cup_has_no_last_day(league: LeagueFixture) -> None:
    with pytest.raises(AssertionError, match="A season ends when the next one starts"):
        await league.create(0, divisions=1, ends_at=league.env.now + DAY)


async def test_other_cups_have_no_league(league: LeagueFixture) -> None:
    cup_id = await league.begun(3)
    cup = await league.play_out(cup_id)
    assert (cup.row.league_id, cup.season) == (None, None)
    assert all(entrant.place is None for entrant in cup.entrants)


# Messages


def text(message: Message) -> str:
    layout: Any = message.layout
    return str(layout.to_components())


async def test_sign_up_of_the_first_season_says_what_repeats(league: LeagueFixture) -> None:
    for divisions, words in ((1, "with all players in one group"), (2, "in up to 2 groups")):
        cup_id = await league.create(0, divisions=divisions)
        post = views.post(await league.get(cup_id), {}, None)
        assert f"It repeats each month, {words}" in text(post)
        assert "the seasons end" not in text(post)
        assert post.pings == ()


async def test_next_sign_up_asks_the_players_of_the_last_season(league: LeagueFixture) -> None:
    await league.first()
    await league.at(FEBRUARY - SIGN_UP_SECONDS)
    await league.confirm(3, [user(1), user(2)])
    cup = await league.get(3)
    post = views.post(cup, {}, None)
    assert set(post.pings) == {user(number) for number in range(3, 7)}
    content = text(post)
    assert all((f"<@{user(number)}>" in content) is (number > 2) for number in range(1, 7))
    assert "**Players (2 of 16):** P100" in content
    assert "With fewer than 3 players at the start, the seasons end." in content
    assert "**Again?**" in content
    await league.confirm(3, [user(number) for number in range(3, 7)])
    assert "**Again?**" not in text(views.post(await league.get(3), {}, None))


async def test_group_says_who_moves_and_when_the_next_season_starts(league: LeagueFixture) -> None:
    await league.first(9, 3)
    contents = [text(views.post(cup, {}, None)) for cup in await league.all()]
    for number, content in enumerate(contents, 1):
        assert f"Group {number} of 3. At the end, " in content
        assert ("the first moves up" in content) is (number > 1)
        assert ("the last one moves down" in content) is (number < 3)
        assert f"starts <t:{int(FEBRUARY)}:D>" in content
        assert f"opens <t:{int(FEBRUARY - SIGN_UP_SECONDS)}:D>" in content
        assert views.post((await league.all())[number - 1], {}, None).pings == ()


async def test_single_group_says_nothing_of_moving(league: LeagueFixture) -> None:
    await league.first(3, 1)
    content = text(views.post(await league.get(1), {}, None))
    assert "moves" not in content
    assert "The next season starts" in content


async def test_post_shows_the_leaders_of_the_year_and_details_all(league: LeagueFixture) -> None:
    await league.first(6)
    assert "The year" not in text(views.post(await league.get(1), {}, None))
    for cup_id in (1, 2):
        await league.play_out(cup_id)
    cup = await league.get(1)
    assert cup.season
    assert [line.points for line in cup.season.standings] == [5, 4, 3, 2, 1, 0]
    for number, limit in enumerate((views.post(cup, {}, None), views.status(cup, {}, None))):
        content = text(limit)
        assert "**The year 2027**" in content
        assert "**5** (1 season)" in content
        assert ("**0** (1 season)" in content) is bool(number), "the sixth"


async def test_year_counts_the_seasons_that_began_in_it(league: LeagueFixture) -> None:
    await league.first(3, 1)
    await league.play_out(1)
    async with league.env.database.write() as connection:
        for started_at, count in (
            (datetime(2026, 12, 31, 23, 59, tzinfo=UTC), 0),
            (datetime(2027, 1, 1, tzinfo=UTC), 3),
            (datetime(2027, 12, 31, 23, 59, tzinfo=UTC), 3),
            (datetime(2028, 1, 1, tzinfo=UTC), 0),
        ):
            change = update(cups).values(started_at=started_at.timestamp())
            await connection.execute(change)
            of_2027 = replace((await load(connection)).row, started_at=JANUARY)
            season = await season_of(connection, Cup(of_2027, [], []))
            assert season
            assert len(season.standings) == count


async def test_one_group_is_cancelled_without_the_others(league: LeagueFixture) -> None:
    """And no further season follows, which the question says."""
    await league.first(6, 2)
    words = "The season's other groups go on; no further season opens after it."
    assert all(words in text(views.ask_cancelling(cup)) for cup in await league.all())
    cancelled = await league.cups.cancel(next(league.env.ids), 2, Actor(ORGANISER))
    assert cancelled.kind == "done"
    first, second = await league.all()
    assert (first.row.status, second.row.status) == (CupStatus.RUNNING, CupStatus.CANCELLED)
    question = text(views.ask_cancelling(first))
    assert words not in question, "no other group is left"
    assert "No further season opens after it." in question
    await league.at(FEBRUARY)
    assert len(await league.all()) == 2


async def load(connection: Connection) -> Cup:
    """Return the first cup."""
    cup = await load_cup(connection, 1)
    assert cup
    return cup


async def test_end_of_the_seasons_is_announced(league: LeagueFixture, env: MatchFixture) -> None:
    await league.first(3, 1)
    question = text(views.ask_cancelling(await league.get(1)))
    assert "No further season opens after it." in question
    assert "other groups" not in question
    await league.at(FEBRUARY - SIGN_UP_SECONDS)
    await league.at(FEBRUARY)
    ended = text(views.ended(await league.get(2)))
    assert "**Spring · 2** doesn't take place, and no other follows" in ended
    plain = await league.get(await league.create(0))
    assert "No further season" not in text(views.ask_cancelling(plain))
    cancelled = replace(plain, row=replace(plain.row, status=CupStatus.CANCELLED))
    assert "no other follows" not in text(views.ended(cancelled))
