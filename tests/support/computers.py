"""Matches against the computer on the stage, and worker programs that misbehave."""

from __future__ import annotations

import sys
from random import Random
from typing import Any

from sqlalchemy import select

from bot.domain.ids import MatchId
from bot.storage.schema import actions, computer_jobs
from tests.support.driver import by_click, play_on
from tests.support.harness import Stage, play, words
from tests.support.matches import ListingQueries

WORKER = """
import json, os, sys, time
from engine.computer.players import ComputerPlayer
from engine.computer.protocol import serve

def choose(asked, **changes):
    return json.dumps(json.loads(next(serve([asked], player))) | changes)

player = ComputerPlayer("cadet", bytes(32))
for line in sys.stdin:
    request = json.loads(line)
    answer = ""
    if request.get("level", request["do"]) in {levels}:
        {fault}
    print(answer or choose(line), flush=True)
"""
"""A worker that does something else for some levels, or for other requests; `answer` is what it
says then."""


def failing_worker(fault: str, *levels: str) -> list[str]:
    """Return the command of a worker that runs a statement when it is to choose for a level.

    Other requests are named by what they ask, e.g. `analyse`.
    """
    program = WORKER.replace("{levels}", repr(levels)).replace("{fault}", fault)
    return [sys.executable, "-c", program]


async def start(stage: Stage, **options: Any) -> MatchId:
    """Begin a match against the computer, and return its number."""
    answer = await play(stage.ada, stage.channel, **options)
    assert "has started" in words(answer.response), words(answer.response)
    await stage.computers()
    (match,) = await ListingQueries(stage.database).list_for(stage.ada.id, "running")
    return match.id


async def chosen_by(stage: Stage) -> dict[int, tuple[str, str | None]]:
    """Return for each action its actor and the computer player that chose it."""
    async with stage.database.read() as connection:
        rows = await connection.execute(select(actions).order_by(actions.c.number))
        return {row.number: (row.line.split()[0], row.chosen_by) for row in rows}


async def joinable(stage: Stage) -> MatchId:
    """Begin a match in which the computer keeps a seat for another player."""
    await play(stage.ada, stage.channel)
    await stage.click(stage.ada, stage.last(), "computer:")
    await stage.computers()
    (match,) = await ListingQueries(stage.database).list_for(stage.ada.id, "running")
    return match.id


async def until_chosen(stage: Stage, match_id: MatchId) -> None:
    """Let Ada choose until the computer has chosen, too; who begins depends on the dice."""
    while not any(mark for _, mark in (await chosen_by(stage)).values()):
        await turn(stage, match_id, 1)


async def turn(stage: Stage, match_id: MatchId, limit: int = 1) -> None:
    """Let Ada choose, and the computer answer."""
    for _ in range(limit):
        await play_on(stage, match_id, Random(1), ways=(by_click,), limit=1)
        await stage.computers()


async def jobs(stage: Stage) -> list[Any]:
    """Return the queued turns."""
    async with stage.database.read() as connection:
        return list(await connection.execute(select(computer_jobs)))
