"""Cups on the stage."""

from __future__ import annotations

from typing import Any

from bot.domain.ids import NO_MATCH
from bot.features.cups.rows import CupStatus
from bot.features.cups.service import Cups
from tests.support.harness import Stage, ids

CUP_JOBS = ("the dates of cups", "the members of cups", "the posts of cups")


async def finish(stage: Stage) -> None:
    """Wait until all that is due is posted."""
    await stage.env.settle()
    for name in CUP_JOBS:
        job = stage.client.runtime.jobs[name]
        await job.start()
        if job.task:
            await job.task
    await stage.client.runtime.outbox.flush()
    await stage.env.settle()


async def create(stage: Stage, **options: Any) -> Any:
    """Ada opens a cup; return her answer."""
    values = {"name": "Spring", "game": "warp6"} | options
    answer = await stage.ada.slash(stage.channel, "cup create", **values)
    await finish(stage)
    return answer


def post(stage: Stage, start: str = "cup") -> Any:
    """The newest message with buttons of a cup."""
    return next(
        message
        for message in reversed(stage.public())
        if any(custom_id.startswith(start) for custom_id in ids(message))
    )


async def begun(stage: Stage, **options: Any) -> None:
    """A cup of three that has started."""
    await create(stage, **options)
    for actor in (stage.ada, stage.bo, stage.eve):
        await stage.click(actor, post(stage), "cupjoin:")
    await stage.click(stage.ada, post(stage), "cupstart:")
    await finish(stage)


async def play(stage: Stage) -> None:
    """Have the player in the second seat of each match resign, until the cup is over."""
    cups = stage.client.context.of(Cups)
    while (cup := await cups.get(1)) and cup.row.status == CupStatus.RUNNING:
        pairing = cup.running[0]
        loser = cup.by_number[pairing.seated[1]].user_id
        await stage.client.context.matches.act(
            stage.env.backend.snowflake(), pairing.match_id or NO_MATCH, loser, "resign"
        )
    await finish(stage)
