"""The PNG writer: other programs read the pixels that were drawn."""

from __future__ import annotations

import io
from concurrent.futures import ThreadPoolExecutor
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from render import png
from render.png import COMPRESSION_LEVEL, QUICK_LEVEL, STRIP_ROWS, encode

COLOURS = bytes(range(256)) * 3


def noise(width: int, height: int, seed: int) -> Image.Image:
    """A page of any indexes."""
    return Image.frombytes("L", (width, height), Random(seed).randbytes(width * height))


@given(
    width=st.integers(1, 40),
    height=st.integers(1, 3 * STRIP_ROWS),
    seed=st.integers(0, 99),
    level=st.sampled_from((COMPRESSION_LEVEL, QUICK_LEVEL)),
)
def test_a_page_comes_back_as_it_was(width: int, height: int, seed: int, level: int) -> None:
    page = noise(width, height, seed)
    with Image.open(io.BytesIO(encode(page, COLOURS, level=level))) as image:
        image.load()
        assert image.mode == "P"
        assert image.getpalette() == list(COLOURS)
        assert image.tobytes() == page.tobytes()


def test_strips_that_are_kept_give_the_same_bytes() -> None:
    one, other = noise(30, 5 * STRIP_ROWS, 1), noise(30, 5 * STRIP_ROWS, 1)
    other.paste(7, (0, STRIP_ROWS, 30, 2 * STRIP_ROWS))
    first = encode(one, COLOURS)
    encode(other, COLOURS)
    assert encode(one, COLOURS) == first


def test_bytes_depend_on_the_level_and_not_on_files_before() -> None:
    page = noise(30, 20, 3).resize((300, 200), Image.Resampling.NEAREST)
    first = encode(page, COLOURS)
    quick = encode(page, COLOURS, level=QUICK_LEVEL)
    assert quick != first
    assert encode(page, COLOURS) == first


def test_cleared_cache_compresses_all_strips_again(monkeypatch: pytest.MonkeyPatch) -> None:
    strips = list[bytes]()

    def deflated(rows: memoryview, above: memoryview, level: int) -> bytes:
        strips.append(bytes(rows))
        return b""

    monkeypatch.setattr(png, "_deflated", deflated)
    page = noise(20, 2 * STRIP_ROWS, 77)
    counts = []
    for clear in (True, False, True):
        if clear:
            png.clear_cache()
        strips.clear()
        encode(page, COLOURS)
        counts.append(len(strips))
    png.clear_cache()
    assert counts[0] == counts[2] >= 2
    assert counts[1] == 0


def test_key_of_a_strip_depends_on_its_rows_and_on_those_above() -> None:
    strips = [(b"cab", 1), (b"cab", 2), (b"cab", 3), (b"cab", 0), (b"dab", 1), (b"cad", 1)]
    keys = [png._key(memoryview(part), start, COMPRESSION_LEVEL) for part, start in strips]
    assert len({*keys}) == len(strips)
    assert len(keys[0]) * 8 == 128


def test_threads_do_not_disturb_each_other(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(png, "MAX_STRIPS", 3)
    pages = [noise(20, 4 * STRIP_ROWS, seed) for seed in range(6)]
    alone = [encode(page, COLOURS) for page in pages]
    with ThreadPoolExecutor(4) as threads:
        together = list(threads.map(lambda page: encode(page, COLOURS), pages * 30))
    assert together == alone * 30


def test_a_strip_that_was_kept_below_other_rows_is_written_anew() -> None:
    """It may copy from the former rows above; noise below itself is copied as a whole."""
    rows, top = noise(60, png.CONTEXT_ROWS, 1), png.FIRST_ROWS + STRIP_ROWS
    pages = []
    for shift in (0, 1):
        page = noise(60, top + STRIP_ROWS, 2)
        page.paste(rows, (0, top - png.CONTEXT_ROWS - shift))
        page.paste(rows, (0, top))
        pages.append(page)
    files = [encode(page, COLOURS) for page in pages]
    for page, file in zip(pages, files, strict=True):
        with Image.open(io.BytesIO(file)) as image:
            assert image.tobytes() == page.tobytes()
    assert abs(len(files[0]) - len(files[1])) < 100
    alone = len(encode(noise(60, top + STRIP_ROWS, 2), COLOURS))
    assert len(files[0]) < alone - 30 * png.CONTEXT_ROWS
