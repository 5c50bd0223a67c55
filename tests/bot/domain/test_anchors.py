"""Rated matches against the computer, whose levels are anchors."""

from __future__ import annotations

from typing import Any

import pytest
from sqlalchemy import select, update

from bot.domain import anchors
from bot.domain.anchors import ANCHORS, PLAYERS_VERSION, anchor_of
from bot.domain.clocks import DAY
from bot.domain.computer_players import COMPUTER_NAMES, computer_player
from bot.domain.ids import COMPUTER_USER_ID, ChannelId, MatchId
from bot.domain.models import Rated
from bot.domain.pools import pool_of, pool_title
from bot.domain.ratings import Rating
from bot.domain.terms import Terms
from bot.services.challenges import OPEN_SEAT
from bot.services.match_store import load
from bot.services.rated_results import (
    RatingChange,
    correct,
    differences,
    rating_changes,
)
from bot.storage.schema import actions, rated_results
from engine import games
from engine.computer.players import VERSION
from engine.game import Action
from tests.support.anchors import begin, mark, solo_terms
from tests.support.matches import ADA, BO, PLAYERS, MatchFixture
from tests.support.privacy import export_of, privacy_of

ME = PLAYERS[0]

POOL = "warp6/2/computers"


async def end(env: MatchFixture, match_id: MatchId, seat: str, verb: str = "resign") -> None:
    """End a match by an action of a seat, of a person or the computer."""
    async with env.database.write() as connection:
        row = await load(connection, match_id)
        assert row
        await env.matches.apply(connection, row, Action(seat, verb, ()))


async def changes(env: MatchFixture, match_id: MatchId) -> list[RatingChange]:
    async with env.database.read() as connection:
        return list(await rating_changes(connection, match_id))


async def rows(env: MatchFixture) -> list[Any]:
    """Return all stored results."""
    async with env.database.read() as connection:
        query = select(rated_results).order_by(rated_results.c.number, rated_results.c.seat)
        return list((await connection.execute(query)).all())


async def rated(env: MatchFixture, match_id: MatchId) -> Rated:
    return (await env.queries.match(match_id)).rated


async def refusal(env: MatchFixture, terms: Terms, *players: Any) -> str:
    outcome = await env.challenges.challenge(next(env.ids), terms, players)
    return outcome.sentence


# The anchors


@pytest.mark.parametrize("name", games.names())
def test_every_level_of_this_version_is_measured(name: str) -> None:
    assert PLAYERS_VERSION == VERSION
    game = games.get(name)
    seats = [{}, *({option: v} for option, values in game.options.items() for v in values)]
    pools = {pool_of(game, options, computers=True) for options in seats}
    for pool in pools:
        ratings = [anchor_of(pool, f"{level}/{VERSION}") for level in COMPUTER_NAMES]
        strengths = [rating.number for rating in ratings if rating]
        assert strengths == [ANCHORS[pool][f"{e}/{VERSION}"] for e in COMPUTER_NAMES], pool
        assert strengths == sorted(strengths), pool


def test_only_levels_are_anchors() -> None:
    names = {name.partition("/")[0] for levels in ANCHORS.values() for name in levels}
    assert names == set(COMPUTER_NAMES)
    assert anchor_of(POOL, None) is None
    assert anchor_of(POOL, f"random/{VERSION}") is None


def test_pools_with_computers_say_so() -> None:
    assert pool_title("wormholes/2/computers") == "Wormholes against the computer"
    assert pool_title("warp6/3/computers") == "Warp 6 for 3 against the computer"


# What counts


@pytest.mark.parametrize(("loser", "rank"), [("B", 1), ("Y", 0)])
async def test_a_result_changes_the_person_only(env: MatchFixture, loser: str, rank: int) -> None:
    match_id = await begin(env, "captain")
    await end(env, match_id, loser)
    (change,) = await changes(env, match_id)
    assert (change.seat, change.pool, change.before) == ("B", POOL, Rating())
    assert (change.after.mu > change.before.mu) is (rank == 0)
    person, computer = await rows(env)
    assert (person.rank, person.anchor, person.user_id) == (rank, None, ADA)
    assert (computer.anchor, computer.user_id) == (f"captain/{VERSION}", COMPUTER_USER_ID)
    assert Rating(computer.mu, computer.sigma) == anchor_of(POOL, f"captain/{VERSION}")


async def test_pools_are_apart(env: MatchFixture) -> None:
    match_id = await begin(env)
    await end(env, match_id, "Y")
    terms = Terms(game="warp6", rated=True, guild_id=None, channel_id=ChannelId(5))
    outcome = await env.challenges.challenge(next(env.ids), terms, PLAYERS, side="B")
    await env.challenges.accept(next(env.ids), outcome.match_id, BO)
    await env.race(outcome.match_id)
    await end(env, outcome.match_id, "Y")
    pool_changes = await changes(env, outcome.match_id)
    assert [change.before for change in pool_changes] == [Rating(), Rating()]


