"""Gather all texts for people and bring the catalogues up to date: `make catalogues`.

Where a text stands is not written into the catalogues, so that they change only when texts do.
"""

from __future__ import annotations

import io
from copy import deepcopy
from functools import cache
from pathlib import Path
from typing import Any

from babel.messages.catalog import Catalog
from babel.messages.extract import extract_from_dir
from babel.messages.mofile import write_mo
from babel.messages.pofile import write_po

from bot.app.registry import all_commands
from bot.rulebook.book import titles
from bot.rulebook.lessons import lesson
from tools.translations import files, is_translated, read

ROOT = Path(__file__).parent.parent

KEYWORDS = {
    "_": None,
    "N_": None,
    "drawable_translation": None,
    "ngettext": (1, 2),
    "IllegalActionError": (2,),
}
"""Function → which of its arguments are texts; None for the first."""

LINE = 100
"""Characters of a line in a catalogue."""


def gathered() -> Catalog:
    """Every text for people, in the code, in guided matches, and in the names of options."""
    texts = Catalog(fuzzy=False)
    for message, comments in _in_code():
        texts.add(message, auto_comments=comments)
    for text in (text for game in titles() for text in lesson(game).texts):
        texts.add(text)
    for name in option_names():
        texts.add(name)
    return texts


def option_names() -> list[str]:
    """Return the names of the options of all commands: they are parameters of functions."""
    nothing: Any = None  # building the commands uses no service
    commands = [
        command
        for group in all_commands(nothing)
        for command in getattr(group, "commands", [group])
    ]
    return sorted({parameter.name for command in commands for parameter in command.parameters})


@cache
def _in_code() -> tuple[tuple[str | tuple[str, ...], list[str]], ...]:
    return tuple(
        (message, comments)
        for room in ("bot", "engine", "render")
        for _file, _line, message, comments, _context in extract_from_dir(
            ROOT / room, keywords=KEYWORDS, comment_tags=("Translators:",)
        )
    )


def renewed(file: Path) -> tuple[bytes, bytes]:
    """Return a catalogue with the present texts, as it is edited and as the bot reads it."""
    catalogue = read(file)
    catalogue.update(gathered(), no_fuzzy_matching=True, update_creation_date=False)
    catalogue.obsolete.clear()
    edited = io.BytesIO()
    write_po(edited, catalogue, width=LINE, no_location=True, sort_output=True)
    return edited.getvalue(), compiled(catalogue)


def compiled(catalogue: Catalog) -> bytes:
    """Return a catalogue as the bot reads it, without the messages that lack a form.

    Babel would fill their forms with English ones, which a language with one form would use for
    all numbers. Messages that are left out have the English form of their number.
    """
    complete = deepcopy(catalogue)
    for message in [message for message in complete if message.id]:
        if not is_translated(message):
            complete.delete(message.id, message.context)
    written = io.BytesIO()
    write_mo(written, complete)
    return written.getvalue()


def main() -> None:
    """Write all of them."""
    for file in files():
        edited, binary = renewed(file)
        file.write_bytes(edited)
        file.with_suffix(".mo").write_bytes(binary)


if __name__ == "__main__":
    main()
