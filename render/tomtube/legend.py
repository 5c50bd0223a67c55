"""The legend: whose tubes these are, where an astronaut can stop, and what S means."""

from __future__ import annotations

from collections.abc import Iterator

from PIL import Image

from engine.tomtube.tables import SEATS
from engine.tomtube.view import TomTubeView
from render.chips import Box
from render.i18n import N_
from render.sprites import Sprite
from render.text import drawable_translation, text_sprite
from render.themes import Theme
from render.tomtube import pieces, tiles
from render.tomtube.areas import SIDE_NAMES
from render.tomtube.layout import WORD_SIZE, Layout

LEGEND_SPACING = 39
"""Pixels from one line to the next."""

TEXT_OFFSET = 78
"""Pixels from the left end of a line to its words."""

MARGIN = 6
"""Pixels from the words to the edge of the picture."""

FIRST_WORDS, SIGN_WORDS, LAST_WORDS = (
    (*SIDE_NAMES.values(),),
    (N_("both"), N_("stop"), N_("energy"), N_("no stop"), N_("unfinished")),
    (N_("solar"),),
)
"""Tubes of one; tubes of both, spheres of a knot and of a rhomb, a junction, a knot that is not
complete; a counter. Only the second are shown later in a match."""

LONG_TURNS = 10
"""Number of turns with the whole legend; later, it has where one can stop and turn."""

COUNTER_SCALE = 0.75
"""Size of a counter, compared with those on the board: it has the height of a line."""


def is_long(view: TomTubeView) -> bool:
    """Return whether a board has the whole legend."""
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
        sign.put(page, (left + 36, y))
        sprite = text_sprite(theme, text, WORD_SIZE, theme.faint, theme.space[1], width=room)
        sprite.put(page, (left + TEXT_OFFSET + sprite.page.width / 2, y))


def _signs(theme: Theme) -> Iterator[Sprite]:
    for users in (*SIDE_NAMES, SEATS):
        yield tiles.tube(theme, tiles.Arm(0, "long", users))
    yield tiles.sphere(theme)
    yield tiles.sphere(theme, energy=True)
    yield tiles.joint(theme)
    yield tiles.unfinished(theme)
    yield pieces.counter(theme, "solar", SEATS[0]).enlarged(COUNTER_SCALE)
