"""Triangles that a rhomb cuts off, with a letter each that they keep until all are filled."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from functools import lru_cache
from string import ascii_lowercase

from engine.game import Action
from engine.tomtube.lattice import (
    AROUND,
    BESIDE,
    KNOT_NAMES,
    PAIRS,
    PLACE_INDEX,
    SPACE,
    TRIANGLE_INDEX,
    members,
)
from engine.tomtube.view import Rhomb, TomTubeView
from render.tomtube.areas import from_left, pair_of

LETTERS = (*ascii_lowercase, *(f"a{letter}" for letter in ascii_lowercase))
"""Letters of triangles; no match has been seen with more than sixteen at once."""


_AROUND: tuple[tuple[int, tuple[tuple[int, int], ...]], ...] = tuple(
    (
        1 << one | 1 << other,
        tuple(
            (1 << triangle, BESIDE[triangle])
            for triangle in members(BESIDE[one] | BESIDE[other])
            if triangle not in (one, other)
        ),
    )
    for one, other in PAIRS
)
"""For each pair of triangles: itself, and each triangle around it with those beside that, as
bits."""


def isolated(view: TomTubeView, action: Action) -> list[int]:
    """Return the triangles that a placing isolates."""
    return members(_isolated(_free(view), pair_of(action)))


def count_isolated(view: TomTubeView, actions: Sequence[Action]) -> list[int]:
    """Return the number of triangles that each placing isolates."""
    free = _free(view)
    return [_isolated(free, pair_of(action)).bit_count() for action in actions]


def completes(view: TomTubeView, action: Action, knots: Collection[str]) -> bool:
    """Return whether a placing, with what it isolates, completes one of these knots (T3.3)."""
    free, pair = _free(view), pair_of(action)
    left = free & ~_AROUND[pair][0] & ~_isolated(free, pair)
    return any(not left & AROUND[KNOT_NAMES.index(knot)] for knot in knots)


def cut_off(view: TomTubeView, actions: Sequence[Action]) -> dict[str, int]:
    """Return letter → triangle that one of these placings isolates, in the order of the letters."""
    triangles = {triangle for action in actions for triangle in isolated(view, action)}
    names = letters(view)
    return {names[triangle]: triangle for triangle in sorted(triangles, key=from_left)}


def letters(view: TomTubeView) -> dict[int, str]:
    """Return triangle → letter, for all that a rhomb can isolate now.

    While triangles are filled, it is as before the placing: so none gets another letter.
    """
    return _letters(_free_before(view) if view.phase in ("fill", "help") else _free(view))


@lru_cache(maxsize=64)
def _letters(free: int) -> dict[int, str]:
    triangles = 0
    for pair, (one, other) in enumerate(PAIRS):
        if free >> one & free >> other & 1:
            triangles |= _isolated(free, pair)
    return dict(zip(sorted(members(triangles), key=from_left), LETTERS, strict=False))


def _isolated(free: int, pair: int) -> int:
    """Return the triangles that a rhomb on this pair isolates, as bits."""
    covered, around = _AROUND[pair]
    free_after, isolated_bits = free & ~covered, 0
    for triangle, beside in around:
        if free_after & triangle and not free_after & beside:
            isolated_bits |= triangle
    return isolated_bits


def _free_before(view: TomTubeView) -> int:
    """Return the triangles that were free before the last rhomb was placed, as bits."""
    places = [event.facts[-1] for event in view.story if event.kind == "filled"]
    return _free(view) | _bits(places) | _covered(view.rhombs[-1])


@lru_cache(maxsize=64)
def _free(view: TomTubeView) -> int:
    """Return the triangles on which nothing lies, as bits."""
    free = SPACE & ~_bits(triangle.place for triangle in view.triangles)
    for rhomb in view.rhombs:
        free &= ~_covered(rhomb)
    return free


def _covered(rhomb: Rhomb) -> int:
    """Return the two triangles below a rhomb, as bits."""
    one, other = PAIRS[PLACE_INDEX[rhomb.place] // 2]
    return 1 << one | 1 << other


def _bits(names: Iterable[str]) -> int:
    """Return triangles as bits."""
    return sum(1 << TRIANGLE_INDEX[frozenset(name.split("/"))] for name in names)
