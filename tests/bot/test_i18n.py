"""Which language serves a reader, and texts that it lacks."""

from __future__ import annotations

from pathlib import Path

import pytest
from babel.messages.catalog import Catalog

from bot import i18n
from hatch_build import compiled
from tests.support.plurals import NUMBERS, SHAPES

TAGS = ("de", "es", "ja", "pl", "pt_BR", "zh_CN")


@pytest.fixture
def many_languages(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Replace the languages of the bot by these."""
    for tag in TAGS:
        catalogue = Catalog(locale=tag, fuzzy=False)
        catalogue.add("Accept", f"Accept in {tag}")
        catalogue.add("Decline", "")
        forms = [f"{form} {{count}} in {tag}" for form in range(catalogue.num_plurals)]
        catalogue.add(("{count} day", "{count} days"), forms)
        catalogue.add(("{count} turn", "{count} turns"), ["", *forms[1:]])
        file = tmp_path / tag / "LC_MESSAGES" / "starpost.mo"
        file.parent.mkdir(parents=True)
        file.write_bytes(compiled(catalogue))
    monkeypatch.setattr(i18n, "LOCALES", tmp_path)


@pytest.mark.usefixtures("many_languages")
@pytest.mark.parametrize(
    ("locale", "language"),
    [
        *(("de", "de"), ("de-AT", "de"), ("DE", "de"), ("es-ES", "es"), ("es-419", "es")),
        *(("pt-BR", "pt-BR"), ("pt_BR", "pt-BR"), ("pt-br", "pt-BR"), ("zh-CN", "zh-CN")),
        *(("zh_CN", "zh-CN"), ("zh-TW", "en"), ("en-GB", "en"), ("en-US", "en"), ("tlh", "en")),
        *(("", "en"), ("-", "en"), ("not a tag", "en")),
    ],
)
def test_locale_is_answered_in_the_language_nearest_to_it(locale: str, language: str) -> None:
    assert i18n.negotiate_locale(locale) == language
    texts = i18n.catalogue(locale)
    suffix = "" if language == "en" else f" in {language.replace('-', '_')}"
    assert texts.gettext("Accept") == f"Accept{suffix}"


@pytest.mark.usefixtures("many_languages")
@pytest.mark.parametrize("tag", TAGS)
def test_text_without_a_translation_is_english(tag: str) -> None:
    texts = i18n.catalogue(tag)
    assert texts.gettext("Accept") != "Accept"
    assert texts.gettext("Decline") == "Decline"
    assert texts.gettext("Never heard of it") == "Never heard of it"


@pytest.mark.usefixtures("many_languages")
@pytest.mark.parametrize("tag", TAGS)
def test_message_that_lacks_a_form_is_english_for_all_numbers(tag: str) -> None:
    texts = i18n.catalogue(tag)
    forms = [texts.ngettext("{count} turn", "{count} turns", number) for number in (0, 1, 2, 5)]
    assert forms == ["{count} turns", "{count} turn", "{count} turns", "{count} turns"]


@pytest.mark.usefixtures("many_languages")
@pytest.mark.parametrize("tag", ["de", "es", "ja", "pl", "pt_BR"])
def test_plural_form_is_that_of_the_number(tag: str) -> None:
    texts = i18n.catalogue(tag)
    forms = [texts.ngettext("{count} day", "{count} days", number) for number in NUMBERS]
    assert forms == [f"{form} {{count}} in {tag}" for form in SHAPES[tag.replace("_", "-")]]


@pytest.mark.usefixtures("many_languages")
def test_languages_are_called_as_their_speakers_call_them() -> None:
    names = i18n.language_names()
    assert tuple(names) == ("en", *(tag.replace("_", "-") for tag in TAGS))
    assert names["es"] == "Español"
    assert names["pt-BR"] == "Português (Brasil)"
    assert names["ja"] == "日本語"


@pytest.mark.parametrize("tag", i18n.languages())
def test_names_of_our_languages_are_those_that_babel_has(tag: str) -> None:
    assert i18n.NAMES[tag] == i18n.babel_name(tag)
