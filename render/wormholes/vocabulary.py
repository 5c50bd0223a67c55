"""Words that people use for ships, directions, spaces and coins of Wormholes."""

from __future__ import annotations

from collections.abc import Iterator

from engine.game import Action
from engine.wording import COMPASS, DIRECTION, VERB, Trait
from engine.wormholes.board import DIRECTIONS, SPACES
from engine.wormholes.pieces import SEATS, VALUES
from engine.wormholes.view import WormholesView
from render.i18n import N_, _
from render.renderer import Style
from render.vocabulary import OF, Names, names_of, spoken
from render.wormholes.buttons import ARROWS
from render.wormholes.layout import Layout, layout
from render.wormholes.words import end_of


def names(seat: str, style: Style) -> Names:
    """Yield the names of traits; arrows and words like “up” refer to a player's board.

    Args:
        seat: the player's; a spectator has no board of their own.
        style: style of the player's board.
    """
    yield from names_of(VERB, _VERBS)
    yield from names_of("choice", _CHOICES)
    yield from names_of("ship", _SUITS)
    for trait in (DIRECTION, COMPASS):
        yield from names_of(trait, COMPASS_NAMES)
    yield from ((way, (COMPASS, way)) for way in DIRECTIONS)
    yield from names_of("value", _VALUES)
    yield from names_of("object", {"them": _OTHERS})
    for space in SPACES:
        yield space, ("space", space)
    for suit, list_of_names in _SUITS.items():
        for name in spoken(list_of_names):
            yield from ((words, ("coin", suit + value)) for value, words in _coins(suit, name))
    where = layout(style, seat or SEATS[0])
    for way in DIRECTIONS:
        arrow = ARROWS[where.way(way)]
        for words in (arrow, *spoken(_ARROW_NAMES[arrow])):
            yield words, (DIRECTION, way)


def _coins(suit: str, name: str) -> Iterator[tuple[str, str]]:
    """Yield the values of coins of a suit, each with a name of the coin."""
    for value, list_of_names in _VALUES.items():
        yield value, suit + value
        for words in (value, *spoken(list_of_names)):
            yield value, f"{name} {words}"
            yield value, f"{words} {name}"
            for of in spoken(OF):
                yield value, f"{words} {of} {name}"


def directions(seat: str, style: Style) -> dict[str, str]:
    """Return direction of the notation → its name on a player's board, such as “up right”."""
    where = layout(style, seat)
    names = {way: _(_ARROW_NAMES[ARROWS[where.way(way)]]) for way in DIRECTIONS}
    return {way: words.partition(",")[0].strip() for way, words in names.items()}


def mapped(seat: str, style: Style) -> dict[str, str]:
    """Return direction of the notation → what lies there on the picture, with the north at the top.

    Only where they differ: on a picture that is turned.
    """
    where, upright = layout(style, seat), Layout(landscape=False, turned=False)
    on_picture = {where.way(way): way for way in DIRECTIONS}
    ways = {way: on_picture[upright.way(way)] for way in DIRECTIONS}
    return {way: other for way, other in ways.items() if way != other}


def traits(view: WormholesView, action: Action) -> Iterator[Trait]:
    """Yield the ends and length of a move, whom a choice is about, a coin's suit and value."""
    args = action.args
    if action.verb in ("move", "jump") and args[1:]:
        yield "space", end_of(view, action)
        yield "from", next(ship.space for ship in view.ships if ship.suit == args[0])
        yield from (("length", die.value) for die in view.dice if die.suit == args[0])
    if action.verb in ("send", "keep"):
        yield "object", "them"
    if action.verb == "place" and len(args[0]) > 1:
        yield "ship", args[0][0]
        yield "value", args[0][1]


_SUITS = {
    "S": N_("suns, sun"),
    "M": N_("moons, moon"),
    "C": N_("crowns, crown"),
    "A": N_("arms, arm"),
}

_OTHERS = N_("them, it, the other ship")

_VALUES = dict.fromkeys(VALUES, "") | {
    "0": N_("black hole, hole, null, zero"),
    "1": N_("ace"),
}

_CHOICES = {
    "place": N_("place first, place the first coin, first coin, coin first"),
    "move": N_("move first, first move, go first, begin, start"),
}

_VERBS = {
    "move": N_("move, moves, go, goes, fly, flies, travel, run, sail, send"),
    "place": N_("place, put, lay, set, drop"),
    "null": N_("null, use the null, turn, turn the coin, flip, activate"),
    "jump": N_("jump, jumps, go, leap, exit"),
    "send": N_("send, send away, away, put"),
    "keep": N_("keep, leave, stay"),
    "rolls": N_("rolls, roll, take the die, take a die, take"),
    "skips": N_("skips, skip, stay, no die, take no die"),
    "ready": N_("ready, done, finished, go"),
}

COMPASS_NAMES = {
    "N": N_("north, northward, northwards"),
    "NE": N_("northeast, north east"),
    "E": N_("east, eastward, eastwards"),
    "SE": N_("southeast, south east"),
    "S": N_("south, southward, southwards"),
    "SW": N_("southwest, south west"),
    "W": N_("west, westward, westwards"),
    "NW": N_("northwest, north west"),
}
"""Directions as players may type them; texts for players have arrows instead."""

_ARROW_NAMES = {
    "↑": N_("up, upward, upwards, top"),
    "↗": N_("up right, right up, upper right, top right, up and right, right and up"),
    "→": N_("right, rightward, rightwards"),
    "↘": N_("down right, right down, lower right, bottom right, down and right, right and down"),
    "↓": N_("down, downward, downwards, bottom"),
    "↙": N_("down left, left down, lower left, bottom left, down and left, left and down"),
    "←": N_("left, leftward, leftwards"),
    "↖": N_("up left, left up, upper left, top left, up and left, left and up"),
}
