"""Hints name the action as its button does, and the reasons in the reader's language."""

from __future__ import annotations

import pytest

from bot.i18n import catalogue
from engine.computer.reasons import AS_GOOD, Reason
from engine.game import Action, View
from render import for_game
from render.hints import hint_text, reasons_text
from render.i18n import NP_, using
from tests.support.tomtube.positions import GAME as TOM_TUBE
from tests.support.tomtube.positions import laying
from tests.support.tomtube.positions import position as tom_tube_position
from tests.support.warp6 import positions as warp6
from tests.support.wormholes.positions import GAME, position

ACTION = Action("O", "move", ("S", "E"))

REASONS = [
    Reason(
        NP_(
            "{ships} come about one turn nearer the goal",
            "{ships} come about {count} turns nearer the goal",
        ),
        {"ships": "Suns", "count": 2},
    ),
    Reason("it avoids the black hole on {space}", {"space": "e14"}, "so {player} avoids {space}"),
]
STATE = position({"S": "e12"}, {"e14": "M0"}, "S2 M-")
VIEW = GAME.view(STATE, "O")
RACING = warp6.GAME.view(warp6.position("b8a5@100 b6a4@90 b6b4@60 y8a1@86"), "B")
PLACING = warp6.GAME.view(warp6.rolled(warp6.HIGHS, warp6.LOWS, warp6.LOWS), "B")
PLAYERS = {"T": "Ada", "D": "Bo"}
BUILDING = TOM_TUBE.view(laying("", "AB/CD"), "T")


def test_hint_names_the_action_and_its_reasons() -> None:
    reasons = "Suns come about 2 turns nearer the goal; it avoids the black hole on e14"
    assert hint_text(VIEW, ACTION, REASONS) == f"My choice: **Suns → g12** – {reasons}."


def test_hint_is_in_the_language_of_its_reader() -> None:
    reasons = "Sonnen kommen dem Ziel etwa 2 Züge näher; so meidest du das Schwarze Loch auf e14"
    with using(catalogue("de")):
        hint = hint_text(VIEW, ACTION, REASONS)
    assert hint == f"Mein Rat: **Sonnen → g12** – {reasons}."


def test_hint_without_reasons_is_the_action_alone() -> None:
    hint = hint_text(VIEW, ACTION, [])
    assert hint == f"My choice: **{for_game('wormholes').label(VIEW, ACTION)}**."


@pytest.mark.parametrize(
    ("view", "words", "label"),
    [
        (VIEW, str(ACTION), "Suns → g12"),
        (RACING, "B move b8a", "◆A → 95"),
        (RACING, "B move b6a", "■A → 57, 1 warp, reroll"),
        (RACING, "B up b6b", "Raise ■B to 5, on 60"),
        (RACING, "B down b8a", "Lower ◆A to 4, on 100"),
        (PLACING, "B place b8a", "◆A on 126"),
        (BUILDING, "T rhomb 0,0>1,1", "Place the rhomb at e5-d6, as in the picture"),
        (BUILDING, "T tube 0,0/1,0/0,1", "Fill triangle e5-e6-d5 with tubes"),
        (BUILDING, "T drift module1", "Drift along the arrow, to your module"),
        (BUILDING, "T drift 1,2", "Drift along the arrow, to c6, a gate of your base"),
        (BUILDING, "T jump 0,1", "Pay energy and jump along the arrow, to d5, a knot"),
        (
            BUILDING,
            "T control -1,-2",
            "Pay control and drift along the arrow, to g4, a gate of Bo's base",
        ),
        (BUILDING, "T drift 1,2>-1,3", "Drift along the arrow, to the sphere c6-b4"),
        (BUILDING, "T build", "Build"),
    ],
)
def test_hint_beside_its_picture_says_what_is_drawn(view: View, words: str, label: str) -> None:
    actor, verb, *args = words.split()
    hint = hint_text(view, Action(actor, verb, tuple(args)), [], players=PLAYERS, is_drawn=True)
    assert hint == f"My choice: **{label}**."


def test_hint_of_choices_that_are_alike_says_it_once() -> None:
    hint = hint_text(VIEW, ACTION, [AS_GOOD])
    assert hint == "Nothing stands out here: **Suns → g12** is as good as any."
    assert hint_text(VIEW, ACTION, [*REASONS, AS_GOOD]).startswith("My choice:")


def test_reasons_for_other_readers_name_the_player() -> None:
    text = reasons_text("wormholes", REASONS, {"player": "Suns", "opponent": "Bo"})
    assert text == "Suns come about 2 turns nearer the goal; so Suns avoids e14"
    with using(catalogue("de")):
        assert "so Suns avoids" in reasons_text("wormholes", REASONS, {"player": "Suns"})


def test_reasons_name_dice_as_they_look_with_their_players() -> None:
    spoilt = [Reason("{die} can no longer warp from {space}", {"die": "y4d", "space": 121})]
    opened = [Reason("{die} can then warp from {space}", {"die": "6c", "space": 75})]
    players = {"B": "Ada", "Y": "Bo"}
    hint = hint_text(RACING, Action("B", "move", ("b8a",)), spoilt, players=players)
    assert hint == "My choice: **◆A → 95** – Bo's ▲D can no longer warp from 121."
    assert reasons_text("warp6", opened, players=players) == "■C can then warp from 75"
    assert reasons_text("warp6", spoilt) == "Yellow ▲D can no longer warp from 121"
    with using(catalogue("de")):
        text = reasons_text("warp6", spoilt, players=players)
    assert text == "▲D von Bo kann nicht mehr von 121 warpen"


def test_place_that_a_hint_to_build_names_is_on_its_picture() -> None:
    board = for_game("tomtube")
    view = TOM_TUBE.view(tom_tube_position(), "T")
    build = Action("T", "build")
    fields: list[dict[str, object]] = [{"count": 2}, {"place": "0,1>-1,3", "count": 2}]
    (rhomb,) = board.hint_ghosts(view, build, fields)
    assert rhomb == Action("T", "rhomb", ("0,1>-1,3",))
    assert board.ghost_label(view, rhomb) == "A rhomb at d5-b4."
    names = {"T": "Ada", "D": "Bo"}
    assert board.picture(view, names, ghosts=[rhomb]) != board.picture(view, names, ghosts=[build])
    assert [*board.hint_ghosts(view, build, fields[:1])] == [build]
    drift = Action("T", "drift", ("2,1",))
    assert [*board.hint_ghosts(view, drift, fields)] == [drift]
