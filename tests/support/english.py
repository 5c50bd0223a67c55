"""English words and sentences within other languages."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cache
from typing import Any

from bot.i18n import language_names
from engine import games
from tests.support.languages import is_typed, messages
from tools import translations

SHOWN = frozenset({"content", "label", "placeholder", "description", "title", "name"})
"""The fields of requests that people read."""

SAME = (
    *(games.get(name).title for name in games.names()),
    *(
        "Ada",
        "Bo",
        "Eve",
        "Host",
        "Spring",
        "Starpost",
        "MIT AND OFL",
        "MIT",
        "UTC",
        *language_names().values(),
    ),
    *("OrthogonAliens", "DiagonAliens", "Tom", "Dave", "base", "move", "nonsense"),
)
"""Texts that are the same in every language: names, notation, users' input."""

VERBS = "|".join(verb.name for name in games.names() for verb in games.get(name).verbs)

NO_WORDS = re.compile(
    r"(?m)^- .* (?:designed|invented) by .*$"
    rf"|^(?:{VERBS})\b[^:\[]*: "
    r"|`[^`]*`|<[^>]*>|https?://\S+|[0-9a-f]{64}|\b\w*[0-9]\w*\b"
    rf"|(?<!\w)({'|'.join(map(re.escape, SAME))})(?!\w)"
)
"""Credits from the books, proposals of `/do`, code, mentions, links, seeds and notation, and all
those."""

ENGLISH = re.compile(r"[A-Za-z]{3,}")


def said(request: Any) -> Iterator[str]:
    """All that a request shows to people."""
    if request.path.endswith("/commands"):
        return
    pending = [request.json]
    while pending:
        part = pending.pop()
        if isinstance(part, list):
            pending += part
        elif isinstance(part, dict):
            pending += [value for value in part.values() if isinstance(value, dict | list)]
            yield from (text for name, text in part.items() if name in SHOWN and text)


def english(text: str) -> list[str]:
    """The English words in a text."""
    return ENGLISH.findall(NO_WORDS.sub(" ", text))


FIELD = re.compile(r"\{\w+\}")

WORDS = re.compile(r"[a-z]{2,}\W+[a-z]{2,}", re.IGNORECASE)
"""Two words beside each other."""


def untranslated(texts: Iterable[str], language: str) -> list[str]:
    """The English texts, or parts of them between fields, that are left though they are translated.

    Args:
        texts: all that was said.
        language: one that has a catalogue.
    """
    text = "\n".join(texts)
    lines = {line.strip() for line in text.splitlines()}
    wholes, parts = _english(language)
    return [*sorted(wholes & lines), *(part for part in parts if part in text)]


@cache
def _english(language: str) -> tuple[frozenset[str], tuple[str, ...]]:
    """Return the English texts of a catalogue, and their parts that have several words."""
    translated = [
        message
        for message in messages(language)
        if translations.is_translated(message) and not is_typed(message)
    ]
    forms = {text for message in translated for text in _forms(message.id)}
    foreign = "\n".join(text for message in translated for text in _forms(message.string))
    pieces = {piece.strip() for text in forms for piece in FIELD.split(text)}
    parts = (piece for piece in pieces if WORDS.search(piece) and piece not in foreign)
    wholes = {text for text in forms if "{" not in text and len(english(text)) > 0}
    return frozenset(wholes - {*foreign.splitlines()}), tuple(sorted(parts))


def _forms(text: Any) -> Iterable[str]:
    return [text] if isinstance(text, str) else text or ()