async def test_a_stronger_level_gives_more(env: MatchFixture) -> None:
    gains = []
    for level in COMPUTER_NAMES:
        async with env.database.write() as connection:
            await connection.execute(rated_results.delete())
        match_id = await begin(env, level)
        await end(env, match_id, "Y")
        (change,) = await changes(env, match_id)
        gains.append(change.after.mu - change.before.mu)
    assert gains == sorted(gains)
    assert gains[0] < gains[-1]


async def test_many_matches_against_one_level_count(env: MatchFixture) -> None:
    for _ in range(5):
        match_id = await begin(env)
        await end(env, match_id, "B")
        assert await rated(env, match_id) == Rated.RATED
    assert len(await rows(env)) == 10


async def test_three_have_a_pool_of_their_own(env: MatchFixture) -> None:
    match_id = await begin(env, "admiral", seats=3)
    await env.matches.act(next(env.ids), match_id, ADA, "leave")
    (change,) = await changes(env, match_id)
    assert change.pool == "warp6/3/computers"
    assert change.after.mu < change.before.mu
    async with env.database.write() as connection:
        await connection.execute(rated_results.delete())
    match_id = await begin(env, "admiral", seats=3)
    await abandon(env, match_id)
    (abandoned,) = await changes(env, match_id)
    assert abandoned.after == change.after, "leaving and abandoning is losing"
    assert sorted(row.rank for row in await rows(env)) == [0, 2, 2]


# No way around a loss


async def abandon(env: MatchFixture, match_id: MatchId) -> None:
    version = (await env.queries.match(match_id)).version
    outcome = await env.abandoning.agree(next(env.ids), match_id, ADA, version)
    assert outcome.kind == "done", outcome


async def test_abandoning_is_a_loss(env: MatchFixture) -> None:
    lost_id = await begin(env)
    await end(env, lost_id, "B")
    (expected,) = await changes(env, lost_id)
    async with env.database.write() as connection:
        await connection.execute(rated_results.delete())
    match_id = await begin(env)
    await abandon(env, match_id)
    (change,) = await changes(env, match_id)
    assert change.after == expected.after


async def test_abandoning_early_does_not_count(env: MatchFixture) -> None:
    match_id = await begin(env, race=False)
    await abandon(env, match_id)
    assert await rated(env, match_id) == Rated.EARLY
    assert not await changes(env, match_id)


async def test_a_casual_match_is_abandoned_as_before(env: MatchFixture) -> None:
    terms = Terms(game="warp6", guild_id=None, channel_id=ChannelId(5))
    outcome = await env.challenges.challenge(
        next(env.ids), terms, [ME, computer_player()], side="B"
    )
    await env.race(outcome.match_id)
    await abandon(env, outcome.match_id)
    assert await rated(env, outcome.match_id) == Rated.CASUAL
    assert not await rows(env)


async def test_time_that_is_over_is_a_loss_after_a_day(env: MatchFixture) -> None:
    match_id = await begin(env)
    await until_turn(env, match_id)
    env.now += 3 * DAY - 10
    await fire(env)
    env.now += 11
    await fire(env)
    assert (await env.queries.match(match_id)).status == "running"
    env.now += DAY - 60
    await fire(env)
    assert (await env.queries.match(match_id)).status == "running"
    env.now += 61
    await fire(env)
    assert (await env.queries.match(match_id)).status == "finished"
    (change,) = await changes(env, match_id)
    assert change.after.mu < change.before.mu
    assert [row.out_of_time for row in await rows(env)] == [True, False]


async def test_a_choice_within_the_day_goes_on(env: MatchFixture) -> None:
    match_id = await begin(env)
    await until_turn(env, match_id)
    env.now += 3 * DAY + 1
    await fire(env)
    line = (await env.queries.view(match_id, ADA)).view.legal[0].notation
    assert (await env.matches.act(next(env.ids), match_id, ADA, line)).kind == "done"
    env.now += 2 * DAY
    await fire(env)
    assert (await env.queries.match(match_id)).status == "running"


async def test_a_casual_match_is_not_lost_on_time(env: MatchFixture) -> None:
    terms = Terms(game="warp6", clock="3d", guild_id=None, channel_id=ChannelId(5))
    outcome = await env.challenges.challenge(
        next(env.ids), terms, [ME, computer_player()], side="B"
    )
    await env.race(outcome.match_id)
    await until_turn(env, outcome.match_id)
    for _ in range(9):
        env.now += DAY
        await fire(env)
    assert (await env.queries.match(outcome.match_id)).status == "running"


async def until_turn(env: MatchFixture, match_id: MatchId) -> None:
    """Let the computer choose until it is Ada's turn."""
    while (await env.on_turn(match_id)) != ADA:
        async with env.database.write() as connection:
            row = await load(connection, match_id)
            assert row
            (seat,) = row.decisions
            await env.matches.apply(connection, row, games.get("warp6").legal(row.state())[0])
        assert seat != "B"


