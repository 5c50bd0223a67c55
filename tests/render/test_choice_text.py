"""Choices are told as the story tells events: who did what, with pieces and places."""

from __future__ import annotations

from typing import Any

import pytest

from engine.game import Action
from render import for_game
from render.choice_text import ChoiceText
from tests.support.nim import Nim, NimRenderer
from tests.support.tomtube import positions as tomtube
from tests.support.warp6 import positions as warp6
from tests.support.wormholes import positions as wormholes

NAMES = {**dict.fromkeys("OTB", "Ada"), **dict.fromkeys("DY", "Bo")}


def described(game: Any, state: Any, line: str) -> tuple[str, str]:
    """A choice in words, as done and as advice."""
    action = Action.parse(line)
    assert action in game.legal(state)
    description: ChoiceText = for_game(game.name).describe_choice(
        game.view(state, action.actor), action, NAMES
    )
    return description.done, description.advice


TURN = tomtube.position(tom="2,1", hands=tomtube.hands((1, 1), (1, 0), (1, 0)))


@pytest.mark.parametrize(
    ("line", "done", "advice"),
    [
        ("build", "Ada chose to build", "draw a rhomb and place it"),
        ("drift 1,2", "Ada drifted from d7 to c6", "drift to c6"),
        ("drift base", "Ada drifted from d7 to the base", "drift to the base"),
        (
            "jump 1,2",
            "Ada spent one energy counter and jumped from d7 to c6",
            "spend one energy counter and jump to c6",
        ),
        (
            "exchange",
            "Ada exchanged an alien for a control and two energy counters",
            "exchange an alien for a control and two energy counters",
        ),
    ],
)
def test_tomtube_turn_is_told(line: str, done: str, advice: str) -> None:
    assert described(tomtube.GAME, TURN, f"T {line}") == (done, advice)


def test_tomtube_rhomb_is_told_with_both_players() -> None:
    state = tomtube.after(TURN, "T build", "* draw AB/AC")
    rhomb = "the rhomb at i6-h4, with tubes i6-i5 for Ada and i6-h4 for Bo"
    done, advice = f"Ada placed {rhomb}", f"place {rhomb}"
    assert described(tomtube.GAME, state, "T rhomb 1,-4>-1,-3") == (done, advice)


RACE = warp6.position("b8a5@40 y6a3@35 b6a2@1 b6b1@60")


@pytest.mark.parametrize(
    ("line", "done", "advice"),
    [
        ("move b6b", "Ada moved ■B from 60 to 59", "move ■B to 59"),
        (
            "move b8a",
            "Ada moved ◆A from 40 to 35, from where it warped to 17",
            "move ◆A to 35, from where it warps to 17",
        ),
        ("move b6a", "Ada moved ■A from 1 off the board", "move ■A off the board"),
        ("up b8a", "Ada raised ◆A on 40 to 6", "raise ◆A on 40 to 6"),
        ("down b8a", "Ada lowered ◆A on 40 to 4", "lower ◆A on 40 to 4"),
    ],
)
def test_warp6_turn_is_told(line: str, done: str, advice: str) -> None:
    assert described(warp6.GAME, RACE, f"B {line}") == (done, advice)


FLIGHT = wormholes.position({"S": "e12", "C": "f13"}, None, "S1 M-")
ON_A_COIN = wormholes.position({"S": "e12"}, {"f13": "C1"}, "S1 M-")
BEGUN = wormholes.after(wormholes.GAME.start("0.6", {}), "* rolloff S5 M5 C0 A0")


@pytest.mark.parametrize(
    ("state", "line", "done", "advice"),
    [
        (FLIGHT, "move S N", "Ada moved Suns from e12 to e13", "move Suns to e13"),
        (
            wormholes.position({"S": "e12"}, {"e12": "S2"}, "S0 M-"), "null S",
            "Ada used the null of Suns on e12", "use the null of Suns on e12",
        ),
        (
            wormholes.after(FLIGHT, "O move S NE"), "send C g1",
            "Ada sent Crowns from f13 to g1", "send Crowns to g1",
        ),
        (
            wormholes.after(FLIGHT, "O move S NE"), "keep C",
            "Ada left Crowns on f13 alone", "leave Crowns on f13 alone",
        ),
        (
            wormholes.after(ON_A_COIN, "O move S NE"), "jump S SE",
            "Ada let Suns jump from f13 to g12", "let Suns jump to g12",
        ),
        (BEGUN, "first move", "Ada chose to move first", "move first"),
        (
            wormholes.after(BEGUN, "O first place"), "place S3 e9",
            "Ada placed Suns 3 on e9", "place Suns 3 on e9",
        ),
    ],
)  # fmt: skip
def test_wormholes_choice_is_told(state: Any, line: str, done: str, advice: str) -> None:
    assert described(wormholes.GAME, state, f"O {line}") == (done, advice)


def test_other_games_tell_the_player_and_the_label() -> None:
    game, board = Nim(), NimRenderer()
    state, _ = game.apply(game.start("last", {}), Action("*", "heap", ("7",)))
    view = game.view(state, "A")
    label = board.label(view, view.legal[0])
    assert board.describe_choice(view, view.legal[0], {"A": "Ada"}) == (f"Ada: {label}", label)
