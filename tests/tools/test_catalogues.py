"""Catalogues hold the texts of the code, with what translators have to know."""

from __future__ import annotations

import re

import pytest

from engine import games
from tools import catalogues, translations
from tools.messages import KINDS


def test_template_holds_the_texts_of_today() -> None:
    """If this fails, run `make catalogues`."""
    assert catalogues.POT.read_bytes() == catalogues.template()


def test_headers_hold_no_placeholder() -> None:
    """`msgfmt -c` warns about these."""
    for file in translations.files():
        assert "YEAR-MO-DA" not in file.read_text("utf-8"), file


def test_template_names_files_without_lines() -> None:
    text = catalogues.POT.read_text("utf-8")
    assert "#: render/cards.py\n" in text
    assert not re.search(r"^#:.*\.py:\d", text, re.MULTILINE)


def test_message_says_what_it_is_and_what_its_fields_hold() -> None:
    message = catalogues.gathered()["Rule {rule}"]
    assert message.auto_comments == [
        KINDS["button", 0],
        "{rule}: number of a rule, such as W5.3",
    ]


def test_result_and_command_are_two_messages() -> None:
    command, result = (catalogues.gathered().get("draw", context) for context in (None, "result"))
    assert command
    assert result
    assert command.locations != result.locations


def test_names_of_options_are_gathered_for_translation() -> None:
    gathered = {str(message.id) for message in catalogues.gathered()}
    names = set(catalogues.option_names())
    assert {"match", "substitute"} <= names <= gathered


@pytest.mark.parametrize("name", games.names())
def test_descriptions_of_verbs_are_gathered_for_translation(name: str) -> None:
    gathered = {str(message.id) for message in catalogues.gathered()}
    verbs = games.get(name).verbs
    assert {verb.description for verb in verbs} <= gathered
    assert {parameter.description for verb in verbs for parameter in verb.parameters} <= gathered
