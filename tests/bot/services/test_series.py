"""Rated series that are not played to their end."""

from __future__ import annotations

from typing import Any

import pytest
from sqlalchemy import delete, select, update

from bot.domain.clocks import DAY
from bot.domain.computer_players import computer_player
from bot.domain.ids import ChannelId, MatchId, UserId
from bot.domain.models import Match, Player, Rated
from bot.domain.terms import Terms
from bot.services.rated_results import differences
from bot.storage.schema import actions, outbox, rated_results, seats, timers
from engine import games
from engine.computer.players import VERSION
from tests.support.matches import ADA, BO, EVE, PLAYERS, TABLE, MatchFixture
from tests.support.privacy import privacy_of


async def begin(
    env: MatchFixture, players: list[Player] | None = None, **overrides: Any
) -> MatchId:
    """Return the first match of a series of three of Warp 6, with all dice placed."""
    players = players or PLAYERS
    options = {"seats": "3"} if len(players) == 3 else {}
    fields: dict[str, Any] = {"rated": True, "rounds": 3, "options": options} | overrides
    terms = Terms(game="warp6", guild_id=None, channel_id=ChannelId(5), **fields)
    challenge = await env.challenges.challenge(
        next(env.ids), terms, players, side="BYW"[: len(players)]
    )
    for player in players[1:]:
        if player.is_person:
            await env.challenges.accept(next(env.ids), challenge.match_id, player.user_id)
    await env.race(challenge.match_id)
    return challenge.match_id


async def ended_first(env: MatchFixture, *losers: int, **options: Any) -> tuple[MatchId, MatchId]:
    """Return the first match of a series, which users lost, and the challenge to the second."""
    first = await begin(env, TABLE if len(losers) > 1 else PLAYERS, **options)
    for user in losers:
        verb = "leave" if len(losers) > 1 else "resign"
        assert (await env.matches.act(next(env.ids), first, UserId(user), verb)).kind == "done"
    (second,) = await env.queries.list_for(ADA, "challenge")
    return first, second.id


async def ranks(env: MatchFixture) -> dict[int, int]:
    """Return user → rank in the only result."""
    async with env.database.read() as connection:
        rows = (await connection.execute(select(rated_results))).all()
        assert (await differences(connection))[1] == []
    assert len({row.number for row in rows}) <= 1
    return {row.user_id: row.rank for row in rows}


async def match_of(env: MatchFixture, match_id: MatchId) -> Match:
    return await env.queries.match(match_id)


async def fire(env: MatchFixture) -> None:
    """Fire all timers that are due, without counting an outage."""
    served = env.timers()
    async with env.database.write() as connection:
        await served.heartbeats._note(connection, env.now)
    await served.fire()


async def timers_of(env: MatchFixture, match_id: MatchId) -> list[tuple[Any, ...]]:
    """Kind, seat, version and time of each timer of a match."""
    columns = timers.c.kind, timers.c.seat, timers.c.version, timers.c.due_at
    async with env.database.read() as connection:
        rows = await connection.execute(select(*columns).where(timers.c.match_id == match_id))
        return sorted(tuple(row) for row in rows)


async def queued(env: MatchFixture, kind: str) -> int:
    return len(await env.queued(kind=kind))


@pytest.mark.parametrize("loser", [ADA, BO])
async def test_declining_the_next_match_loses_the_series(env: MatchFixture, loser: UserId) -> None:
    first, second = await ended_first(env, loser)
    assert await ranks(env) == {}
    assert (await env.challenges.decline(next(env.ids), second, BO)).kind == "done"
    assert await ranks(env) == {ADA: 0, BO: 2}
    async with env.database.read() as connection:
        match_ids = (
            await connection.execute(select(rated_results.c.match_id).distinct())
        ).scalars()
        assert list(match_ids) == [first], "the last match that was played"


