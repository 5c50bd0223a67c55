"""Say how much of each language is translated: `python -m tools.translations`.

It fails if a language that every change brings along is not complete. A release needs all of them
complete (`tools.release`).
"""

from __future__ import annotations

from math import floor
from pathlib import Path

from bot.i18n import LOCALES
from hatch_build import is_translated, read

__all__ = ["files", "incomplete", "is_translated", "progress", "read"]

REQUIRED = frozenset({"de"})
"""The languages that every change of a text brings along, with English."""


def files() -> list[Path]:
    """Return the catalogues as translators edit them."""
    return sorted(LOCALES.glob("*/LC_MESSAGES/starpost.po"))


def progress(file: Path) -> float:
    """Return which part of a catalogue is translated, from 0 to 1."""
    messages = [message for message in read(file) if message.id]
    return sum(map(is_translated, messages)) / len(messages)


def incomplete() -> dict[str, str]:
    """Return each language that is not complete, with its progress in percent."""
    shares = {file.parent.parent.name: progress(file) for file in files()}
    return {name: f"{floor(1000 * part) / 10} %" for name, part in shares.items() if part < 1}


def main() -> None:
    """Print the progress of languages that are not complete.

    Raises:
        SystemExit: a required language is not complete.
    """
    lacking = incomplete()
    for name, part in lacking.items():
        print(f"bot/locale/{name}: {part} translated")
    if required := sorted(REQUIRED & lacking.keys()):
        raise SystemExit(f"Run make catalogues and translate all texts of {required}.")


if __name__ == "__main__":
    main()
