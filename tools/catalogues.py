"""Gather all texts for people and bring the catalogues up to date: `make catalogues`.

They name the files where a text is used, without lines, so that they change only when texts do.
"""

from __future__ import annotations

import io
from collections.abc import Iterator
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import Any

from babel.messages.catalog import Catalog
from babel.messages.pofile import write_po

from bot.app.registry import all_commands
from bot.i18n import LOCALES
from bot.rulebook.book import titles
from bot.rulebook.lessons import lesson
from engine import packages
from hatch_build import compile_catalogues
from tools.messages import ROOT, Text, meaning_of, texts
from tools.translations import files, read

POT = LOCALES / "starpost.pot"
"""All texts without translations: what a new language begins with."""

LESSON = "A text of a lesson."
OPTION = "Name of an option of a command: lower case, without spaces."

LESSONS = "bot/rulebook/prepared/lessons"

LINE = 100
"""Characters of a line in a catalogue."""

BEGUN = datetime(2026, 1, 1, tzinfo=UTC)
"""The date of the template and of all catalogues: it does not change with the texts."""

HEADING = "# The texts of Starpost, for a new language: docs/developers/recipes.md"


@cache
def gathered() -> Catalog:
    """Every text for people, in the code, in guided matches, and in the names of options."""
    catalogue = Catalog(
        project="Starpost",
        version="1",
        msgid_bugs_address="the issues of the project",
        creation_date=BEGUN,
        header_comment=HEADING,
        fuzzy=False,
    )
    for text in (*texts(), *_in_lessons(), *_option_texts()):
        fields = [f"{{{field}}}: {meaning_of(field, text.file)}" for field in text.fields]
        catalogue.add(
            text.forms if len(text.forms) > 1 else text.forms[0],
            locations=[(text.file, 0)],
            auto_comments=[*text.notes, *fields],
            context=text.context or None,
        )
    return catalogue


def _in_lessons() -> Iterator[Text]:
    for game in titles():
        file = packages.file_of(game, "lesson")
        for words in lesson(game).texts:
            yield Text((words,), "", f"{LESSONS}/{file.name if file else game}", (LESSON,))


def _option_texts() -> Iterator[Text]:
    return (Text((name,), "", "bot/app/registry.py", (OPTION,)) for name in option_names())


def option_names() -> list[str]:
    """Return the names of the options of all commands: they are parameters of functions."""
    nothing: Any = None  # building the commands uses no service
    commands = [
        command
        for group in all_commands(nothing)
        for command in getattr(group, "commands", [group])
    ]
    return sorted({parameter.name for command in commands for parameter in command.parameters})


def template() -> bytes:
    """Return all texts as a new language begins with them."""
    return _written(gathered())


def renewed(file: Path) -> bytes:
    """Return a catalogue with the present texts."""
    catalogue = read(file)
    catalogue.update(gathered(), no_fuzzy_matching=True, update_creation_date=False)
    catalogue.obsolete.clear()
    catalogue.creation_date = catalogue.revision_date = BEGUN
    return _written(catalogue)


def _written(catalogue: Catalog) -> bytes:
    edited = io.BytesIO()
    write_po(edited, catalogue, width=LINE, include_lineno=False, sort_output=True)
    return edited.getvalue()


def main() -> None:
    """Write all of them."""
    POT.write_bytes(template())
    for file in files():
        file.write_bytes(renewed(file))
    compile_catalogues(ROOT)


if __name__ == "__main__":
    main()
