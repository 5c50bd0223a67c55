"""A look into the database from outside, and a record of all that was ever to be sent."""

from __future__ import annotations

import json
import sqlite3
import weakref
from abc import ABC, abstractmethod
from collections.abc import Iterator
from contextlib import closing
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

from bot.app.run import open_database
from bot.domain.outbox import OutboxMessage, Target
from bot.features.halls.message_kinds import COALESCED

AUDIT = """
CREATE TABLE audit (number INTEGER PRIMARY KEY, match_id, target, kind, outbox_id, name, payload);
CREATE TRIGGER audited AFTER INSERT ON outbox BEGIN
    INSERT INTO audit (match_id, target, kind, outbox_id, name, payload)
    VALUES (NEW.match_id, NEW.target, NEW.kind, NEW.id, NEW.key, NEW.payload);
END;
CREATE INDEX audit_match ON audit (match_id);
CREATE TABLE handled (number INTEGER PRIMARY KEY, match_id, name, attempts, worker_id,
                      first_attempt_at, lease_expires_at, note);
CREATE TRIGGER touched AFTER UPDATE ON outbox BEGIN
    INSERT INTO handled (match_id, name, attempts, worker_id, first_attempt_at, lease_expires_at,
                         note)
    VALUES (NEW.match_id, NEW.key, NEW.attempts, NEW.worker_id, NEW.first_attempt_at,
            NEW.lease_expires_at, NEW.error);
END;
CREATE TRIGGER done AFTER DELETE ON outbox BEGIN
    INSERT INTO handled (match_id, name, attempts, worker_id, first_attempt_at, note)
    VALUES (OLD.match_id, OLD.key, OLD.attempts, OLD.worker_id, OLD.first_attempt_at, 'done');
END;
CREATE TABLE past_timers (kind, match_id, seat, version, due_at);
CREATE INDEX past_timers_match ON past_timers (match_id);
CREATE TRIGGER fired AFTER DELETE ON timers WHEN OLD.kind IN ('ping', 'snooze') BEGIN
    INSERT INTO past_timers VALUES (OLD.kind, OLD.match_id, OLD.seat, OLD.version, OLD.due_at);
END;
"""
"""Tables of all messages ever queued, of the attempts to send each, and of deleted timers of pings
and snoozes, filled by triggers."""


class Queued(NamedTuple):
    """A row that was once in the outbox, in the order of their insertion."""

    number: int
    message: OutboxMessage


class AuditLog(ABC):
    """A look into the database from outside, while the bot works on it.

    Args:
        log: the file in which the bot's errors are.
    """

    def __init__(self, url: str, log: Path) -> None:
        self.url = url
        self.log = log

    async def prepare(self) -> None:
        """Make the tables, and record from now on all queued messages."""
        async with open_database(self.url):
            pass
        self.audit()

    @abstractmethod
    def audit(self) -> None:
        """Record from now on all queued messages."""

    @abstractmethod
    def rows(self, query: str, *values: object) -> list[Any]:
        """The rows of a query."""

    def due(self, now: float) -> list[tuple[object, ...]]:
        """Return the rows still to be sent at this time.

        Messages that a hall collects are due later, and so is a board that the computer's answer
        replaces or that is retried, with all that waits behind it.
        """
        query = (
            "SELECT kind, match_id, next_attempt_at, error, attempts, lease_expires_at FROM outbox"
            " WHERE status = 'waiting'"
        )
        queued = self.rows(query)
        later = {match for (match,) in self.rows("SELECT match_id FROM computer_jobs")}
        later |= {match for _, match, at, *_ in queued if at > now}
        return [row for row in queued if row[0] not in COALESCED and row[1] not in later]

    def failed(self) -> dict[str, str]:
        """Return the deliveries that were given up, by their keys, with the reason."""
        return dict(self.rows("SELECT key, error FROM outbox WHERE status = 'failed'"))

    def queued(self) -> Iterator[Queued]:
        """Return all that was ever to be sent."""
        query = "SELECT number, outbox_id, match_id, target, kind, payload, name FROM audit"
        for number, row, match, target, kind, payload, name in self.rows(
            f"{query} ORDER BY number"
        ):
            yield Queued(
                number,
                OutboxMessage(
                    row,
                    match,
                    Target.parse(target),
                    kind,
                    json.loads(payload),
                    0,
                    0.0,
                    name,
                ),
            )


class FileAuditLog(AuditLog):
    """A look into a database file."""

    def __init__(self, path: Path) -> None:
        super().__init__(f"sqlite+aiosqlite:///{path}", path.with_suffix(".log"))
        self.path = path

    def audit(self) -> None:
        """See `AuditLog`."""
        with closing(sqlite3.connect(self.path)) as connection:
            connection.executescript(AUDIT)

    def rows(self, query: str, *values: object) -> list[Any]:
        """See `AuditLog`."""
        return self._reader.execute(query, values).fetchall()

    def close(self) -> None:
        """Close the file; the next query opens it again."""
        self._reader.close()
        del self._reader

    @cached_property
    def _reader(self) -> sqlite3.Connection:
        """A connection that is kept: to open one takes longer than most queries.

        The garbage collector may close it in another thread.
        """
        reader = sqlite3.connect(f"file:{self.path}?mode=ro", uri=True, check_same_thread=False)
        weakref.finalize(self, reader.close)
        return reader
