"""The words of an analysis, for each of its readers."""

from __future__ import annotations

import pytest

from bot.domain.models import Perspective
from bot.features.analyses.views import DecisionWithBoard, page
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


def analysis(level: str = "admiral", ending: str = "resign", loss: int = 0) -> Analysis:
    """An analysis in which the first seat decided once, then ended the match."""
    left = SCALE // 2 - loss
    curve = ((SCALE // 2, SCALE // 2), (0, SCALE))
    parts = (Parts(0, 0, (-loss, 0), (-left, 0)), Parts(0, 0, (loss, 0), (left, 0)))
    decisions = (Decision(0, "O", MOVE, MOVE, loss),)
    return Analysis("OD", curve, parts, decisions, (), (level, ""), (ending, ""))


def mistake(line: str, *reasons: Reason) -> tuple[DecisionWithBoard, ...]:
    """A costly decision of the first seat, with what speaks for a better choice."""
    decision = Decision(0, "O", Action.parse(line), Action.parse(line), 800, reasons)
    return (DecisionWithBoard(decision, GAME.view(STATE, "O"), Drawn(b"PNG", DEFAULT_STYLE)),)


def text_of(
    analysed: Analysis, mistakes: tuple[DecisionWithBoard, ...] = (), reader: str = "O"
) -> str:
    """The text of the page of an analysis."""
    perspective = Perspective(match_of(STATE), reader, GAME.view(after(STATE, "D resign"), reader))
    components_of_page = walk(
        components(page(perspective, analysed, b"PNG", mistakes, analysed.seats))
    )
    return "\n".join(
        component["content"] for component in components_of_page if "content" in component
    )


@pytest.mark.parametrize("level", ["cadet", "admiral"])
def test_level_stands_without_an_article(level: str) -> None:
    text = text_of(analysis(level))
    assert f", about {level.title()} level (" in text
    assert f"a {level.title()}" not in text


@pytest.mark.parametrize(
    ("ending", "sentence"),
    [
        ("resign", "Ada resigned"),
        ("leave", "Ada left the match"),
        ("flag", "Ada lost on time"),
        ("draw", "Ada agreed to a draw"),
    ],
)
def test_ending_has_its_own_line(ending: str, sentence: str) -> None:
    lines = text_of(analysis(ending=ending, loss=SCALE // 25)).splitlines()
    assert lines[-5:-1] == [
        "- Hidden or unforeseeable: **0 %**",
        "- Ada's decisions: **−4 %**",
        "- Bo's decisions: **0 %**",
        f"- {sentence}: **−46 %**",
    ]
    assert "(4.0 % of a win lost)" in lines[-1]


def test_match_that_was_played_to_its_end_has_no_such_line() -> None:
    assert "resigned" not in text_of(analysis(ending=""))
    assert text_of(analysis(ending="")).count("\n- ") == 4


@pytest.mark.parametrize(
    ("reader", "sentence"),
    [
        ("O", "your opponent's coin on e13 cannot be a black hole"),
        ("D", "Bo's coin on e13 cannot be a black hole"),
        ("", "Bo's coin on e13 cannot be a black hole"),
    ],
)
def test_reasons_address_only_the_player_who_decided(reader: str, sentence: str) -> None:
    (reason,) = (
        candidate
        for candidate in explain(situation(GAME, STATE), MOVE)
        if candidate.named and "black hole" in candidate.template
    )
    assert f"– {sentence}." in text_of(analysis(), mistake("O move S N", reason), reader)


def test_decision_is_told_in_a_sentence() -> None:
    text = text_of(analysis(), mistake("O move S NW"))
    assert "**1.** Ada moved Suns from e12 to d13 (turn 1). That cost **8 %** of a win." in text
    assert "\nBetter: **move Suns to d13**." in text