async def fire(env: MatchFixture) -> None:
    """Fire all timers that are due, without counting an outage."""
    timers = env.timers()
    async with env.database.write() as connection:
        await timers.heartbeats._note(connection, env.now)
    await timers.fire()


async def test_a_deletion_of_data_is_a_loss_first(env: MatchFixture) -> None:
    await begin(env)
    await privacy_of(env).erase(ADA)
    person, computer = await rows(env)
    assert person.user_id < 0
    assert (person.rank, person.anchor) == (1, None)
    assert (computer.user_id, computer.anchor) == (COMPUTER_USER_ID, f"navigator/{VERSION}")
    async with env.database.read() as connection:
        assert await differences(connection) == (1, [])


# What does not count, and what cannot be rated


@pytest.mark.parametrize("count", [1, 99])
@pytest.mark.parametrize(
    "other", [f"random/{VERSION}", f"captain/{VERSION}", f"navigator/{VERSION + 1}"]
)
async def test_other_computers_do_not_count(env: MatchFixture, other: str, count: int) -> None:
    match_id = await begin(env)
    async with env.database.write() as connection:
        theirs = select(actions.c.number).where(actions.c.line.like("Y place%")).limit(count)
        condition = actions.c.number.in_(theirs)
        await connection.execute(update(actions).where(condition).values(chosen_by=other))
    await end(env, match_id, "B")
    assert await rated(env, match_id) == Rated.FALLBACK
    assert not await rows(env)


async def test_a_match_needs_a_clock(env: MatchFixture) -> None:
    sentence = await refusal(env, solo_terms(clock=""), ME, computer_player())
    assert sentence == ("A match against the computer needs a clock to be rated, so that it ends.")


@pytest.mark.parametrize(
    "fields",
    [
        {"game": "wormholes", "rules": "0.6-long"},
        {"game": "wormholes", "options": {"placing": "random"}},
    ],
)
async def test_only_measured_terms_are_rated(env: MatchFixture, fields: dict[str, Any]) -> None:
    sentence = await refusal(env, solo_terms(**fields), ME, computer_player())
    assert "only matches with the standard rules and options can be rated" in sentence


async def test_open_seats_and_the_computer_are_not_rated(env: MatchFixture) -> None:
    terms = solo_terms(options={"seats": "3"})
    sentence = await refusal(env, terms, ME, computer_player(), OPEN_SEAT)
    assert sentence == "A match of several people with the computer can't be rated."


async def test_a_handicap_against_the_computer_is_not_rated(env: MatchFixture) -> None:
    terms = solo_terms(game="tomtube", options={"launch_T": "2"})
    sentence = await refusal(env, terms, ME, computer_player())
    assert sentence == "A match with a handicap can't be rated."


async def test_a_version_without_anchors_is_not_rated(
    env: MatchFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.domain.pools.PLAYERS_VERSION", VERSION + 1)
    assert "the standard rules" in await refusal(env, solo_terms(), ME, computer_player())


# Recomputing and exporting


async def test_a_new_version_leaves_old_results(
    env: MatchFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    old = await begin(env)
    await end(env, old, "B")
    later = {pool: dict(levels) for pool, levels in ANCHORS.items()}
    later[POOL][f"navigator/{VERSION + 1}"] = 2000
    monkeypatch.setattr(anchors, "ANCHORS", later)
    new = await begin(env)
    await mark(env, new, f"navigator/{VERSION + 1}", "Y")
    await end(env, new, "Y")
    assert [row.anchor for row in await rows(env)] == [
        None,
        f"navigator/{VERSION}",
        None,
        f"navigator/{VERSION + 1}",
    ]
    async with env.database.read() as connection:
        assert await differences(connection) == (2, [])
    monkeypatch.setattr(anchors, "ANCHORS", {POOL: {f"navigator/{VERSION + 1}": 2000}})
    async with env.database.read() as connection:
        assert await differences(connection) == (2, []), "stored anchors need no table"


async def test_recomputing_finds_a_changed_anchor(
    env: MatchFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    match_id = await begin(env)
    await end(env, match_id, "B")
    before = await rows(env)
    monkeypatch.setattr(anchors, "ANCHORS", {POOL: {f"navigator/{VERSION}": 1900}})
    async with env.database.write() as connection:
        __, faults = await differences(connection)
        assert {fault.seat for fault in faults} == {"B", "Y"}
        await correct(connection, faults)
        assert (await differences(connection))[1] == []
    after = await rows(env)
    assert after[0].mu > before[0].mu, "a loss against a stronger level costs less"
    assert after[1].mu == 1900


async def test_an_export_has_the_own_results(env: MatchFixture) -> None:
    match_id = await begin(env)
    await end(env, match_id, "B")
    data = await export_of(env.database, ADA)
    (result,) = data["results of rated matches"]
    assert (result["pool"], result["anchor"]) == (POOL, None)
