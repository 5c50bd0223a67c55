"""Profiles: equal to an independent computation, and shown to whom their players choose."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable
from random import Random
from typing import Any

import pytest
from sqlalchemy import insert, select, update

from bot.domain.ids import MatchId, UserId
from bot.domain.models import Switch
from bot.domain.pools import pool_of
from bot.features.profiles import match_statistics
from bot.features.profiles import service as profiles
from bot.features.profiles.service import Audience, HiddenProfileError, Profile, Profiles, Score
from bot.features.profiles.views import page
from bot.services.preferences import PreferenceKey, Preferences
from bot.storage.schema import actions, analyses
from bot.storage.schema import seat_figures as figures
from engine import games
from engine.computer.analysis import VERSION, Analysis
from engine.computer.analyst import analyse
from engine.computer.situation import SCALE
from tests.support.matches import ADA, BO, EVE, MatchFixture
from tests.support.privacy import export_of, privacy_of
from tests.support.profiles import KINDS, begin, departed, end, play
from tests.support.tiers import sampled

COMPUTER = -2


def served(env: MatchFixture) -> Profiles:
    return Profiles(env.database)


async def read(
    env: MatchFixture, user: UserId, reader: int | None = None, **kwargs: Any
) -> Profile:
    return await served(env).read(user, UserId(reader or user), **kwargs)


def shown(profile: Profile) -> str:
    """What a reader gets, to the byte."""
    layout: Any = page("Ada", profile).layout
    return json.dumps(layout.to_components())


async def prefer(env: MatchFixture, user: UserId, **values: str) -> None:
    await Preferences(env.database).set_all(user, values)


async def finish(
    env: MatchFixture, seed: int, kind: int, most: int = 30, *, lose: bool = True
) -> MatchId:
    """Play a match of a kind, and end it."""
    random = Random(seed)
    match_id = await begin(env, *KINDS[kind])
    await play(env, match_id, random, most)
    await end(env, match_id, random, lose=lose)
    assert (await env.queries.match(match_id)).status == "finished"
    return match_id


async def add_analysis(env: MatchFixture, match_id: MatchId) -> Analysis:
    analysis = analyse(await env.queries.record(match_id))
    row = {"match_id": match_id, "version": VERSION, "requested_at": 0.0, "attempts": 1}
    async with env.database.write() as connection:
        result = json.dumps(analysis.to_json())
        await connection.execute(insert(analyses).values(row | {"result": result}))
    return analysis


# Independent computation


async def told(env: MatchFixture, user: UserId, numbers: Iterable[MatchId]) -> dict[str, Any]:
    """What the records of matches tell about a user."""
    scores: dict[bool, dict[str, list[int]]] = {True: {}, False: {}}
    turns, seconds, met = 0, 0.0, Counter[int]()
    for number in numbers:
        match, record = (
            await env.queries.match(number),
            await env.queries.record(number),
        )
        seat = match.seat_of(user)
        result = record.headers["Result"]
        if not seat or result == "- abandoned":
            continue
        left = departed([str(action) for action in record.actions])
        place = 0 if result[0] == seat else 1 if result[0] == "-" and seat not in left else 2
        people = all(player.user_id != COMPUTER for player in match.players.values())
        pool = pool_of(games.get(match.game), match.options, computers=not people)
        scores[people].setdefault(pool, [0, 0, 0])[place] += 1
        if people:
            met.update(
                player.user_id for player in match.players.values() if player.user_id != user
            )
            spent_here = await spent(env, number, seat)
            turns, seconds = turns + spent_here[0], seconds + spent_here[1]
    return {
        "people": {pool: tuple(score) for pool, score in scores[True].items()},
        "computers": {pool: tuple(score) for pool, score in scores[False].items()},
        "met": dict(met),
        "turns": turns,
        "seconds": seconds,
    }


async def spent(env: MatchFixture, match_id: MatchId, seat: str) -> tuple[int, float]:
    """Number of turns, and their time: from the line before each of them to its last one."""
    query = select(actions.c.line, actions.c.made_at).where(
        actions.c.match_id == match_id, actions.c.undone_at.is_(None)
    )
    async with env.database.read() as connection:
        rows = (await connection.execute(query.order_by(actions.c.number))).all()
    ending = ("resign", "leave", "draw", "abandon")
    lines = [(line.split()[0], at) for line, at in rows if line.split()[1] not in ending]
    gaps = [(lines[n][0], lines[n][1] - lines[n - 1][1]) for n in range(1, len(lines))]
    players = [actor for actor, _ in lines[:1] + gaps if actor != "*"]
    first = bool(lines) and lines[0][0] == seat
    runs = sum(
        actor == seat and (n == 0 or players[n - 1] != seat) for n, actor in enumerate(players)
    )
    return runs - first, sum(time for actor, time in gaps if actor == seat)


@sampled(1, 5, 200)
async def test_profile_equals_an_independent_computation(env: MatchFixture, samples: int) -> None:
    numbers = list[MatchId]()
    for seed in range(samples):
        numbers.append(await finish(env, seed, seed % len(KINDS), lose=False))
    await begin(env, *KINDS[0])  # a running match counts for nothing
    for user in (ADA, BO, EVE):
        wanted, profile = await told(env, user, numbers), await read(env, user)
        assert {pool: tuple(score) for pool, score in profile.people.items()} == wanted["people"]
        assert {pool: tuple(score) for pool, score in profile.computers.items()} == wanted[
            "computers"
        ]
        assert {e.user_id: e.score.matches for e in profile.opponents} == wanted["met"]
        assert profile.turns == wanted["turns"]
        assert profile.seconds == pytest.approx(wanted["seconds"])


@pytest.mark.slow
async def test_scores_of_two_opponents_add_up(env: MatchFixture) -> None:
    for seed in range(6):
        await finish(env, seed, 4, most=3, lose=False)
    ada, bo = await read(env, ADA), await read(env, BO)
    (mine,), (theirs,) = ada.opponents, bo.opponents
    assert mine.score == Score(theirs.score.lost, theirs.score.drawn, theirs.score.won)
    assert mine.score.matches == ada.matches == bo.matches


async def test_user_without_matches_has_an_empty_profile(env: MatchFixture) -> None:
    assert await read(env, UserId(99)) == Profile()
    assert "No finished matches yet." in shown(Profile())


@pytest.mark.first(check=1)
@pytest.mark.soak
async def test_analyses_give_luck_and_errors(env: MatchFixture) -> None:
    numbers = [await finish(env, seed, 2, most=24) for seed in (1, 2, 4, 5)]
    assert (await read(env, ADA)).luck is None
    analysed = [
        (await env.queries.match(number), await add_analysis(env, number)) for number in numbers
    ]
    profile = await read(env, ADA)
    seats = [analysis.seats.index(match.seat_of(ADA)) for match, analysis in analysed]
    parts = [analysis.parts[seat] for (_, analysis), seat in zip(analysed, seats, strict=True)]
    assert profile.luck
    assert profile.luck.mean == pytest.approx(sum(part.dice for part in parts) / SCALE / len(parts))
    assert profile.luck.margin
    decisions = [
        decision for match, analysis in analysed for decision in analysis.of(match.seat_of(ADA))
    ]
    (errors,) = profile.errors
    assert errors.decisions == len(decisions)
    assert errors.rate.mean == pytest.approx(
        sum(decision.loss for decision in decisions) / SCALE / len(decisions)
    )
    assert "; about as good as the computer's " in shown(profile)


@pytest.mark.slow
async def test_favourite_opening_was_played_more_than_once(env: MatchFixture) -> None:
    for seed in range(4):  # of three kinds of dice, one comes first twice
        await finish(env, seed, 2, most=3)
    (opening,) = (await read(env, ADA)).openings
    assert 2 <= opening.played <= opening.matches == 4
    assert f"a die with {opening.words} faces first ({opening.played} of 4)" in shown(
        await read(env, ADA)
    )


# Who may see it


async def test_profile_is_private_by_default(env: MatchFixture) -> None:
    await finish(env, 1, 0, most=2)
    with pytest.raises(HiddenProfileError) as refused:
        await read(env, ADA, BO, is_member=True)
    assert refused.value.audience == Audience.NO_ONE
    assert (await read(env, ADA)).matches == 1


async def test_players_met_and_members_see_it_if_allowed(env: MatchFixture) -> None:
    await prefer(env, ADA, profile="met")
    with pytest.raises(HiddenProfileError) as refused:
        await read(env, ADA, BO)
    assert refused.value.audience == Audience.MET
    assert (await read(env, ADA, BO, is_member=True)).matches == 0
    await finish(env, 1, 7, most=0)  # of Bo and Eve
    running = await begin(env, *KINDS[0])
    with pytest.raises(HiddenProfileError):
        await read(env, ADA, BO)
    await env.matches.act(next(env.ids), running, BO, "resign")
    assert (await read(env, ADA, BO)).matches == 1
    with pytest.raises(HiddenProfileError):
        await read(env, ADA, EVE)
    await prefer(env, ADA, profile="everyone")
    assert (await read(env, ADA, EVE)).matches == 1


async def test_blocked_reader_is_told_that_it_is_private(env: MatchFixture) -> None:
    await prefer(env, ADA, profile="everyone")
    await Preferences(env.database).block(ADA, BO)
    with pytest.raises(HiddenProfileError) as refused:
        await read(env, ADA, BO, is_member=True)
    assert refused.value.audience == Audience.NO_ONE


@pytest.mark.slow
async def test_others_see_no_third_person(env: MatchFixture) -> None:
    await prefer(env, ADA, profile="everyone")
    for kind in (0, 3, 5):
        await finish(env, 1, kind, most=3)
    seen = await read(env, ADA, BO)
    assert [opponent.user_id for opponent in seen.opponents] == [BO]
    assert seen.opponent_count == 2
    assert "Eve" not in shown(seen)
    assert {opponent.user_id for opponent in (await read(env, ADA)).opponents} == {BO, EVE}


@pytest.mark.first(check=1)
@pytest.mark.slow
async def test_decisions_are_shown_to_others_only_if_shared(env: MatchFixture) -> None:
    await prefer(env, ADA, profile="everyone")
    for seed in (1, 2, 4):
        await add_analysis(env, await finish(env, seed, 2, most=24))
    hidden = await read(env, ADA, BO)
    assert (hidden.luck, hidden.errors) == (None, ())
    assert "private" in shown(hidden)
    await prefer(env, ADA, **{PreferenceKey.ANALYSIS: Switch.ON})
    seen = await read(env, ADA, BO)
    assert seen.luck
    assert seen.errors


@pytest.mark.slow
async def test_single_analyses_are_not_shown_to_others(env: MatchFixture) -> None:
    await prefer(env, ADA, profile="everyone", analysis="on")
    await add_analysis(env, await finish(env, 1, 2, most=24))
    seen = await read(env, ADA, BO)
    assert (seen.luck, seen.errors) == (None, ())
    assert (await read(env, ADA)).luck


# Leaks


async def pages(env: MatchFixture) -> list[str]:
    """All profiles as their players and another reader get them."""
    return [
        shown(await read(env, user, reader, is_member=True))
        for user in (ADA, BO, EVE)
        for reader in (user, EVE)
    ]


async def walk(env: MatchFixture, seed: int) -> bool:
    """Play running matches; return whether a profile has changed meanwhile."""
    for user in (ADA, BO, EVE):
        await prefer(env, user, profile="everyone", analysis="on")
    for kind in (0, 3, 4):
        await finish(env, seed, kind, most=12)
    before, random = await pages(env), Random(seed)
    for kind in range(len(KINDS)):
        number = await begin(env, *KINDS[kind], rated=kind in (2, 4))
        await play(env, number, random, 12)
        if await pages(env) != before:
            return True
    return False


@pytest.mark.slow
@sampled(1, 1, 20)
async def test_running_matches_change_no_profile(env: MatchFixture, samples: int) -> None:
    for seed in range(samples):
        assert not await walk(env, seed)


@pytest.mark.slow
async def test_planted_leak_of_running_matches_is_found(
    env: MatchFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(profiles, "counts_in_profiles", lambda: True)
    monkeypatch.setattr(match_statistics, "counts_in_profiles", lambda: True)
    assert await walk(env, 1)


# Deletion and export


async def test_deleted_player_has_no_profile(env: MatchFixture) -> None:
    await prefer(env, ADA, profile="everyone")
    for seed in (1, 2):
        await finish(env, seed, 0, most=4)
    assert (await read(env, ADA, BO)).matches
    await privacy_of(env).erase(ADA)
    with pytest.raises(HiddenProfileError):
        await read(env, ADA, BO, is_member=True)
    assert await read(env, ADA) == Profile()
    bo = await read(env, BO)
    assert bo.matches
    assert not bo.opponents
    assert bo.opponent_count == 0


async def test_export_has_the_figures_of_own_seats(env: MatchFixture) -> None:
    await finish(env, 1, 0, most=4)
    await read(env, BO)
    exported = await export_of(env.database, ADA)
    (match,) = exported["matches"]
    (figures,) = match["figures"]
    assert figures["seat"] == match["seat"]["seat"]
    assert json.dumps(figures)


# Cost


@pytest.mark.first(test=1)
@pytest.mark.parametrize("at_once", [1, 2, 3])
async def test_matches_are_read_once(
    env: MatchFixture, monkeypatch: pytest.MonkeyPatch, at_once: int
) -> None:
    for seed in range(3):
        await finish(env, seed, 4, most=3)
    computed: list[int] = []
    original = match_statistics.figures_of

    def counted(row: Any, log: Any) -> Any:
        computed.append(row.id)
        return original(row, log)

    monkeypatch.setattr(match_statistics, "figures_of", counted)
    monkeypatch.setattr(match_statistics, "MAX_MATCHES", 2)
    monkeypatch.setattr(match_statistics, "MATCHES_AT_ONCE", at_once)
    first = await read(env, ADA)
    assert (first.left_out, len(computed)) == (1, 2)
    assert min(computed) > 1, "the latest first"
    second = await read(env, ADA)
    assert (second.left_out, len(computed)) == (0, 3)
    assert await read(env, BO)
    assert len(computed) == 3
    async with env.database.write() as connection:  # as an earlier version left them
        await connection.execute(update(figures).values(version=0))
    third = await read(env, ADA)
    assert (third.left_out, third.matches, len(computed)) == (1, 2, 5)
