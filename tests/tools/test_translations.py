"""How much of a language is translated, and which languages have to be complete."""

from __future__ import annotations

from pathlib import Path

import pytest
from babel.messages.catalog import Catalog
from babel.messages.pofile import write_po

from tools import release, translations

TEXTS: tuple[str | tuple[str, ...], ...] = (
    "Accept",
    "Decline",
    ("{count} day", "{count} days"),
    "Resign",
)


@pytest.fixture
def locales(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder for the catalogues, in place of the real one."""
    monkeypatch.setattr(translations, "LOCALES", tmp_path)
    return tmp_path


def write(locales: Path, tag: str, *translated: str | tuple[str, ...]) -> None:
    """Write a catalogue with the translations of the first texts."""
    catalogue = Catalog(locale=tag, fuzzy=False)
    for number, text in enumerate(TEXTS):
        catalogue.add(text, translated[number] if number < len(translated) else None)
    file = locales / tag / "LC_MESSAGES" / "starpost.po"
    file.parent.mkdir(parents=True)
    with file.open("wb") as stream:
        write_po(stream, catalogue)


GERMAN = ("Annehmen", "Ablehnen", ("{count} Zug", "{count} Züge"), "Aufgeben")


def test_message_counts_when_all_its_forms_are_translated(locales: Path) -> None:
    write(locales, "de", *GERMAN)
    write(locales, "pl", "Zaakceptuj", "Odrzuć", ("{count} dzień", "{count} dni", ""))
    assert translations.incomplete() == {"pl": "50.0 %"}


def test_percentage_is_rounded_down(locales: Path) -> None:
    write(locales, "de")
    (file,) = translations.files()
    catalogue = Catalog(locale="de", fuzzy=False)
    for number in range(2000):
        catalogue.add(str(number), "x" if number else None)
    with file.open("wb") as stream:
        write_po(stream, catalogue)
    assert translations.incomplete() == {"de": "99.9 %"}


def test_text_to_be_checked_is_not_translated(locales: Path) -> None:
    write(locales, "de", *GERMAN)
    (file,) = translations.files()
    text = file.read_text("utf-8").replace('msgid "Resign"', '#, fuzzy\nmsgid "Resign"')
    file.write_text(text, "utf-8")
    assert translations.incomplete() == {"de": "75.0 %"}


def test_only_german_has_to_be_complete_with_every_change(
    locales: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write(locales, "de", *GERMAN)
    write(locales, "es", "Aceptar")
    translations.main()
    assert capsys.readouterr().out == "bot/locale/es: 25.0 % translated\n"


def test_lacking_german_is_refused(locales: Path) -> None:
    write(locales, "de", *GERMAN[:3])
    with pytest.raises(SystemExit, match="'de'"):
        translations.main()


def test_release_needs_all_languages_complete(locales: Path) -> None:
    write(locales, "de", *GERMAN)
    write(locales, "es", "Aceptar")
    with pytest.raises(SystemExit, match=r"es.*25\.0 %"):
        release.main("v0.0.0")
