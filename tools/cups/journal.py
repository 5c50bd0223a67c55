"""Requests to the bot and its answers, in a file, so that no kill loses them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, NamedTuple

RECENT_BYTES = 8192
"""Length of the end of a journal that a new process reads: more than a few events."""

Event = tuple[str, list[Any]]
"""An event and its details."""


class Deed(NamedTuple):
    """Something that the bot is asked to do; when it is asked again, the number is the same.

    Attributes:
        number: number of the interaction.
        name: name of a function of `tools.cups.deeds`.
    """

    number: int
    now: float
    name: str
    arguments: list[Any]


class Answer(NamedTuple):
    """What the bot has answered, and when."""

    number: int
    now: float
    outcome: str


class Journal:
    """A list of events on file.

    Args:
        path: path of the file, which may have events of earlier processes.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._path.touch()

    def note(self, event: str, *details: Any) -> None:
        """Add an event, in one write, so that a kill leaves all of it or nothing."""
        with self._path.open("ab", buffering=0) as file:
            file.write(json.dumps([event, *details]).encode() + b"\n")

    @property
    def size(self) -> int:
        """Return the length of the file."""
        return self._path.stat().st_size

    def events(self, recent: int | None = None) -> list[Event]:
        """Return all events, or those in the last `recent` bytes."""
        skipped = max(0, self.size - recent) if recent else 0
        with self._path.open("rb") as file:
            file.seek(skipped)
            lines = file.read().splitlines()[1 if skipped else 0 :]
        return [(event, details) for event, *details in map(json.loads, lines)]

    def resume(self) -> tuple[int, float, Deed | None]:
        """Return the last number and time, and what the bot was asked, if it has not answered."""
        recent = self.events(RECENT_BYTES)
        deeds, answers = deeds_in(recent), answers_in(recent)
        if not deeds:
            return 0, 0.0, None
        last = deeds[-1]
        now = max([last.now, *(answer.now for answer in answers)])
        is_answered = any(answer.number == last.number for answer in answers)
        return last.number, now, None if is_answered else last


def deeds_in(events: list[Event]) -> list[Deed]:
    """Return all that the bot was asked to do."""
    return [Deed(*details) for event, details in events if event == "deed"]


def answers_in(events: list[Event]) -> list[Answer]:
    """Return all that the bot has answered."""
    return [Answer(*details) for event, details in events if event == "answer"]
