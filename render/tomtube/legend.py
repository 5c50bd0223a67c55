"""The legend: whose tubes these are, where an astronaut can stop, and what other signs mean."""

from __future__ import annotations

from collections.abc import Iterator

from PIL import Image

from engine.tomtube.tables import SEATS
from engine.tomtube.view import TomTubeView
from render.chips import Box
from render.i18n import N_
from render.sprites import Point, Sprite
from render.text import drawable_translation, text_sprite
from render.themes import Theme
from render.tomtube import pieces, tiles
from render.tomtube.areas import SIDE_NAMES
from render.tomtube.layout import WORD_SIZE, Layout
from render.tomtube.terms import LONG_TURNS

LEGEND_SPACING = 39
"""Pixels from one line to the next."""

TEXT_OFFSET = 78
"""Pixels from the left end of a line to its words."""

MARGIN = 6
"""Pixels from the words to the edge of the picture."""

FIRST_WORDS, SIGN_WORDS, LAST_WORDS = (
    (*SIDE_NAMES.values(),),
    (N_("both"), N_("stop"), N_("E sphere"), N_("no stop"), N_("unfinished")),
    (N_("solar"),),
)
"""Tubes of one; tubes of both, spheres of a knot and of a rhomb, a junction, a knot that is not
complete; a counter. Only the second are shown later in a match.

The letter in the name of an energy sphere is the sign of an energy counter, which has the word."""

SIGN_OFFSET: Point = (36, 0)
"""Pixels from the left end of a line to the middle of its sign."""

SOCKET_OFFSET, BESIDE_SOCKET_OFFSET = (15, -8), (57, 0)
"""The same for a knot that is not complete: a half ring, and the sign where a tube ends there."""

COUNTER_SCALE = 0.75
"""Size of a counter, compared with those on the board: it has the height of a line."""


def is_long(view: TomTubeView) -> bool:
    """Return whether a board has the whole legend; later, it has where one can stop and turn."""
    return view.turn <= LONG_TURNS


def words(*, is_long: bool) -> tuple[str, ...]:
    """Return the words in the current language: all, or those that matter in all turns."""
    texts = (*FIRST_WORDS, *SIGN_WORDS, *LAST_WORDS) if is_long else SIGN_WORDS
    return tuple(map(drawable_translation, texts))


def box(where: Layout, *, is_long: bool) -> Box:
    """Return the box of the legend's lines."""
    left, top = where.legend
    rows = len(FIRST_WORDS) + len(SIGN_WORDS) + len(LAST_WORDS)
    first = 0 if is_long else rows - len(SIGN_WORDS)
    half = LEGEND_SPACING / 2
    bottom = top + LEGEND_SPACING * (rows - 1) + half
    return left, top + LEGEND_SPACING * first - half, where.size[0], bottom


def draw(page: Image.Image, theme: Theme, where: Layout, texts: tuple[str, ...]) -> None:
    """Draw a line for each kind of tube, and for each kind of sphere."""
    left, top = where.legend
    signs = [*_signs(theme)]
    if len(texts) < len(signs):
        signs = signs[len(FIRST_WORDS) : -len(LAST_WORDS)]
        top += LEGEND_SPACING * (len(FIRST_WORDS) + len(LAST_WORDS))  # ends where it did
    lines = zip(signs, texts, strict=True)
    room = where.size[0] - left - TEXT_OFFSET - MARGIN
    for row, (sign, text) in enumerate(lines):
        y = top + LEGEND_SPACING * row
        for (dx, dy), sprite in sign.items():
            sprite.put(page, (left + dx, y + dy))
        sprite = text_sprite(theme, text, WORD_SIZE, theme.faint, theme.space[1], width=room)
        sprite.put(page, (left + TEXT_OFFSET + sprite.page.width / 2, y))


def _signs(theme: Theme) -> Iterator[dict[Point, Sprite]]:
    """Yield the sprites of each line with their pixels from its left end."""
    for users in (*SIDE_NAMES, SEATS):
        yield {SIGN_OFFSET: tiles.tube(theme, tiles.Arm(0, "long", users))}
    yield {SIGN_OFFSET: tiles.sphere(theme)}
    yield {SIGN_OFFSET: tiles.sphere(theme, energy=True)}
    yield {SIGN_OFFSET: tiles.joint(theme)}
    yield {SOCKET_OFFSET: tiles.socket(theme), BESIDE_SOCKET_OFFSET: tiles.unfinished(theme)}
    yield {SIGN_OFFSET: pieces.counter(theme, "solar", SEATS[0]).enlarged(COUNTER_SCALE)}
