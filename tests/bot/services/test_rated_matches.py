"""Rated matches: what counts, what does not, and what it changes."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any
from unittest.mock import patch

import pytest
from sqlalchemy import select, update

from bot.domain.clocks import DAY
from bot.domain.computer_players import computer_player
from bot.domain.ids import ChannelId, MatchId, UserId
from bot.domain.models import Player, Rated
from bot.domain.ratings import Rating
from bot.domain.terms import Terms
from bot.services.challenges import OPEN_SEAT
from bot.services.rated_matches import _Ended
from bot.services.rated_results import (
    ORDER_FACT,
    PAIR_LIMIT,
    PAIR_SECONDS,
    TIMEOUT_LIMIT,
    RatingChange,
    rating_changes,
)
from bot.storage.schema import actions, facts, rated_results, seats
from engine.computer.players import VERSION
from engine.game import Action
from tests.support.matches import ADA, BO, EVE, PLAYERS, TABLE, MatchFixture, opponent_of
from tests.support.privacy import export_of, privacy_of
from tests.support.rated import recalculated

NEW = Rating()


async def begin(
    env: MatchFixture, players: list[Player] | None = None, *, race: bool = True, **overrides: Any
) -> MatchId:
    """Return a rated match of Warp 6 that has begun, by default with all dice placed."""
    players = players or PLAYERS
    options = {"seats": "3"} if len(players) == 3 else {}
    fields: dict[str, Any] = {"rated": True, "options": options} | overrides
    terms = Terms(game="warp6", guild_id=None, channel_id=ChannelId(5), **fields)
    challenge = await env.challenges.challenge(
        next(env.ids), terms, players, side="BYW"[: len(players)]
    )
    assert challenge.kind == "done", challenge
    for player in players[1:]:
        await env.challenges.accept(next(env.ids), challenge.match_id, player.user_id)
    if race:
        await env.race(challenge.match_id)
    return challenge.match_id


async def resign(env: MatchFixture, match_id: MatchId, user: UserId) -> None:
    verb = "resign" if len((await env.queries.match(match_id)).players) == 2 else "leave"
    assert (await env.matches.act(next(env.ids), match_id, user, verb)).kind == "done"


async def rated(env: MatchFixture, match_id: MatchId) -> Rated:
    return (await env.queries.match(match_id)).rated


async def changes(env: MatchFixture, match_id: MatchId) -> dict[str, RatingChange]:
    async with env.database.read() as connection:
        return {change.seat: change for change in await rating_changes(connection, match_id)}


async def ranks(env: MatchFixture) -> list[tuple[int, int]]:
    """Return user ID and rank of all results, in order."""
    columns = rated_results.c.user_id, rated_results.c.rank
    query = select(*columns).order_by(rated_results.c.number, rated_results.c.user_id)
    async with env.database.read() as connection:
        return [(row[0], row[1]) for row in await connection.execute(query)]


async def choose(env: MatchFixture, match_id: MatchId, times: int = 1) -> None:
    """Make the first legal choice for the player on turn, several times."""
    for _ in range(times):
        user = await env.on_turn(match_id)
        line = (await env.queries.view(match_id, user)).view.legal[0].notation
        assert (await env.matches.act(next(env.ids), match_id, user, line)).kind == "done"


async def run_out(env: MatchFixture, match_id: MatchId, *, reminders: int = 2) -> None:
    """Have the time of the player on turn run out, and the other one claim the match."""
    match = await env.queries.match(match_id)
    ((seat, version),) = match.decisions.items()
    if reminders > 1:
        await env.strike("warn", match_id, seat, version)
    env.now += 4 * DAY
    await env.strike("flag", match_id, seat, version)
    (other,) = (
        player.user_id for player in match.players.values() if player != match.players[seat]
    )
    claimed = await env.deadlines.claim_win(next(env.ids), match_id, other, seat)
    assert claimed.kind == "done", claimed


async def test_a_result_changes_both_ratings(env: MatchFixture) -> None:
    match_id = await begin(env)
    assert await changes(env, match_id) == {}
    await resign(env, match_id, BO)
    ratings = await changes(env, match_id)
    assert ratings["B"].before == ratings["Y"].before == NEW
    assert ratings["B"].after.mu > NEW.mu > ratings["Y"].after.mu
    assert ratings["B"].pool == "warp6/2"
    assert await rated(env, match_id) == Rated.RATED
    assert await ranks(env) == [(ADA, 0), (BO, 1)]
    async with env.database.read() as connection:
        names = (await connection.execute(select(facts.c.name))).scalars().all()
    assert ORDER_FACT in names, "other results have waited"
    again = await begin(env)
    await resign(env, again, ADA)
    assert (await changes(env, again))["B"].before == ratings["B"].after


async def test_casual_matches_change_nothing(env: MatchFixture) -> None:
    match_id = await begin(env, rated=False)
    await resign(env, match_id, BO)
    assert await changes(env, match_id) == {}
    assert await rated(env, match_id) == Rated.CASUAL


async def test_players_that_leave_are_behind_those_who_lose(env: MatchFixture) -> None:
    match_id = await begin(env, TABLE)
    await resign(env, match_id, EVE)
    assert await changes(env, match_id) == {}, "the others play on"
    await resign(env, match_id, BO)
    ratings = await changes(env, match_id)
    assert ratings["B"].pool == "warp6/3"
    by_seat = {
        person.user_id: seat for seat, person in (await env.queries.match(match_id)).people.items()
    }
    ada, bo, eve = (ratings[by_seat[user]].after.mu for user in (ADA, BO, EVE))
    assert ada > bo
    assert bo == eve, "both have left"
    assert await ranks(env) == [(ADA, 0), (BO, 2), (EVE, 2)]


async def test_an_agreed_draw_counts(env: MatchFixture) -> None:
    match_id = await begin(env)
    await env.matches.act(next(env.ids), match_id, ADA, "draw offer")
    assert (await env.matches.act(next(env.ids), match_id, BO, "draw accept")).kind == "done"
    ratings = await changes(env, match_id)
    assert ratings["B"].after == ratings["Y"].after
    assert await ranks(env) == [(ADA, 0), (BO, 0)]


async def test_a_series_is_one_result(env: MatchFixture) -> None:
    first = await begin(env, rounds=2)
    await resign(env, first, BO)
    assert await changes(env, first) == {}
    (second,) = await env.queries.list_for(BO, "challenge")
    assert second.rated == Rated.RATED
    await env.challenges.accept(next(env.ids), second.id, BO)
    await resign(env, second.id, BO)
    ratings = await changes(env, second.id)
    assert ratings["B"].after.mu > ratings["Y"].after.mu
    assert (await recalculated(env))[0] == 1


# What cannot be rated


async def test_a_handicap_cannot_be_rated(env: MatchFixture) -> None:
    terms = Terms(
        game="tomtube",
        options={"launch_T": "2"},
        rated=True,
        guild_id=None,
        channel_id=ChannelId(5),
    )
    challenge = await env.challenges.challenge(next(env.ids), terms, PLAYERS)
    assert challenge.sentence == "A match with a handicap can't be rated."


async def test_a_handicap_for_both_is_none(env: MatchFixture) -> None:
    options = {"launch_T": "2", "launch_D": "2"}
    terms = Terms(
        game="tomtube", options=options, rated=True, guild_id=None, channel_id=ChannelId(5)
    )
    assert (await env.challenges.challenge(next(env.ids), terms, PLAYERS)).kind == "done"


async def test_a_match_from_a_position_cannot_be_rated(env: MatchFixture) -> None:
    lines = (Action.parse("* roll"),)
    terms = Terms(game="warp6", lines=lines, rated=True, guild_id=None, channel_id=ChannelId(5))
    challenge = await env.challenges.challenge(next(env.ids), terms, PLAYERS)
    assert challenge.sentence == "A match that continues from a position can't be rated."


async def test_computers_are_not_rated_among_people(env: MatchFixture) -> None:
    terms = Terms(
        game="warp6", options={"seats": "3"}, rated=True, guild_id=None, channel_id=ChannelId(5)
    )
    challenge = await env.challenges.challenge(next(env.ids), terms, [*PLAYERS, computer_player()])
    assert challenge.sentence == "A match of several people with the computer can't be rated."


async def test_the_computer_takes_no_seat_of_a_rated_match(env: MatchFixture) -> None:
    terms = Terms(game="warp6", rated=True, guild_id=None, channel_id=ChannelId(5))
    challenge = await env.challenges.challenge(next(env.ids), terms, [PLAYERS[0], OPEN_SEAT])
    filled = await env.computer_seats.play_computer(next(env.ids), challenge.match_id, ADA)
    assert filled.sentence == "This challenge is rated, so only people can take its seats."


async def test_a_person_takes_no_second_seat(env: MatchFixture) -> None:
    terms = Terms(game="warp6", rated=True, guild_id=None, channel_id=ChannelId(5))
    twice = await env.challenges.challenge(next(env.ids), terms, [PLAYERS[0], PLAYERS[0]])
    assert twice.kind == "refused"
    challenge = await env.challenges.challenge(next(env.ids), terms, [PLAYERS[0], OPEN_SEAT])
    joined = await env.challenges.accept(next(env.ids), challenge.match_id, ADA, "Ada")
    assert joined.sentence == "You can't accept your own challenge, but you can withdraw it."


async def test_a_rematch_is_rated_but_not_with_a_handicap(env: MatchFixture) -> None:
    terms = Terms(game="tomtube", rated=True, guild_id=None, channel_id=ChannelId(5))
    for handicap, expected in ((None, Rated.RATED), (0, Rated.CASUAL)):
        challenge = await env.challenges.challenge(next(env.ids), terms, PLAYERS)
        await env.challenges.accept(next(env.ids), challenge.match_id, BO)
        await env.matches.act(next(env.ids), challenge.match_id, BO, "resign")
        rematch = await env.rematches.rematch(next(env.ids), challenge.match_id, BO, handicap)
        assert await rated(env, rematch.match_id) == expected


# What does not count


async def test_giving_up_early_does_not_count(env: MatchFixture) -> None:
    match_id = await begin(env, race=False)
    await resign(env, match_id, BO)
    assert await rated(env, match_id) == Rated.EARLY
    assert await changes(env, match_id) == {}


@pytest.mark.parametrize(("plies", "expected"), [(7, Rated.EARLY), (8, Rated.RATED)])
async def test_the_eighth_choice_makes_it_count(
    env: MatchFixture, plies: int, expected: Rated
) -> None:
    match_id = await begin(env, race=False)
    await choose(env, match_id, plies)
    user = await env.on_turn(match_id)
    for actor, line in ((user, "draw offer"), (opponent_of(user), "draw decline")):
        assert (await env.matches.act(next(env.ids), match_id, actor, line)).kind == "done"
    await resign(env, match_id, BO)
    assert await rated(env, match_id) == expected


async def test_choices_after_the_first_has_left_make_nothing_count(env: MatchFixture) -> None:
    match_id = await begin(env, TABLE, race=False)
    await choose(env, match_id, 3)
    await resign(env, match_id, EVE)
    await choose(env, match_id, 6)
    await resign(env, match_id, BO)
    assert await rated(env, match_id) == Rated.EARLY


@pytest.mark.parametrize("rounds", [1, 2])
async def test_an_abandoned_match_does_not_count(env: MatchFixture, rounds: int) -> None:
    match_id = await begin(env, rounds=rounds)
    for user in (ADA, BO):
        version = (await env.queries.match(match_id)).version
        await env.abandoning.agree(next(env.ids), match_id, user, version)
    assert await rated(env, match_id) == Rated.ABANDONED


@pytest.mark.parametrize(("reminders", "expected"), [(1, Rated.UNREMINDED), (2, Rated.RATED)])
async def test_a_loss_on_time_counts_after_two_reminders(
    env: MatchFixture, reminders: int, expected: Rated
) -> None:
    match_id = await begin(env, clock="3d")
    await run_out(env, match_id, reminders=reminders)
    assert await rated(env, match_id) == expected


async def test_reminders_of_earlier_decisions_do_not_count(env: MatchFixture) -> None:
    match_id = await begin(env, clock="3d")
    for _ in range(2):
        match = await env.queries.match(match_id)
        ((seat, version),) = match.decisions.items()
        await env.strike("remind", match_id, seat, version)
        await env.strike("warn", match_id, seat, version)
        await choose(env, match_id)
    await run_out(env, match_id, reminders=1)
    assert await rated(env, match_id) == Rated.UNREMINDED


async def test_a_nudge_is_a_reminder(env: MatchFixture) -> None:
    match_id = await begin(env)
    user = await env.on_turn(match_id)
    other = opponent_of(user)
    assert (await env.nudges.nudge(next(env.ids), match_id, other)).kind == "done"
    async with env.database.read() as connection:
        of = (seats.c.match_id == match_id) & (seats.c.user_id == user)
        reminders = (await connection.execute(select(seats.c.reminders).where(of))).scalar_one()
    assert reminders == 1


async def test_many_losses_on_time_at_once_do_not_count(env: MatchFixture) -> None:
    lost: list[Rated] = []
    for number in range(TIMEOUT_LIMIT + 1):
        other = Player(UserId(100 + number), f"P{number}")
        match_id = await begin(env, [PLAYERS[0], other], clock="1d")
        while await env.on_turn(match_id) != ADA:
            await choose(env, match_id)
        now = env.now
        await run_out(env, match_id)
        env.now = now
        lost.append(await rated(env, match_id))
    assert lost == [Rated.RATED] * TIMEOUT_LIMIT + [Rated.TIMEOUTS]
    match_id = await begin(env)
    await resign(env, match_id, ADA)
    assert await rated(env, match_id) == Rated.RATED, "it was not lost on time"


async def test_a_pair_counts_three_times_in_thirty_days(env: MatchFixture) -> None:
    for _ in range(PAIR_LIMIT):
        match_id = await begin(env)
        await resign(env, match_id, BO)
        assert await rated(env, match_id) == Rated.RATED
    match_id = await begin(env, [PLAYERS[1], PLAYERS[0]])
    await resign(env, match_id, BO)
    assert await rated(env, match_id) == Rated.PAIR
    three = await begin(env, TABLE)
    for user in (EVE, BO):
        await resign(env, three, user)
    assert await rated(env, three) == Rated.PAIR
    other = await begin(env, [PLAYERS[0], TABLE[2]])
    await resign(env, other, EVE)
    assert await rated(env, other) == Rated.RATED
    env.now += PAIR_SECONDS + 1
    later = await begin(env)
    await resign(env, later, BO)
    assert await rated(env, later) == Rated.RATED


async def test_a_stand_in_makes_a_match_casual(env: MatchFixture) -> None:
    match_id = await begin(env)
    async with env.database.write() as connection:
        placed = (actions.c.match_id == match_id) & (actions.c.line.like("B place%"))
        await connection.execute(
            update(actions).where(placed).values(chosen_by=f"navigator/{VERSION}")
        )
    await resign(env, match_id, BO)
    assert await rated(env, match_id) == Rated.STAND_IN


@pytest.mark.slow
async def test_what_revealed_something_stays_in_a_rated_match(env: MatchFixture) -> None:
    terms = Terms(game="wormholes", rated=True, guild_id=None, channel_id=ChannelId(5))
    challenge = await env.challenges.challenge(next(env.ids), terms, PLAYERS, side="O")
    match_id = challenge.match_id
    await env.challenges.accept(next(env.ids), match_id, BO)
    for _ in range(400):
        user = await env.on_turn(match_id)
        view = (await env.queries.view(match_id, user)).view
        line = next((a.notation for a in view.legal if a.verb == "move"), view.legal[0].notation)
        assert (await env.matches.act(next(env.ids), match_id, user, line)).kind == "done"
        version = (await env.queries.match(match_id)).version
        undone = await env.takebacks.take_back(next(env.ids), match_id, user)
        if undone.kind != "done" and "rated" in undone.sentence:
            agreed = await env.takebacks.take_back(
                next(env.ids), match_id, opponent_of(user), requested_version=version
            )
            assert agreed.kind == "refused"
            return
        if undone.kind == "done":
            await env.matches.act(next(env.ids), match_id, user, line)
    pytest.fail("nothing was revealed")


# Deleting and exporting


async def test_a_deletion_changes_no_rating_of_others(env: MatchFixture) -> None:
    for loser in (BO, ADA):
        match_id = await begin(env)
        await resign(env, match_id, loser)
    running = await begin(env, [PLAYERS[0], TABLE[2]])
    privacy = privacy_of(env)
    await privacy.erase(ADA)
    ratings = await changes(env, running)
    assert ratings["B"].after.mu < ratings["B"].before.mu, "a deletion resigns"
    async with env.database.read() as connection:
        users = (await connection.execute(select(rated_results.c.user_id).distinct())).scalars()
        assert set(users) == {-1001, BO, EVE}
    count, differing = await recalculated(env)
    assert (count, differing) == (3, [])
    await privacy.erase(BO)
    async with env.database.read() as connection:
        users = (await connection.execute(select(rated_results.c.user_id).distinct())).scalars()
        assert set(users) == {-1001, -1002, EVE}
    assert not (await recalculated(env))[1]
    env.now += PAIR_SECONDS
    fresh = await begin(env, [PLAYERS[0], TABLE[2]])
    await resign(env, fresh, EVE)
    assert (await changes(env, fresh))["B"].before == NEW


async def test_an_export_has_the_own_results_only(env: MatchFixture) -> None:
    match_id = await begin(env)
    await resign(env, match_id, BO)
    data = await export_of(env.database, ADA)
    (result,) = data["results of rated matches"]
    assert (result["user_id"], result["rank"], result["number"]) == (ADA, 0, 1)


def test_only_the_last_match_of_a_series_counts_as_lost_on_time() -> None:
    row: Any = None
    flag, resignation = ((Action("D", verb, ()), None) for verb in ("flag", "resign"))
    assert set(_Ended(row, (), ([flag], [resignation])).late) == {"D"}
    assert set(_Ended(row, (), ([resignation], [flag])).late) == set()


def test_a_stand_in_in_any_match_of_a_series_makes_it_casual() -> None:
    row: Any = None
    ada: Any = SimpleNamespace(seat="B", is_person=True, reminders=0, player=PLAYERS[0])
    bo: Any = SimpleNamespace(seat="Y", is_person=True, reminders=0, player=PLAYERS[1])
    by_person, by_computer = [
        (Action("B", "place", ("b8a",)), name) for name in (None, f"cadet/{VERSION}")
    ]
    for logs, objection in (
        (([by_person] * 8, [by_person] * 8), None),
        (([by_computer], [by_person] * 8), Rated.STAND_IN),
        (([by_person] * 8, [by_computer]), Rated.STAND_IN),
    ):
        with patch.object(_Ended, "is_abandoned", new=False):
            assert _Ended(row, (ada, bo), logs).objection("warp6/2") == objection
