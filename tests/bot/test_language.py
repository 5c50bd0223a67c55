"""Languages: found by their catalogues, which hold the texts of today."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.language import ENGLISH, catalogue, languages, nearest, own_names, why
from engine.game import Refused
from render.language import speaking
from tests import catalogues

FILES = catalogues.files()


def test_english_needs_no_catalogue_and_every_other_language_has_one() -> None:
    assert languages()[0] == ENGLISH
    assert len(languages()) == len(FILES) + 1


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.parent.parent.name)
def test_catalogues_hold_the_texts_of_today(file: Path) -> None:
    """Where this fails: `make catalogues`, and translate what is new in the `.po` files."""
    edited, compiled = catalogues.renewed(file)
    assert file.read_bytes() == edited
    assert file.with_suffix(".mo").read_bytes() == compiled


@pytest.mark.parametrize(
    ("locale", "language"), [("de", "de"), ("de-AT", "de"), ("en-GB", "en"), ("tlh", "en")]
)
def test_a_locale_is_answered_in_the_language_nearest_to_it(locale: str, language: str) -> None:
    assert nearest(locale) == language


def test_every_language_has_a_name_in_itself() -> None:
    assert own_names() == {"en": "English", "de": "Deutsch"}


def test_a_refusal_is_translated_with_its_words() -> None:
    refused = Refused("X3", "It is {side}'s turn.", side="Black")
    assert why(refused) == str(refused)
    with speaking(catalogue("de")):
        assert "{" not in why(refused)
