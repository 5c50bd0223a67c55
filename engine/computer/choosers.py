"""The header `Computer` of a record: which computer player chose which actions.

Example:
    >>> actions = [Action(actor, "move") for actor in "ODODO"]
    >>> choosers_text(actions, ["admiral/1", None, "admiral/1", None, "random/1"])
    '1-3 O admiral/1, 5 O random/1'
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from engine.game import Action
from engine.record import Record, RecordError, quoted

HEADER = "Computer"

_RUN = re.compile(r"([0-9]{1,6})(?:-([0-9]{1,6}))? (\S) ([a-z_]+/[0-9]{1,6})")


class Run(NamedTuple):
    """Actions of a seat, one after another, that were chosen by the same player.

    Attributes:
        first, last: numbers of its first and last action in the record, from 1; between them only
            the actions of this seat are meant.
        seat: the seat.
        player: `ComputerPlayer.name`, such as `admiral/1`.
    """

    first: int
    last: int
    seat: str
    player: str

    def __str__(self) -> str:
        """Print the run as in the header."""
        numbers = f"{self.first}" if self.first == self.last else f"{self.first}-{self.last}"
        return f"{numbers} {self.seat} {self.player}"


class Audit(NamedTuple):
    """The outcome of an audit without a difference.

    Attributes:
        checked: number of actions that were chosen again.
        unknown: number of actions by players of another version, which cannot be chosen again.
    """

    checked: int
    unknown: int


def choosers_text(actions: Iterable[Action], players: Iterable[str | None]) -> str:
    """Return the value of the header; empty if no computer player chose anything.

    Args:
        actions: actions of the record.
        players: the computer player that chose each of them; None for people and chance.
    """
    runs: list[Run] = []
    current: dict[str, int] = {}  # seat -> its latest run
    for number, (action, player) in enumerate(zip(actions, players, strict=True), 1):
        seat = action.actor
        if player is None:
            current.pop(seat, None)
        elif seat in current and runs[current[seat]].player == player:
            runs[current[seat]] = runs[current[seat]]._replace(last=number)
        else:
            current[seat] = len(runs)
            runs.append(Run(number, number, seat, player))
    return ", ".join(map(str, runs))


def choosers_of(record: Record) -> dict[int, str]:
    """Return the player of each action that a computer player chose, by its place from 0.

    Raises:
        RecordError: the header cannot be read or does not fit the actions.
    """
    choosers: dict[int, str] = {}
    text = record.headers.get(HEADER, "")
    seats = record.game().seats(record.options())
    for part in text.split(",") if text else ():
        run = _read(part.strip(), record.actions, seats)
        for place in range(run.first - 1, run.last):
            if record.actions[place].actor == run.seat:
                if place in choosers:
                    raise _error(part, f"action {place + 1} is named twice.")
                choosers[place] = run.player
    return choosers


def _read(part: str, actions: Sequence[Action], seats: str) -> Run:
    match = _RUN.fullmatch(part)
    if match is None:
        raise _error(part, "a part has the form “3-41 O admiral/1”.")
    first, last, seat, player = match.groups()
    run = Run(int(first), int(last or first), seat, player)
    if seat not in seats:
        raise _error(part, f"the seats are {', '.join(seats)}.")
    if not 1 <= run.first <= run.last <= len(actions):
        raise _error(part, f"the actions are numbered from 1 to {len(actions)}.")
    for number in (run.first, run.last):
        if actions[number - 1].actor != seat:
            raise _error(part, f"action {number} is not one of seat {seat}.")
    return run


def _error(part: str, reason: str) -> RecordError:
    return RecordError(f"{HEADER}: {quoted(part.strip())}: {reason}")
