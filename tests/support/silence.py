"""Players who no longer decide, in matches played by the services alone."""

from __future__ import annotations

from sqlalchemy import delete, func, select, update

from bot.domain.ids import MatchId, UserId, Version
from bot.domain.models import Rated
from bot.domain.outcomes import Outcome
from bot.storage.schema import facts, matches, timers
from tests.support.matches import TABLE, MatchFixture, warp6


async def live(env: MatchFixture, seconds: float) -> None:
    """Let time pass while the bot runs: each timer fires when it is due."""
    end = env.now + seconds
    earliest = select(func.min(timers.c.due_at))
    while True:
        async with env.database.write() as connection:
            due = (await connection.execute(earliest)).scalar_one()
            await connection.execute(delete(facts).where(facts.c.name.like("heartbeat%")))
        if due is None or due > end:
            break
        env.now = max(env.now, due)
        await env.timers().fire()
    env.now = end


async def waiting(
    env: MatchFixture, clock: str = "", **options: str
) -> tuple[MatchId, UserId, UserId]:
    """A match: its number, a player who waits, and the one who has to decide."""
    match_id = await warp6(env, clock, **options)
    late = await env.on_turn(match_id)
    others = [player.user_id for player in TABLE if player.user_id != late]
    return match_id, others[0], late


async def give_notice(
    env: MatchFixture,
    match_id: MatchId,
    user: UserId,
    late: UserId,
    *,
    is_gone: bool = False,
    version: int | None = None,
) -> Outcome:
    """A user gives notice to another one, at the present version if none is given."""
    match = await env.queries.match(match_id)
    return await env.silence.give_notice(
        next(env.ids),
        match_id,
        user,
        match.seat_of(late),
        version=Version(match.version if version is None else version),
        is_gone=is_gone,
    )


async def state(env: MatchFixture, match_id: MatchId) -> tuple[str, str, str]:
    """Status, result, and the seats of those who have left."""
    seen = await env.queries.view(match_id)
    return seen.match.status, seen.view.result, seen.view.departed


async def rate(env: MatchFixture, match_id: MatchId) -> None:
    """Make a match rated."""
    async with env.database.write() as connection:
        await connection.execute(
            update(matches).where(matches.c.id == match_id).values(rated=Rated.RATED)
        )


async def reports(env: MatchFixture, match_id: MatchId) -> list[str]:
    """The boards that mention an absent player."""
    queued = await env.queued(match_id=match_id)
    return [row.kind for row in queued if row.payload.get("absent")]
