"""The computer's levels: stored in databases and records, and shown to players by their names."""

from __future__ import annotations

import pytest

from bot.domain.computer_players import (
    COMPUTER_NAMES,
    DEFAULT_LEVEL,
    FALLBACK,
    LEVEL_TITLES,
    PLAY_ON_LEVEL,
    STAND_IN_LEVEL,
    computer_player,
    with_fallbacks,
)
from bot.domain.ids import COMPUTER_USER_ID
from bot.domain.models import Player
from engine.computer.suggestion import STRONGEST


def test_levels_keep_their_names() -> None:
    assert COMPUTER_NAMES == {
        "cadet": "Cadet (bot)",
        "navigator": "Navigator (bot)",
        "captain": "Captain (bot)",
        "admiral": "Admiral (bot)",
    }
    assert LEVEL_TITLES == {
        "Cadet": "cadet",
        "Navigator": "navigator",
        "Captain": "captain",
        "Admiral": "admiral",
    }


def test_levels_for_each_purpose() -> None:
    assert DEFAULT_LEVEL == "cadet"
    assert STAND_IN_LEVEL == "navigator"
    assert PLAY_ON_LEVEL == "captain"
    assert STRONGEST == "admiral"
    assert FALLBACK == "random"


def test_computer_is_a_player_with_a_level() -> None:
    assert computer_player() == Player(COMPUTER_USER_ID, "Cadet (bot)", "cadet")
    assert computer_player("captain") == Player(COMPUTER_USER_ID, "Captain (bot)", "captain")


@pytest.mark.parametrize(
    ("level", "levels"),
    [
        ("cadet", ("cadet", "random")),
        ("navigator", ("navigator", "cadet", "random")),
        ("captain", ("captain", "navigator", "random")),
        ("admiral", ("admiral", "captain", "random")),
    ],
)
def test_next_lower_level_is_tried_before_the_fallback(level: str, levels: tuple[str, ...]) -> None:
    assert with_fallbacks(level) == levels
