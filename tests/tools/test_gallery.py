"""The gallery pages in other languages: the pictures of the English one, described in their own."""

from __future__ import annotations

from pathlib import Path

import pytest

from render.gallery import PICTURE, with_alt_texts
from tools.gallery import PLAYERS, refreshed, translated_pages

PAGES = pytest.mark.parametrize("page", translated_pages(), ids=lambda page: page.parent.name)


def pictures(page: Path) -> list[str]:
    """Return the names of the files that a page shows, in its order."""
    text = page.read_text(encoding="utf-8")
    return [Path(picture["path"]).name for picture in PICTURE.finditer(text)]


def test_only_boards_get_other_alt_texts() -> None:
    page = "![Old.](../gallery/1-a.png) and ![All turns.](../gallery/a.gif)"
    alts = {"1-a.png": "New (1)."}
    assert with_alt_texts(page, alts) == page.replace("Old.", "New (1).")


@PAGES
def test_a_translated_page_shows_all_pictures_in_order(page: Path) -> None:
    assert pictures(page) == pictures(PLAYERS / "gallery.md")


@PAGES
def test_alt_texts_are_those_of_today(page: Path) -> None:
    assert refreshed(page) == page.read_text(encoding="utf-8"), "run `make gallery`"
