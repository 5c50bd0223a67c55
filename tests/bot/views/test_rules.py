"""Pages of the rules and of lessons: within Discord's limits, and every button leads somewhere."""

from __future__ import annotations

import pytest

from bot.interactions.registry import HANDLERS
from bot.interactions.rules import TOPIC_LIMIT
from bot.rulebook.book import read, titles
from bot.rulebook.lessons import attempt, place, steps
from bot.rulebook.search import search
from bot.text import clean, escape
from bot.views import rules
from bot.views.choices import into_area
from bot.views.custom_id_codec import parse
from bot.views.images import Drawn
from bot.views.message import Message
from render.renderer import ORIENTATIONS, Style
from tests.support.harness import walk
from tests.support.limits import check_limits, components

PNG = b"\x89PNG"
BOARDS = [Drawn(PNG, Style(orientation=each)) for each in ORIENTATIONS]
EVERY = [(game, language) for game in titles() for language in ("en", "de")]


def check(message: Message) -> None:
    """Within limits, and understood when clicked."""
    check_limits(message)
    for each in walk(components(message)):
        assert "-#" not in map(str.strip, each.get("content", "").split("\n"))
        if "custom_id" in each and not each.get("disabled"):
            assert type(parse(each["custom_id"])) in HANDLERS


@pytest.mark.parametrize(("game", "language"), EVERY)
def test_every_page_keeps_to_the_limits(game: str, language: str) -> None:
    book = read(game, language)
    for section in book.sections:
        drawn = PNG if section.diagram else None
        check(rules.page(book, section, drawn))
        check(rules.public_page(book, section, drawn, escape("*" * 32)))
        assert len(rules.page(book, section, drawn).files) == bool(section.diagram)


@pytest.mark.parametrize(("game", "language"), EVERY)
@pytest.mark.parametrize("topic", ["a", "e", "s", "xyzzy", "*" * 80, "die der the a"])
def test_every_search_keeps_to_the_limits(game: str, language: str, topic: str) -> None:
    book = read(game, language)
    others = [(read(game, language), 99) for game in titles()]
    check(rules.results(book, clean(topic, TOPIC_LIMIT), search(book, topic), others))


def test_a_picture_has_words() -> None:
    book = read("wormholes", "de")
    section = book.find("W5.3")
    assert section
    assert section.diagram
    message = rules.page(book, section, PNG)
    assert message.files[0].description == section.diagram.alt
    shown = [each for each in walk(components(message)) if each["type"] == 12]
    assert shown[0]["items"][0]["description"] == section.diagram.alt


@pytest.mark.parametrize("game", titles())
def test_contents_keep_their_id_on_every_page(game: str) -> None:
    book = read(game)
    pages = [rules.page(book, section, PNG) for section in book.sections]
    lists = [each for page in pages for each in walk(components(page)) if each["type"] == 3]
    assert len({each["id"] for each in lists}) == 1
    assert len({each["custom_id"] for each in lists}) == 1


STEPS = [(game, number) for game in titles() for number in range(len(steps(game)))]


@pytest.mark.parametrize(("game", "number"), STEPS)
def test_every_step_keeps_to_the_limits(game: str, number: int) -> None:
    here = place(game, number)
    for drawn in BOARDS:
        check(rules.lesson(here, drawn))
    for action in here.view.legal:
        tried = attempt(here, action.notation)
        assert tried
        check(rules.try_result(here, tried, BOARDS[0]))
    for action in {action.args[:1]: action for action in here.view.legal}.values():
        if len(action.args) > 1:
            path = into_area(here.view, f"{action.verb} {action.args[0]}")
            check(rules.lesson(here, BOARDS[0], path=path))
