"""Views and records as vectors of numbers from 0 to 1, for algorithms that learn.

Nothing here sees a state. What a seat sees now is made of its view, and what it remembers of the
lines of its record, so a vector has no more than these.
"""

from __future__ import annotations

import zlib
from collections.abc import Collection, Sequence
from functools import cache

from engine.game import CHANCE, View

WORD_BITS = 32
"""Length of the code of a word."""

LINE_END = "\n"
"""The word after the last one of a line."""


def one_hot(value: str, values: Sequence[str]) -> list[int]:
    """Return 1 for the value, 0 for the others; all 0 if it is none of them."""
    return [int(candidate == value) for candidate in values]


def flags(members: Collection[str], values: Sequence[str]) -> list[int]:
    """Return 1 for each value that is a member."""
    return [int(candidate in members) for candidate in values]


def shared(view: View) -> dict[str, list[int]]:
    """Return the parts that views of all games have: the reader, and the seats that decide."""
    return {
        "seat": one_hot(view.seat, view.seats),
        "pending": flags(view.pending, view.seats + CHANCE),
    }


def words(texts: Sequence[str], count: int) -> list[int]:
    """Return the codes of the last words, the latest first; 0 in place of those that are missing.

    A code is the CRC-32 of the word: it needs no list of all words, and two of a game's words have
    the same one in less than a case in a thousand.

    Args:
        texts: the words, the latest last.
        count: number of words.
    """
    latest = texts[: -count - 1 : -1]
    return [bit for text in latest for bit in _code(text)] + [0] * WORD_BITS * (count - len(latest))


def recollection(information: str, count: int) -> list[int]:
    """Return the last words of an information state; see `words`.

    Args:
        information: its lines; see `engine.openspiel.position.Position.information`.
        count: number of words.
    """
    lines = information.splitlines()
    return words([word for line in lines for word in (*line.split(" "), LINE_END)], count)


@cache
def _code(text: str) -> tuple[int, ...]:
    code = zlib.crc32(text.encode())
    return tuple(code >> bit & 1 for bit in range(WORD_BITS))
