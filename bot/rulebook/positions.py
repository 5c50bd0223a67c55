"""Positions of the day: a pool of positions with one clearly best choice, found by the computer.

A pool is a file of a game's package, written by `tools/puzzles.py` from matches between computer
players, never from people's matches.
"""

from __future__ import annotations

import hashlib
import tomllib
from collections.abc import Mapping
from functools import cache
from typing import Any

from bot.domain.clocks import DAY, HOUR
from bot.rulebook.lessons import Answer, Place, Step
from engine import games, packages

CLOSING_HOUR = 12
"""The hour in UTC when a day ends."""

KEY_LENGTH = 16
"""Number of characters of a key."""


@cache
def pool_of(game: str) -> tuple[Place, ...]:
    """Return the positions of a game, each as a puzzle without a lesson."""
    file = packages.file_of(game, "positions")
    if file is None:
        return ()
    puzzles = tomllib.loads(file.read_text(encoding="utf-8"))["positions"]
    return tuple(Place(game, number, _puzzle(puzzle)) for number, puzzle in enumerate(puzzles))


@cache
def pool() -> tuple[Place, ...]:
    """Return the positions of all games, mixed evenly, each game in the order of its file."""
    ranked = [
        ((place.number + 0.5) / len(positions), place)
        for positions in map(pool_of, games.names())
        for place in positions
    ]
    return tuple(place for _rank, place in sorted(ranked, key=lambda pair: pair[0]))


def of_day(day: int) -> Place:
    """Return the position of a day: each comes once before any comes again."""
    return pool()[day % len(pool())]


def past(game: str, now: float) -> list[Place]:
    """Return the positions of a game that were a position of the day, and won't be one soon.

    These are of the latest half of the pool: a solution of today or of a day to come is never among
    them.
    """
    ended = int((now - CLOSING_HOUR * HOUR) // DAY)
    places = (of_day(ended - age) for age in range(len(pool()) // 2))
    return [place for place in places if place.game == game]


@cache
def key_of(place: Place) -> str:
    """Return the stored name of a position; another release may have another order."""
    text = f"{place.game} {place.step.seat} {place.step.position}"
    return hashlib.sha256(text.encode()).hexdigest()[:KEY_LENGTH]


@cache
def _by_key() -> Mapping[str, Place]:
    return {key_of(place): place for place in pool()}


def find(key: str) -> Place | None:
    """Return the position of a key; None if it is no longer in the pool."""
    return _by_key().get(key)


def _puzzle(written: Mapping[str, Any]) -> Step:
    values: dict[str, int] = written["values"]
    right = Answer(next(iter(values)), right=True, text="")
    seat, position = written["seat"], written["position"]
    return Step("", "", seat, position, "", (right,), values=tuple(values.items()))
