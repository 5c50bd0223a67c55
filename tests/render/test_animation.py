"""Animated GIFs: every frame is shown as it was drawn."""

from __future__ import annotations

import io
from pathlib import Path
from random import Random

import pytest
from PIL import Image, ImageSequence

from engine.record import Record
from render import for_game
from render.animation import LAST_FRAME_MS, Frame, gif
from render.gallery import galleries
from render.palette import palette
from render.records import names_of, views_of
from render.renderer import MAX_STEPS, MIN_STEPS, Style

MAX_LAST_TURN_BYTES = 150_000

MIN_FRAME_MS = 334
"""Nothing may flash more than three times a second."""

RECORDS = Path(__file__).parents[2] / "docs" / "players" / "gallery"

COLOURS = bytes(Random(1).randbytes(3 * 200))


def pages(count: int) -> list[Image.Image]:
    """Pages that change a little from one to the next; the third is like the second."""
    random, page = Random(3), Image.new("L", (60, 40), 5)
    copies = []
    for number in range(count):
        if number != 2:
            left, top = random.randrange(40), random.randrange(30)
            page.paste(random.randrange(200), (left, top, left + 15, top + 8))
        copies.append(page.copy())
    return copies


def test_every_frame_comes_back_as_it_was() -> None:
    drawn = pages(8)
    data = gif((Frame(page, 100 * place) for place, page in enumerate(drawn, 1)), COLOURS)
    with Image.open(io.BytesIO(data)) as image:
        assert image.info["loop"] == 0
        frames = [
            (frame.info["duration"], frame.convert("RGB").tobytes())
            for frame in ImageSequence.Iterator(image)
        ]
    assert [pixels for _, pixels in frames] == [in_colour(page) for page in drawn]
    assert [time for time, _ in frames] == [100, 200, 300, 400, 500, 600, 700, LAST_FRAME_MS]


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


@pytest.mark.parametrize("steps", [1, 2, 4, 40])
@pytest.mark.parametrize("name", [gallery.animated for gallery in galleries()])
def test_a_last_turn_has_few_slow_frames(name: str, steps: int) -> None:
    record = Record.parse((RECORDS / f"{name}.match").read_text(encoding="utf-8"))
    views, names = list(views_of(record))[100 - steps : 100], names_of(record)
    renderer, style = for_game(record.game().name), Style("light")
    data = renderer.last_turn(views, names, style)
    assert len(data) <= MAX_LAST_TURN_BYTES
    with Image.open(io.BytesIO(data)) as image:
        times = [frame.info["duration"] for frame in ImageSequence.Iterator(image)]
        last = frame_of(image)
    assert MIN_STEPS <= len(times) <= MAX_STEPS
    assert min(times) >= MIN_FRAME_MS
    expected = renderer.frame(views[-1], names, style)
    expected.putpalette(palette(renderer.themes["light"]).flat)
    assert last == expected.convert("RGB").tobytes()


def frame_of(image: Image.Image) -> bytes:
    """The last frame's red, green and blue values."""
    return [frame.convert("RGB").tobytes() for frame in ImageSequence.Iterator(image)][-1]
