"""Players with thousands of matches: copies of one, made in the database at once."""

from __future__ import annotations

from typing import Any

from sqlalchemy import Integer, Select, Table, func, insert, literal, select

from bot.domain.ids import MatchId
from bot.domain.models import MatchStatus
from bot.storage.database import Database
from bot.storage.postgres import Postgres
from bot.storage.schema import METADATA, matches, posted_messages, seats
from tests.support.matches import MatchFixture

COPIED = ("seats", "actions", "posted_messages", "timers", "earlier_clocks", "seat_figures")
"""The tables with rows of matches that are copied."""


async def copy_match(database: Database, match_id: MatchId, count: int) -> list[MatchId]:
    """Copy a match, with all that is stored about it; return the numbers of the copies."""
    async with database.write() as connection:
        last = (await connection.execute(select(func.max(matches.c.id)))).scalar_one()
        numbers = range(last + 1, last + 1 + count)
        for table in (matches, *(METADATA.tables[name] for name in COPIED)):
            names, rows = _copies(table, match_id, numbers)
            await connection.execute(insert(table).from_select(names, rows))
        if isinstance(database, Postgres):  # numbers that are given leave its sequence behind
            sequence = func.pg_get_serial_sequence(matches.name, matches.c.id.name)
            await connection.execute(select(func.setval(sequence, numbers.stop - 1)))
    return [MatchId(number) for number in numbers]


def _copies(table: Table, match_id: MatchId, numbers: range) -> tuple[list[str], Select[Any]]:
    """Return the names of columns, and a query for the rows of copies."""
    number = select(literal(numbers.start, Integer).label("n")).cte("copies", recursive=True)
    number = number.union_all(select(number.c.n + 1).where(number.c.n < numbers.stop - 1))
    key = table.c.id if table is matches else table.c.match_id
    values = {
        column.name: number.c.n if column is key else column
        for column in table.c
        if column is key or column.name != "id"
    }
    every = table.join(number, key == match_id)
    return list(values), select(*values.values()).select_from(every)


async def give_history(env: MatchFixture, match_id: MatchId, count: int) -> None:
    """Give the players of a running match `count` more like it, and as many that have ended.

    Each has its board in a channel, and one by DM for each player.
    """
    async with env.database.write() as connection:
        query = select(seats.c.user_id).where(seats.c.match_id == match_id)
        sent = select(posted_messages.c.user_id).where(posted_messages.c.match_id == match_id)
        have_it = set((await connection.execute(sent)).scalars())
        readers = {0, *(await connection.execute(query)).scalars()} - have_it
        board = {"match_id": match_id, "kind": "board", "channel_id": 6, "action_count": 0}
        for user in readers:
            row = board | {"user_id": user, "message_id": 7}
            await connection.execute(insert(posted_messages).values(row))
    await copy_match(env.database, match_id, count)
    user = next(iter((await env.queries.match(match_id)).people.values())).user_id
    await env.matches.act(next(env.ids), match_id, user, "resign")
    assert (await env.queries.match(match_id)).status == MatchStatus.FINISHED
    await copy_match(env.database, match_id, count)
