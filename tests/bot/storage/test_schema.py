"""The tables of the database."""

from __future__ import annotations

import pytest
from sqlalchemy import Column, Index, PrimaryKeyConstraint, Table, UniqueConstraint, select, text

from bot.app.run import open_database
from bot.features.privacy.service import PERSONAL
from bot.storage.schema import METADATA, outbox

OF_A_USER = (*PERSONAL, outbox.c.target)
"""The columns that a deletion searches for a user."""


def _searched(table: Table) -> set[str]:
    """Return the columns with an index: searching them does not read the whole table."""
    unique = [key for key in table.constraints if isinstance(key, UniqueConstraint)]
    keys: list[PrimaryKeyConstraint | UniqueConstraint | Index]
    keys = [table.primary_key, *unique, *table.indexes]
    return {next(iter(key.columns)).name for key in keys}


@pytest.mark.parametrize("table", METADATA.sorted_tables, ids=lambda table: table.name)
def test_rows_that_refer_to_another_are_found_by_an_index(table: Table) -> None:
    assert {key.parent.name for key in table.foreign_keys} <= _searched(table)


@pytest.mark.parametrize("column", OF_A_USER, ids=str)
def test_rows_of_a_user_are_found_by_an_index(column: Column[object]) -> None:
    assert column.name in _searched(column.table)


async def test_no_plan_of_a_users_rows_reads_a_table(url: str) -> None:
    async with open_database(url) as database, database.read() as connection:
        is_sqlite = connection.dialect.name == "sqlite"
        if not is_sqlite:  # which reads small tables whole, even if they have an index
            await connection.execute(text("SET LOCAL enable_seqscan = off"))
        for column in OF_A_USER:
            value = "'user:11'" if column is outbox.c.target else "11"
            query = select(column).where(column == text(value))
            explain = "EXPLAIN QUERY PLAN" if is_sqlite else "EXPLAIN"
            plan = await connection.execute(text(f"{explain} {query}".replace(":", r"\:")))
            lines = [row[-1] for row in plan]
            assert lines
            assert not [line for line in lines if "SCAN" in line or "Seq Scan" in line], lines
