"""A match ends without a result once all of its players have agreed, and not before."""

from __future__ import annotations

import pytest
from sqlalchemy import func, select

from bot.domain.clocks import DAY
from bot.domain.computer_players import computer_player
from bot.domain.ids import ChannelId, MatchId, UserId, Version
from bot.domain.models import Rated
from bot.domain.outcomes import Outcome
from bot.domain.terms import Terms
from bot.services.abandoning import Abandoning
from bot.storage.schema import computer_jobs, matches, rated_results, timers
from tests.support.anchors import begin as begin_rated
from tests.support.matches import ADA, BO, EVE, PLAYERS, MatchFixture, act, warp6


async def agree(
    env: MatchFixture, match_id: MatchId, user: UserId, version: int | None = None
) -> Outcome:
    """A user agrees to end a match, at its present version if none is given."""
    if version is None:
        version = (await env.queries.match(match_id)).version
    return await env.abandoning.agree(next(env.ids), match_id, user, Version(version))


async def count(env: MatchFixture, kind: str) -> int:
    """How many messages of a kind are queued."""
    return len(await env.queued(kind=kind))


async def left_over(env: MatchFixture) -> list[str]:
    """The timers that are still set, and the jobs of the computer."""
    async with env.database.read() as connection:
        kinds = list((await connection.execute(select(timers.c.kind))).scalars())
        return kinds + list((await connection.execute(select(computer_jobs.c.seat))).scalars())


@pytest.mark.slow
async def test_a_match_ends_when_both_have_agreed(env: MatchFixture) -> None:
    match_id = await env.begin()
    assert (await agree(env, match_id, ADA)).kind == "ask"
    assert (await env.queries.match(match_id)).status == "running"
    assert await count(env, "abandon_request") == 1
    assert (await agree(env, match_id, BO)).kind == "done"
    perspective = await env.queries.view(match_id)
    assert perspective.match.status == "finished"
    assert perspective.view.result == "- abandoned"
    record = await env.queries.record(match_id)
    assert record.headers["Result"] == "- abandoned"
    assert "Points" not in record.headers
    assert record.verify() >= 1
    assert set(await left_over(env)) <= {"expire"}
    assert await count(env, "post_result") == 1


async def test_the_same_click_twice_counts_once(env: MatchFixture) -> None:
    match_id = await env.begin()
    version = (await env.queries.match(match_id)).version
    number = next(env.ids)
    for _ in range(2):
        assert (await env.abandoning.agree(number, match_id, ADA, version)).kind == "ask"
    assert await count(env, "abandon_request") == 1
    assert "already proposed" in (await agree(env, match_id, ADA)).sentence
    assert await count(env, "abandon_request") == 1


async def test_consent_counts_in_its_own_match_only(env: MatchFixture) -> None:
    one, other = await env.begin(), await env.begin()
    versions = [(await env.queries.match(match_id)).version for match_id in (one, other)]
    assert versions[0] == versions[1]
    assert (await agree(env, one, ADA)).kind == "ask"
    assert (await agree(env, other, BO)).kind == "ask"
    assert (await agree(env, one, BO)).kind == "done"
    seat = (await env.queries.match(one)).seat_of(BO)
    assert str((await env.queries.record(one)).actions[-1]) == f"{seat} abandon"
    assert (await left_over(env)).count("abandon") == 1, "only Bo's, in the other match"
    assert (await agree(env, other, ADA)).kind == "done", "its consent is still there"


async def test_the_next_move_is_a_no(env: MatchFixture) -> None:
    match_id = await env.begin()
    version = (await env.queries.match(match_id)).version
    await agree(env, match_id, ADA)
    await act(env, match_id)
    assert (await agree(env, match_id, BO, version)).kind == "stale"
    assert (await agree(env, match_id, BO)).kind == "ask"
    assert (await env.queries.match(match_id)).status == "running"


async def test_a_consent_lapses_after_a_week(env: MatchFixture) -> None:
    match_id = await env.begin()
    await agree(env, match_id, ADA)
    env.now += 7 * DAY
    await env.timers().fire()
    assert (await agree(env, match_id, BO)).kind == "ask"
    assert (await env.queries.match(match_id)).status == "running"


async def test_others_cannot_end_a_match(env: MatchFixture) -> None:
    match_id = await env.begin()
    assert (await agree(env, match_id, EVE)).kind == "unknown"
    refused = await env.matches.act(next(env.ids), match_id, ADA, "abandon")
    assert refused.kind == "refused"
    assert (await env.queries.match(match_id)).status == "running"


async def test_all_of_three_have_to_agree_unless_they_have_left(env: MatchFixture) -> None:
    match_id = await warp6(env, "", seats="3")
    assert (await agree(env, match_id, ADA)).kind == "ask"
    assert (await agree(env, match_id, EVE)).kind == "ask"
    assert (await agree(env, match_id, BO)).kind == "done"
    match_id = await warp6(env, "", seats="3")
    await env.matches.act(next(env.ids), match_id, EVE, "leave")
    assert "left this match" in (await agree(env, match_id, EVE)).sentence
    assert (await agree(env, match_id, ADA)).kind == "ask"
    assert (await agree(env, match_id, BO)).kind == "done"
    assert (await env.queries.view(match_id)).view.result == "- abandoned"


