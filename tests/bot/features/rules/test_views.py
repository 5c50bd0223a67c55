"""Pages of the rules: within Discord's limits, and every button leads somewhere."""

from __future__ import annotations

import pytest

from bot.features.rules import views as rules
from bot.features.rules.commands import TOPIC_LIMIT
from bot.i18n import catalogue
from bot.rulebook.book import read, titles
from bot.rulebook.search import Hit, search
from bot.sanitize import clean, escape
from bot.views.choices import MENU_LIMIT
from render.i18n import _, using
from tests.support.harness import walk
from tests.support.languages import BOOKS
from tests.support.limits import check_buttons, components

PNG = b"\x89PNG"


@pytest.mark.parametrize(("game", "language"), BOOKS)
def test_every_page_keeps_to_the_limits(game: str, language: str) -> None:
    book = read(game, language)
    for section in book.sections:
        drawn = PNG if section.diagram else None
        check_buttons(rules.page(book, section, drawn))
        check_buttons(rules.public_page(book, section, drawn, escape("*" * 32)))
        assert len(rules.page(book, section, drawn).files) == bool(section.diagram)


@pytest.mark.parametrize(("game", "language"), BOOKS)
@pytest.mark.parametrize("topic", ["a", "e", "s", "xyzzy", "*" * 80, "die der the a"])
def test_every_search_keeps_to_the_limits(game: str, language: str, topic: str) -> None:
    book = read(game, language)
    others = [(read(game, language), 99) for game in titles()]
    check_buttons(rules.results(book, clean(topic, TOPIC_LIMIT), search(book, topic), others))


def test_a_picture_has_words() -> None:
    book = read("wormholes", "de")
    section = book.find("W5.3")
    assert section
    assert section.diagram
    message = rules.page(book, section, PNG)
    assert message.files[0].description == section.diagram.alt
    galleries = [component for component in walk(components(message)) if component["type"] == 12]
    assert galleries[0]["items"][0]["description"] == section.diagram.alt


@pytest.mark.parametrize("game", titles())
def test_contents_show_the_page_in_a_new_list_each_time(game: str) -> None:
    # Discord keeps the selection of a list with the same ID.
    book = read(game)
    pages = [rules.page(book, section, PNG) for section in book.sections]
    lists = [
        component
        for page in pages
        for component in walk(components(page))
        if component["type"] == 3
    ]
    assert len({component["id"] for component in lists}) == len(book.sections)
    listed = [section.key for section in book.sections[:MENU_LIMIT]]
    selected = [[o["value"] for o in part["options"] if o.get("default")] for part in lists]
    assert selected[: len(listed)] == [[key] for key in listed]
    assert len({component["custom_id"] for component in lists}) == 1


@pytest.mark.parametrize("language", [language for game, language in BOOKS if game == "warp6"])
def test_marks_of_rulings_are_explained(language: str) -> None:
    book = read("warp6", language)
    with using(catalogue(language)):
        mark = _("[ruling]")
        assert any(mark in section.text for section in book.sections)
        for section in book.sections[1:]:
            texts = "".join(
                part.get("content", "") for part in walk(components(rules.page(book, section, PNG)))
            )
            assert (f"-# {mark}" in texts) == (mark in section.text)


@pytest.mark.parametrize(
    ("language", "words"),
    [
        ("en", "a matter of luck *(the published rules leave this open; it's played so here)*."),
        ("de", "reines Glück *(die veröffentlichten Regeln lassen das offen; hier gilt es so)*."),
    ],
)
def test_rulings_in_results_are_written_as_words(language: str, words: str) -> None:
    book = read("warp6", language)
    with using(catalogue(language)):
        excerpt = words.partition(" *(")[0] + f" *{_('[ruling]')}*."
        message = rules.results(book, "luck", [Hit(book.sections[2], excerpt)])
        texts = [part.get("content", "") for part in walk(components(message))]
    assert any(words in text for text in texts)
