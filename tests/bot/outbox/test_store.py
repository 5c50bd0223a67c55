"""Which messages are claimed, in which order, and what it costs to find them."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from random import Random
from typing import Any, cast

import pytest
from sqlalchemy import Connection as BlockingConnection
from sqlalchemy import delete, insert, select, text

from bot.app.run import open_database
from bot.domain.ids import ChannelId, GuildId, MatchId
from bot.domain.outbox import (
    OutboxKind,
    OutboxMessage,
    OutboxStatus,
    PostedKind,
    SentCopy,
    SentMessage,
    Target,
    outbox_row,
)
from bot.features.halls.message_kinds import HallKind, hall_list
from bot.outbox.store import (
    OUTBOX_DUE,
    Attempt,
    ClaimTerms,
    DeliveryResult,
    RowChange,
    claim,
    next_due,
    record,
)
from bot.services.deliveries import MessageState
from bot.storage.connection import Connection
from bot.storage.database import Database
from bot.storage.due import Conditions
from bot.storage.schema import halls, outbox
from tests.support.deliveries import posted
from tests.support.matches import ADA, EVE, MatchFixture
from tests.support.tiers import sampled

NOW, LEASE, LONGEST = 5000.0, 60.0, 3600.0

CHANNEL, HALL = "channel", str(hall_list(GuildId(9)))

MATCHES = 3

COUNT = 20
"""Maximum number of messages of a claim."""


@pytest.fixture
async def database(url: str) -> AsyncIterator[Database]:
    """A database with a few matches and an empty outbox."""
    async with open_database(url) as database:
        fixture = MatchFixture(database)
        for _ in range(MATCHES):
            await fixture.ask()
        await fixture.clear_outbox()
        yield database


def row(match_id: int = 1, target: str = CHANNEL, due: float = NOW, **fields: Any) -> Any:
    """Return the columns of a message."""
    kind = fields.pop("kind", OutboxKind.POST_BOARD)
    return outbox_row(MatchId(match_id), kind, Target.parse(target), {}, due) | fields


async def put(database: Database, *rows: dict[str, Any]) -> None:
    """Queue messages, numbered from 1."""
    names = {name for row in rows for name in row}
    numbered = [dict.fromkeys(names) | row | {"id": n} for n, row in enumerate(rows, 1)]
    async with database.write() as connection:
        await connection.execute(insert(outbox), numbered)


def terms(now: float = NOW) -> ClaimTerms:
    """Return those of a worker."""
    limits = {
        "latest_due": now + LONGEST,
        "earliest_lease_end": now,
        "latest_lease_end": now + LEASE,
    }
    return ClaimTerms("worker", now, now + LEASE, limits)


async def claimed(database: Database, count: int = COUNT) -> list[int]:
    """Claim messages, and return their ids."""
    async with database.write() as connection:
        return [message.id for message in await claim(connection, terms(), count)]


async def claim_only(database: Database, now: float = NOW) -> OutboxMessage:
    """Claim the only message that is due."""
    async with database.write() as connection:
        (message,) = await claim(connection, terms(now), COUNT)
    return message


async def finish(database: Database, message: OutboxMessage, post: DeliveryResult) -> None:
    """Record that a message has arrived."""
    async with database.write() as connection:
        await record(connection, Attempt(message, {}, post))


async def due(database: Database) -> float | None:
    """Return the due time of the next message in UTC seconds; None without messages."""
    async with database.read() as connection:
        return await next_due(connection, terms())


async def test_claim_takes_boards_before_pings(database: Database) -> None:
    ping = OutboxKind.TURN_PING
    await put(database, row(1, due=NOW - 9, kind=ping), row(2, due=NOW - 8, kind=ping), row(3))
    assert await claimed(database, 1) == [3]
    assert await claimed(database, 1) == [1]
    assert await claimed(database) == [2]


async def test_claim_takes_a_ping_first_that_a_board_waits_for(database: Database) -> None:
    ping = OutboxKind.TURN_PING
    await put(database, row(1, due=NOW - 9, kind=ping), row(2, kind=ping), row(2))
    assert await claimed(database, 1) == [2]
    assert await claimed(database) == [1]


@pytest.mark.parametrize("later", [NOW + 5, NOW + LONGEST])
async def test_board_that_is_due_later_makes_no_ping_urgent(
    database: Database, later: float
) -> None:
    ping = OutboxKind.TURN_PING
    await put(database, row(1, due=NOW - 9, kind=ping), row(2, kind=ping), row(2, due=later))
    assert await claimed(database, 1) == [1]


async def test_claim_takes_what_is_due_longest_first(database: Database) -> None:
    await put(database, row(1, due=NOW - 1), row(2, due=NOW - 3), row(3, due=NOW - 2))
    assert [await claimed(database, 1) for _ in range(3)] == [[2], [3], [1]]


async def test_message_that_is_due_after_the_longest_pause_is_free(database: Database) -> None:
    await put(database, row(1, due=NOW + LONGEST + 1), row(2, due=NOW + LONGEST))
    assert await due(database) == NOW
    assert await claimed(database) == [1]
    assert await due(database) == NOW + LONGEST


async def test_message_under_a_lease_is_due_when_it_ends(database: Database) -> None:
    """Messages that wait for it, or that were given up, are due at no time."""
    await put(
        database,
        row(1, lease_expires_at=NOW + 30),
        row(1, due=NOW - 9, lease_expires_at=NOW - 9),
        row(2, lease_expires_at=NOW + 10, status=OutboxStatus.FAILED),
        row(2, due=NOW + 20, status=OutboxStatus.FAILED),
        row(2, due=NOW + 40),
    )
    assert await due(database) == NOW + 30
    assert await claimed(database) == []


async def test_lease_holds_until_just_after_its_end(database: Database) -> None:
    await put(database, row(1, lease_expires_at=NOW), row(2, lease_expires_at=NOW + LEASE))
    assert await due(database) == NOW
    assert await claimed(database) == []


@pytest.mark.parametrize(("status", "is_due"), [("waiting", True), ("failed", False)])
async def test_worker_is_woken_for_waiting_messages_only(
    database: Database, status: str, is_due: bool
) -> None:
    await put(database, row(1, due=NOW + 99, status=status))
    assert await Conditions(database, [OUTBOX_DUE]).read(NOW) == [is_due]


@pytest.mark.parametrize("since", ["claimed again", "another message", "restored"])
async def test_result_of_a_lost_lease_is_not_recorded(database: Database, since: str) -> None:
    """The lease has ended, or the id is that of another message, or a backup was restored."""
    message = row(1, due=NOW - 9, key="first")
    await put(database, message)
    late = await claim_only(database)
    if since != "claimed again":
        async with database.write() as connection:
            await connection.execute(delete(outbox))
        await put(database, message | {"key": "first" if since == "restored" else "second"})
    owned = await claim_only(database, NOW if since == "another message" else NOW + LEASE + 1)
    assert late.id == owned.id
    async with database.write() as connection:
        await record(connection, Attempt(late, {"status": OutboxStatus.FAILED}))
    await finish(
        database, late, SentMessage(PostedKind.BOARD, 3, [SentCopy(None, ChannelId(5), 60)])
    )
    assert not (await posted(database, MatchId(1), PostedKind.BOARD)).copies
    copy = SentCopy(None, ChannelId(5), 61)
    await finish(database, owned, SentMessage(PostedKind.BOARD, 4, [copy]))
    match_id = MatchId(1)
    assert await posted(database, match_id, PostedKind.BOARD) == MessageState((copy,), 4)
    assert await due(database) is None


async def test_attempts_are_counted_from_the_first_one(database: Database) -> None:
    """Its time tells how far back to search for a message that may have arrived."""
    await put(database, row(1, due=NOW - 9))
    first = await claim_only(database)
    assert (first.attempts, first.first_attempt_at) == (1, NOW)
    message = await claim_only(database, NOW + LEASE + 1)
    assert (message.attempts, message.first_attempt_at, message.key) == (2, NOW, first.key)


async def test_list_of_a_lost_lease_is_not_stored(database: Database) -> None:
    """And that of one server leaves the others alone."""
    async with database.write() as connection:
        for guild_id in (9, 10):
            await connection.execute(insert(halls).values(guild_id=guild_id, is_forum=False))
    await put(database, row(1, target=HALL, due=NOW - 9, kind=HallKind.UPDATE_LIST))
    late = await claim_only(database)
    owned = await claim_only(database, NOW + LEASE + 1)

    async def lists() -> dict[int, int | None]:
        async with database.read() as connection:
            rows = await connection.execute(select(halls.c.guild_id, halls.c.list_message_id))
            return {row.guild_id: row.list_message_id for row in rows}

    await finish(database, late, RowChange(halls, {"guild_id": 9}, {"list_message_id": 60}))
    assert await lists() == {9: None, 10: None}
    await finish(database, owned, RowChange(halls, {"guild_id": 9}, {"list_message_id": 61}))
    assert await lists() == {9: 61, 10: None}


async def test_board_of_another_match_stays(database: Database) -> None:
    for match_id in (1, 2):
        await put(database, row(match_id, due=NOW - 9))
        message = await claim_only(database)
        await finish(
            database,
            message,
            SentMessage(PostedKind.BOARD, 1, [SentCopy(None, ChannelId(5), match_id)]),
        )
    for match_id in (1, 2):
        copies = (await posted(database, MatchId(match_id), PostedKind.BOARD)).copies
        assert copies == (SentCopy(None, ChannelId(5), match_id),)


async def test_only_copies_to_players_of_the_match_are_kept(database: Database) -> None:
    await put(database, row(1, due=NOW - 9))
    copies = [SentCopy(ADA, ChannelId(61), 71), SentCopy(EVE, ChannelId(62), 72)]
    await finish(database, await claim_only(database), SentMessage(PostedKind.BOARD, 1, copies))
    assert (await posted(database, MatchId(1), PostedKind.BOARD)).copies == (copies[0],)


async def test_board_in_a_channel_is_kept_beside_a_ping_by_dm(database: Database) -> None:
    await put(database, row(1, due=NOW - 9))
    ping = SentMessage(PostedKind.PING, 2, [SentCopy(ADA, ChannelId(61), 71)])
    board = SentMessage(PostedKind.BOARD, 1, [SentCopy(None, ChannelId(5), 60)], ping)
    await finish(database, await claim_only(database), board)
    match_id = MatchId(1)
    assert await posted(database, match_id, PostedKind.BOARD) == MessageState(
        (SentCopy(None, ChannelId(5), 60),), 1
    )
    assert await posted(database, match_id, PostedKind.PING) == MessageState(
        (SentCopy(ADA, ChannelId(61), 71),), 2
    )


def expected(rows: Sequence[dict[str, Any]]) -> tuple[set[int], float | None]:
    """Return the free heads of the queues, and when one is free, by going through all rows."""
    seen: set[object] = set()
    free, times = set(), []
    for number, row in enumerate(rows, 1):
        if row["status"] != "waiting":
            continue
        match_id, target = row["match_id"], row["target"]
        queue = target if target == HALL else (match_id, target)
        head = queue not in seen and (match_id, CHANNEL) not in seen
        seen.add(queue)
        if not head:
            continue
        lease, when = row.get("lease_expires_at"), row["next_attempt_at"]
        leased = lease is not None and NOW <= lease <= NOW + LEASE
        if (when <= NOW or when > NOW + LONGEST) and not leased:
            free.add(number)
        else:
            times.append(max(when, lease or 0.0) if leased else when)
    return free, NOW if free else min(times, default=None)


@sampled(20, 30, 500)
async def test_heads_of_random_queues_are_claimed(database: Database, samples: int) -> None:
    for seed in range(samples):
        random = Random(seed)
        rows = [
            row(
                random.randint(1, MATCHES),
                random.choice([CHANNEL, CHANNEL, "user:7", "user:8", HALL]),
                NOW + random.choice([-50, -10, -1, 0, 5, 20, LONGEST, LONGEST + 1]),
                kind=random.choice([OutboxKind.POST_BOARD, OutboxKind.TURN_PING]),
                status=random.choice(["waiting", "waiting", "waiting", "failed"]),
                lease_expires_at=random.choice([None, None, None, NOW - 1, NOW + 30, NOW + 99]),
            )
            for _ in range(random.randint(1, 12))
        ]
        async with database.write() as connection:
            await connection.execute(delete(outbox))
        await put(database, *rows)
        heads, first = expected(rows)
        due_at = await due(database)
        assert (due_at == NOW) == (first == NOW), seed
        assert due_at is None or first is None or due_at <= first, seed
        assert (due_at is None) == (first is None), seed
        assert set(await claimed(database)) == heads, seed


class Measured:
    """A connection that adds up the work of its statements.

    Attributes:
        work: SQLite's steps, or the rows that PostgreSQL's scans have read.
    """

    def __init__(self, connection: Connection) -> None:
        self._connection, self.work = connection, 0

    async def execute(self, statement: Any, values: dict[str, Any]) -> Any:
        """Run a statement."""
        if self._connection.dialect.name == "sqlite":
            return await self._connection.run_sync(self._count_steps, statement, values)
        self.work += await self._connection.run_sync(_rows_read, statement, values)
        return await self._connection.execute(statement, values)

    def _count_steps(self, connection: BlockingConnection, *statement: Any) -> Any:
        driver: Any = connection.connection.dbapi_connection
        driver.run_async(lambda inner: inner.set_progress_handler(self._step, 1))
        try:
            return connection.execute(*statement)
        finally:
            driver.run_async(lambda inner: inner.set_progress_handler(None, 0))

    def _step(self) -> None:
        self.work += 1


def _rows_read(connection: BlockingConnection, statement: Any, values: dict[str, Any]) -> int:
    """Return the number of rows that PostgreSQL's plan of a statement scans; it changes none."""
    compiled = statement.compile(dialect=connection.dialect)
    values_by_name = compiled.construct_params(values)
    parameters = tuple(values_by_name[name] for name in compiled.positiontup)
    with connection.begin_nested() as savepoint:
        explained = connection.exec_driver_sql(
            f"EXPLAIN (ANALYZE, FORMAT JSON) {compiled}", parameters
        )
        read = _read_by(explained.scalar_one()[0]["Plan"])
        savepoint.rollback()
    return read


