"""Covers and the picture for links have their size, and show what they are about."""

from __future__ import annotations

import io

import pytest
from PIL import Image, ImageChops

from bot.rulebook import diagrams
from engine import games
from render import for_game
from render.covers import TITLE_HEIGHT, cover
from render.themes import THEMES
from tools import social_preview

MAX_BYTES = 80_000

MAX_CHANGE = 8
"""Difference of a channel that cannot be seen: similar colours share an entry of the palette."""

MAX_PREVIEW_BYTES = 1_000_000
"""What GitHub accepts."""


@pytest.mark.first(test=1)
@pytest.mark.parametrize(
    "theme",
    [pytest.param(theme, marks=() if theme == "light" else pytest.mark.slow) for theme in THEMES],
)
@pytest.mark.parametrize("game", games.names())
def test_a_cover_is_its_diagram_below_the_title(game: str, theme: str) -> None:
    diagram = diagrams.cover(game)
    assert diagram
    drawn = diagrams.draw(game, diagram.name, theme)
    png = diagrams.draw_cover(game, diagram.name, theme)
    other = cover(drawn, "Another", for_game(game).themes[theme])
    assert len(png) <= MAX_BYTES
    with Image.open(io.BytesIO(png)) as page, Image.open(io.BytesIO(drawn)) as board:
        below = page.convert("RGB").crop((0, TITLE_HEIGHT, *page.size))
        change = ImageChops.difference(below, board.convert("RGB"))
        assert max(change.tobytes()) <= MAX_CHANGE
        with Image.open(io.BytesIO(other)) as second:
            changed = ImageChops.difference(page.convert("RGB"), second.convert("RGB")).getbbox()
    assert changed
    assert changed[3] < TITLE_HEIGHT


def test_the_picture_for_links_is_that_of_the_program() -> None:
    kept = social_preview.FILE.read_bytes()
    assert len(kept) <= MAX_PREVIEW_BYTES
    with Image.open(io.BytesIO(kept)) as page:
        assert page.size == social_preview.SIZE
