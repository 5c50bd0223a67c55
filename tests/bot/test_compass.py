"""Directions are those of the reader's picture: compass words stay in records and in the rules."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from babel.messages.pofile import read_po
from discord import ui

from bot.features.rules import lesson_views
from bot.rulebook.lessons import place, steps
from bot.views.images import Drawn
from render.renderer import Style
from render.wormholes.vocabulary import COMPASS_NAMES

CATALOGUE = Path(__file__).parents[2] / "bot" / "locale" / "de" / "LC_MESSAGES" / "starpost.po"
PLAYERS = Path(__file__).parents[2] / "docs" / "players"
ENGLISH = r"(?i)\b(north|south|east|west)(east|west)?(ern|wards?)?\b|\b(NE|SE|SW|NW)\b"
GERMAN = r"\b([Nn]ord|[Ss]üd|[Oo]st|[Ww]est)(ost|west|öst|en|lich|wärts|s)*\b|\b(NO|SO|SW|NW)\b"


def test_no_text_for_players_has_a_compass() -> None:
    with CATALOGUE.open("rb") as file:
        catalogue = [message for message in read_po(file) if message.id]
    typed = set(COMPASS_NAMES.values())
    for message in catalogue:
        if message.id not in typed:
            for pattern, texts in ((ENGLISH, message.id), (GERMAN, message.string or "")):
                text = texts if isinstance(texts, str) else " / ".join(texts)
                assert not re.search(pattern, re.sub(r"\{\w*\}", "", text)), text


@pytest.mark.parametrize("page", sorted(PLAYERS.glob("*.md")), ids=lambda page: page.stem)
def test_no_page_for_players_has_a_compass(page: Path) -> None:
    assert not re.search(ENGLISH, page.read_text(encoding="utf-8"))


LANDSCAPE, PORTRAIT = Style(), Style(orientation="portrait")
OWN_LANDSCAPE, OWN_PORTRAIT = Style(own_side=True), Style(orientation="portrait", own_side=True)


@pytest.mark.parametrize(
    ("title", "style", "sentence"),
    [
        ("Meet a wormhole", LANDSCAPE, "Two spaces → from your Suns, on g6"),
        ("Meet a wormhole", PORTRAIT, "Two spaces ↑ from your Suns, on g6"),
        ("Meet a wormhole", OWN_LANDSCAPE, "Two spaces → from your Suns, on g6"),
        ("Build a catapult", LANDSCAPE, "throws a ship one space ↑, onto a17"),
        ("Build a catapult", OWN_PORTRAIT, "throws a ship one space ←, onto a17"),
        ("Choose the way", LANDSCAPE, "Arms 2, along ↘ and ↖"),
        ("Choose the way", PORTRAIT, "Arms 2, along ↗ and ↙"),
    ],
)
def test_lessons_have_the_arrows_of_their_picture(title: str, style: Style, sentence: str) -> None:
    (number,) = [n for n, step in enumerate(steps("wormholes")) if step.title == title]
    message = lesson_views.lesson(place("wormholes", number), Drawn(b"\x89PNG", style))
    texts = [
        item.content for item in message.layout.walk_children() if isinstance(item, ui.TextDisplay)
    ]
    assert sentence in "".join(texts).replace("\ufe0e", "")
