"""Spaces in a plan of Wormholes: the directions in which they lie."""

from __future__ import annotations

import pytest

from bot.interactions.plans import _notation
from bot.views.typed_choices import ChoiceReader
from engine.game import IllegalActionError
from render.renderer import DEFAULT_STYLE
from tests.support.wormholes.positions import GAME, position


@pytest.mark.parametrize(
    ("line", "meaning"),
    {
        "move S c14": "move S NW",
        "if S5: Suns f13 or Moons up": "if S5: move S NE or move M W",
        "M j1": "move M S",
        "place S4 c14": "place S4 c14",
    }.items(),
)
def test_space_in_a_straight_line_means_its_direction(line: str, meaning: str) -> None:
    view = GAME.view(position({"S": "e12"}, {}, "S1 M-"), "O")
    assert " ".join(_notation(ChoiceReader(view, DEFAULT_STYLE), line).split()) == meaning


@pytest.mark.parametrize("line", ["move S c16", "Suns e12"])
def test_space_outside_straight_lines_is_refused(line: str) -> None:
    view = GAME.view(position({"S": "e12"}, {}, "S1 M-"), "O")
    with pytest.raises(IllegalActionError, match="straight line") as refusal:
        _notation(ChoiceReader(view, DEFAULT_STYLE), line)
    assert refusal.value.fields["text"] == line
