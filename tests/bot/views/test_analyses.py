"""The words of an analysis, for each of its readers."""

from __future__ import annotations

import pytest

from bot.services.models import Perspective
from bot.views.analyses import ShownDecision, page
from bot.views.images import Drawn
from engine.computer.analysis import Analysis, Decision, Parts
from engine.computer.reasons import Reason
from engine.computer.situation import SCALE
from engine.computer.wormholes.reasons import explain
from engine.game import Action
from render.renderer import DEFAULT_STYLE
from tests.support.harness import walk
from tests.support.limits import components
from tests.support.reasons import situation
from tests.support.wormholes.boards import match_of
from tests.support.wormholes.positions import GAME, after, position

MOVE = Action("O", "move", ("S", "N"))
STATE = position({"S": "e12"}, {"e13": "C1"}, "S1 M-", seen=1 << 12)


def analysis(level: str = "admiral", loss: int = 0) -> Analysis:
    """An analysis in which the first seat decided once."""
    curve = ((SCALE // 2, SCALE // 2), (SCALE // 2 - loss, SCALE // 2 + loss))
    parts = (Parts(0, 0, (-loss, 0)), Parts(0, 0, (loss, 0)))
    return Analysis("OD", curve, parts, (Decision(0, "O", MOVE, MOVE, loss),), (), (level, ""))


def mistake(line: str, *reasons: Reason) -> tuple[ShownDecision, ...]:
    """A costly decision of the first seat, with what speaks for a better choice."""
    decision = Decision(0, "O", Action.parse(line), Action.parse(line), 800, reasons)
    return (ShownDecision(decision, GAME.view(STATE, "O"), Drawn(b"PNG", DEFAULT_STYLE)),)


def text_of(made: Analysis, shown: tuple[ShownDecision, ...] = (), reader: str = "O") -> str:
    """The text of the page of an analysis."""
    perspective = Perspective(match_of(STATE), reader, GAME.view(after(STATE, "D resign"), reader))
    found = walk(components(page(perspective, made, b"PNG", shown, made.seats)))
    return "\n".join(each["content"] for each in found if "content" in each)


@pytest.mark.parametrize("level", ["cadet", "admiral"])
def test_level_stands_without_an_article(level: str) -> None:
    text = text_of(analysis(level))
    assert f"(computer level: {level.title()})" in text
    assert f"a {level.title()}" not in text


@pytest.mark.parametrize(
    ("reader", "told"),
    [
        ("O", "your opponent's coin on e13 cannot be a black hole"),
        ("D", "Bo's coin on e13 cannot be a black hole"),
        ("", "Bo's coin on e13 cannot be a black hole"),
    ],
)
def test_reasons_address_only_the_player_who_decided(reader: str, told: str) -> None:
    (reason,) = (
        each
        for each in explain(situation(GAME, STATE), MOVE)
        if each.named and "black hole" in each.template
    )
    assert f"– {told}." in text_of(analysis(), mistake("O move S N", reason), reader)
