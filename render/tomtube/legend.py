"""The legend: whose tubes these are, where an astronaut can stop, and what S means."""

from __future__ import annotations

from collections.abc import Iterator

from PIL import Image

from engine.tomtube.tables import SEATS
from render.i18n import N_
from render.painted import painted
from render.sprites import Sprite
from render.text import drawable_translation, text_sprite
from render.themes import Theme
from render.tomtube import pieces, tiles
from render.tomtube.areas import SIDE_NAMES
from render.tomtube.layout import Layout
from render.tomtube.tiles import GAME

LEGEND_SPACING = 44
"""Pixels from one line to the next."""

WORD_SIZE = 33
"""Size of the words."""

SIGN_WORDS = (N_("both"), N_("stop"), N_("unfinished"), N_("no stop"), N_("solar"))
"""Tubes of both, a complete sphere, a part of one, where tubes meet without one, a counter."""


def words(*, is_long: bool) -> tuple[str, ...]:
    """Return the words in the current language: all, or only those for tubes."""
    return tuple(drawable_translation(text) for text in SIGN_WORDS[: None if is_long else 1])


def draw(page: Image.Image, theme: Theme, where: Layout, texts: tuple[str, ...]) -> None:
    """Draw a line for each kind of tube, and for each kind of sphere."""
    left, top = where.legend
    names = (*SIDE_NAMES.values(), *texts)
    top += LEGEND_SPACING * (len(SIDE_NAMES) + len(SIGN_WORDS) - len(names))  # ends where it did
    lines = zip(_signs(theme), names, strict=False)
    for row, (sign, text) in enumerate(lines):
        y = top + LEGEND_SPACING * row
        sign.put(page, (left + 36, y))
        sprite = text_sprite(theme, text, WORD_SIZE, theme.faint, theme.space[1])
        sprite.put(page, (left + 82 + sprite.page.width / 2, y))


def _signs(theme: Theme) -> Iterator[Sprite]:
    for users in (*SIDE_NAMES, SEATS):
        yield tiles.tube(theme, tiles.Arm(0, "long", users))
    yield tiles.sphere(theme)
    yield painted(GAME, theme, "socket")
    yield tiles.joint(theme)
    yield pieces.counter(theme, "solar", SEATS[0])
