"""Players who are away while the computer stands in, in matches played by the services alone."""

from __future__ import annotations

from bot.domain.clocks import DAY
from bot.domain.ids import MatchId, UserId
from bot.domain.outcomes import Outcome
from bot.services.match_repository import seat_row
from bot.services.rows import SeatRow
from tests.support.matches import BO, MatchFixture, act, begun, opponent_of


async def seat_of(env: MatchFixture, match_id: MatchId, user: UserId) -> str:
    """Return a user's seat."""
    return (await env.queries.match(match_id)).seat_of(user)


async def stored(env: MatchFixture, match_id: MatchId, user: UserId) -> SeatRow:
    """Return a user's seat as stored."""
    async with env.database.read() as connection:
        return await seat_row(connection, match_id, await seat_of(env, match_id, user))


async def agree(
    env: MatchFixture, match_id: MatchId, user: UserId, absent: UserId, *, is_gone: bool = False
) -> Outcome:
    """A user agrees that the computer stands in for another one."""
    seat = await seat_of(env, match_id, absent)
    return await env.stand_ins.agree(next(env.ids), match_id, user, seat, is_gone=is_gone)


async def leave_for_vacation(env: MatchFixture, user: UserId, level: str | None = "cadet") -> None:
    """A user goes away for ten days."""
    await env.vacations.begin(user, env.now + 10 * DAY, level)


async def until_turn(env: MatchFixture, match_id: MatchId, user: UserId) -> None:
    """The others choose until a user has to decide."""
    while user != await env.on_turn(match_id):
        await act(env, match_id)


async def replaced(env: MatchFixture, clock: str = "", absent: UserId = BO) -> MatchId:
    """Begin a match in which the computer has to decide for a user who is away."""
    match_id = await begun(env, clock)
    await until_turn(env, match_id, absent)
    await leave_for_vacation(env, absent)
    assert (await agree(env, match_id, opponent_of(absent), absent)).kind == "done"
    return match_id


async def come_back(env: MatchFixture, match_id: MatchId, user: UserId = BO) -> Outcome:
    """Press *I'm back*."""
    return await env.stand_ins.come_back(next(env.ids), match_id, user)
