"""The order of text from left to right and from right to left in one line.

This is Unicode's algorithm (UAX #9) without explicit directions, which names do not keep. Pillow
does it for text in one font; names are drawn in several. python-bidi has no public function that
returns levels, which are needed to order the parts in different fonts.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import TypeVar

T = TypeVar("T")

STRONG = {"L": "L", "R": "R", "AL": "R", "EN": "R", "AN": "R"}
"""Kinds that set the direction of signs beside them; numbers do it as letters of their script."""

BRACKETS = {"(": ")", "[": "]", "{": "}"}

MIRRORED = str.maketrans("()[]{}<>«»≤≥", ")(][}{><»«≥≤")
"""Characters that point the other way in text from right to left."""


def levels(text: str) -> list[int]:
    """Return the level of each character: odd ones run from right to left.

    The first letter sets the direction of the line.

    Example:
        >>> levels("Ada \u05e9\u05e8 1")
        [0, 0, 0, 0, 1, 1, 1, 2]
    """
    kinds = [unicodedata.bidirectional(letter) or "L" for letter in text]
    first = next((kind for kind in kinds if kind in ("L", "R", "AL")), "L")
    base = "L" if first == "L" else "R"
    _set_weak(kinds, base)
    _set_brackets(text, kinds, base)
    _set_neutral(kinds, base)
    leftwards = {"L": 2, "R": 1, "EN": 2, "AN": 2}
    return [({**leftwards, "L": 0} if base == "L" else leftwards)[kind] for kind in kinds]


def visual(parts: Sequence[tuple[int, T]]) -> list[T]:
    """Return parts of a line, given with their levels, as they stand from left to right (L2)."""
    line = list(parts)
    for level in range(max((level for level, _ in line), default=0), 0, -1):
        start = 0
        for turned, group in groupby(line[:], key=lambda part: part[0] >= level):
            count = len(list(group))
            if turned:
                line[start : start + count] = line[start : start + count][::-1]
            start += count
    return [part for _, part in line]


def _set_weak(kinds: list[str], base: str) -> None:
    """Settle marks and joiners, numbers, and signs that belong to numbers (W1 to W7)."""
    strong = base
    for place, kind in enumerate(kinds):
        if kind in ("NSM", "BN"):
            kinds[place] = kinds[place - 1] if place else base
        if kinds[place] in ("L", "R", "AL"):
            strong = kinds[place]
        if kinds[place] == "EN" and strong == "AL":
            kinds[place] = "AN"
    for place in range(1, len(kinds) - 1):
        before, kind, after = kinds[place - 1 : place + 2]
        if before == after and (before, kind) in (("EN", "ES"), ("EN", "CS"), ("AN", "CS")):
            kinds[place] = before
    for start, count, kind in _stretches(kinds):
        if kind == "ET" and "EN" in (
            *kinds[max(start - 1, 0) : start],
            *kinds[start + count :][:1],
        ):
            kinds[start : start + count] = ["EN"] * count
    strong = base
    for place, kind in enumerate(kinds):
        strong = kind if kind in ("L", "R", "AL") else strong
        kinds[place] = "L" if kind == "EN" and strong == "L" else "R" if kind == "AL" else kind


def _set_brackets(text: str, kinds: list[str], base: str) -> None:
    """Give brackets the direction of what they hold, or of the line (N0)."""
    for start, end in _pairs(text, kinds):
        inside = {STRONG.get(kind) for kind in kinds[start + 1 : end]} - {None}
        if not inside:
            continue
        before = next((STRONG[kind] for kind in kinds[:start][::-1] if kind in STRONG), base)
        side = base if base in inside or before == base else before
        for place in (start, end):
            kinds[place] = side
            for mark in range(place + 1, len(text)):
                if unicodedata.bidirectional(text[mark]) != "NSM":
                    break
                kinds[mark] = side


def _pairs(text: str, kinds: Sequence[str]) -> list[tuple[int, int]]:
    """Return the places of brackets that belong together, by the place of the first."""
    pairs, open_ones = [], list[tuple[str, int]]()
    for place, letter in enumerate(text):
        if kinds[place] != "ON":
            continue
        if letter in BRACKETS:
            open_ones.append((BRACKETS[letter], place))
        for depth in range(len(open_ones) - 1, -1, -1):
            if open_ones[depth][0] == letter:
                pairs.append((open_ones[depth][1], place))
                del open_ones[depth:]
                break
    return sorted(pairs)


def _set_neutral(kinds: list[str], base: str) -> None:
    """Give signs and spaces the direction on both sides of them, or the line's (N1, N2)."""
    before = base
    for start, count, weak in list(_stretches([STRONG.get(kind, "") for kind in kinds])):
        if weak:
            before = weak
            continue
        after = STRONG[kinds[start + count]] if start + count < len(kinds) else base
        kinds[start : start + count] = [before if before == after else base] * count


def _stretches(kinds: Sequence[str]) -> Iterator[tuple[int, int, str]]:
    """Yield start, length and kind of neighbours of one kind."""
    start = 0
    for kind, group in groupby(list(kinds)):
        count = len(list(group))
        yield start, count, kind
        start += count
