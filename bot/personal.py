"""Data about users: the contents of an export, and the effects of a deletion."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from sqlalchemy import ColumnElement, Executable, Select, Table, delete, select

from bot.domain.ids import UserId

SCRUB = "scrub"
"""Name of the fact that deleted data may still be in the files."""


class Personal(NamedTuple):
    """Data about users in one or more tables.

    Attributes:
        columns: with user IDs.
        erase: yields the statements that delete the data of a user ID, or make it anonymous.
        export: returns section of an export → query, for a user ID.
    """

    columns: Sequence[ColumnElement[UserId]]
    erase: Callable[[UserId], Iterator[Executable]]
    export: Callable[[UserId], Mapping[str, Select[Any]]]


def rows_of_user(table: Table, section: str) -> Personal:
    """Return a table whose rows each belong to the user in `user_id`, and go with them.

    Args:
        table: a table with the column `user_id`.
        section: its section in an export.
    """

    def erase(user_id: UserId) -> Iterator[Executable]:
        yield delete(table).where(table.c.user_id == user_id)

    def export(user_id: UserId) -> Mapping[str, Select[Any]]:
        return {section: select(table).where(table.c.user_id == user_id)}

    return Personal((table.c.user_id,), erase, export)
