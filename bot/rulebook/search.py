"""Finding sections by words: SQLite's full-text index, in memory, made from a book when needed."""

from __future__ import annotations

import re
import sqlite3
import unicodedata
from collections.abc import Iterable, Iterator
from functools import cache
from typing import NamedTuple

from bot.rulebook.book import Book, Section, is_rule

WEIGHTS = "10, 5, 1"
"""How much a word counts in a heading, as a term, in the text."""

EXCERPT = 18
"""Words of an excerpt."""

WORDS = 12
"""So many words of a query count; SQLite refuses very long ones."""

STEM, ENDING = 4, 3
"""Letters that stay of a word whose ending is dropped, and letters dropped."""

_MAKE = """
    CREATE VIRTUAL TABLE sections
    USING fts5(heading, terms, text, tokenize = "unicode61 remove_diacritics 2", prefix = "2 3")
"""
_FIND = f"""
    SELECT rowid, snippet(sections, 2, '**', '**', '…', {EXCERPT})
    FROM sections WHERE sections MATCH ? ORDER BY bm25(sections, {WEIGHTS})
"""  # noqa: S608 - nothing in it comes from outside


class Hit(NamedTuple):
    """A section that fits, and where: an excerpt with the words in bold."""

    section: Section
    excerpt: str


def search(book: Book, words: str) -> list[Hit]:
    """The sections that fit these words, the best first.

    Words count from their beginning on, accents do not. After the sections with all of them come
    those with all of them but for their endings; if there are none, those with any of them.

    Example:
        >>> from bot.rulebook.book import read
        >>> [hit.section.heading for hit in search(read("wormholes"), "jumping void")][0]
        'The wormhole jump'
    """
    whole = re.findall(r"\w+", words)[:WORDS]
    stems = [word[: max(STEM, len(word) - ENDING)] for word in whole]
    if not whole:
        return []
    exact = _matching(book, whole, " AND ")
    found = exact | _matching(book, stems, " AND ")  # the order is that of the first
    return list((found or _matching(book, stems, " OR ")).values())


def _matching(book: Book, beginnings: Iterable[str], joint: str) -> dict[str, Hit]:
    """The sections with words that begin like these, by key."""
    query = joint.join(f'"{word}"*' for word in beginnings)
    found = _index(book).execute(_FIND, (query,)).fetchall()
    hits = [Hit(book.sections[number], excerpt) for number, excerpt in found]
    return {hit.section.key: hit for hit in hits}


@cache
def _index(book: Book) -> sqlite3.Connection:
    index = sqlite3.connect(":memory:", check_same_thread=False)  # it is only read from now on
    index.execute(_MAKE)
    index.executemany(
        "INSERT INTO sections (rowid, heading, terms, text) VALUES (?, ?, ?, ?)",
        [
            (number, section.heading, " ".join(section.terms), _plain(section))
            for number, section in enumerate(book.sections)
        ],
    )
    return index


def _plain(section: Section) -> str:
    """What a section says, without its markup, and what its diagram shows."""
    shown = section.diagram.alt if section.diagram else ""
    return f"{section.text} {shown}".replace("*", "")


def lookup(book: Book, topic: str) -> Section | None:
    """The one section that a topic names: by key, number, heading, term, or as the only hit."""
    named = book.find(topic) or book.find(topic.upper())
    if named:
        return named
    wanted = fold(topic)
    headed = [each for each in book.sections if fold(each.heading) == wanted]
    explaining = [each for each in book.sections if wanted in map(fold, each.terms)]
    if headed or explaining:
        return (headed or explaining)[0]
    hits = search(book, topic)
    return hits[0].section if len(hits) == 1 else None


def complete(book: Book, typed: str) -> list[tuple[str, str]]:
    """Return proposals for what was typed: words to show and key, each section once.

    Headings and terms that begin like this come first, then those with a word that does, then
    what the text has to say about it. A heading comes before a term.
    """
    wanted = fold(typed)
    ranked = sorted(
        (rank, place > 0, number, label)
        for number, section in enumerate(book.sections)
        for place, (word, label) in enumerate(_labels(section))
        if (rank := _rank(fold(word), wanted)) is not None
    )
    found: dict[str, str] = {}
    for _, _, number, label in ranked:
        found.setdefault(book.sections[number].key, label)
    for hit in search(book, typed):
        found.setdefault(hit.section.key, hit.section.heading)
    return [(label, key) for key, label in found.items()]


def _labels(section: Section) -> Iterator[tuple[str, str]]:
    """What a section can be found by, and how this is shown."""
    yield section.heading, section.heading
    for term in section.terms:
        yield term, f"{term} ({section.heading})"
    for name in filter(is_rule, section.names):
        yield name, f"{name} {section.heading}"


def _rank(word: str, wanted: str) -> int | None:
    if word.startswith(wanted):
        return 0
    return 1 if f" {wanted}" in word else None


def fold(text: str) -> str:
    """Text without what should not matter: case and accents.

    Example:
        >>> fold("Schwarze Löcher")
        'schwarze locher'
    """
    letters = unicodedata.normalize("NFKD", text.strip().casefold())
    return "".join(letter for letter in letters if not unicodedata.combining(letter))
