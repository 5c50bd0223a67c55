"""Rated matches of Warp 6 on the stage."""

from __future__ import annotations

from typing import Any

from sqlalchemy import select

from bot.domain.ids import MatchId
from bot.services.automatic_moves import Progress
from bot.services.chance import ChanceResult
from bot.services.match_changes import MatchChange
from bot.services.match_repository import seats_of
from bot.services.match_store import load
from bot.services.pings import Redraw
from bot.services.rated_results import differences
from bot.storage.schema import rated_results
from engine import games
from tests.support.harness import Stage
from tests.support.matches import MatchFixture


async def results(stage: Stage) -> int:
    """Return the number of seats with results."""
    async with stage.database.read() as connection:
        return len((await connection.execute(select(rated_results))).all())


async def place_dice(stage: Stage, match_id: MatchId) -> None:
    """Place all dice of a match of Warp 6."""
    match_store = stage.client.context.challenges._match_store
    async with stage.database.write() as connection:
        row = await load(connection, match_id)
        assert row
        game, state, placed = games.get(row.game), row.state(), list[Any]()
        while not game.view(state).turn:
            placed.append(game.legal(state)[0])
            state, _ = game.apply(state, placed[-1])
        progress = Progress.of(game, ChanceResult(state, tuple(placed), row.chance_count))
        people = await seats_of(connection, match_id)
        change = MatchChange(row, progress, people, redraw=Redraw.ALWAYS)
        await match_store.save(connection, change)
    await stage.client.runtime.outbox.flush()


async def resign(stage: Stage, actor: Any) -> Any:
    """Resign, and return the last public message."""
    question = await actor.slash(stage.channel, "resign")
    await stage.click(actor, question.response, "resign:")
    await stage.client.runtime.outbox.flush()
    await stage.env.settle()
    return stage.last()


async def recalculated(env: MatchFixture) -> tuple[int, list[Any]]:
    """Return the number of results, and those that recalculating them changes."""
    async with env.database.read() as connection:
        return await differences(connection)
