"""An outbox whose worker has a sender that does as it is told."""

from __future__ import annotations

import asyncio

import pytest
import sqlalchemy
from sqlalchemy import insert, select

from bot.domain.ids import ChannelId, MatchId
from bot.domain.outbox import EVERYONE, OutboxMessage, PostedKind, SentCopy, SentMessage
from bot.domain.steady_clock import SteadyClock
from bot.outbox.worker import (
    OutboxWorker,
)
from bot.storage.database import Database, Transaction
from bot.storage.schema import outbox


class FakeSender:
    """A sender that records deliveries and fails as told."""

    def __init__(self) -> None:
        self.delivered: list[OutboxMessage] = []
        self.troubles: list[Exception] = []
        self.gate: asyncio.Event | None = None
        self.busy = asyncio.Event()

    async def deliver(self, queued: OutboxMessage) -> SentMessage | None:
        """Write it down; raise the next trouble, if one is planned."""
        self.delivered.append(queued)
        self.busy.set()
        if self.gate:
            await self.gate.wait()
        if self.troubles:
            raise self.troubles.pop(0)
        if queued.target != EVERYONE:
            return None
        count = queued.payload.get("action_count", 0)
        return SentMessage(
            PostedKind.BOARD, count, [SentCopy(None, ChannelId(5), 1000 + queued.id)]
        )


class OutboxFixture:
    """An outbox, its worker, and a clock to turn."""

    def __init__(self, database: Database, match_id: MatchId) -> None:
        self.database = database
        self.match_id = match_id
        self.now = 5000.0
        self.sender = FakeSender()
        self.worker = self.new_worker()

    def new_worker(self, clock: SteadyClock | None = None) -> OutboxWorker:
        """One more worker on the same outbox."""
        return OutboxWorker(self.database, self.sender, clock or (lambda: self.now))

    def claim_before_commit(self) -> None:
        """Let the worker claim messages in the transactions that queue them."""
        self.database.run_before_commit("outbox", self.worker.claim_queued)

    async def finish(self) -> None:
        """Wait until the worker has stopped by itself; this does not wake it."""
        assert self.worker._task is not None
        await self.worker._task

    async def put(self, *kinds: str, target: str = "channel", due: float = 0) -> None:
        """Queue things to be sent."""
        async with self.database.write() as connection:
            for number, kind in enumerate(kinds):
                row = {
                    "match_id": self.match_id,
                    "target": target,
                    "kind": kind,
                    "next_attempt_at": due,
                }
                row |= {"status": "waiting", "attempts": 0}
                payload = {"action_count": number, "version": number}
                await connection.execute(insert(outbox).values(payload=payload, **row))
            self.database.notify("outbox")

    async def left(self) -> list[tuple[str, str]]:
        """Return kind and state of the rows still in the outbox."""
        async with self.database.read() as connection:
            rows = (await connection.execute(select(outbox).order_by(outbox.c.id))).all()
            return [(row.kind, row.status) for row in rows]

    async def errors(self) -> list[str | None]:
        """Return the errors of the rows still in the outbox."""
        async with self.database.read() as connection:
            query = select(outbox.c.error).order_by(outbox.c.id)
            return list((await connection.execute(query)).scalars())

    def kinds(self) -> list[str]:
        """Return the kinds of the delivered messages, in order."""
        return [queued.kind for queued in self.sender.delivered]

    def fail_second_write(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """Let the second transaction from now on fail, as if others wrote for too long."""
        write, asked = self.database.write, [0]

        def fail_once(**options: bool) -> Transaction:
            asked[0] += 1
            if asked[0] == 2:
                raise sqlalchemy.exc.TimeoutError("others write for too long")
            return write(**options)

        monkeypatch.setattr(self.database, "write", fail_once)
