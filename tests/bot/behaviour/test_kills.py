"""The bot is killed at random moments under load, and nothing is lost, doubled or out of order."""

from __future__ import annotations

import pytest

from tests.bot.behaviour.conftest import RunKills
from tests.support.tiers import sampled
from tests.verification.kills.kills import Kills, TakebackKills


@pytest.mark.slow
@sampled(4, 5, 1000)
async def test_kills_lose_nothing_and_double_nothing(run_kills: RunKills, samples: int) -> None:
    report = await run_kills(Kills)
    assert report.acknowledged > samples
    assert 4 * report.computer_choices > samples


@pytest.mark.slow
@sampled(2, 8, 500)
async def test_kills_while_answers_go_back_lose_nothing(run_kills: RunKills) -> None:
    await run_kills(TakebackKills, "answers taken back")
