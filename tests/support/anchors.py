"""Rated matches against the computer, played by the services alone."""

from __future__ import annotations

from typing import Any

from sqlalchemy import update

from bot.domain.computer_players import computer_player
from bot.domain.ids import ChannelId, MatchId
from bot.domain.terms import Terms
from bot.storage.schema import actions
from engine.computer.players import VERSION
from tests.support.matches import PLAYERS, MatchFixture

ME = PLAYERS[0]


def solo_terms(**overrides: Any) -> Terms:
    """Rated terms against the computer."""
    fields: dict[str, Any] = {"game": "warp6", "clock": "3d"} | overrides
    return Terms(rated=True, guild_id=None, channel_id=ChannelId(5), **fields)


async def begin(
    env: MatchFixture, level: str = "navigator", *, race: bool = True, seats: int = 2, **fields: Any
) -> MatchId:
    """Return a rated match of Ada against the computer, by default with all dice placed."""
    options = {"seats": "3"} if seats == 3 else {}
    terms = solo_terms(options=options, **fields)
    computers = [computer_player(level)] * (seats - 1)
    challenge = await env.challenges.challenge(next(env.ids), terms, [ME, *computers], side="B")
    assert challenge.kind == "done", challenge
    if race:
        await env.race(challenge.match_id)
        await mark(env, challenge.match_id, f"{level}/{VERSION}", "YW")
    return challenge.match_id


async def mark(env: MatchFixture, match_id: MatchId, name: str, seats: str) -> None:
    """Store which computer player has made the choices of some seats."""
    async with env.database.write() as connection:
        for seat in seats:
            theirs = (actions.c.match_id == match_id) & actions.c.line.like(f"{seat} place%")
            await connection.execute(update(actions).where(theirs).values(chosen_by=name))
