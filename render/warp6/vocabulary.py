"""Words that people use for dice, their spaces and numbers in Warp 6."""

from __future__ import annotations

from collections.abc import Iterator

from engine.game import Action
from engine.warp6.board import CENTRE
from engine.warp6.pieces import KITS, SIDES, faces_of
from engine.warp6.view import Warp6View
from engine.wording import VERB, Trait
from render.i18n import N_, NC_, _
from render.vocabulary import OF, Names, names_of, spoken
from render.warp6.courses import course, die_named
from render.warp6.terms import DIE_FACES, SHAPE_NAMES, SHAPES, die_words
from render.warp6.words import new_number


def _dice(seat: str) -> set[str]:
    """Return the names of the dice of a seat, in matches of two and of three."""
    return {die for kit in KITS.values() for die in kit.names if die.startswith(seat.lower())}


def names(seat: str) -> Names:
    """Yield the names of traits: a player's own dice need no colour."""
    yield from names_of(VERB, _VERBS)
    for die in _dice(seat) if seat else ():
        colour = _(SIDES[die[0].upper()])
        for name in (die[1:], die, f"{colour} {die[1:]}", f"{die[1:]} {colour}", die_words(die)):
            yield name, ("die", die)
        yield from _looks(die)
    for faces in DIE_FACES:
        with_faces = (name.format(faces=faces) for name in spoken(_WITH_FACES))
        for name in (*with_faces, SHAPES[faces], *spoken(SHAPE_NAMES[faces])):
            yield name, ("faces", f"{faces}")
    for side, list_of_names in _COLOURS.items():
        for name in spoken(list_of_names):
            yield name, ("colour", side)
    for name in spoken(_WARPS):
        yield name, ("warp", "warp")
    for words in spoken(_OFF):
        yield words, ("space", f"{CENTRE}")


def _looks(die: str) -> Names:
    """Yield the names of a die by its shape: with its letter, its number, or both."""
    faces, letter = faces_of(die), die[2]
    sign = SHAPES[faces]
    for shape in (sign, *spoken(SHAPE_NAMES[faces])):
        for of in ("", *spoken(OF)):
            yield f"{shape} {of} {letter}", ("die", die)
        for number in range(1, faces + 1):
            yield f"{shape} {number}", ("look", f"{sign}{number}")
            yield f"{shape} {letter}{number}", ("sign", f"{sign}{letter}{number}")


def traits(view: Warp6View, action: Action) -> Iterator[Trait]:
    """Yield the looks, number and space of a die, and how it changes or where it moves."""
    if action.verb == "set" or not action.args:
        return
    die = die_named(view, action.args[0])
    yield "faces", f"{faces_of(die.name)}"
    yield "colour", die.seat
    shape = SHAPES[faces_of(die.name)]
    yield "sign", f"{shape}{die.name[2]}{die.number}"
    if action.verb in ("up", "down"):
        yield "number", f"{new_number(view, action)}"
        yield "by", "1"
    else:
        yield "number", die.number
        yield "look", f"{shape}{die.number}"
    if action.verb == "move":
        way = course(view, die)
        yield "space", f"{way.end}"
        if way.warps:
            yield "warp", "warp"
    if die.space:
        yield "from", f"{die.space}"


_VERBS = {
    "set": NC_("typed", "set"),
    "place": N_("place, put, lay, drop"),
    "move": N_("move, moves, go, goes, advance, run, fly, forward"),
    "up": N_("up, raise, increase, higher, plus, +1, up by one, raise by one, turn up"),
    "down": N_("down, lower, decrease, reduce, minus, -1, down by one, lower by one, turn down"),
}

_COLOURS = {
    "B": N_("black, the black one"),
    "Y": N_("yellow, the yellow one"),
    "W": N_("white, the white one"),
}

_WITH_FACES = N_("d{faces}, {faces} sided, {faces} sided die, {faces} faces")

_WARPS = N_("warp, warps, warp in, warp with")

_OFF = N_("off, off the board, home, out, centre, center, wormhole, through the wormhole")