async def test_the_board_of_the_last_match_shows_the_result(env: MatchFixture) -> None:
    first, second = await ended_first(env, ADA)
    async with env.database.write() as connection:
        await connection.execute(delete(outbox))
    await env.challenges.decline(next(env.ids), second, BO)
    async with env.database.read() as connection:
        rows = await connection.execute(select(outbox.c.match_id, outbox.c.kind))
        assert set(map(tuple, rows)) == {(second, "update_challenge"), (first, "edit_board")}


async def test_withdrawing_the_next_match_loses_the_series(env: MatchFixture) -> None:
    _, second = await ended_first(env, BO)
    assert (await env.challenges.withdraw(next(env.ids), second, ADA)).kind == "done"
    assert await ranks(env) == {ADA: 2, BO: 0}


async def test_an_expired_next_match_is_lost_after_two_reminders(env: MatchFixture) -> None:
    _, second = await ended_first(env, ADA)
    begun, reminders, reminder_timers = env.now, [], set(await timers_of(env, second))
    for days in (3, 6, 7):
        for seconds in (1, 0):
            env.now = begun + days * DAY - seconds
            await fire(env)
            reminders.append(await queued(env, "series_reminder"))
            reminder_timers.update(await timers_of(env, second))
            assert (await match_of(env, second)).status == (
                "closed" if (days, seconds) == (7, 0) else "challenge"
            )
    assert reminders == [0, 1, 1, 2, 2, 2]
    assert reminder_timers == {
        ("series", "", 1, begun + 3 * DAY),
        ("series", "", 2, begun + 6 * DAY),
        ("expire", "", 0, begun + 7 * DAY),
    }
    assert await ranks(env) == {ADA: 0, BO: 2}


async def test_accepting_ends_the_reminders(env: MatchFixture) -> None:
    _, second = await ended_first(env, ADA)
    await env.challenges.accept(next(env.ids), second, BO)
    for _ in range(8):
        env.now += DAY
        await fire(env)
    assert not await queued(env, "series_reminder")
    assert await ranks(env) == {}


async def test_a_player_on_vacation_does_not_lose_the_series(env: MatchFixture) -> None:
    _, second = await ended_first(env, ADA)
    begun, back = env.now, env.now + 20 * DAY
    await env.vacations.begin(BO, back)
    before = await queued(env, "update_challenge")
    for days in (3, 6, 7):
        env.now = begun + days * DAY
        await fire(env)
    assert await queued(env, "update_challenge") == before + 1
    assert (await match_of(env, second)).expires_at == back + 2 * DAY
    assert await timers_of(env, second) == [("expire", "", 0, back + 2 * DAY)]
    env.now = back
    await fire(env)
    await env.vacations.end_due()
    env.now = back + 2 * DAY - 1
    await fire(env)
    assert (await match_of(env, second)).status == "challenge"
    env.now += 1
    await fire(env)
    assert (await match_of(env, second)).status == "closed"
    assert await ranks(env) == {ADA: 0, BO: 2}


@pytest.mark.parametrize(("rated", "away"), [(True, ADA), (False, BO)])
async def test_other_vacations_do_not_postpone_the_expiry(
    env: MatchFixture, rated: bool, away: UserId
) -> None:
    """Ada has accepted the next match already, and a casual series can't be lost."""
    _, second = await ended_first(env, ADA, rated=rated)
    await env.vacations.begin(away, env.now + 20 * DAY)
    env.now += 7 * DAY
    await fire(env)
    assert (await match_of(env, second)).status == "closed"


async def test_all_may_agree_to_stop(env: MatchFixture) -> None:
    _, second = await ended_first(env, ADA)
    await env.challenges.accept(next(env.ids), second, BO)
    for user in (ADA, BO):
        version = (await match_of(env, second)).version
        await env.abandoning.agree(next(env.ids), second, user, version)
    assert await ranks(env) == {}
    assert (await match_of(env, second)).rated == Rated.ABANDONED
    assert not await env.queries.list_for(ADA, "challenge")


