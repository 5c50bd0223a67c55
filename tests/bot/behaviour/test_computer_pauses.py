"""The computer's pause before its answer."""

from __future__ import annotations

import asyncio

import pytest

from bot.domain.clocks import HOUR
from tests.support.computer_turns import begin, choosers, claim, turns
from tests.support.matches import MatchFixture


@pytest.mark.parametrize("ahead", [-HOUR, HOUR])
async def test_clock_that_was_set_prolongs_no_pause(env: MatchFixture, ahead: float) -> None:
    match_id = await begin(env)
    (job,) = await claim(env)
    async with asyncio.timeout(5):
        await turns(env).play(job._replace(queued_at=env.now + ahead))
    assert await choosers(env, match_id)
