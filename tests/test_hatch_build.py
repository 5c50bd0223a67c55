"""The catalogues that the bot reads are compiled where they are missing or old."""

from __future__ import annotations

import os
from gettext import GNUTranslations
from pathlib import Path

import pytest
from babel.messages.catalog import Catalog
from babel.messages.pofile import write_po

from bot import i18n
from hatch_build import compile_catalogues, first_match_pages


@pytest.fixture
def source(tmp_path: Path) -> Path:
    """A project with a catalogue that is not compiled."""
    file = tmp_path / "bot" / "locale" / "de" / "LC_MESSAGES" / "starpost.po"
    file.parent.mkdir(parents=True)
    translate(file, "Annehmen")
    return file


def translate(file: Path, word: str) -> None:
    """Write a catalogue with one text."""
    catalogue = Catalog(locale="de", fuzzy=False)
    catalogue.add("Accept", word)
    with file.open("wb") as stream:
        write_po(stream, catalogue)


def spoken(source: Path) -> str:
    """The text that the bot reads."""
    with source.with_suffix(".mo").open("rb") as binary:
        return GNUTranslations(binary).gettext("Accept")


@pytest.mark.parametrize("outdated", [False, True])
def test_missing_catalogue_is_compiled(source: Path, tmp_path: Path, outdated: bool) -> None:
    compile_catalogues(tmp_path, outdated=outdated)
    assert spoken(source) == "Annehmen"
    assert {file.name for file in source.parent.iterdir()} == {"starpost.po", "starpost.mo"}


@pytest.mark.parametrize(("later", "word"), [(1, "Topp"), (-1, "Annehmen")])
def test_catalogue_older_than_its_texts_is_compiled_again(
    source: Path, tmp_path: Path, later: int, word: str
) -> None:
    compile_catalogues(tmp_path)
    translate(source, "Topp")
    at = source.with_suffix(".mo").stat().st_mtime + later
    os.utime(source, (at, at))
    compile_catalogues(tmp_path, outdated=True)
    assert spoken(source) == word
    compile_catalogues(tmp_path)
    assert spoken(source) == "Topp"


def test_language_that_is_not_compiled_is_no_english(
    source: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(i18n, "LOCALES", tmp_path / "bot" / "locale")
    with pytest.raises(FileNotFoundError, match=r"starpost\.mo"):
        i18n.catalogue("de")
    compile_catalogues(tmp_path)
    assert i18n.catalogue("de").gettext("Accept") == "Annehmen"


def test_pages_of_a_first_match_are_those_of_the_folders(tmp_path: Path) -> None:
    players = tmp_path / "docs" / "players"
    for folder in ("", "de", "pt_BR", "first-match"):
        (players / folder).mkdir(parents=True, exist_ok=True)
    for folder in ("", "de", "pt_BR"):
        (players / folder / "first-match.md").touch()
    assert dict(first_match_pages(tmp_path)) == {
        "First match (en)": "docs/players/first-match.md",
        "First match (de)": "docs/players/de/first-match.md",
        "First match (pt-BR)": "docs/players/pt_BR/first-match.md",
    }
    assert dict(first_match_pages(tmp_path / "elsewhere")) == {}
