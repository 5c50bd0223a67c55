"""Words that people use for dice, their spaces and numbers in Warp 6."""

from __future__ import annotations

from collections.abc import Iterator
from string import ascii_lowercase

from engine.game import Action
from engine.warp6.board import CENTRE
from engine.warp6.view import Warp6View
from engine.wording import VERB, Trait
from render.i18n import N_
from render.vocabulary import Names, names_of, spoken
from render.warp6.courses import course, die_named
from render.warp6.terms import DIE_FACES, die_words
from render.warp6.words import new_number

_MOST_ALIKE = 4
"""Number of a seat's dice with equally many faces."""


def names(seat: str) -> Names:
    """Yield the names of traits: a player's own dice need no colour."""
    yield from names_of(VERB, _VERBS)
    for faces in DIE_FACES:
        for letter in ascii_lowercase[:_MOST_ALIKE]:
            die = f"{seat.lower()}{faces}{letter}"
            for name in (die[1:], die, die_words(die)) if seat else ():
                yield name, ("die", die)
    for words in spoken(_OFF):
        yield words, ("space", f"{CENTRE}")


def traits(view: Warp6View, action: Action) -> Iterator[Trait]:
    """Yield the number that a die shows afterwards, its space, and the end of its move."""
    if action.verb == "set" or not action.args:
        return
    die = die_named(view, action.args[0])
    if action.verb in ("up", "down"):
        yield "number", f"{new_number(view, action)}"
    else:
        yield "number", die.number
    if action.verb == "move":
        yield "space", f"{course(view, die).end}"
    if die.space:
        yield "from", f"{die.space}"


_VERBS = {
    "set": N_("set"),
    "place": N_("place, put, lay, drop"),
    "move": N_("move, moves, go, goes, advance, run, fly, forward"),
    "up": N_("up, raise, increase, higher, plus, +1, up by one, raise by one, turn up"),
    "down": N_("down, lower, decrease, reduce, minus, -1, down by one, lower by one, turn down"),
}

_OFF = N_("off, off the board, home, out, centre, center, wormhole, through the wormhole")
