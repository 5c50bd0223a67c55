"""The folder for the App Directory is the one that `make listing` draws."""

from __future__ import annotations

import io

import pytest
from PIL import Image, ImageChops

from bot.app import listing
from tools.listing import FOLDER, PAGE, SHOTS, WIDE, cover, draw_shot, icon, text

MAX_CHANGE = 40
"""Maximum difference of a colour: other versions of Pillow choose other palettes."""

MAX_BYTES = 512 * 1024


def test_the_page_has_the_texts_of_the_program() -> None:
    assert PAGE.read_text("utf-8") == text(), "run make listing"


def test_five_screenshots_are_there_and_nothing_else() -> None:
    files = {file.name for file in FOLDER.iterdir()}
    assert files == {f"{shot.name}.png" for shot in SHOTS} | {PAGE.name}
    assert len(SHOTS) == 5


def differ(drawn: bytes, kept: bytes) -> int:
    """Return the greatest difference of the middle of two pictures, a pixel's colour at a time."""
    with Image.open(io.BytesIO(drawn)) as one, Image.open(io.BytesIO(kept)) as other:
        assert one.size == other.size
        pages = [page.convert("RGB").reduce(8) for page in (one, other)]
    return max(ImageChops.difference(*pages).tobytes())


@pytest.mark.slow
def test_the_icon_is_that_of_the_program() -> None:
    assert differ(icon(), listing.ICON.read_bytes()) <= MAX_CHANGE


@pytest.mark.slow
def test_pictures_of_boards_are_drawn_in_the_same_shape() -> None:
    """Boards change with `make gallery`, as `docs/social-preview.png` does with `make preview`."""
    kept = [listing.COVER, *(FOLDER / f"{shot.name}.png" for shot in SHOTS)]
    drawn = [cover(), *map(draw_shot, SHOTS)]
    for file, png in zip(kept, drawn, strict=True):
        assert max(len(png), file.stat().st_size) <= MAX_BYTES
        with Image.open(file) as one, Image.open(io.BytesIO(png)) as other:
            assert one.size == other.size == WIDE


def test_another_picture_is_noticed() -> None:
    pages = [(FOLDER / f"{shot.name}.png").read_bytes() for shot in SHOTS[:2]]
    assert differ(*pages) > MAX_CHANGE
