"""Processes on one PostgreSQL, each killed again and again while the others go on.

What a dead process has begun to announce is taken over by the next one with its shard, or by
another one when its lease has ended. Now and then one is told to stop instead, as in a rolling
restart, and now and then all are killed and the clock leaps.
"""

from __future__ import annotations

import asyncio
import os
import signal
import time
from multiprocessing.context import ForkServerProcess
from pathlib import Path
from random import Random
from typing import Any

from tests.support.fake_discord import until
from tests.support.postgres import Outside
from tests.verification.kills.audit_log import AuditLog
from tests.verification.kills.kills import LEAPS, Kills
from tests.verification.kills.settling import told_if_late, unsettled

AUDIT = """
CREATE TABLE audit (number serial PRIMARY KEY, match_id bigint, target text, kind text,
                    outbox_id bigint, name text, payload text);
CREATE FUNCTION note() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    INSERT INTO audit (match_id, target, kind, outbox_id, name, payload)
    VALUES (NEW.match_id, NEW.target, NEW.kind, NEW.id, NEW.key, NEW.payload);
    RETURN NULL;
END $$;
CREATE TRIGGER audited AFTER INSERT ON outbox FOR EACH ROW EXECUTE FUNCTION note();
CREATE TABLE handled (number serial PRIMARY KEY, match_id bigint, name text, attempts int,
                      worker_id text, first_attempt_at float, lease_expires_at float, note text);
CREATE FUNCTION tell() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    INSERT INTO handled (match_id, name, attempts, worker_id, first_attempt_at, lease_expires_at,
                         note)
    VALUES (OLD.match_id, OLD.key, COALESCE(NEW.attempts, OLD.attempts),
            COALESCE(NEW.worker_id, OLD.worker_id),
            COALESCE(NEW.first_attempt_at, OLD.first_attempt_at), NEW.lease_expires_at,
            CASE TG_OP WHEN 'DELETE' THEN 'done' ELSE NEW.error END);
    RETURN NULL;
END $$;
CREATE TRIGGER touched AFTER UPDATE OR DELETE ON outbox FOR EACH ROW EXECUTE FUNCTION tell();
"""

TIMEOUT_SECONDS = 300.0
"""Seconds until a test that waits gives up: four processes are slow on a small machine."""

ALL, TOLD = 0.05, 0.15
"""Probabilities that all are killed, and that one is told to stop."""


class ServerAuditLog(AuditLog):
    """A look into a PostgreSQL database."""

    def __init__(self, url: str, log: Path) -> None:
        super().__init__(url, log)
        self._outside = Outside(url)

    def audit(self) -> None:
        """See `AuditLog`."""
        self._outside.execute(AUDIT)

    def rows(self, query: str, *values: object) -> list[Any]:
        """See `AuditLog`."""
        return self._outside.rows(query, *values)

    def close(self) -> None:
        """Look away."""
        self._outside.close()


class Cluster(Kills):
    """A simulation in which several processes are the bot.

    Args:
        random: decides all that is left to chance.
        processes: how many, each with a shard of its own.
    """

    def __init__(self, audit_log: AuditLog, random: Random, processes: int = 4) -> None:
        super().__init__(audit_log, random, tables=2 * processes, shards=processes)
        self._alive: dict[int, ForkServerProcess] = {}

    async def _life(self) -> None:
        """Let them work for a moment, then kill one or all, or tell one to stop."""
        self._raise(0.5 if self._alive else 1.0)
        await self._work(self._enough(), *self._alive.values())
        await asyncio.sleep(self.random.uniform(0, 0.05))
        dice = self.random.random()
        if dice < ALL:
            await self._kill(*self._alive)
            self.ahead += self.random.choice(LEAPS)
        elif self._alive and dice < TOLD:
            await self._tell_to_stop(self.random.choice(list(self._alive)))
        elif self._alive:
            await self._kill(self.random.choice(list(self._alive)))

    def _raise(self, chance: float) -> None:
        """Start each process that is dead, with this chance."""
        for shard in range(self._shards):
            if shard not in self._alive and self.random.random() < chance:
                self._alive[shard] = self._born(shard)

    async def _kill(self, *shards: int) -> None:
        for shard in shards:
            process = self._alive.pop(shard)
            process.kill()
            await asyncio.to_thread(process.join)
            self.clocks.ended(shard)
            self.report.kills += 1

    async def _tell_to_stop(self, shard: int) -> None:
        """A process of a rolling restart ends; one that has hardly begun just dies."""
        process = self._alive.pop(shard)
        begin = time.perf_counter()
        os.kill(process.pid or 0, signal.SIGTERM)
        await asyncio.to_thread(process.join, TIMEOUT_SECONDS)
        self.clocks.ended(shard)
        self.report.slowest_end = max(self.report.slowest_end, time.perf_counter() - begin)
        assert process.exitcode in (0, -signal.SIGTERM)
        self.report.ends += 1

    async def _last_life(self) -> None:
        """End all play; one process dies for good, and the others send what it has left."""
        self.end_play()
        await self._kill(*self._alive)
        self.ahead += 4000.0
        self._raise(1.0)
        await self.finish_play(TIMEOUT_SECONDS)
        await self._kill(0)
        with told_if_late(self):
            async with asyncio.timeout(TIMEOUT_SECONDS):
                await until(lambda: not unsettled(self))
        for shard in list(self._alive):
            await self._tell_to_stop(shard)
