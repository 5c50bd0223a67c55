"""The views of a match at the ends of its turns."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TypeVar

from engine.game import View

V = TypeVar("V", bound=View)


def turns(views: Iterable[V]) -> Iterator[V]:
    """Yield the last view of each turn, and every view of the setup."""
    return (view for _, view in numbered_turns(views))


def numbered_turns(views: Iterable[V]) -> Iterator[tuple[int, V]]:
    """Yield the views of `turns`, each with its place among all views, from 0."""
    before = latest = None
    place = 0
    for place, view in enumerate(views):
        if before is None or view.turn != before.turn or not view.turn:
            yield place, view
            latest = view
        before = view
    if before and before.result and before is not latest:
        yield place, before
