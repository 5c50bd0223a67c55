"""Views from records, for the command line and the gallery."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from engine.game import PUBLIC, View
from engine.record import Record, RecordError


def names_of(record: Record) -> dict[str, str]:
    """Return the players' names by seat, or the names of the sides."""
    game = record.game()
    seats = game.seats(record.options())
    return {seat: record.headers.get(f"Seat {seat}", game.sides[seat]) for seat in seats}


def views_of(record: Record, seat: str = PUBLIC) -> Iterator[Any]:
    """Yield the view of a seat at the start and after each action.

    Raises:
        RecordError: there is no such seat, or a line is not legal.
    """
    seats = record.game().seats(record.options())
    if seat != PUBLIC and (len(seat) != 1 or seat not in seats):
        raise RecordError(f"--seat: the seats of this match are {', '.join(seats)}.")
    for game, state in record.positions():
        yield game.view(state, seat)


def at_turn(views: Iterable[View], turn: int | None) -> Any:
    """Return the last view, or the first one after a turn is over, which shows the whole turn.

    Raises:
        RecordError: this turn has not been played.
    """
    view = None
    for view in views:
        if turn is not None and view.turn > turn:
            return view
    if view is None or (turn is not None and not (view.result and view.turn == turn)):
        raise RecordError(f"--turn: turn {turn} is not over in this record.")
    return view
