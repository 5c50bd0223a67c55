"""The outbox with two workers, compared with a model after each random step."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from hypothesis import strategies as st
from hypothesis.stateful import initialize, invariant, precondition, rule
from sqlalchemy import delete, select

from bot.domain.ids import ChannelId, MatchId
from bot.domain.outbox import (
    EVERYONE,
    OutboxKind,
    OutboxMessage,
    OutboxStatus,
    PostedKind,
    SentCopy,
    SentMessage,
    Target,
)
from bot.features.halls.message_kinds import COALESCED
from bot.features.halls.service import LIST_PAUSE_SECONDS, Halls
from bot.outbox.worker import OutboxWorker, RetryLaterError, UndeliverableError
from bot.storage.schema import outbox, posted_messages
from tests.support.matches import ADA
from tests.support.tiers import sampled
from tests.verification.models.machine import ServiceMachine, check_machine
from tests.verification.models.outbox import CHANNEL, POST, OutboxModel

KINDS = {
    CHANNEL: OutboxKind.POST_BOARD,
    f"user:{ADA}": OutboxKind.TURN_DM,
    POST: OutboxKind.UPDATE_POST,
}
"""Target → kind of its messages."""

STATUS = {False: OutboxStatus.WAITING, True: OutboxStatus.FAILED}
"""Whether a message can never arrive → its status."""

MAX_WAITING = 8
"""Number of rows above which no more are queued; a process claims up to 20 at once."""

LATER = st.sampled_from([0, 0, 1, 61, 61, None])
"""Seconds until a process claims messages; None if it dies, and the next one claims them."""

COUNTS = st.sampled_from([1, 20, 20])

ENDINGS = st.sampled_from(["arrives", "arrives", "reply is lost", "fails", "is refused"])


class Claim(NamedTuple):
    """A message that a worker has claimed."""

    worker: int
    message: OutboxMessage
    number: int


class Result(NamedTuple):
    """The end of an attempt, which its worker has still to record."""

    claim: Claim
    ending: str
    ended_at: float


class OutboxMachine(ServiceMachine):
    """Two matches, and two processes that send their messages; it is the sender of both."""

    @initialize()
    def begin(self) -> None:
        self.model, self.arrived, self.numbers = OutboxModel(), set[int](), dict[str, int]()
        self.match_ids = [self.run(self.env.ask()) for _ in range(2)]
        self.run(self._empty())
        self.halls, self.endings = Halls(self.env.database), list[str]()
        self.processes = [self.start(worker) for worker in range(2)]
        self.claims: list[Claim] = []
        self.results: list[list[Result]] = [[], []]
        for to in KINDS:
            self.queue(0, to, 2)

    @precondition(lambda self: len(self.model.rows) <= MAX_WAITING)
    @rule(place=st.integers(0, 1), to=st.sampled_from(list(KINDS)), numbers=st.integers(1, 3))
    def queue(self, place: int, to: str, numbers: int) -> None:
        for pause in (0, 0, 5)[:numbers]:
            self.run(self._queue(self.match_ids[place], to, pause))
            self.model.queue(self.match_ids[place], to, self.env.now + pause)

    @precondition(lambda self: self.model.rows)
    @rule(worker=st.integers(0, 1), later=LATER, count=COUNTS)
    def claim(self, worker: int, later: int | None, count: int) -> None:
        if later is None:
            self.restart(worker)
        self.env.now += later or 0
        self.claims += self.claim_free(worker, count)

    @precondition(lambda self: self.claims)
    @rule(pick=st.integers(0, 5), later=st.sampled_from([0, 1, 30]), ending=ENDINGS)
    def attempt(self, pick: int, later: int, ending: str) -> None:
        self.env.now += later
        self.end_attempt(self.claims.pop(pick % len(self.claims)), ending)

    @precondition(lambda self: len(self.model.rows) >= MAX_WAITING)
    @rule()
    def send_all(self) -> None:
        """Let all deliverable messages arrive: a process has enough time."""
        for _ in range(2 * MAX_WAITING):
            if all(row.failed for row in self.model.rows):
                break
            self.env.now += 61
            for claim in self.claim_free(0, 20):
                self.end_attempt(claim, "arrives")
        self.claim_free(0, 20)
        assert all(row.failed for row in self.model.rows)

    @invariant()
    def rows_are_those_of_the_model(self) -> None:
        rows = self.rows(select(outbox).order_by(outbox.c.id))
        assert [
            (row.match_id, row.target, row.status, row.attempts, row.next_attempt_at)
            for row in rows
        ] == [
            (row.match_id, row.target, STATUS[row.failed], row.attempts, row.due)
            for row in self.model.rows
        ]
        assert [row.lease_expires_at for row in rows] == [r.leased_until for r in self.model.rows]
        self.numbers |= {
            row.key: stored.number for row, stored in zip(rows, self.model.rows, strict=True)
        }
        messages = self.rows(select(posted_messages))
        assert {row.match_id: row.message_id for row in messages} == self.model.kept

    async def deliver(self, queued: OutboxMessage) -> SentMessage | None:
        """Let an attempt end as planned; see `bot.outbox.worker.Sender`."""
        ending, number = self.endings.pop(), self.numbers[queued.key]
        if queued.kind in COALESCED and ending != "fails":
            goes_on = await self.halls.collect(queued, self.env.now)
            assert goes_on == (ending != "is queued again")
        if ending in ("arrives", "reply is lost"):
            self.arrived.add(number)
        if ending in ("fails", "reply is lost"):
            raise RetryLaterError(ending)
        if ending == "is refused":
            raise UndeliverableError(ending)
        return (
            SentMessage(PostedKind.BOARD, 0, [SentCopy(None, ChannelId(5), number)])
            if (queued.target == EVERYONE)
            else None
        )

    def restart(self, worker: int) -> None:
        """A process dies with its results, and the next one releases its leases."""
        self.processes[worker], self.results[worker] = self.start(worker), []
        self.claims = [claim for claim in self.claims if claim.worker != worker]
        self.run(self._resume(self.processes[worker]))
        self.model.release(worker)

    def claim_free(self, worker: int, count: int) -> list[Claim]:
        """Let a process record its results, and claim messages."""
        for result in sorted(self.results[worker], key=lambda report: report.claim.message.id):
            self.record(result)
        self.results[worker] = []
        free, process = self.model.free(self.env.now), self.processes[worker]
        process._capacity = count
        claims = [
            Claim(worker, message, self.numbers[message.key])
            for message in self.run(process._record_and_claim())[0]
        ]
        numbers = {claim.number for claim in claims}
        assert numbers == free.keys() if count > 1 else numbers <= free.keys()
        assert bool(numbers) == bool(free)
        for claim in claims:
            attempts = self.model.claim(free[claim.number], worker, self.env.now)
            assert claim.message.attempts == attempts
        return claims

    def end_attempt(self, claim: Claim, ending: str) -> None:
        """End an attempt; it has failed if its lease has ended."""
        row = self.model.last_attempt(claim.number, claim.message.attempts)
        if row is None or (row.leased_until or 0.0) <= self.env.now:
            ending = "fails"
        else:
            assert not self.model.waits_for(row)
        if row and ending != "fails" and claim.message.kind in COALESCED:
            due = self.env.now + LIST_PAUSE_SECONDS
            ending = ending if self.model.collect(row, due) else "is queued again"
        self.endings.append(ending)
        self.run(self.processes[claim.worker]._deliver(claim.message))
        self.results[claim.worker].append(Result(claim, ending, self.env.now))

    def record(self, result: Result) -> None:
        """Note a result in the model, unless the message was claimed again."""
        row = self.model.last_attempt(result.claim.number, result.claim.message.attempts)
        if row is None:
            return
        if result.ending in ("fails", "reply is lost"):
            self.model.retry(row, result.ended_at)
        elif result.ending == "is refused":
            self.model.give_up(row)
        else:
            assert row.number in self.arrived or result.ending == "is queued again"
            self.model.deliver(row)

    def start(self, worker: int) -> OutboxWorker:
        """Return a new process."""
        return OutboxWorker(self.env.database, self, lambda: self.env.now, f"worker {worker}")

    async def _resume(self, process: OutboxWorker) -> None:
        await process.resume()
        await process.stop()  # before it does anything: the rules of this machine let it work

    async def _queue(self, match_id: MatchId, target: str, pause: int) -> None:
        to, kind = Target.parse(target), KINDS[target]
        async with self.env.database.write() as connection:
            await self.env.match_store.queue(connection, match_id, kind, {}, to, pause=pause)

    async def _empty(self) -> None:
        async with self.env.database.write() as connection:
            await connection.execute(delete(outbox))


@sampled(1, 12, 2_500)
def test_outbox_equals_its_model(template: Path, samples: int) -> None:
    check_machine(OutboxMachine, template, samples, steps=30)