def _read_by(plan: dict[str, Any]) -> int:
    below = sum(_read_by(child) for child in plan.get("Plans", ()))
    if "Relation Name" not in plan:
        return below
    rows = plan["Actual Rows"] + plan.get("Rows Removed by Filter", 0)
    return below + int(rows * plan["Actual Loops"])


async def work(database: Database, count: int) -> tuple[int, int]:
    """Return the costs of claiming messages, and of finding the next due time."""
    async with database.write() as connection:
        if connection.dialect.name != "sqlite":
            await connection.execute(text("ANALYZE outbox"))
        claiming, asking = Measured(connection), Measured(connection)
        await next_due(cast("Connection", asking), terms())
        await claim(cast("Connection", claiming), terms(), count)
    return claiming.work, asking.work


@pytest.mark.parametrize("row_state", ["later", "longer than others"])
async def test_claim_reads_only_what_it_takes(database: Database, row_state: str) -> None:
    """Neither messages due later nor due messages beyond the limit cost anything."""
    few = [row(n % MATCHES + 1, f"user:{n}", NOW - 9) for n in range(100)]
    when = NOW + 99 if row_state == "later" else NOW - 1
    many = [row(n % MATCHES + 1, f"user:{100 + n}", when) for n in range(3000)]
    await put(database, *few)
    before = await work(database, 10)
    async with database.write() as connection:
        await connection.execute(delete(outbox))
    await put(database, *few, *many)
    after = await work(database, 10)
    assert all(before), before
    assert after[0] <= 1.2 * before[0], (before, after)
    assert after[1] <= 1.2 * before[1], (before, after)
