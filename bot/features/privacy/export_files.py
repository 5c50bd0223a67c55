"""The files of an export: JSON, in ZIP archives if it is large."""

from __future__ import annotations

import io
import json
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple
from zipfile import ZIP_DEFLATED, ZipFile

MAX_JSON_BYTES = 1024 * 1024
"""Maximum size of a file that is not compressed, in bytes."""

FULL_BYTES = 8 * 1024 * 1024
"""Compressed size in bytes at which another file begins: Discord takes 10 MiB."""


class ExportedFile(NamedTuple):
    """A file of an export."""

    name: str
    content: bytes


class ExportFile:
    """A file that is written in slices, and compressed meanwhile.

    Args:
        head: beginning of each file.
        number: number of the file, from 1.
    """

    def __init__(self, head: Mapping[str, Any], number: int = 1) -> None:
        self._head = head
        self._number = number
        self._name = "starpost" if number == 1 else f"starpost-{number}"
        self._archive = io.BytesIO()
        self._zip = ZipFile(self._archive, "w", ZIP_DEFLATED)
        self._entry = self._zip.open(f"{self._name}.json", "w")
        self._size = 0
        self._section, self._comma = "", ""
        self._write(_dumped(head).removesuffix("}"))

    @property
    def is_full(self) -> bool:
        """Return whether the next rows belong into the `next` file."""
        return self._archive.tell() >= FULL_BYTES

    def add(self, section: str, rows: Sequence[Mapping[str, Any]]) -> None:
        """Add rows to a section; sections follow each other."""
        if section != self._section:
            end = "\n]" if self._section else ""
            self._write(f"{end},\n{_dumped(section)}: [")
            self._section, self._comma = section, ""
        for row in rows:
            self._write(f"{self._comma}\n{_dumped(row)}")
            self._comma = ","

    def next(self) -> ExportFile:
        """Return the file after this one."""
        return ExportFile(self._head, self._number + 1)

    def close(self) -> ExportedFile:
        """Return the finished file."""
        self._write("\n]}\n" if self._section else "}\n")
        self.discard()
        if self._size <= MAX_JSON_BYTES:
            name = f"{self._name}.json"
            with ZipFile(self._archive) as archive:
                return ExportedFile(name, archive.read(name))
        return ExportedFile(f"{self._name}.zip", self._archive.getvalue())

    def discard(self) -> None:
        """End the file as it is; a second call has no effect."""
        self._entry.close()
        self._zip.close()

    def _write(self, text: str) -> None:
        self._size += self._entry.write(text.encode())


def _dumped(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)
