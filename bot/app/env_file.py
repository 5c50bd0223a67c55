"""The file with the settings: `NAME=value` lines, as python-dotenv reads them."""

from __future__ import annotations

import codecs
import re
from collections.abc import Collection, Iterable, Mapping
from difflib import get_close_matches
from io import StringIO
from pathlib import Path

from dotenv import dotenv_values

DEFAULT_FILE = Path(".env")

PRIVATE = 0o600
"""Permissions of a file that its owner alone reads and writes."""

ALIKE_IN_FILE, ALIKE_ELSEWHERE = 0.6, 0.85
"""How alike (0 to 1) a name must be to be taken for a misspelt one: the environment holds many
names of other programs."""


COLON = re.compile(r"^(?:export +)?([A-Z][A-Z_]+) *: ", re.MULTILINE)
"""A line that is written as in YAML."""


class SettingsError(Exception):
    """Settings are missing or malformed; the arguments are sentences that say which and why."""

    def __str__(self) -> str:
        """Return the sentences in one line."""
        return " ".join(map(str, self.args))


def read(path: Path) -> dict[str, str]:
    """Return the values of a file; only the default one may be missing.

    Raises:
        SettingsError: it cannot be read, is not UTF-8, or has a colon for an equals sign.
    """
    try:
        data = path.read_bytes()
    except OSError as error:
        if path == DEFAULT_FILE and isinstance(error, FileNotFoundError):
            return {}
        raise SettingsError(f"{path} cannot be read: {error.strerror}.") from None
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)) or b"\0" in data:
        raise SettingsError(f"{path} is UTF-16 text: save it as UTF-8.")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        raise SettingsError(f"{path}, line {line} is not UTF-8 text: save it as UTF-8.") from None
    if colon := COLON.search(text):
        line = text[: colon.start()].count("\n") + 1
        raise SettingsError(f"{path}, line {line}: write {colon[1]}=… with an equals sign.")
    return {name: value or "" for name, value in dotenv_values(stream=StringIO(text)).items()}


def create(path: Path, values: Mapping[str, str]) -> None:
    """Write a new file that only its owner can read.

    Raises:
        SettingsError: there is one already, or it cannot be written.
    """
    try:
        path.touch(PRIVATE, exist_ok=False)
        with path.open("w", encoding="utf-8") as file:
            file.writelines(f"{name}={value}\n" for name, value in values.items())
    except FileExistsError:
        raise SettingsError(f"{path} exists already: edit it, or move it away.") from None
    except OSError as error:
        raise SettingsError(f"{path} cannot be written: {error.strerror}.") from None


def misspelt(
    in_file: Iterable[str], elsewhere: Iterable[str], setting_names: Collection[str], path: Path
) -> list[str]:
    """Return a sentence for each name that looks like a misspelt setting.

    Args:
        in_file: names in the file.
        elsewhere: names in the environment.
    """
    places = (
        (in_file, ALIKE_IN_FILE, f"in {path}"),
        (elsewhere, ALIKE_ELSEWHERE, "in the environment"),
    )
    return [
        f"{name} {place} is not a setting; did you mean {near[0]}?"
        for names, alike, place in places
        for name in names
        if name.upper() not in setting_names
        if (near := get_close_matches(name.upper(), setting_names, n=1, cutoff=alike))
    ]
