"""The bot is killed at random moments while cups are played, and nothing is lost or doubled."""

from __future__ import annotations

import pytest

from tests.bot.behaviour.conftest import RunKills
from tests.support.tiers import sampled
from tests.verification.kills.cups import CupKills, GroupKills, SeasonKills


@pytest.mark.slow
@sampled(1, 2, 200)
async def test_kills_during_cups_lose_nothing_and_double_nothing(run_kills: RunKills) -> None:
    await run_kills(CupKills, "cups")


@pytest.mark.soak  # the next one has seasons, too
@sampled(1, 5, 200)
async def test_kills_while_seasons_open_lose_and_double_nothing(run_kills: RunKills) -> None:
    await run_kills(SeasonKills, "cups: seasons opened")


@pytest.mark.slow
@sampled(1, 5, 200)
async def test_kills_while_seasons_of_groups_open_lose_nothing(run_kills: RunKills) -> None:
    await run_kills(GroupKills, "cups: seasons opened", "cups: groups of first seasons")
