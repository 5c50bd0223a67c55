"""Profiles follow from the stored figures and results of a player's own matches."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
from sqlalchemy import insert, update

from bot.domain.computer_players import computer_player
from bot.domain.ids import MatchId, UserId
from bot.domain.models import MatchStatus
from bot.domain.ratings import Rating
from bot.features.profiles.confidence_intervals import Estimate
from bot.features.profiles.match_statistics import VERSION
from bot.features.profiles.service import (
    FavouriteOpening,
    GameErrors,
    Opponent,
    PoolRating,
    Profile,
    Profiles,
    Score,
    ratings_of,
)
from bot.services.preferences import Preferences
from bot.storage.schema import analyses, matches, rated_results, seat_figures, seats
from engine.computer.analysis import VERSION as ANALYSIS_VERSION
from engine.computer.analysis import Analysis, Decision, Parts
from engine.computer.situation import SCALE
from engine.game import Action
from tests.support.matches import ADA, BO, EVE, MatchFixture
from tests.support.profiles import begin

COMPUTER = computer_player().user_id

FIGURES: dict[str, Any] = {"version": VERSION, "turns": 0, "seconds": 0.0, "opening": ""}


async def finished(
    env: MatchFixture, game: str, outcomes: dict[UserId, str], *, size: str = "2", **figures: Any
) -> MatchId:
    """A match that is over: user → outcome, the first with more figures of its own."""
    users = tuple(outcomes)
    options = {"seats": size} if game == "warp6" else {}
    match_id = await begin(env, game, options, users)
    match = await env.queries.match(match_id)
    async with env.database.write() as connection:
        over = update(matches).where(matches.c.id == match_id)
        await connection.execute(over.values(status=MatchStatus.FINISHED))
        for number, (user, outcome) in enumerate(outcomes.items()):
            row = dict(FIGURES) if number else FIGURES | figures
            row |= {"match_id": match_id, "seat": match.seat_of(user), "outcome": outcome}
            await connection.execute(insert(seat_figures).values(row))
    return match_id


async def change(env: MatchFixture, match_id: MatchId, **values: Any) -> None:
    async with env.database.write() as connection:
        await connection.execute(update(matches).where(matches.c.id == match_id).values(values))


async def rename(env: MatchFixture, match_id: MatchId, user: UserId, name: str) -> None:
    condition = (seats.c.match_id == match_id) & (seats.c.user_id == user)
    async with env.database.write() as connection:
        await connection.execute(update(seats).where(condition).values(name=name))


async def read(env: MatchFixture, user: UserId, reader: int | None = None) -> Profile:
    return await Profiles(env.database).read(user, UserId(reader or user))


@pytest.mark.parametrize(
    ("score", "count", "share"),
    [
        (Score(), 0, 0.0),
        (Score(won=1), 1, 1.0),
        (Score(drawn=1), 1, 0.5),
        (Score(lost=1), 1, 0.0),
        (Score(won=2, drawn=1, lost=1), 4, 0.625),
    ],
)
def test_share_counts_a_draw_as_half_a_win(score: Score, count: int, share: float) -> None:
    assert (score.matches, score.share) == (count, share)


async def test_profile_adds_up_the_figures_of_own_matches(env: MatchFixture) -> None:
    suns: dict[str, Any] = {"turns": 3, "seconds": 60.0, "opening": "suns"}
    await finished(env, "wormholes", {ADA: "won", EVE: "lost"}, **suns)
    await finished(env, "wormholes", {ADA: "lost", EVE: "won"}, **suns)
    await finished(env, "wormholes", {ADA: "drawn", EVE: "drawn"}, turns=1, opening="moons")
    await finished(env, "tomtube", {ADA: "won", BO: "lost"}, opening="loop")
    await finished(env, "warp6", {ADA: "drawn", BO: "drawn"}, opening="6")
    await finished(env, "warp6", {ADA: "lost", BO: "lost", EVE: "won"}, size="3", opening="8")
    await finished(env, "warp6", {ADA: "lost", COMPUTER: "won"}, turns=20, opening="6")
    await finished(env, "wormholes", {BO: "won", EVE: "lost"}, **suns)
    await finished(env, "wormholes", {ADA: "", BO: ""}, **suns)  # without a result
    profile = await read(env, ADA)
    assert list(profile.people.items()) == [
        ("wormholes/2", Score(1, 1, 1)),
        ("tomtube/2", Score(1, 0, 0)),
        ("warp6/2", Score(0, 1, 0)),
        ("warp6/3", Score(0, 0, 1)),
    ]
    assert profile == Profile(
        people=profile.people,
        computers={"warp6/2/computers": Score(0, 0, 1)},
        opponents=(Opponent(EVE, "Eve", Score(1, 1, 2)), Opponent(BO, "Bo", Score(1, 2, 0))),
        opponent_count=2,
        turns=7,
        seconds=120.0,
        shows_analyses=True,
        openings=(FavouriteOpening("wormholes", "suns", 2, 3),),
    )


async def test_profile_names_opponents_as_in_the_latest_match(env: MatchFixture) -> None:
    await finished(env, "wormholes", {ADA: "won", BO: "lost"})  # its seats come later by letters
    latest = await finished(env, "warp6", {ADA: "won", BO: "lost"})
    await rename(env, latest, BO, "Bob")
    assert (await read(env, ADA)).opponents == (Opponent(BO, "Bob", Score(won=2)),)


async def test_matches_of_earlier_rules_leave_the_profile(env: MatchFixture) -> None:
    for version in (0, 1):
        match_id = await finished(env, "warp6", {ADA: "won", BO: "lost"})
        await change(env, match_id, engine_version=version)
    assert (await read(env, ADA)).people == {"warp6/2": Score(won=1)}


async def test_matches_that_go_on_from_a_position_do_not_count(env: MatchFixture) -> None:
    for lines in (0, 1):
        match_id = await finished(env, "tomtube", {ADA: "won", BO: "lost"})
        await change(env, match_id, lines_taken_over=lines)
    assert (await read(env, ADA)).people == {"tomtube/2": Score(won=1)}


@pytest.mark.parametrize("status", [MatchStatus.RUNNING, MatchStatus.CLOSED])
async def test_matches_that_are_not_finished_do_not_count(
    env: MatchFixture, status: MatchStatus
) -> None:
    match_id = await finished(env, "tomtube", {ADA: "won", BO: "lost"})
    await change(env, match_id, status=status)
    assert await read(env, ADA) == Profile()


async def test_match_with_people_and_a_computer_is_one_with_computers(env: MatchFixture) -> None:
    figures = judged(0, SCALE, 2) | {"turns": 5, "seconds": 9.0, "opening": "6"}
    outcomes = {ADA: "won", BO: "lost", COMPUTER: "lost"}
    for _ in range(2):
        await finished(env, "warp6", outcomes, size="3", **figures)
    profile = await read(env, ADA)
    assert (profile.people, profile.opponents, profile.openings) == ({}, (), ())
    assert profile.computers == {"warp6/3/computers": Score(won=2)}
    assert (profile.turns, profile.seconds) == (0, 0.0)
    assert [(error.game, error.decisions) for error in profile.errors] == [("warp6", 4)]


# Analyses


def judged(luck: int, loss: int, decisions: int, level: str = "captain") -> dict[str, Any]:
    """The figures of an analysis."""
    figures = {"luck": luck, "loss": loss, "decisions": decisions, "level": level}
    return figures | {"analysis_version": ANALYSIS_VERSION}


async def test_others_see_what_follows_from_three_analyses(env: MatchFixture) -> None:
    await Preferences(env.database).set_all(ADA, {"profile": "everyone", "analysis": "on"})

    async def play(game: str, **figures: Any) -> tuple[Profile, Profile]:
        await finished(env, game, {ADA: "won", BO: "lost"}, **figures)
        return await read(env, ADA), await read(env, ADA, EVE)

    await play("tomtube", **judged(SCALE, SCALE, 4))
    for_owner, seen = await play("tomtube", **judged(0, SCALE, 2))
    errors = GameErrors("tomtube", Estimate(2 / 6, None, 2), 6, "captain")
    assert (for_owner.luck, for_owner.errors) == (Estimate(0.5, None, 2), (errors,))
    assert (seen.luck, seen.errors) == (None, ())
    for_owner, seen = await play("warp6", **judged(SCALE // 2, 0, 5, "navigator"))
    assert [error.game for error in for_owner.errors] == ["tomtube", "warp6"]
    assert (for_owner.luck, seen.luck, seen.errors) == (Estimate(0.5, None, 3), for_owner.luck, ())
    for_owner, seen = await play("tomtube", **judged(0, SCALE, 2, "admiral"))
    errors = GameErrors("tomtube", Estimate(3 / 8, None, 3), 8, "captain")
    assert (seen.luck, seen.errors, seen.shows_analyses) == (for_owner.luck, (errors,), True)
    await Preferences(env.database).set_all(ADA, {"analysis": "off"})
    hidden = await read(env, ADA, EVE)
    assert (hidden.luck, hidden.errors, hidden.shows_analyses) == (None, (), False)


async def test_new_analysis_is_in_the_next_profile(env: MatchFixture) -> None:
    match_id = await finished(env, "tomtube", {ADA: "won", BO: "lost"})
    assert (await read(env, ADA)).luck is None
    match = await env.queries.match(match_id)
    players, (mine, theirs) = "".join(match.players), (match.seat_of(ADA), match.seat_of(BO))
    action = Action.parse(f"{mine} resign")
    parts = {
        mine: Parts(SCALE // 4, 0, (0, 0), (0, 0)),
        theirs: Parts(-SCALE // 4, 0, (0, 0), (0, 0)),
    }
    analysis = Analysis(
        seats=players,
        curve=(),
        parts=tuple(parts[seat] for seat in players),
        decisions=tuple(Decision(n, mine, action, action, SCALE // 2, ()) for n in range(2)),
        rolls=(),
        levels=tuple("captain" if seat == mine else "" for seat in players),
        endings=("", ""),
    )
    row = {"match_id": match_id, "version": ANALYSIS_VERSION, "requested_at": 0.0, "attempts": 1}
    async with env.database.write() as connection:
        result = json.dumps(analysis.to_json())
        await connection.execute(insert(analyses).values(row | {"result": result}))
    profile = await read(env, ADA)
    assert profile.luck == Estimate(0.25, None, 1)
    assert profile.errors == (GameErrors("tomtube", Estimate(0.5, None, 1), 2, "captain"),)


# Ratings


def results(match_ids: list[int]) -> Iterator[dict[str, Any]]:
    """A result for each match; the rating after it follows from its number and the user."""
    tables = [
        ("warp6/2", (BO, EVE)),
        ("warp6/2", (ADA, BO)),
        ("warp6/3", (ADA, BO, EVE)),
        ("warp6/2", (EVE, ADA)),
        ("tomtube/2", (ADA, BO)),
        ("warp6/2", (EVE, BO)),
    ]
    for number, (match_id, (pool, users)) in enumerate(zip(match_ids, tables, strict=True), 1):
        for seat, user in zip("BYW", users, strict=False):
            place = {"match_id": match_id, "seat": seat, "number": number, "pool": pool}
            rating = {"mu": 100.0 * number + user, "sigma": number + user / 100}
            yield place | rating | {"user_id": user, "rank": 0, "ended_at": 0.0}


async def test_rating_of_a_pool_is_that_after_the_last_result(env: MatchFixture) -> None:
    rows = list(results([await env.begin() for _ in range(6)]))
    async with env.database.write() as connection:
        await connection.execute(insert(rated_results), rows)
    async with env.database.read() as connection:
        ratings = {user: await ratings_of(connection, user) for user in (ADA, EVE, UserId(99))}
    assert ratings == {
        ADA: (
            PoolRating("tomtube/2", Rating(511.0, 5.11), 1),
            PoolRating("warp6/2", Rating(411.0, 4.11), 2),
            PoolRating("warp6/3", Rating(311.0, 3.11), 1),
        ),
        EVE: (
            PoolRating("warp6/2", Rating(633.0, 6.33), 3),
            PoolRating("warp6/3", Rating(333.0, 3.33), 1),
        ),
        99: (),
    }
    assert (await read(env, ADA)).ratings == ratings[ADA]
