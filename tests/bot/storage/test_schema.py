"""The tables of the database."""

from __future__ import annotations

import pytest
from sqlalchemy import Index, PrimaryKeyConstraint, Table, UniqueConstraint

from bot.storage.schema import METADATA


def _searched(table: Table) -> set[str]:
    """Return the columns by which rows are found without reading the whole table."""
    unique = [each for each in table.constraints if isinstance(each, UniqueConstraint)]
    found: list[PrimaryKeyConstraint | UniqueConstraint | Index]
    found = [table.primary_key, *unique, *table.indexes]
    return {next(iter(each.columns)).name for each in found}


@pytest.mark.parametrize("table", METADATA.sorted_tables, ids=lambda table: table.name)
def test_rows_that_refer_to_another_are_found_by_an_index(table: Table) -> None:
    assert {key.parent.name for key in table.foreign_keys} <= _searched(table)
