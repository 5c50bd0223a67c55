"""The texts of the rules: complete, the same in every language, and fit to be shown."""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path

import pytest

from bot.i18n import ENGLISH, catalogue
from bot.rulebook import diagrams
from bot.rulebook.book import Book, game_of, is_rule, read, titles
from engine import games
from engine.wormholes.pieces import AXES, SUITS
from render.renderer import TEXT_VARIATION, Style
from render.wormholes.buttons import ARROWS
from render.wormholes.layout import layout
from tests.support.languages import BOOKS

ROOT = Path(__file__).parents[3]

GAMES = games.names()
MARK = re.compile(r"\[[^]]+\](?!\()")
"""A ruling of this project, or a reconstruction."""

ARROW = re.compile(f"[\u2190-\u21ff]{TEXT_VARIATION}")
CONTENTS, HEADING, DISCORD_TEXT, ALT = 25, 60, 3500, 1024


def numbered(game: str) -> str:
    """The numbered rules of a game."""
    return (ROOT / "docs" / "rules" / f"{game}.md").read_text(encoding="utf-8")


def numbers(game: str) -> list[str]:
    """The numbers of all rules of a game."""
    return re.findall(r"^- ([A-Z]\d\.\d+\w?) ", numbered(game), re.MULTILINE)


def refusals(game: str) -> Iterator[str]:
    """The rule numbers that stand in an engine's source."""
    for file in (ROOT / "engine" / game).glob("*.py"):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Constant) and is_rule(str(node.value)):
                yield str(node.value)


def marks(book: Book) -> list[int]:
    """How often each section says that something is this project's own decision."""
    ruling = catalogue(book.language).gettext("[ruling]")
    counters = [Counter(MARK.findall(section.text)) for section in book.sections]
    return [counts[ruling] * 100 + counts.total() - counts[ruling] for counts in counters]


def test_there_is_a_text_for_each_game() -> None:
    assert set(titles()) >= set(GAMES)
    assert titles() | {game: games.get(game).title for game in games.names()} == titles()


@pytest.mark.parametrize(("game", "language"), BOOKS)
def test_every_rule_has_exactly_one_section(game: str, language: str) -> None:
    names = [name for section in read(game, language).sections for name in section.names]
    assert len(names) == len(set(names))
    assert {name for name in names if "." in name} == set(numbers(game))


@pytest.mark.parametrize(("game", "language"), BOOKS)
def test_asked_words_are_searched_and_never_shown(game: str, language: str) -> None:
    for section in read(game, language).sections:
        assert section.questions
        assert "<!--" not in section.text
        assert ", ".join(section.questions) not in section.text


@pytest.mark.parametrize("game", GAMES)
def test_rules_are_numbered_without_a_gap(game: str) -> None:
    for chapter, rules in groupby(numbers(game), lambda number: number.partition(".")[0]):
        counted = [int(re.sub(r"\D", "", number[3:])) for number in rules]
        assert sorted(set(counted)) == list(range(counted[0], counted[-1] + 1)), chapter


@pytest.mark.parametrize("game", games.names())
def test_every_refusal_leads_to_a_section(game: str) -> None:
    rules = set(refusals(game))
    assert len(rules) > 5
    for rule in rules:
        assert game_of(rule) == game, rule


@pytest.mark.parametrize("game", GAMES)
def test_a_chapter_leads_to_one_of_its_sections(game: str) -> None:
    for chapter in {number.partition(".")[0] for number in numbers(game)}:
        section = read(game).find(chapter)
        assert section
        assert any(name.startswith(chapter) for name in section.names)


def test_what_is_no_rule_leads_nowhere() -> None:
    for name in ("", "W", "W99.1", "notation", "w5.3", "../en/warp6", "W5.3; DROP"):
        assert read("wormholes").find(name) is None
        assert not game_of(name)


@pytest.mark.parametrize(("game", "language"), BOOKS)
def test_all_languages_have_the_same_sections_and_rulings(game: str, language: str) -> None:
    english, other = read(game), read(game, language)
    for of_section in (
        lambda section: section.names,
        lambda section: len(section.terms),
        lambda section: section.diagram.name if section.diagram else "",
    ):
        assert [*map(of_section, english.sections)] == [*map(of_section, other.sections)]
    assert marks(english) == marks(other)
    headings = {section.heading for section in english.sections[1:]}
    assert language == ENGLISH or not headings & {section.heading for section in other.sections[1:]}


