"""A player's gates, and the knots at which tubes end."""

from __future__ import annotations

from collections.abc import Collection
from functools import cache, lru_cache

from engine.game import Action
from engine.tomtube.lattice import AROUND, KNOT_NAMES, PLACE_INDEX, PLACES
from engine.tomtube.tables import SEATS, STATIONS
from engine.tomtube.view import TomTubeView


@cache
def own_gates(seat: str) -> tuple[str, ...]:
    """Return the names of the gates of a player's base and modules."""
    return tuple(
        f"{q},{r}" for station in STATIONS if SEATS[station.owner] == seat for q, r in station.gates
    )


def own_ends(view: TomTubeView) -> frozenset[int]:
    """Return the knots at the viewer's gates, and at the ends of the viewer's tubes on tiles."""
    gates = {KNOT_NAMES.index(knot) for knot in own_gates(view.seat)}
    return frozenset(gates | _ends(view, view.seat))


def unfinished_ends(view: TomTubeView) -> frozenset[int]:
    """Return the knots at which a tube of any player ends, and which can still be completed."""
    complete = {KNOT_NAMES.index(knot) for knot in view.complete}
    return frozenset((_ends(view, "T") | _ends(view, "D")) & {*AROUND} - complete)


def _ends(view: TomTubeView, seat: str) -> set[int]:
    """Return the knots at the ends of a player's tubes on tiles."""
    ends = {
        KNOT_NAMES.index(knot)
        for triangle in view.triangles
        if triangle.what == seat
        for knot in triangle.place.split("/")
    }
    return ends.union(*(_tube_ends(rhomb.tile, rhomb.place, seat) for rhomb in view.rhombs))


def joins(tile: str, action: Action, ends: Collection[int]) -> bool:
    """Return whether the player's tube on a placed tile has an end at one of these knots."""
    return not _tube_ends(tile, action.args[0], action.actor).isdisjoint(ends)


@lru_cache(maxsize=1024)
def _tube_ends(tile: str, place: str, seat: str) -> frozenset[int]:
    corners = tile.removesuffix("+").split("/")[SEATS.index(seat)]
    return frozenset(
        corner.knot
        for letter, corner in zip("ABCD", PLACES[PLACE_INDEX[place]], strict=True)
        if letter in corners
    )
