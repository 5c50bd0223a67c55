"""Clicks and public messages of whole matches, with a good player on both sides."""

from __future__ import annotations

import pytest

from tests.support.clicks import count_match
from tests.support.harness import Stage

pytestmark = [pytest.mark.computers, pytest.mark.slow, pytest.mark.watched]


@pytest.mark.parametrize(
    ("game", "share"), [("wormholes", 0.6), ("warp6", 0.86), ("tomtube", 0.63)]
)
async def test_match_takes_fewer_clicks_and_messages(stage: Stage, game: str, share: float) -> None:
    figures = await count_match(stage, game=game)
    assert figures.clicks <= share * figures.earlier_clicks, figures
    assert figures.messages <= figures.earlier_messages / 2, figures


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(1, 9))
async def test_other_matches_of_tom_tube_take_fewer_clicks(stage: Stage, seed: int) -> None:
    figures = await count_match(stage, seed, game="tomtube")
    print(f"\n{figures.clicks} clicks instead of {figures.earlier_clicks:.0f}")  # noqa: T201 - the figures
    assert figures.clicks <= 0.6 * figures.earlier_clicks, figures
