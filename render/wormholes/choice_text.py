"""Choices of Wormholes in words, after they were made."""

from __future__ import annotations

from engine.game import Action
from engine.wormholes.view import WormholesView
from render.choice_text import ChoiceText
from render.i18n import N_
from render.renderer import Names
from render.wormholes.terms import coin_words, suit_name
from render.wormholes.words import end_of

_FIRST = {
    "place": ChoiceText(N_("{name} chose to place first"), N_("place first")),
    "move": ChoiceText(N_("{name} chose to move first"), N_("move first")),
}
_PLACE = ChoiceText(N_("{name} placed {coin} on {space}"), N_("place {coin} on {space}"))
_WORDS = {
    "rolls": ChoiceText(N_("{name} let {ship} take the die"), N_("let {ship} take the die")),
    "skips": ChoiceText(N_("{name} let {ship} stay"), N_("let {ship} stay")),
    "null": ChoiceText(
        N_("{name} used the null of {ship} on {space}"), N_("use the null of {ship} on {space}")
    ),
    "move": ChoiceText(
        N_("{name} moved {ship} from {start} to {space}"), N_("move {ship} to {space}")
    ),
    "jump": ChoiceText(
        N_("{name} let {ship} jump from {start} to {space}"), N_("let {ship} jump to {space}")
    ),
    "send": ChoiceText(
        N_("{name} sent {ship} from {start} to {space}"), N_("send {ship} to {space}")
    ),
    "keep": ChoiceText(
        N_("{name} left {ship} on {start} alone"), N_("leave {ship} on {start} alone")
    ),
}
"""Verb of a choice about a ship → the choice as done and as advice."""


def describe_choice(view: WormholesView, action: Action, names: Names) -> ChoiceText:
    """Return a choice with the coin or ship that it is about; a way is named by its end."""
    name, args = names[action.actor], action.args
    if action.verb == "first":
        return _FIRST[args[0]].fill_in({"name": name})
    if action.verb == "place":
        return _PLACE.fill_in({"name": name, "coin": coin_words(args[0]), "space": args[1]})
    start = next(ship.space for ship in view.ships if ship.suit == args[0])
    space = args[1] if action.verb == "send" else end_of(view, action)
    fields = {"name": name, "ship": suit_name(args[0]), "start": start, "space": space}
    return _WORDS[action.verb].fill_in(fields)
