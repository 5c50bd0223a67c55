"""Animated GIFs: every frame is shown as it was drawn."""

from __future__ import annotations

import io
from random import Random

import pytest
from PIL import Image, ImageSequence

from render.animation import LAST_FRAME_MS, Frame, gif

COLOURS = bytes(Random(1).randbytes(3 * 200))


def pages(count: int) -> list[Image.Image]:
    """Pages that change a little from one to the next; the third is like the second."""
    random, page = Random(3), Image.new("L", (60, 40), 5)
    made = []
    for number in range(count):
        if number != 2:
            left, top = random.randrange(40), random.randrange(30)
            page.paste(random.randrange(200), (left, top, left + 15, top + 8))
        made.append(page.copy())
    return made


def test_every_frame_comes_back_as_it_was() -> None:
    drawn = pages(8)
    data = gif((Frame(page, 100 * place) for place, page in enumerate(drawn, 1)), COLOURS)
    with Image.open(io.BytesIO(data)) as image:
        assert image.info["loop"] == 0
        shown = [
            (frame.info["duration"], frame.convert("RGB").tobytes())
            for frame in ImageSequence.Iterator(image)
        ]
    assert [pixels for _, pixels in shown] == [in_colour(page) for page in drawn]
    assert [time for time, _ in shown] == [100, 200, 300, 400, 500, 600, 700, LAST_FRAME_MS]


def in_colour(page: Image.Image) -> bytes:
    """The page's red, green and blue values."""
    image = page.copy()
    image.putpalette(COLOURS)
    return image.convert("RGB").tobytes()


def test_a_frame_that_changes_little_is_small() -> None:
    drawn = pages(8)
    few = len(gif((Frame(page, 100) for page in drawn[:1]), COLOURS))
    assert len(gif((Frame(page, 100) for page in drawn), COLOURS)) - few < 7 * 120


def test_nothing_to_show_is_an_error() -> None:
    with pytest.raises(ValueError, match="nothing"):
        gif([], COLOURS)


def test_one_entry_of_the_palette_must_be_free() -> None:
    with pytest.raises(ValueError, match="palette"):
        gif([Frame(Image.new("L", (1, 1)), 100)], bytes(768))
