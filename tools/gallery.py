"""Draws docs/players/gallery/ and its page, and updates the alt texts of translated pages.

The headings of those pages are their own; their pictures are the same.
"""

from __future__ import annotations

from pathlib import Path

from bot.i18n import catalogue
from render.gallery import alt_texts, make, with_alt_texts
from render.i18n import using

PLAYERS = Path(__file__).parent.parent / "docs" / "players"


def main() -> None:
    """Draw the pictures, and write all pages."""
    make(PLAYERS / "gallery")
    for page in translated_pages():
        page.write_text(refreshed(page), encoding="utf-8")


def translated_pages() -> list[Path]:
    """Return the gallery pages in the folders of other languages than English."""
    return sorted(PLAYERS.glob("*/gallery.md"))


def refreshed(page: Path) -> str:
    """Return the text of a page with the alt texts of today, in the language of its folder."""
    with using(catalogue(page.parent.name)):
        alts = alt_texts(PLAYERS / "gallery")
    return with_alt_texts(page.read_text(encoding="utf-8"), alts)


if __name__ == "__main__":
    main()
