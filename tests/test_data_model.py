"""docs/developers/data-model.md lists each table, with its keys and its user IDs."""

from __future__ import annotations

import re
from pathlib import Path

from sqlalchemy import Column, Table

from bot.app.registry import personal_data
from bot.features.privacy.service import user_id_columns
from bot.storage.schema import METADATA

PAGE = Path(__file__).parent.parent / "docs" / "developers" / "data-model.md"
ROW = re.compile(r"^\| `(\w+)` \| ([^|]+) \| `([^|]+)` \| ([^|]+) \|([^|]*)\|$", re.MULTILINE)
ROWS = ROW.findall(PAGE.read_text("utf-8"))


def written(column: Column[object]) -> str:
    """Return a column as the page names it, with the table that it refers to."""
    targets = [f" → `{key.column.table.name}`" for key in column.foreign_keys]
    return f"`{column.name}`{''.join(targets)}"


def keys(table: Table) -> str:
    """Return the primary key of a table, and then its other references."""
    others = [column for column in table.columns if column.foreign_keys and not column.primary_key]
    return ", ".join(map(written, [*table.primary_key, *others]))


def test_each_table_is_on_the_page_once() -> None:
    assert sorted(name for name, *_ in ROWS) == sorted(METADATA.tables)


def test_keys_on_the_page_are_those_of_the_tables() -> None:
    assert {name: cell for name, _, _, cell, _ in ROWS} == {
        name: keys(table) for name, table in METADATA.tables.items()
    }


def test_columns_with_user_ids_are_on_the_page() -> None:
    columns = {str(column) for column in user_id_columns(personal_data())}
    listed = {
        f"{name}.{column}" for name, *_, cell in ROWS for column in re.findall(r"`(\w+)`", cell)
    }
    assert listed == columns


def test_each_owner_writes_its_table() -> None:
    root = PAGE.parents[2]
    owners = {name: (root / owner).read_text("utf-8") for name, _, owner, *_ in ROWS}
    assert not [name for name, source in owners.items() if not re.search(rf"\b{name}\b", source)]
