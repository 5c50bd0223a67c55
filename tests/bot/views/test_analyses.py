"""The words of an analysis, for each of its readers."""

from __future__ import annotations

import pytest

from bot.services.models import Perspective
from bot.views.analyses import ShownDecision, page
from engine.computer.analysis import Analysis, Decision, Parts
from engine.computer.situation import SCALE
from engine.game import Action
from tests.support.harness import walk
from tests.support.limits import components
from tests.support.wormholes.boards import match_of
from tests.support.wormholes.positions import GAME, position

MOVE = Action("O", "move", ("S", "N"))
STATE = position({"S": "e12"}, None, "S1 M-")


def analysis(level: str = "admiral", loss: int = 0) -> Analysis:
    """An analysis in which the first seat decided once."""
    curve = ((SCALE // 2, SCALE // 2), (SCALE // 2 - loss, SCALE // 2 + loss))
    parts = (Parts(0, 0, (-loss, 0)), Parts(0, 0, (loss, 0)))
    return Analysis("OD", curve, parts, (Decision(0, "O", MOVE, MOVE, loss),), (), (level, ""))


def text_of(made: Analysis, shown: tuple[ShownDecision, ...] = (), reader: str = "O") -> str:
    """The text of the page of an analysis."""
    perspective = Perspective(match_of(STATE), reader, GAME.view(STATE, reader))
    found = walk(components(page(perspective, made, b"PNG", shown, made.seats)))
    return "\n".join(each["content"] for each in found if "content" in each)


@pytest.mark.parametrize("level", ["cadet", "admiral"])
def test_level_stands_without_an_article(level: str) -> None:
    text = text_of(analysis(level))
    assert f"(computer level: {level.title()})" in text
    assert f"a {level.title()}" not in text
