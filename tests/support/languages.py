"""The languages of the bot, as tests go through them: a new catalogue or book is tested at once."""

from __future__ import annotations

import re
from functools import cache
from typing import NamedTuple

from babel.messages.catalog import Message

from bot.i18n import languages
from bot.rulebook.book import read, titles
from tools import translations
from tools.messages import FILES as NOTES_OF_FILES

CATALOGUES = {file.parent.parent.name.replace("_", "-"): file for file in translations.files()}
"""Language → its catalogue, as translators edit it."""

BOOKS = [
    (game, language)
    for game in titles()
    for language in languages()
    if read(game, language).language == language
]
"""Each game with each language in which its rules are written."""

TYPED = NOTES_OF_FILES["render/vocabulary.py"]
"""The comment on lists of words that players type, which have the signs of any keyboard."""

DRAWN = "Written in pictures"
"""How the comment on a text begins that pictures have."""


@cache
def messages(language: str) -> tuple[Message, ...]:
    """Return the texts of a catalogue, without its head."""
    return tuple(message for message in translations.read(CATALOGUES[language]) if message.id)


@cache
def is_complete(language: str) -> bool:
    """Return whether all texts are translated into a language; English is the original."""
    return language not in CATALOGUES or all(map(translations.is_translated, messages(language)))


def is_typed(message: Message) -> bool:
    """Return whether a text is a list of words that players type."""
    return TYPED in message.auto_comments


def is_drawn(message: Message) -> bool:
    """Return whether a text is written in pictures."""
    return any(comment.startswith(DRAWN) for comment in message.auto_comments)


class Signs(NamedTuple):
    """The signs of a language.

    Attributes:
        apostrophe: its own, of those in `APOSTROPHES`.
        pairs: its quotation marks, and other signs that come in pairs.
        fault: matches what else its texts must not have, outside of names of commands.
    """

    apostrophe: str
    pairs: tuple[str, ...]
    fault: re.Pattern[str] = re.compile("(?!)")


SIGNS = {
    "en": Signs("'", ("“”",)),
    "de": Signs("’", ("„“",)),
    "es": Signs("’", ("«»", "“”", "¿?", "¡!")),
    "fr": Signs(
        "’",
        ("«»", "“”"),
        re.compile(r"«(?!\u202f)|(?<!\u202f)»|(?<![\u202f!?])[;:!?](?=[\s*_)]|$)"),
    ),
    "ja": Signs("’", ("「」", "『』"), re.compile(r"(?<=[\u3041-\u30ff\u4e00-\u9fff])[,.!?;:]")),
    "pl": Signs("’", ("„”", "«»")),
    "pt-BR": Signs("’", ("“”",)),
}
"""Language → its signs; a new language needs a line here."""

APOSTROPHES, QUOTES = "'’", '"“”„\u201a‘«»\u2039\u203a「」『』'

_CODE = re.compile(r"`[^`]*`")


def signs_at_fault(text: str, language: str) -> list[str]:
    """Return signs of other languages that a text has, pairs with one missing, and faults.

    Example:
        >>> signs_at_fault("It’s “so", "en"), signs_at_fault("„Tak”, `/do`", "pl")
        (['’', '“”'], [])
    """
    signs, words = SIGNS[language], _CODE.sub("", text)
    foreign = {*APOSTROPHES, *QUOTES} - {signs.apostrophe, *"".join(signs.pairs)}
    fault = signs.fault.search(words)
    return [
        *sorted(foreign.intersection(words)),
        *(pair for pair in signs.pairs if words.count(pair[0]) != words.count(pair[1])),
        *([fault[0]] if fault else []),
    ]
