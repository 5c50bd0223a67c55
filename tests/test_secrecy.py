"""No game shows its secrets: see `tests.support.secrecy`."""

from __future__ import annotations

import pytest

from tests.support.any_game import NAMES, install
from tests.support.bids import Bids
from tests.support.bids_plants import PLANTS, Plant
from tests.support.secrecy import leaks
from tests.support.tiers import sampled

pytestmark = pytest.mark.usefixtures("bids")

PLANTED_SAMPLES = 40


@pytest.fixture(autouse=True)
def same_proposals(monkeypatch: pytest.MonkeyPatch) -> None:
    """Propose the same values for forms each time."""
    monkeypatch.setattr("bot.views.controls._ANY", lambda _: 0)


@pytest.mark.parametrize("name", NAMES)
@sampled(24, 100, 3000)
def test_no_game_shows_what_is_hidden(name: str, samples: int) -> None:
    assert leaks(name, samples) == {}


@pytest.mark.first(test=8)
@pytest.mark.parametrize("plant", PLANTS.values(), ids=PLANTS)
def test_leak_planted_in_a_game_is_found_by_name(
    monkeypatch: pytest.MonkeyPatch, plant: Plant
) -> None:
    install(monkeypatch, plant.game, plant.renderer)
    examples = leaks(Bids.name, PLANTED_SAMPLES)
    assert plant.text in examples[plant.where]
