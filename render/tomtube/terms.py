"""Names of places and counters of Tom Tube, as the picture shows them.

The notation has two numbers for a knot (`-2,3`); the picture and all sentences have a letter for
its row, from the top, and a number for its slanting line: `b3`.
"""

from __future__ import annotations

import re

from engine.tomtube.tables import KINDS, POINTS, SIDE, SOLAR_POINTS
from render.i18n import N_, NC_, _

COUNTER_NAMES = {
    "energy": NC_("counter", "energy"),
    "control": NC_("counter", "control"),
    "alien": NC_("counter", "alien"),
    "solar": NC_("counter", "solar"),
}
"""Names of the counters."""

COUNTER_POINTS = dict(zip((*KINDS, "solar"), (*POINTS, SOLAR_POINTS), strict=True))
"""Points of a counter, by kind (T5.5)."""

VERBS = {
    "build": N_("Build"),
    "exchange": N_("Exchange an alien counter"),
    "drift": N_("Drift"),
    "control": N_("Pay control and drift"),
    "jump": N_("Pay energy and jump"),
}
"""Names of verbs."""

LONG_TURNS = 10
"""Number of turns in which boards, and their alt texts, explain all signs."""

ROW_LETTERS = "abcdefghi"
"""Names of the rows of knots, from r = 4 to r = -4."""


def row_name(r: int) -> str:
    """Return the name of a row of knots."""
    return ROW_LETTERS[SIDE - r]


def line_name(q: int) -> str:
    """Return the name of a slanting line of knots."""
    return str(SIDE + 1 + q)


def place_name(place: str) -> str:
    """Return the name of a node, of a rhomb (its tips) or of a triangle (its corners)."""
    if place == "base":
        return _("the base")
    if place.startswith("module"):
        return _("module {number}").format(number=place[-1])
    return "-".join(map(_knot_name, re.split("[>/]", place)))


def name(word: str) -> str:
    """Return the name of a place or a verb of the notation; any other word as it is."""
    if word in VERBS:
        return _(VERBS[word])
    return place_name(word) if _PLACE.fullmatch(word) else word


def opening(verbs: str) -> str:
    """Return the kinds of a player's first turns, e.g. `drift drift build`."""
    return " → ".join(_(VERBS[verb]) for verb in verbs.split())


_PLACE = re.compile(r"base|module[12]|-?[0-4],-?[0-4](?:[>/]-?[0-4],-?[0-4]){0,2}")


def _knot_name(knot: str) -> str:
    q, r = map(int, knot.split(","))
    return row_name(r) + line_name(q)


def notation(text: str) -> str:
    """Return typed words with the names of places as the notation has them."""
    return " ".join(map(_notation_of, text.split()))


def _notation_of(word: str) -> str:
    if not _NAME.fullmatch(word):
        return word
    knots = [
        f"{int(name[1:]) - SIDE - 1},{SIDE - ROW_LETTERS.index(name[0].lower())}"
        for name in re.split("[–>/-]", word)
    ]
    return (">" if len(knots) == len("AC") else "/").join(knots)


def written(text: str) -> str:
    """Return words in notation with the names of knots on the picture."""
    return _KNOTS.sub(lambda match: place_name(match[0]), text)


_KNOTS = re.compile(r"(?<![\w,-])-?[0-4],-?[0-4](?:[>/]-?[0-4],-?[0-4]){0,2}(?![\w,])")

_NAME = re.compile(r"[a-i][1-9](?:[–>/-][a-i][1-9]){0,2}", re.IGNORECASE)
