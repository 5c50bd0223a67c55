"""Differences between two tellings of a story, each short enough to be read."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from difflib import SequenceMatcher
from itertools import zip_longest
from typing import NamedTuple

CHARACTERS_BEFORE, CHARACTERS_AFTER = 60, 120
"""Characters shown around the first place in which two lines differ."""

DIFFERENCES_SHOWN = 20


class Told(NamedTuple):
    """Everything that a story has shown to others than the owner of the hidden values.

    Attributes:
        requests: to Discord, with texts, alt texts, names of files, custom_ids and components in
            their order; first messages, then answers, then changes of answers, then edits, since
            these are made at any time.
        pictures: name, alt text, size in bytes and hash of each picture, sorted for each act.
        animations: size and hash of each frame of each animation, but for the last one: a finished
            match is open.
        files: name, size and content of each other file.
        seen: what the others see before the end of the match.
        outbox: every row there ever was, and when it was due.
        timers: every timer there ever was, and when it was due.
        workers: every request to a worker process for another seat than the owner's.
        logs: every line at DEBUG; between tasks no order is promised.
    """

    requests: list[str]
    pictures: list[str]
    animations: list[str]
    files: list[str]
    seen: list[str]
    outbox: list[str]
    timers: list[str]
    workers: list[str]
    logs: list[str]


class Difference(NamedTuple):
    """Two lines that should be equal; one of them is empty if there is nothing to compare with.

    Example:
        >>> print(Difference("requests", "move | POST 1", "move | POST 2"))
        requests, move, from character 12:
          - move | POST 1
          + move | POST 2
    """

    channel: str
    one: str
    two: str

    def __str__(self) -> str:
        act = (self.one or self.two).split(" | ")[0] if " | " in self.one + self.two else ""
        pairs = enumerate(zip(self.one, self.two, strict=False))
        offset = next((place for place, (a, b) in pairs if a != b), 0)
        start = max(0, offset - CHARACTERS_BEFORE)
        end = offset + CHARACTERS_AFTER
        excerpt = f"  - {self.one[start:end]}\n  + {self.two[start:end]}"
        return f"{self.channel}, {act or 'at any time'}, from character {offset}:\n{excerpt}"


def differences(one: Told, two: Told) -> list[Difference]:
    """Return the differences, channel by channel."""
    return [
        Difference(channel, *pair)
        for channel, first, second in zip(one._fields, one, two, strict=True)
        for pair in _unequal(first, second)
    ]


def _unequal(first: list[str], second: list[str]) -> Iterator[tuple[str, str]]:
    """Yield the lines that differ, side by side; a line that is missing is empty.

    Example:
        >>> list(_unequal(["a", "b", "d"], ["a", "c", "d", "e"]))
        [('b', 'c'), ('', 'e')]
    """
    for tag, a, b, c, d in SequenceMatcher(None, first, second, autojunk=False).get_opcodes():
        if tag != "equal":
            yield from zip_longest(first[a:b], second[c:d], fillvalue="")


def readable(leaks: Iterable[Difference]) -> str:
    """Return the first differences as a text."""
    every = list(leaks)
    left = len(every) - DIFFERENCES_SHOWN
    more = [f"and {left} more"] if left > 0 else []
    return "\n".join([*map(str, every[:DIFFERENCES_SHOWN]), *more])
