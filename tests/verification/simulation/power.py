"""Power cuts of a simulated machine: unsynced writes are lost, or torn."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

from sqlalchemy import AdaptedConnection

from tests.verification.kills.power import Disk, Statement, operations

BEGIN, COMMIT, ROLLBACK = "BEGIN IMMEDIATE", "COMMIT", "ROLLBACK"

ENDS = "", "-wal"
"""Suffixes of the names of a database's files."""


class Power:
    """What a process tells its database, until the power is cut.

    Args:
        path: the database, which no process has opened yet.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._before = {file.name: file.read_bytes() for file in self._files() if file.exists()}
        self._noted: list[tuple[int, Statement]] = []

    def watch(self, connection: AdaptedConnection) -> None:
        """Note the settings of a connection, which SQLAlchemy does not tell its listeners."""
        note = partial(self._note_setting, connection)
        connection.run_async(lambda driver: driver.set_trace_callback(note))

    def _note_setting(self, connection: AdaptedConnection, text: str) -> None:
        if text.startswith("PRAGMA"):
            self.note(connection, text)

    def note(self, connection: object, text: str, values: Any = ()) -> None:
        """Note a statement; traces would round its values."""
        self._noted.append((id(connection), Statement(text, values)))

    def cut(self, random: Random) -> None:
        """Leave of the database what a power cut may leave; the process must have ended."""
        writing = {number for number, statement in self._noted if statement.text == BEGIN}
        statements = [statement for number, statement in self._noted if number in writing]
        disk = Disk(self._before)
        with TemporaryDirectory(dir=self._path.parent) as folder:
            copy = Path(folder) / self._path.name
            for name, content in self._before.items():
                copy.with_name(name).write_bytes(content)
            for op in operations(copy, statements):
                disk.do(op)
        left = disk.image(random)
        self._path.with_name(f"{self._path.name}-shm").unlink(missing_ok=True)
        for file in self._files():
            file.unlink(missing_ok=True)
            if file.name in left:
                file.write_bytes(left[file.name])

    def _files(self) -> Iterator[Path]:
        return (self._path.with_name(self._path.name + end) for end in ENDS)
