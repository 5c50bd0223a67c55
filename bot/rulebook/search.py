"""Search sections by words: SQLite's full-text index, in memory, made from a book when needed."""

from __future__ import annotations

import re
import sqlite3
import unicodedata
from collections.abc import Iterable, Iterator
from functools import cache
from typing import NamedTuple

from bot.rulebook.book import Book, Section, is_rule

WEIGHTS = "10, 5, 1"
"""Weights of a word in a heading, as a term, in the text."""

EXCERPT_WORDS = 18
"""Number of words in an excerpt."""

MAX_QUERY_WORDS = 12
"""Maximum number of words of a query; SQLite refuses very long ones."""

STOP_WORDS = {
    "en": frozenset(
        "a an and are can do does how i if in is it my of the to what when you".split()
    ),
    "de": frozenset(
        "das der die ein eine ich ist kann man mein mit muss und wann was wenn wer wie zu".split()
    ),
}
"""Words of a question that say nothing about its topic, by language."""

STEM, ENDING = 4, 3
"""Minimum number of letters left of a word without its ending, and letters dropped."""

_MAKE = """
    CREATE VIRTUAL TABLE sections
    USING fts5(heading, terms, text, tokenize = "unicode61 remove_diacritics 2", prefix = "2 3")
"""
_FIND = f"""
    SELECT rowid, snippet(sections, 2, '**', '**', '…', {EXCERPT_WORDS})
    FROM sections WHERE sections MATCH ? ORDER BY bm25(sections, {WEIGHTS})
"""  # noqa: S608 - nothing in it comes from outside


class Hit(NamedTuple):
    """A matching section, and an excerpt with the words in bold."""

    section: Section
    excerpt: str


def search(book: Book, words: str) -> list[Hit]:
    """Return the sections that match these words, the best first.

    Words match by prefix; accents and stop words are ignored. Sections with all words come first,
    then sections with all stems, else with any stem.

    Example:
        >>> from bot.rulebook.book import read
        >>> [hit.section.heading for hit in search(read("wormholes"), "jumping void")][0]
        'The wormhole jump'
    """
    query_words = re.findall(r"\w+", words)[:MAX_QUERY_WORDS]
    keywords = [
        word for word in query_words if word.lower() not in STOP_WORDS[book.language]
    ] or query_words
    stems = [word[: max(STEM, len(word) - ENDING)] for word in keywords]
    if not keywords:
        return []
    exact = _matching(book, keywords, " AND ")
    hits = exact | _matching(book, stems, " AND ")  # the order is that of the first
    return list((hits or _matching(book, stems, " OR ")).values())


def _matching(book: Book, beginnings: Iterable[str], joint: str) -> dict[str, Hit]:
    """Return the sections with words that begin like these, by key."""
    query = joint.join(f'"{word}"*' for word in beginnings)
    rows = _index(book).execute(_FIND, (query,)).fetchall()
    hits = [Hit(book.sections[number], excerpt) for number, excerpt in rows]
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
    """Return the text of a section and its diagram's description, without markup."""
    alt = section.diagram.alt if section.diagram else ""
    return f"{section.text} {alt}".replace("*", "")


def lookup(book: Book, topic: str) -> Section | None:
    """Return the section that a topic names: by key, number, heading, term, or as the only hit."""
    named = book.find(topic) or book.find(topic.upper())
    if named:
        return named
    folded = fold(topic)
    headed = [section for section in book.sections if fold(section.heading) == folded]
    explaining = [section for section in book.sections if folded in map(fold, section.terms)]
    if headed or explaining:
        return (headed or explaining)[0]
    hits = search(book, topic)
    return hits[0].section if len(hits) == 1 else None


def complete(book: Book, typed: str) -> list[tuple[str, str]]:
    """Return suggestions for a typed text: words to show and key, each section once.

    Headings and terms that begin like this come first, then any with a word that does, then
    hits in the texts. A heading comes before a term.
    """
    folded = fold(typed)
    ranked = sorted(
        (rank, place > 0, number, label)
        for number, section in enumerate(book.sections)
        for place, (word, label) in enumerate(_labels(section))
        if (rank := _rank(fold(word), folded)) is not None
    )
    labels: dict[str, str] = {}
    for _, _, number, label in ranked:
        labels.setdefault(book.sections[number].key, label)
    for hit in search(book, typed):
        labels.setdefault(hit.section.key, hit.section.heading)
    return [(label, key) for key, label in labels.items()]


def _labels(section: Section) -> Iterator[tuple[str, str]]:
    """Yield the headings and terms of a section, and how they are shown."""
    yield section.heading, section.heading
    for term in section.terms:
        yield term, f"{term} ({section.heading})"
    for name in filter(is_rule, section.names):
        yield name, f"{name} {section.heading}"


def _rank(word: str, folded: str) -> int | None:
    if word.startswith(folded):
        return 0
    return 1 if f" {folded}" in word else None


def fold(text: str) -> str:
    """Return a text without case and accents.

    Example:
        >>> fold("Schwarze Löcher")
        'schwarze locher'
    """
    letters = unicodedata.normalize("NFKD", text.strip().casefold())
    return "".join(letter for letter in letters if not unicodedata.combining(letter))
