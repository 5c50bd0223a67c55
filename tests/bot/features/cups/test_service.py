"""Cups: joining, starting, results, withdrawals, substitutes, the end."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import pytest
from sqlalchemy import update

from bot.domain.clocks import DAY
from bot.domain.ids import NO_MATCH, GuildId, UserId
from bot.domain.models import MatchStatus, Player
from bot.domain.outcomes import Outcome, OutcomeKind
from bot.features.cups.drafts import CupDraft
from bot.features.cups.formats import MAX_ENTRANTS, CupFormat
from bot.features.cups.rows import CupStatus, PairingStatus
from bot.features.cups.service import MAX_OPEN_CUPS, Actor
from bot.features.cups.standings import PairingReason
from bot.shards import SNOWFLAKE_MILLISECOND, Shards
from bot.storage.schema import matches, rated_results
from tests.support.cups import CHANNEL, ORGANISER, CupFixture, user
from tests.support.fake_objects import GUILD
from tests.support.matches import MatchFixture, act


@pytest.fixture
def cup(env: MatchFixture) -> CupFixture:
    return CupFixture(env)


# Before the start


async def test_players_join_and_leave(cup: CupFixture) -> None:
    cup_id = await cup.create(3)
    repeated = await cup.join(cup_id, user(2))
    assert (repeated.kind, repeated.sentence) == ("refused", "You're already in this cup.")
    assert (await cup.withdraw(cup_id, user(2))).kind == "done"
    entrants = (await cup.get(cup_id)).entrants
    assert [(entrant.number, entrant.user_id) for entrant in entrants] == [
        (1, user(1)),
        (3, user(3)),
    ]
    gone = await cup.withdraw(cup_id, user(2))
    assert gone.sentence == "You're not playing in this cup."
    assert (await cup.join(cup_id, user(4))).kind == "done"
    assert [entrant.number for entrant in (await cup.get(cup_id)).entrants] == [1, 3, 4]


async def test_a_player_who_leaves_one_cup_stays_in_others(cup: CupFixture) -> None:
    left, other = await cup.create(2), await cup.create(2)
    assert (await cup.withdraw(left, user(1))).kind == "done"
    players = [[entrant.user_id for entrant in (await cup.get(n)).entrants] for n in (left, other)]
    assert players == [[user(2)], [user(1), user(2)]]


async def test_what_is_no_cup_cannot_be_joined(cup: CupFixture) -> None:
    unknown = Outcome(OutcomeKind.UNKNOWN, sentence="There is no such cup.")
    assert await cup.join(999, user(1)) == unknown
    assert await cup.start(999) == unknown


async def test_a_full_cup_takes_no_more_players(cup: CupFixture) -> None:
    cup_id = await cup.create(MAX_ENTRANTS)
    assert "full" in (await cup.join(cup_id, user(17))).sentence


def draft(**fields: Any) -> CupDraft:
    """The terms of a cup, by default a round robin of Warp 6."""
    defaults = {"name": "Cup", "game": "warp6", "clock": "3d", "format": CupFormat.ROUND_ROBIN}
    return CupDraft(**(defaults | {"guild_id": GUILD, "channel_id": CHANNEL} | fields))


async def test_a_repeated_interaction_changes_nothing(cup: CupFixture) -> None:
    cup_id = (await cup.cups.create(899, draft(), ORGANISER)).cup_id
    assert await cup.cups.create(899, draft(), ORGANISER) == Outcome(
        OutcomeKind.DONE, cup_id=cup_id
    )
    assert await cup.cups.get(cup_id + 1) is None
    for number in (1, 2):
        await cup.join(cup_id, user(number))
    first = await cup.cups.join(900, cup_id, Player(user(9), "P"))
    await cup.withdraw(cup_id, user(9))
    assert await cup.cups.join(900, cup_id, Player(user(9), "P")) == first
    assert len((await cup.get(cup_id)).entrants) == 2


async def test_only_the_organiser_starts_a_cup(cup: CupFixture, env: MatchFixture) -> None:
    cup_id = await cup.create(3)
    refused = await cup.cups.start(next(env.ids), cup_id, Actor(user(1)))
    assert "Only the organiser" in refused.sentence
    assert (
        await cup.cups.start(next(env.ids), cup_id, Actor(UserId(1), manages=True))
    ).kind == "done"
    assert "already started" in (await cup.start(cup_id)).sentence
    assert "sign-up for this cup is over" in (await cup.join(cup_id, user(9))).sentence


async def test_a_cup_needs_three_players(cup: CupFixture) -> None:
    for players, words in ((1, "there is 1 now."), (2, "there are 2 now.")):
        refused = (await cup.start(await cup.create(players))).sentence
        assert f"at least 3 players; {words}" in refused
        assert "`/play` begins a match against it" in refused, "the computer plays in no cups"


async def test_an_organiser_has_few_cups_at_a_time(cup: CupFixture, env: MatchFixture) -> None:
    for _ in range(MAX_OPEN_CUPS):
        cup_id = await cup.create(0)
    more = draft(name="More", format=CupFormat.GROUPS)
    assert await cup.cups.create(next(env.ids), more, ORGANISER) == Outcome(
        OutcomeKind.REFUSED, sentence="You already organise 3 cups; finish one first."
    )
    assert (await cup.cups.create(next(env.ids), more, UserId(ORGANISER + 1))).kind == "done"
    await cup.cups.cancel(next(env.ids), cup_id, Actor(ORGANISER))
    assert (await cup.cups.create(next(env.ids), more, ORGANISER)).kind == "done"


async def test_an_impossible_cup_is_refused(cup: CupFixture, env: MatchFixture) -> None:
    refused = await cup.cups.create(next(env.ids), draft(starts_at=env.now), ORGANISER)
    sentence = "The cup would start in the past; choose a later date, such as `tomorrow 18:00`."
    assert refused == Outcome(OutcomeKind.REFUSED, sentence=sentence)
    assert not await cup.cups.of_server(GUILD)


# Playing


@pytest.mark.slow
async def test_a_round_robin_is_played_to_its_end(cup: CupFixture) -> None:
    over = await cup.play_out(await cup.begun(4))
    met = [frozenset(pairing.seated) for pairing in over.pairings]
    assert sorted(map(sorted, met)) == sorted(map(list, combinations(range(1, 5), 2)))
    assert [line.number for line in over.standings()] == [1, 2, 3, 4]
    assert over.winner
    assert over.winner.number == 1
    assert {pairing.reason for pairing in over.pairings} == {PairingReason.RESIGNED}


async def test_matches_are_those_of_the_cup(cup: CupFixture, env: MatchFixture) -> None:
    pairing = await cup.pairing(await cup.begun(3, game="wormholes", clock="7d"))
    match = await env.queries.match(pairing.match_id or NO_MATCH)
    assert (match.game, match.clock, match.guild_id) == ("wormholes", "7d", GUILD)
    assert match.status == MatchStatus.RUNNING
    assert len(match.salt.split(",")) == 2, "both have agreed by joining"
    assert match.commitment_holds


async def test_matches_of_a_cup_can_ignore_vacations(cup: CupFixture, env: MatchFixture) -> None:
    cup_id = await cup.begun(3, vacations=False)
    first = (await cup.get(cup_id)).running[0]
    match = await env.queries.match(first.match_id or NO_MATCH)
    assert match.clock == "3d!"
    (seat,) = match.decisions
    player = match.players[seat].user_id
    await env.vacations.begin(player, env.now + 10 * DAY)
    env.now += 3 * DAY
    await env.strike("flag", match.id, seat, match.decisions[seat])
    env.now += DAY
    await env.cup_dates.run()
    assert (await cup.pairing(cup_id, first.round, first.place)).reason == PairingReason.TIME
    again = await env.rematches.rematch(next(env.ids), match.id, player, None)
    assert (await env.queries.match(again.match_id)).clock == "3d", "only the cup has no vacations"


@pytest.mark.slow
async def test_open_matches_of_a_player_are_limited(cup: CupFixture) -> None:
    cup_id = await cup.begun(6, max_open=2)
    while (now := await cup.get(cup_id)).row.status == CupStatus.RUNNING:
        for entrant in now.entrants:
            matches_of_entrant = [
                pairing for pairing in now.running if entrant.number in pairing.seated
            ]
            assert len(matches_of_entrant) <= 2
        await cup.win(cup_id, now.running[-1], now.running[-1].seated[0])
    assert len(now.decided) == 15


@pytest.mark.slow
@pytest.mark.parametrize("players", [3, 4, 6, 8, 11])
async def test_a_knock_out_is_played_to_its_end(cup: CupFixture, players: int) -> None:
    cup_id = await cup.begun(players, format=CupFormat.KNOCK_OUT)
    over = await cup.play_out(cup_id)
    assert len(over.pairings) == players - 1
    assert over.winner
    assert over.winner.number == 1
    assert [line.place for line in over.standings()][:2] == [1, 2]


@pytest.mark.parametrize("players", [3, 5, 7])
async def test_groups_of_three_are_played_to_their_end(cup: CupFixture, players: int) -> None:
    over = await cup.play_out(await cup.begun(players, format=CupFormat.GROUPS))
    assert len(over.pairings) == players
    assert sum(line.points for line in over.standings()) == players
    assert all(line.played == 3 for line in over.standings())


async def test_a_series_is_one_result(cup: CupFixture, env: MatchFixture) -> None:
    cup_id = await cup.begun(3, rounds=2, max_open=1)
    first = await cup.pairing(cup_id)
    await cup.resign(first.match_id)
    second = await cup.pairing(cup_id)
    assert second.match_id != first.match_id, "the next match has begun by itself"
    match = await env.queries.match(second.match_id or NO_MATCH)
    assert (match.round, match.rounds, match.status) == (2, 2, MatchStatus.RUNNING)
    assert second.status == PairingStatus.RUNNING
    await cup.resign(second.match_id)
    done = await cup.pairing(cup_id)
    assert (done.status, done.winners) == (PairingStatus.DONE, done.seated[:1])


async def test_a_rated_cup_changes_ratings(cup: CupFixture, env: MatchFixture) -> None:
    cup_id = await cup.begun(3, rated=True)
    pairing = await cup.pairing(cup_id)
    await env.race(pairing.match_id or NO_MATCH)
    await cup.resign(pairing.match_id)
    async with env.database.read() as connection:
        rows = (await connection.execute(rated_results.select())).all()
    assert {row.match_id for row in rows} == {pairing.match_id}
    assert (await cup.pairing(cup_id)).status == PairingStatus.DONE


async def test_a_rated_series_left_in_a_cup_is_lost(cup: CupFixture, env: MatchFixture) -> None:
    cup_id = await cup.begun(3, rated=True, rounds=2)
    pairing = await cup.pairing(cup_id)
    await env.race(pairing.match_id or NO_MATCH)
    for _ in range(8):
        await act(env, pairing.match_id or NO_MATCH)
    leaver = (await cup.get(cup_id)).by_number[pairing.seated[0]]
    await cup.withdraw(cup_id, leaver.user_id)
    async with env.database.read() as connection:
        rows = (await connection.execute(rated_results.select())).all()
    ranks = {row.user_id: row.rank for row in rows if row.match_id == pairing.match_id}
    assert ranks[leaver.user_id] > min(ranks.values())


# Ends of a match


async def test_a_draw_shares_the_point(cup: CupFixture) -> None:
    cup_id = await cup.begun(3)
    await cup.draw(await cup.pairing(cup_id))
    done = await cup.pairing(cup_id)
    assert (done.winners, done.reason) == (done.seated, PairingReason.PLAYED)


async def test_a_draw_in_a_knock_out_is_replayed_once(cup: CupFixture) -> None:
    cup_id = await cup.begun(4, format=CupFormat.KNOCK_OUT)
    first = await cup.pairing(cup_id)
    await cup.draw(first)
    replayed = await cup.pairing(cup_id)
    assert replayed.seated == first.seated[::-1], "with other sides"
    assert replayed.match_id != first.match_id
    await cup.draw(replayed)
    done = await cup.pairing(cup_id)
    assert (done.status, done.reason) == (PairingStatus.DONE, PairingReason.LOT)
    assert len(done.winners) == 1
    assert done.winners[0] in (await cup.pairing(cup_id, 2)).numbers


async def test_a_match_ended_by_agreement_is_a_draw(cup: CupFixture, env: MatchFixture) -> None:
    cup_id = await cup.begun(3)
    pairing = await cup.pairing(cup_id)
    match = await env.queries.match(pairing.match_id or NO_MATCH)
    for player in match.players.values():
        await env.abandoning.agree(next(env.ids), match.id, player.user_id, match.version)
    done = await cup.pairing(cup_id)
    assert (done.winners, done.reason) == (done.seated, PairingReason.AGREED)


async def test_time_that_is_up_loses_without_a_claim(cup: CupFixture, env: MatchFixture) -> None:
    cup_id, _, seat = await cup.out_of_time()
    await cup.dates.run()
    assert (await cup.pairing(cup_id)).status == PairingStatus.RUNNING, "a move still counts"
    env.now += DAY
    await cup.dates.run()
    done = await cup.pairing(cup_id)
    late = done.seated["BY".index(seat)]
    assert (done.reason, done.forfeits) == (PairingReason.TIME, (late,))
    assert late not in done.winners


@pytest.mark.parametrize("shard", [0, 1])
async def test_another_process_claims_no_time(
    cup: CupFixture, env: MatchFixture, shard: int
) -> None:
    cup_id, match_id, _ = await cup.out_of_time()
    env.now += DAY
    async with env.database.write() as connection:
        there = update(matches).where(matches.c.id == match_id)
        await connection.execute(there.values(guild_id=SNOWFLAKE_MILLISECOND))
    process = MatchFixture(env.database, clock=env.clock, shards=Shards(2, (shard,)))
    await process.cup_dates.run()
    ended = PairingStatus.DONE if shard else PairingStatus.RUNNING
    assert (await cup.pairing(cup_id)).status == ended


async def test_a_match_of_older_rules_is_played_again(cup: CupFixture, env: MatchFixture) -> None:
    cup_id = await cup.begun(3)
    pairing = await cup.pairing(cup_id)
    async with env.database.write() as connection:
        old = update(matches).where(matches.c.id == pairing.match_id)
        await connection.execute(old.values(engine_version=-1))
    await cup.dates.run()
    replayed = await cup.pairing(cup_id)
    assert replayed.status == PairingStatus.RUNNING
    assert replayed.match_id not in (None, pairing.match_id)
    assert replayed.seated == pairing.seated


# Dates


async def test_a_cup_starts_on_its_date(cup: CupFixture, env: MatchFixture) -> None:
    cup_id = await cup.create(3, starts_at=env.now + DAY)
    few, joined_at = await cup.create(2, starts_at=env.now + DAY), env.now
    await cup.dates.run()
    assert (await cup.get(cup_id)).row.status == CupStatus.SIGN_UP
    env.now += DAY
    await cup.dates.run()
    begun = await cup.get(cup_id)
    assert begun.row.status == CupStatus.RUNNING
    assert {entrant.checked_at for entrant in begun.entrants} == {joined_at}
    assert (await cup.get(few)).row.status == CupStatus.CANCELLED


@pytest.mark.parametrize("cup_format", list(CupFormat))
async def test_the_last_day_decides_all_matches(
    cup: CupFixture, env: MatchFixture, cup_format: CupFormat
) -> None:
    cup_id = await cup.begun(5, format=cup_format, ends_at=env.now + 30 * DAY, max_open=1)
    pairing = (await cup.get(cup_id)).running[0]
    match = await env.queries.match(pairing.match_id or NO_MATCH)
    (seat,) = match.decisions
    env.now += 30 * DAY
    await cup.dates.run()
    over = await cup.get(cup_id)
    assert over.row.status == CupStatus.FINISHED
    done = next(decided for decided in over.pairings if decided.id == pairing.id)
    assert done.reason == PairingReason.LATE
    assert done.forfeits == (pairing.seated["BYW".index(seat)],)
    unplayed = [pairing.reason for pairing in over.pairings if pairing.match_id is None]
    assert set(unplayed) == {
        PairingReason.LOT if cup_format == CupFormat.KNOCK_OUT else PairingReason.VOID
    }
    assert (await env.queries.match(match.id)).status == MatchStatus.RUNNING
    await cup.resign(match.id)
    assert (await cup.get(cup_id)).decided == over.decided, "its end changes nothing"


async def test_the_last_day_changes_no_earlier_result(cup: CupFixture, env: MatchFixture) -> None:
    cup_id = await cup.begun(3, ends_at=env.now + 30 * DAY, max_open=1)
    await cup.resign((await cup.pairing(cup_id)).match_id)
    (done,) = (await cup.get(cup_id)).decided
    assert done.reason == PairingReason.RESIGNED
    env.now += 30 * DAY
    await cup.dates.run()
    over = await cup.get(cup_id)
    assert over.row.status == CupStatus.FINISHED
    assert done in over.decided
    assert len(over.decided) == 3


async def test_matches_of_a_cancelled_cup_count_for_no_cup(
    cup: CupFixture, env: MatchFixture
) -> None:
    cup_id = await cup.begun(3)
    pairing = await cup.pairing(cup_id)
    assert (await cup.cups.cancel(next(env.ids), cup_id, Actor(ORGANISER))).kind == "done"
    await cup.resign(pairing.match_id)
    assert (await cup.pairing(cup_id)).status == PairingStatus.RUNNING
    assert (await cup.get(cup_id)).row.status == CupStatus.CANCELLED
    refused = await cup.cups.cancel(next(env.ids), cup_id, Actor(ORGANISER))
    assert refused.sentence == "This cup is over."


# Lists


async def test_own_cups_are_organised_played_or_offered(cup: CupFixture, env: MatchFixture) -> None:
    played = await cup.begun(3)
    organised = (await cup.cups.create(next(env.ids), draft(), UserId(98))).cup_id
    offer = (Actor(ORGANISER), user(1), Player(UserId(77), "Kim"))
    await cup.cups.offer_place(next(env.ids), played, *offer)
    cups_of_users = [
        await cup.cups.of_user(user_id)
        for user_id in (ORGANISER, user(1), UserId(77), UserId(98), UserId(5))
    ]
    assert cups_of_users == [{played}, {played}, {played}, {organised}, set()]


async def test_cups_of_a_server_fit_a_list_of_discord(cup: CupFixture, env: MatchFixture) -> None:
    names = ["100%", "1000", *(f"Cup {number}" for number in range(24))]
    for number, name in enumerate(names):
        await cup.cups.create(next(env.ids), draft(name=name), UserId(number + 1))
    assert [listed.name for listed in await cup.cups.of_server(GUILD)] == names[:0:-1]
    assert [listed.name for listed in await cup.cups.of_server(GUILD, "0%")] == ["100%"]
    assert not await cup.cups.of_server(GuildId(GUILD + 1))
    newest = (await cup.cups.of_server(GUILD))[0]
    await cup.cups.cancel(next(env.ids), newest.id, Actor(newest.organiser_id))
    assert (await cup.get(newest.id)).row.ended_at == env.now
    names_found = [listed.name for listed in await cup.cups.of_server(GUILD, "Cup 2")]
    assert names_found == ["Cup 22", "Cup 21", "Cup 20", "Cup 2", "Cup 23"], (
        "those that are over last"
    )
