"""Private notes of a simulation's users: no other user reads them, and no process loses them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from tests.verification.kills.payloads import tells

if TYPE_CHECKING:
    from tests.verification.kills.audit_log import AuditLog
    from tests.verification.kills.table import Table

UNCHANGED = "Only the players of a match keep notes on it.", "There's no such match."

COPIES = 0.3
"""Probability that the coins of a plan are copied below new notes."""

CANARY = "canary"
"""In all notes; the log must not have it."""


class Fault(NamedTuple):
    """Notes that differ from those that were acknowledged, and the field of the report."""

    kind: str
    details: str


class WrittenNotes:
    """The notes that users have written, as far as they know."""

    def __init__(self) -> None:
        self._possible: defaultdict[tuple[int, int], set[str]] = defaultdict(lambda: {""})
        self._doubtful: set[tuple[int, int]] = set()
        self._copied: set[tuple[int, int]] = set()

    def written(self, match: int, user: int, text: str, *, saved: bool, doubtful: bool) -> None:
        """Note what a user has written, and whether the answer said so.

        Args:
            doubtful: whether an earlier attempt may be carried out later.
        """
        key = match, user
        if doubtful or not saved:
            self._doubtful.add(key)
        if key in self._doubtful:
            self._possible[key].add(text)
        else:
            self._possible[key] = {text}

    def copied(self, match: int, user: int) -> None:
        """Note that coins may have been added below a user's notes."""
        self._possible[match, user]
        self._copied.add((match, user))

    def forget(self, user: int) -> None:
        """Note that a user's data was deleted."""
        for key in [key for key in self._possible if key[1] == user]:
            del self._possible[key]
            self._doubtful.discard(key)
            self._copied.discard(key)

    def wrong(self, audit_log: AuditLog) -> Iterator[Fault]:
        """Yield the faults of the stored notes."""
        query = "SELECT match_id, user_id, text FROM match_notes"
        stored = {(match, user): text for match, user, text in audit_log.rows(query)}
        for key in stored.keys() - self._possible.keys():
            yield Fault("traces", f"notes of user {key[1]} on match {key[0]} are still stored")
        for key, possible in self._possible.items():
            first = stored.get(key, "").partition("\n")[0]
            if first not in possible and not ("" in possible and key in self._copied):
                yield Fault("lost", f"notes of user {key[1]} on match {key[0]}: {possible}")


async def write_notes(table: Table, match: int) -> None:
    """Write notes on a match, in place of those before."""
    user = table.random.choice(table.users)
    text = f"{CANARY} {table.random.randrange(10**6)}"
    answer = await table.submit(user, f"noted:{match}", text)
    saved, doubtful = bool(tells(answer, "Your notes are saved.")), bool(answer["doubtful"])
    if saved or doubtful or not tells(answer, *UNCHANGED):
        notes = table.simulation.notes
        notes.written(match, user, text, saved=saved, doubtful=doubtful)
    table.count("notes" if saved else "notes refused")
    if table.random.random() < COPIES:
        table.simulation.notes.copied(match, user)
        await table.click(user, f"notecopy:{match}")
        table.count("coins copied")