async def test_of_three_only_those_who_stop_are_last(env: MatchFixture) -> None:
    _, second = await ended_first(env, EVE, BO)
    await env.challenges.accept(next(env.ids), second, BO)
    await env.challenges.decline(next(env.ids), second, EVE)
    final_ranks = await ranks(env)
    assert final_ranks[EVE] == 2
    assert sorted(final_ranks.values()) == [0, 1, 2]
    assert final_ranks[ADA] == 0


async def test_a_deletion_loses_the_series(env: MatchFixture) -> None:
    await ended_first(env, ADA)
    await privacy_of(env).erase(BO)
    final_ranks = await ranks(env)
    assert final_ranks.pop(ADA) == 0
    ((user, rank),) = final_ranks.items()
    assert user < 0
    assert rank == 2


async def test_a_series_that_hardly_began_does_not_count(env: MatchFixture) -> None:
    first = await begin(env)
    async with env.database.write() as connection:
        placed = (actions.c.match_id == first) & actions.c.line.like("%place%")
        few = actions.c.number > 5
        await connection.execute(update(actions).where(placed, few).values(undone_at=env.now))
    await env.matches.act(next(env.ids), first, BO, "resign")
    (second,) = await env.queries.list_for(ADA, "challenge")
    await env.challenges.decline(next(env.ids), second.id, BO)
    assert await ranks(env) == {}
    assert (await match_of(env, first)).rated == Rated.EARLY


async def test_a_series_of_earlier_rules_does_not_count(
    env: MatchFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second = await ended_first(env, ADA)
    game = type(games.get("warp6"))
    monkeypatch.setattr(game, "version", game.version + 1)
    assert (await env.challenges.decline(next(env.ids), second, BO)).kind == "done"
    assert await ranks(env) == {}
    assert (await match_of(env, first)).rated == Rated.RATED


async def test_a_casual_series_stops_as_before(env: MatchFixture) -> None:
    first, second = await ended_first(env, ADA, rated=False)
    assert await timers_of(env, second) == [("expire", "", 0, env.now + 7 * DAY)]
    await env.challenges.decline(next(env.ids), second, BO)
    assert await ranks(env) == {}
    assert (await match_of(env, first)).rated == Rated.CASUAL


async def test_the_first_match_of_a_series_can_be_declined(env: MatchFixture) -> None:
    terms = Terms(game="warp6", rated=True, rounds=3, guild_id=None, channel_id=ChannelId(5))
    challenge = await env.challenges.challenge(next(env.ids), terms, PLAYERS)
    assert await timers_of(env, challenge.match_id) == [("expire", "", 0, env.now + DAY)]
    await env.challenges.decline(next(env.ids), challenge.match_id, BO)
    assert await ranks(env) == {}


async def test_abandoning_a_series_against_the_computer_loses_it(env: MatchFixture) -> None:
    players = [PLAYERS[0], computer_player("cadet")]
    first = await begin(env, players, clock="3d")
    async with env.database.write() as connection:
        theirs = actions.c.line.like("Y place%")
        await connection.execute(update(actions).where(theirs).values(chosen_by=f"cadet/{VERSION}"))
    assert (await env.matches.act(next(env.ids), first, ADA, "resign")).kind == "done"
    assert await ranks(env) == {}
    (second,) = await env.queries.list_for(ADA, "running")
    version = (await match_of(env, second.id)).version
    await env.abandoning.agree(next(env.ids), second.id, ADA, version)
    assert await ranks(env) == {ADA: 2, -2: 0}
    assert not await env.queries.list_for(ADA, "running")


async def test_a_lost_lead_is_no_way_out(env: MatchFixture) -> None:
    """A player who leads loses as well, and nothing is counted twice."""
    first, second = await ended_first(env, ADA)
    async with env.database.read() as connection:
        query = select(seats.c.user_id).where(seats.c.match_id == second)
        assert set((await connection.execute(query)).scalars()) == {ADA, BO}
    click = next(env.ids)
    for _ in range(2):
        assert (await env.challenges.decline(click, second, BO)).kind == "done"
    assert await ranks(env) == {ADA: 0, BO: 2}
    assert (await match_of(env, first)).rated == Rated.RATED
