"""The numbers of the actions: OpenSpiel wants the same number for the same action everywhere."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import product

from engine.tomtube.lattice import KNOT_NAMES, PLACE_NAMES, STATION_NAMES, TRIANGLE_NAMES
from engine.tomtube.tiles import TILES
from engine.warp6.pieces import KITS, Turns
from engine.wormholes.board import DIRECTIONS, FREE_FOR_COINS, SPACES
from engine.wormholes.pieces import COINS, SUITS

MAX_FACES = 8
"""Largest number of a die of Warp 6."""


def _wormholes() -> Iterator[str]:
    yield from ("first move", "first place", "ready")
    spaces = [SPACES[space] for space in FREE_FOR_COINS]
    for coin, space in product(COINS, spaces):
        yield f"place {coin} {space}"
    for verb, suit, way in product(("move", "jump"), SUITS, DIRECTIONS):
        yield f"{verb} {suit} {way}"
    for verb, suit in product(("null", "rolls", "skips", "keep"), SUITS):
        yield f"{verb} {suit}"
    for suit, space in product(SUITS, SPACES):
        yield f"send {suit} {space}"


def _warp6() -> Iterator[str]:
    names = dict.fromkeys(name for kit in KITS.values() for name in kit.names)
    for verb, name in product(("place", *Turns._fields), names):
        yield f"{verb} {name}"
    yield from map(str, range(1, MAX_FACES + 1))


def _tomtube() -> Iterator[str]:
    yield from ("build", "exchange")
    yield from (f"rhomb {place}" for place in PLACE_NAMES)
    yield from (f"jump {knot}" for knot in KNOT_NAMES)
    for verb, triangle in product(("tube", "blank", "pass"), TRIANGLE_NAMES):
        yield f"{verb} {triangle}"
    for verb, end in product(("drift", "control"), (*KNOT_NAMES, *STATION_NAMES[0], *PLACE_NAMES)):
        yield f"{verb} {end}"


_ACTIONS = {"wormholes": _wormholes, "warp6": _warp6, "tomtube": _tomtube}

MAX_OUTCOMES = {"wormholes": len(FREE_FOR_COINS), "warp6": MAX_FACES, "tomtube": len(TILES)}
"""Maximum number of outcomes of a draw."""


@cache
def notations(game: str) -> tuple[str, ...]:
    """Return all actions of players without their seat, by number.

    A value of an action with open values, such as the numbers in a secret setup of Warp 6, is an
    action of its own.
    """
    return tuple(_ACTIONS[game]())


@cache
def numbers(game: str) -> dict[str, int]:
    """Return the number of each action."""
    return {notation: number for number, notation in enumerate(notations(game))}
