"""Record what the real outbox and a simulated Discord do, as events of the specified outbox."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from bot.domain.outbox import EVERYONE, nonce_of
from tests.support.deliveries import CHANNEL, DeliveryFixture
from tests.support.fake_log import Asked
from tests.verification.kills.audit_log import FileAuditLog

PROCESSES = ("0-0/2", "1-1/2")
"""The names of the processes."""


class History(list[Asked]):
    """The events of the rows that wait in an outbox, in the order in which they happen.

    It takes the place of the requests that the simulated Discord lists: changes in the database
    when a request arrives have happened before it.

    Args:
        delivery: its outbox, with all rows already queued.
    """

    def __init__(self, path: Path, delivery: DeliveryFixture) -> None:
        super().__init__()
        self._log = FileAuditLog(path)
        self._log.audit()
        query = "SELECT key FROM outbox WHERE target = ? ORDER BY id"
        keys = [key for (key,) in self._log.rows(query, str(EVERYONE))]
        self._row_of = {key: index for index, key in enumerate(keys)}
        self._row_of_nonce = {nonce_of(key, CHANNEL): row for key, row in self._row_of.items()}
        self._events: list[str | Asked] = []
        self._seen = 0
        delivery.fake.asked = self

    @property
    def rows(self) -> int:
        """Return the number of rows."""
        return len(self._row_of)

    def append(self, asked: Asked) -> None:
        """Note a request that has arrived."""
        super().append(asked)
        self.read_database()
        self._events.append(asked)

    def note(self, event: str) -> None:
        """Note something that the run does."""
        self.read_database()
        self._events.append(event)

    def read_database(self, *, skip: bool = False) -> None:
        """Note the changes committed since the last call, or skip them."""
        query = "SELECT number, name, worker_id, lease_expires_at, note FROM handled"
        for number, key, process, lease, text in self._log.rows(
            f"{query} WHERE number > ? ORDER BY number", self._seen
        ):
            self._seen = number
            if skip or key not in self._row_of:
                continue
            name = "claim" if lease else "record delivery" if text == "done" else "record retry"
            worker = PROCESSES.index(process)
            self._events.append(f"{name}: worker {worker}, row {self._row_of[key]}")

    def events(self) -> list[str]:
        """Return everything that happened, with the names of the specification."""
        return [event for entry in self._events for event in self._named(entry)]

    def _named(self, event: str | Asked) -> Iterator[str]:
        if isinstance(event, str):
            yield event
        elif event.channel == CHANNEL and event.nonce:
            row = self._row_of_nonce[event.nonce]
            yield f"Discord {'posts' if event.did.startswith('posted') else 'knows'} row {row}"
        elif event.channel == CHANNEL and event.fate == "answered":
            yield "search"
