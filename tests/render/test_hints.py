"""Hints name the action as its button does, and the reasons in the reader's language."""

from __future__ import annotations

from bot.i18n import catalogue
from engine.computer.reasons import Reason
from engine.game import Action
from render import for_game
from render.hints import hint_text, reasons_text
from render.i18n import using
from tests.support.wormholes.positions import GAME, position

ACTION = Action("O", "move", ("S", "E"))

REASONS = [
    Reason("{ships} come about {number} rolls nearer the goal", {"ships": "Suns", "number": 2}),
    Reason("it avoids the black hole on {space}", {"space": "e14"}, "so {player} avoids {space}"),
]
STATE = position({"S": "e12"}, {"e14": "M0"}, "S2 M-")
VIEW = GAME.view(STATE, "O")


def test_hint_names_the_action_and_its_reasons() -> None:
    reasons = "Suns come about 2 rolls nearer the goal; it avoids the black hole on e14"
    assert hint_text(VIEW, ACTION, REASONS) == f"I'd choose **Suns → g12** – {reasons}."


def test_hint_is_in_the_language_of_its_reader() -> None:
    reasons = "Sonnen kommen dem Ziel etwa 2 Würfe näher; so meidest du das Schwarze Loch auf e14"
    with using(catalogue("de")):
        hint = hint_text(VIEW, ACTION, REASONS)
    assert hint == f"Mein Rat: **Sonnen → g12** – {reasons}."


def test_hint_without_reasons_is_the_action_alone() -> None:
    hint = hint_text(VIEW, ACTION, [])
    assert hint == f"I'd choose **{for_game('wormholes').label(VIEW, ACTION)}**."


def test_reasons_for_other_readers_name_the_player() -> None:
    text = reasons_text("wormholes", REASONS, {"player": "Suns", "opponent": "Bo"})
    assert text == "Suns come about 2 rolls nearer the goal; so Suns avoids e14"
    with using(catalogue("de")):
        assert "so Suns avoids" in reasons_text("wormholes", REASONS, {"player": "Suns"})
