"""Languages: found by their catalogues, which hold the texts of today."""

from __future__ import annotations

import re
from collections.abc import Sequence
from gettext import c2py
from string import Formatter

import pytest

from bot.i18n import (
    COMMAND,
    ENGLISH,
    NAME,
    catalogue,
    language_names,
    languages,
    refusal_text,
)
from bot.rulebook.book import read
from engine.game import IllegalActionError
from hatch_build import compiled
from render.i18n import using
from tests.support.languages import (
    BOOKS,
    CATALOGUES,
    is_typed,
    messages,
    signs_at_fault,
)
from tests.support.plurals import NUMBERS, SHAPES
from tools import catalogues, translations

LIMIT = re.compile(r"at most (\d+) characters")
"""In the comment on a text, by what it is."""


def test_every_language_but_english_has_a_catalogue() -> None:
    assert languages()[0] == ENGLISH
    assert len(languages()) == len(CATALOGUES) + 1


@pytest.mark.slow
@pytest.mark.parametrize("language", CATALOGUES)
def test_catalogues_hold_the_texts_of_today(language: str) -> None:
    """If this fails, run `make catalogues` and translate the new texts in the `.po` files."""
    file = CATALOGUES[language]
    assert file.read_bytes() == catalogues.renewed(file)
    assert file.with_suffix(".mo").read_bytes() == compiled(translations.read(file))


def test_every_language_has_a_name_in_itself() -> None:
    names = language_names()
    assert tuple(names) == languages()
    assert names["de"] == "Deutsch"
    assert names["en"] == "English"


def test_a_refusal_is_translated_with_its_words() -> None:
    error = IllegalActionError("X3", "It's {side}'s turn.", side="Black")
    assert refusal_text(error) == str(error)
    with using(catalogue("de")):
        assert "{" not in refusal_text(error)


@pytest.mark.parametrize("language", CATALOGUES)
def test_every_text_is_translated_with_all_its_fields(language: str) -> None:
    """Of the languages that no change has to bring along, texts may lack a translation."""
    for message in messages(language):
        complete = translations.is_translated(message)
        assert complete or language not in translations.REQUIRED, message.id
        if complete:
            wanted = fields(forms_of(message.id)[-1])
            *forms, last = map(fields, forms_of(message.string))
            assert last == wanted, message.id
            assert all(form <= wanted for form in forms), message.id


@pytest.mark.parametrize("language", CATALOGUES)
def test_plural_forms_are_those_of_the_numbers(language: str) -> None:
    """A form that numbers above one have too has the fields of the English plural."""
    shape = SHAPES[language]
    expression = translations.read(CATALOGUES[language]).plural_expr
    assert tuple(map(c2py(expression), NUMBERS)) == shape
    texts, count = catalogue(language), 0
    for message in messages(language):
        if isinstance(message.id, str) or not translations.is_translated(message):
            continue
        one, many = message.id
        for number, form in zip(NUMBERS, shape, strict=True):
            text = texts.ngettext(one, many, number)
            assert text == forms_of(message.string)[form], message.id
            wanted = fields(many if max_of(shape, form) > 1 else one)
            assert fields(text) >= wanted, message.id
            filled = text.format(**dict.fromkeys(fields(many), number))
            assert str(number) in filled or "count" not in wanted, message.id
            count += 1
    assert count or language not in translations.REQUIRED


def max_of(shape: Sequence[int], form: int) -> int:
    """The highest of the numbers with a form."""
    return max(number for number, its in zip(NUMBERS, shape, strict=True) if its == form)


@pytest.mark.parametrize("language", CATALOGUES)
def test_texts_keep_to_the_limits_of_what_they_are(language: str) -> None:
    limited = 0
    for message in messages(language):
        for limit in map(int, LIMIT.findall("\n".join(message.auto_comments))):
            limited += 1
            for text in forms_of(message.string):
                assert len(re.sub(r"\{\w+\}", "", text)) <= limit, text
    assert limited > 100


@pytest.mark.parametrize(
    ("text", "language", "fault"),
    [
        ("It's “so”", "en", []),
        ("It’s", "en", ["’"]),
        ('"so"', "en", ['"']),
        ("„so“", "en", ["„", "“”"]),
        ("“so", "en", ["“”"]),
        ("¿«Sí»?", "es", []),
        ("«Sí»?", "es", ["¿?"]),
        ("«\u202fOui\u202f»\u202f: c’est `/ça:`\u202f!", "fr", []),
        ("«\u202fOui\u202f»: non", "fr", [":"]),
        ("« Oui »", "fr", ["«"]),
        ("「はい」。{count}.5 `a.`", "ja", []),
        ("はい!", "ja", ["!"]),
    ],
)
def test_signs_at_fault_are_found(text: str, language: str, fault: list[str]) -> None:
    assert signs_at_fault(text, language) == fault


@pytest.mark.parametrize("language", CATALOGUES)
def test_signs_are_those_of_the_language(language: str) -> None:
    written = [message for message in messages(language) if not is_typed(message)]
    english = {text for message in written for text in forms_of(message.id)}
    translated = {text for message in written for text in forms_of(message.string)}
    assert not {text: signs for text in english if (signs := signs_at_fault(text, "en"))}
    assert not {text: signs for text in translated if (signs := signs_at_fault(text, language))}


@pytest.mark.parametrize(("game", "language"), BOOKS)
def test_rules_have_the_signs_of_the_other_texts(game: str, language: str) -> None:
    for section in read(game, language).sections:
        assert not signs_at_fault(section.text, language), section


@pytest.mark.parametrize("language", CATALOGUES)
def test_commands_are_named_as_their_readers_see_them(language: str) -> None:
    texts = catalogue(language)
    for message in messages(language):
        if translations.is_translated(message):
            names = sorted(texts.gettext(name).lower() for name in named(forms_of(message.id)[-1]))
            for text in forms_of(message.string):
                assert sorted(named(text)) == names, message.id


PAIRS = [
    pair
    for language in CATALOGUES
    for pair in ((language, "en-US"), ("en", language), (language, language))
]


@pytest.mark.parametrize(("language", "client"), PAIRS)
def test_commands_have_the_names_that_the_client_shows(language: str, client: str) -> None:
    texts, names, plain = catalogue(language, client), catalogue(client), catalogue(language)
    assert texts.info() == plain.info()
    with_commands = 0
    for message in messages(next(iter(CATALOGUES))):
        if message.context:
            continue
        one, *many = forms_of(message.id)
        for number in range(1, 2 + len(many)):
            form = many[0] if many and number > 1 else one
            text, before = (
                read.ngettext(one, many[0], number) if many else read.gettext(one)
                for read in (texts, plain)
            )
            commands = sorted(names.gettext(name).lower() for name in named(form))
            assert sorted(named(text)) == commands, form
            assert commands or text == before
            with_commands += bool(commands)
    assert with_commands


def named(text: str) -> list[str]:
    """The names of commands and options in a text."""
    return [name for command in COMMAND.findall(text) for name in NAME.findall(command)]


def fields(text: str) -> set[str]:
    """The names of the places that are filled in."""
    return {name for _, name, _, _ in Formatter().parse(text) if name is not None}


def forms_of(message: str | Sequence[str] | None) -> list[str]:
    """A text, or its forms for one and for many."""
    return [message] if isinstance(message, str) else [*(message or ())]
