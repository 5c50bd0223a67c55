"""Choices of Warp 6 in words, after they were made."""

from __future__ import annotations

from engine.game import Action
from engine.warp6.board import CENTRE
from engine.warp6.view import Warp6View
from render.choice_text import ChoiceText
from render.i18n import N_
from render.renderer import Names
from render.warp6.courses import course, die_named
from render.warp6.terms import sign
from render.warp6.words import new_number

_PLACE = ChoiceText(
    N_("{name} placed {die} on {space}"),
    N_("place {die} on {space}"),
)
_MOVE = ChoiceText(N_("{name} moved {die} from {start} to {space}"), N_("move {die} to {space}"))
_WARP = ChoiceText(
    N_("{name} moved {die} from {start} to {space}, from where it warped to {end}"),
    N_("move {die} to {space}, from where it warps to {end}"),
)
_LEAVE = ChoiceText(
    N_("{name} moved {die} from {start} off the board"), N_("move {die} off the board")
)
_CHANGES = {
    "up": ChoiceText(
        N_("{name} raised {die} on {start} to {number}"), N_("raise {die} on {start} to {number}")
    ),
    "down": ChoiceText(
        N_("{name} lowered {die} on {start} to {number}"), N_("lower {die} on {start} to {number}")
    ),
}


def describe_choice(view: Warp6View, action: Action, names: Names) -> ChoiceText:
    """Return a choice with the die that it is about, and the spaces on its way."""
    die = die_named(view, action.args[0])
    fields = {"name": names[action.actor], "die": sign(die.name), "start": die.space}
    if action.verb == "place":
        return _PLACE.fill_in({**fields, "space": view.free})
    if action.verb in _CHANGES:
        return _CHANGES[action.verb].fill_in({**fields, "number": new_number(view, action)})
    way = course(view, die)
    words = _LEAVE if way.end == CENTRE else _WARP if way.warps else _MOVE
    return words.fill_in({**fields, "space": way.lands, "end": way.end})
