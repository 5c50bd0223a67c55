"""Hooks: features handle events of the core in its transactions."""

from __future__ import annotations

from typing import Any, NamedTuple

import pytest

from bot.storage.connection import Connection
from bot.storage.database import Database
from bot.storage.hooks import Handler, publish


class Happened(NamedTuple):
    """An event."""

    number: int


class NotHandled(NamedTuple):
    """An event without a handler."""


def handler(calls: list[Any], name: str, result: object = None) -> Handler:
    async def handle(connection: Connection, event: Happened) -> object:
        calls.append((name, connection, event))
        return result

    return handle


async def test_handlers_run_in_the_transaction_in_order(database: Database) -> None:
    calls: list[Any] = []
    database.hooks.subscribe("one", {Happened: handler(calls, "first")})
    database.hooks.subscribe("two", {Happened: handler(calls, "second")})
    async with database.write() as connection:
        assert not await publish(connection, Happened(7))
        assert not await publish(connection, NotHandled())
    assert calls == [("first", connection, Happened(7)), ("second", connection, Happened(7))]


async def test_publisher_learns_that_an_event_was_handled(database: Database) -> None:
    calls: list[Any] = []
    database.hooks.subscribe("one", {Happened: handler(calls, "first", result=True)})
    database.hooks.subscribe("two", {Happened: handler(calls, "second", result=False)})
    async with database.write() as connection:
        assert await publish(connection, Happened(7))
    assert len(calls) == 2


async def test_a_feature_replaces_its_handlers(database: Database) -> None:
    calls: list[Any] = []
    for name in ("old", "new"):
        database.hooks.subscribe("one", {Happened: handler(calls, name)})
    async with database.write() as connection:
        await publish(connection, Happened(7))
    assert [name for name, *_ in calls] == ["new"]


async def test_event_outside_of_a_transaction_is_an_error(database: Database) -> None:
    async with database.write() as connection:
        pass
    with pytest.raises(LookupError):
        await publish(connection, Happened(7))
