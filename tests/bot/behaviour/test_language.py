"""Languages: found by their catalogues, which hold the texts of today."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
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
from engine import games
from engine.game import IllegalActionError
from render.i18n import using
from tools import catalogues, translations

FILES = translations.files()


def test_every_language_but_english_has_a_catalogue() -> None:
    assert languages()[0] == ENGLISH
    assert len(languages()) == len(FILES) + 1


@pytest.mark.slow
@pytest.mark.parametrize("file", FILES, ids=lambda file: file.parent.parent.name)
def test_catalogues_hold_the_texts_of_today(file: Path) -> None:
    """If this fails, run `make catalogues` and translate the new texts in the `.po` files."""
    edited, compiled = catalogues.renewed(file)
    assert file.read_bytes() == edited
    assert file.with_suffix(".mo").read_bytes() == compiled


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


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.parent.parent.name)
def test_every_text_is_translated_with_all_its_fields(file: Path) -> None:
    """Of the languages that no change has to bring along, texts may lack a translation."""
    for message in translations.read(file):
        complete = translations.is_translated(message)
        assert complete or file.parent.parent.name not in translations.REQUIRED, message.id
        if not message.id or not complete:
            continue
        english, translated = forms_of(message.id), forms_of(message.string)
        assert fields(translated[-1]) == fields(english[-1]), message.id
        assert all(fields(translation) <= fields(english[-1]) for translation in translated), (
            message.id
        )


PLAIN, TYPOGRAPHIC = "'", "’"


def quotes_at_fault(text: str, apostrophe: str, quotes: str) -> list[str]:
    """The apostrophes and quotation marks of a text that are not those of its language."""
    wrong = [sign for sign in "'’\"“”„" if sign in text and sign not in (apostrophe, *quotes)]
    return wrong + [quotes] * (text.count(quotes[0]) != text.count(quotes[1]))


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("It's “so”", []),
        ("It’s", ["’"]),
        ('"so"', ['"']),
        ("„so“", ["„", "“”"]),
        ("“so", ["“”"]),
    ],
)
def test_quotes_at_fault_are_found(text: str, fault: list[str]) -> None:
    assert quotes_at_fault(text, PLAIN, "“”") == fault


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.parent.parent.name)
def test_apostrophes_and_quotation_marks_are_uniform(file: Path) -> None:
    messages = [message for message in translations.read(file) if message.id]
    for text in (text for message in messages for text in forms_of(message.id)):
        assert not quotes_at_fault(text, PLAIN, "“”"), text
    for text in (text for message in messages for text in forms_of(message.string)):
        assert not quotes_at_fault(text, TYPOGRAPHIC, "„“"), text


@pytest.mark.parametrize(("language", "apostrophe"), [("en", PLAIN), ("de", TYPOGRAPHIC)])
def test_rules_have_the_apostrophes_of_the_other_texts(language: str, apostrophe: str) -> None:
    quotes = {"en": "“”", "de": "„“"}[language]
    for game in games.names():
        for section in read(game, language).sections:
            assert not quotes_at_fault(section.text, apostrophe, quotes), section


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.parent.parent.name)
def test_commands_are_named_as_their_readers_see_them(file: Path) -> None:
    catalogue = translations.read(file)
    for message in catalogue:
        if not isinstance(message.id, str) or not message.id or not message.string:
            continue
        names = sorted(str(catalogue[name].string).lower() for name in named(message.id))
        assert sorted(named(str(message.string))) == names, message.id


@pytest.mark.parametrize(("language", "client"), [("de", "en-US"), ("en", "de"), ("de", "de")])
def test_commands_have_the_names_that_the_client_shows(language: str, client: str) -> None:
    texts, names, plain = catalogue(language, client), catalogue(client), catalogue(language)
    assert texts.info() == plain.info()
    with_commands = 0
    for message in translations.read(FILES[0]):
        if message.context or not message.id:
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
