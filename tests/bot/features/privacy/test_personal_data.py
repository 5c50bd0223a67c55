"""Two players of whom the bot knows the same: what one exports, and what one deletes."""

from __future__ import annotations

import json
from typing import Any

import pytest
from sqlalchemy import BigInteger, Table, select, update

from bot.app.registry import personal_data
from bot.domain.ids import UserId
from bot.features.privacy.service import user_id_columns
from bot.storage.schema import METADATA, cup_entrants, cups, facts, plans
from bot.storage.schema.metadata import ID
from tests.support.matches import EVE, MatchFixture
from tests.support.privacy import ADA, CORA, export_of, known_everywhere, privacy_of, tables_with


async def columns(env: MatchFixture, table: Table, *names: str) -> list[tuple[Any, ...]]:
    """Return some columns of all rows, in the order of the key."""
    query = select(*(table.c[name] for name in names)).order_by(*table.primary_key)
    async with env.database.read() as connection:
        return [tuple(row) for row in await connection.execute(query)]


async def test_two_players_are_in_all_personal_tables(env: MatchFixture) -> None:
    await known_everywhere(env)
    personal = {column.table.name for column in user_id_columns(personal_data())}
    for user in (ADA, CORA):
        assert personal - {"matches"} <= set(await tables_with(env, user))


async def test_an_export_holds_all_of_one_player_only(env: MatchFixture) -> None:
    await known_everywhere(env)
    data = await export_of(env.database, ADA)
    lists = {part: rows for part, rows in data.items() if isinstance(rows, list)}
    assert len(lists.pop("messages waiting")) == 2, "a hand for each match"
    assert {part: len(rows) for part, rows in lists.items()} == dict.fromkeys(lists, 1)
    assert str(CORA) not in json.dumps(data)
    assert data["places offered in cups"] == [{"cup_id": 3}]
    assert not {"seed", "key"} & set(data["cups organised"][0])


async def test_an_export_does_not_contain_the_challengers_id(env: MatchFixture) -> None:
    await known_everywhere(env)
    challenger, challenged = [await export_of(env.database, user) for user in (ADA, CORA)]
    assert [match["challenger_id"] for match in challenger["matches"]] == [ADA]
    assert [match["challenger_id"] for match in challenged["matches"]] == [None]
    assert str(ADA) not in json.dumps(challenged["matches"])


@pytest.mark.parametrize(("user", "other"), [(ADA, CORA), (CORA, ADA)])
async def test_an_export_names_no_other_user(
    env: MatchFixture, user: UserId, other: UserId
) -> None:
    await known_everywhere(env)
    async with env.database.write() as connection:
        for one, two in ((user, other), (other, user)):
            condition = cup_entrants.c.user_id == one
            await connection.execute(
                update(cup_entrants).where(condition).values(substitute_id=two)
            )
    data = await export_of(env.database, user)
    assert len(data["places in cups"]) == 1
    assert str(other) not in json.dumps(data), "neither the ID nor the name, which has it, too"
    assert user_ids(data) <= {None, user}


def user_ids(data: Any) -> set[int | None]:
    """Return all values in columns with user IDs, in an export or a part of it."""
    if isinstance(data, list):
        return set().union(*map(user_ids, data))
    if not isinstance(data, dict):
        return set()
    names = {column.name for column in user_id_columns(personal_data())}
    return {data[name] for name in names & data.keys()}.union(*map(user_ids, data.values()))


OF_OTHERS = (
    *("guild_id", "channel_id", "message_id", "posted_in", "role_id"),
    *("interactions.id", "joined_by", "number", "token"),
)
"""Ends of the names of columns with IDs that are not those of users, or with other numbers."""


def test_all_columns_with_user_ids_are_known() -> None:
    user_columns = {
        column
        for table in METADATA.sorted_tables
        for column in table.c
        if isinstance(column.type, BigInteger) and column.type is not ID
        if not str(column).endswith(OF_OTHERS)
    }
    assert sorted(map(str, user_columns)) == sorted(map(str, user_id_columns(personal_data())))


async def test_a_deletion_leaves_all_data_of_another_player(env: MatchFixture) -> None:
    await known_everywhere(env)
    others = await tables_with(env, CORA)
    assert await privacy_of(env).erase(ADA)
    assert await tables_with(env, CORA) == others
    assert list(await tables_with(env, ADA)) == ["rank_grants"], "until the role is taken away"
    assert [orders for (orders,) in await columns(env, plans, "orders")] == [f"place C{CORA}"]
    values: dict[str, str] = dict(await columns(env, facts, "name", "value"))
    assert (values["scrub"], values["erased"]) == ("due", "1"), "names in existing databases"


async def test_a_deleted_player_is_named_in_no_cup(env: MatchFixture) -> None:
    await known_everywhere(env)
    await privacy_of(env).erase(ADA)
    organisers = await columns(env, cups, "organiser_id", "version")
    assert organisers[:2] == [(-1, 8), (CORA, 7)], "the post of the first is edited"
    assert await columns(env, cup_entrants, "cup_id", "user_id", "joined_by", "has_left") == [
        (2, EVE, 8, True),
        (3, -1, 0, False),
        (3, CORA, 8, True),
        (3, EVE, 8, True),
    ]
