"""The gallery: golden pictures, reviewed by eye and drawn again here."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from PIL import Image, ImageChops, ImageStat

from render.gallery import make, scenes

DOCS = Path(__file__).parents[2] / "docs" / "players"

SCENES = scenes()

pytestmark = pytest.mark.slow

MAX_BYTES = 120_000
"""Bytes of a board."""


@pytest.fixture(scope="module")
def drawn(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Draw the gallery again and return its folder."""
    folder = tmp_path_factory.mktemp("docs") / "gallery"
    folder.mkdir()
    for record in (DOCS / "gallery").glob("*.match"):
        shutil.copy(record, folder)
    make(folder)
    return folder


@pytest.mark.parametrize("number", range(1, len(SCENES) + 1))
def test_a_picture_looks_as_it_did_when_it_was_reviewed(drawn: Path, number: int) -> None:
    name = f"{number}-{SCENES[number - 1].record}.png"
    with Image.open(drawn / name) as new, Image.open(DOCS / "gallery" / name) as golden:
        assert new.size == golden.size
        change = ImageChops.difference(new.convert("RGB"), golden.convert("RGB")).convert("L")
    assert ImageStat.Stat(change).mean[0] < 0.5, "run `make gallery` and look at it"
    strong = sum(change.histogram()[64:]) / (change.width * change.height)
    assert strong < 0.002, "run `make gallery` and look at it"


def test_pictures_are_small(drawn: Path) -> None:
    assert [path for path in drawn.glob("*.png") if path.stat().st_size > MAX_BYTES] == []


def test_the_page_is_up_to_date_and_shows_all(drawn: Path) -> None:
    page = drawn.with_suffix(".md").read_text(encoding="utf-8")
    assert page == (DOCS / "gallery.md").read_text(encoding="utf-8")
    for path in (*drawn.glob("*.png"), *drawn.glob("*.gif")):
        assert f"](gallery/{path.name})" in page