async def test_the_computer_agrees_and_its_absent_player_does_not(env: MatchFixture) -> None:
    match_id = await warp6(env, "", seats="3")
    match = await env.queries.match(match_id)
    await env.change_seat(match_id, match.seat_of(EVE), user_id=-2, level="cadet")
    await env.change_seat(match_id, match.seat_of(BO), level="cadet")
    assert (await agree(env, match_id, ADA)).kind == "ask"
    (payload,) = [row.payload for row in await env.queued(kind="abandon_request")]
    assert payload == {"version": match.version, f"ping:{match.seat_of(BO)}": match.version}
    assert (await agree(env, match_id, BO)).kind == "done"
    alone = await warp6(env, "")
    seat = (await env.queries.match(alone)).seat_of(BO)
    await env.change_seat(alone, seat, user_id=-2, level="cadet")
    assert (await agree(env, alone, ADA)).kind == "done", "the computer agrees at once"


@pytest.mark.parametrize(("pause", "kind"), [(7 * DAY - 1, "done"), (7 * DAY, "ask")])
async def test_all_must_agree_to_the_same_position_within_a_week(
    env: MatchFixture, pause: float, kind: str
) -> None:
    match_id = await warp6(env, "", seats="3")
    await agree(env, match_id, ADA)
    env.now += pause
    await env.timers().fire()
    assert (await agree(env, match_id, BO)).kind == "ask"
    assert "already proposed" in (await agree(env, match_id, BO)).sentence, "not twice for one"
    payload = (await env.queued(kind="abandon_request"))[-1].payload
    missing = {custom_id for custom_id in payload if custom_id.startswith("ping:")}
    users = [EVE] if kind == "done" else [ADA, EVE]
    match = await env.queries.match(match_id)
    assert missing == {f"ping:{match.seat_of(user)}" for user in users}
    assert (await agree(env, match_id, EVE)).kind == kind
    assert ((await env.queries.match(match_id)).status == "finished") is (kind == "done")


@pytest.mark.parametrize("rounds", [1, 2])
async def test_a_series_ends_with_an_abandoned_match(env: MatchFixture, rounds: int) -> None:
    match_id = await warp6(env, "")
    async with env.database.write() as connection:
        await connection.execute(matches.update().values(rounds=rounds, round=1))
    for user in (ADA, BO):
        await agree(env, match_id, user)
    match = await env.queries.match(match_id)
    assert match.status == "finished"
    assert not match.standing
    async with env.database.read() as connection:
        query = select(func.count()).select_from(matches)
        assert (await connection.execute(query)).scalar_one() == 1


async def test_a_deletion_ends_a_proposal_as_a_resignation(env: MatchFixture) -> None:
    match_id = await env.begin()
    await agree(env, match_id, ADA)
    async with env.database.write(exclusive=True) as connection:
        await env.matches.leave_all(connection, ADA)
    assert (await env.queries.view(match_id)).view.result.endswith(" resign")
    assert (await agree(env, match_id, BO)).kind == "stale"


async def results(env: MatchFixture) -> list[str]:
    """Return the seats with results that count."""
    async with env.database.read() as connection:
        return list((await connection.execute(select(rated_results.c.seat))).scalars())


@pytest.mark.parametrize("computers", [True, False])
async def test_abandoning_is_no_loss_while_the_computer_is_off(
    env: MatchFixture, *, computers: bool
) -> None:
    match_id = await begin_rated(env)
    abandoning = Abandoning(env.match_store, env.matches, computers=computers)
    version = (await env.queries.match(match_id)).version
    outcome = await abandoning.agree(next(env.ids), match_id, ADA, version)
    assert outcome.kind == "done"
    assert (await env.queries.match(match_id)).status == "finished"
    assert (await env.queries.match(match_id)).rated == (
        Rated.RATED if computers else Rated.ABANDONED
    )
    assert len(await results(env)) == 2 * computers


async def test_resigning_counts_while_the_computer_is_off(env: MatchFixture) -> None:
    env.abandoning._computers = False
    match_id = await begin_rated(env)
    assert (await env.matches.act(next(env.ids), match_id, ADA, "resign")).kind == "done"
    assert await results(env)


async def test_casual_match_stays_casual_while_the_computer_is_off(env: MatchFixture) -> None:
    env.abandoning._computers = False
    terms = Terms(game="warp6", guild_id=None, channel_id=ChannelId(5))
    challenge = await env.challenges.challenge(
        next(env.ids), terms, [PLAYERS[0], computer_player()], side="B"
    )
    await env.race(challenge.match_id)
    assert (await agree(env, challenge.match_id, ADA)).kind == "done"
    assert (await env.queries.match(challenge.match_id)).rated == Rated.CASUAL