def test_german_rules_are_complete() -> None:
    assert {game for game, language in BOOKS if language == "de"} >= {*GAMES}


@pytest.mark.parametrize("game", GAMES)
def test_every_ruling_is_marked(game: str) -> None:
    text = numbered(game)
    ruled = [
        rule.split()[0]
        for rule in re.split(r"^- ", text, flags=re.MULTILINE)[1:]
        if "[ruling" in rule and is_rule(rule.split()[0])
    ]
    assert ruled
    for rule in ruled:
        section = read(game).find(rule)
        assert section
        assert "[ruling]" in section.text, rule


@pytest.mark.parametrize("rule", "T1.4 T1.5 T1.6 T1.7 T2.2 T2.3 T2.4".split())
def test_what_is_reconstructed_says_so(rule: str) -> None:
    section = read("tomtube").find(rule)
    assert section
    assert "[reconstruction]" in section.text


@pytest.mark.parametrize(("game", "language"), BOOKS)
def test_a_section_fits_into_a_message_and_a_list(game: str, language: str) -> None:
    book = read(game, language)
    assert len(book.sections) <= CONTENTS
    for section in book.sections:
        assert 0 < len(section.heading) <= HEADING
        assert 0 < len(section.text) <= DISCORD_TEXT
        assert not section.diagram or 0 < len(section.diagram.alt) <= ALT


@pytest.mark.parametrize(("game", "language"), BOOKS)
def test_nothing_of_the_source_shows(game: str, language: str) -> None:
    for section in read(game, language).sections:
        lines = section.text.splitlines()
        assert not any(re.search(r"[{}]|!\[|^#|^ ", line) for line in lines)
        assert section.text.count("**") % 2 == 0
        assert all(line.startswith("- ") or not line.endswith((" ", "-")) for line in lines)


@pytest.mark.parametrize(("game", "language"), BOOKS)
def test_the_end_names_authors_and_licence(game: str, language: str) -> None:
    credit = read(game, language).sections[-1]
    assert credit.key == "credits"
    assert "©" in credit.text or "2002" in credit.text
    assert "MIT" in credit.text
    assert "fdl" in credit.text or game != "wormholes"


def test_a_language_without_texts_reads_english() -> None:
    assert read("wormholes", "de-AT").language == "de"
    assert read("wormholes", "en-GB") is read("wormholes", "en-GB")
    assert read("wormholes", "tlh").language == "en"
    with pytest.raises(LookupError):
        read("chess", "de")


@pytest.mark.parametrize("game", games.names())
def test_diagrams_and_texts_belong_together(game: str) -> None:
    names = {section.diagram.name for section in read(game).sections if section.diagram}
    assert names == set(diagrams.names(game))


@pytest.mark.slow
@pytest.mark.parametrize("game", games.names())
@pytest.mark.parametrize("theme", ["dark", "light", "contrast"])
def test_a_diagram_is_a_small_picture(game: str, theme: str) -> None:
    for name in diagrams.names(game):
        png = diagrams.draw(game, name, theme)
        assert png.startswith(b"\x89PNG")
        assert len(png) < 80_000
        assert png is diagrams.draw(game, name, theme)


@pytest.mark.parametrize("language", [language for game, language in BOOKS if game == "wormholes"])
def test_w2_1_arrows_of_an_axis_are_those_of_both_boards(language: str) -> None:
    section = read("wormholes", language).find("W2.1")
    assert section
    lines = re.findall(r"^- .*?[(\uff08](\w)\b(.*)$", section.text, re.MULTILINE)
    rows = [(suit, ARROW.findall(text)) for suit, text in lines]
    arrows = [(suit, " ".join(signs[:2]), " ".join(signs[2:])) for suit, signs in rows]
    expected = [
        (
            suit,
            *(
                " ".join(
                    ARROWS[layout(Style(orientation=orientation), "").way(way)] + TEXT_VARIATION
                    for way in sorted(AXES[number])
                )
                for orientation in ("portrait", "landscape")
            ),
        )
        for number, suit in enumerate(SUITS)
    ]
    assert arrows == expected
