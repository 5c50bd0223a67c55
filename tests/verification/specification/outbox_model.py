"""The outbox as a model: two workers, messages of one match, and Discord.

Time passes in ticks. A worker may wait before each step, so pauses between attempts and a database
that does not answer need no fields. The model leaves out payloads, failed rows, edits, priorities,
several matches, clocks that are set, and messages that a user deletes.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from tests.verification.specification.explorer import Invariants, Step
from tests.verification.specification.outbox_state import (
    ENDED,
    NO_WORKER,
    Cures,
    Doing,
    Post,
    Request,
    Row,
    State,
    Times,
    Worker,
)

IN_ATTEMPT = frozenset({Doing.BEGINNING, Doing.SENDING, Doing.WAITING})
"""Steps that `worker.ATTEMPT_TIMEOUT_SECONDS` limits."""

ONCE = "a message is posted once"
IN_ORDER = "messages are in order"
DELIVERED = "a row is removed after its delivery"
LAST_CLAIM = "only the last claim of a row is recorded"

INVARIANTS: Invariants[State] = {
    ONCE: lambda state: len({post.row for post in state.channel}) == len(state.channel),
    IN_ORDER: lambda state: all(
        a.row <= b.row for a, b in zip(state.channel, state.channel[1:], strict=False)
    ),
    DELIVERED: lambda state: (
        {post.row for post in state.channel}
        >= {index for index, row in enumerate(state.rows) if not row.is_waiting}
    ),
    LAST_CLAIM: lambda state: not any(row.is_recorded_late for row in state.rows),
}


@dataclass(frozen=True)
class OutboxSpecification:
    """The outbox of one match.

    Attributes:
        in_forum: whether the messages are posts in a forum. For these Discord has no nonces, and
            the search precedes each attempt but the first (`forum_posts.Forums.create`).
        rows: number of rows.
        skew: difference between the clocks of the two workers, in ticks.
        crashes: maximum number of crashes.
        floods: how often others write more than a search reads.
        orphans: maximum number of requests at a time that outlive their attempts.
        invariants: conditions that must hold in each state.
    """

    cures: Cures = field(default_factory=Cures)
    times: Times = field(default_factory=Times)
    in_forum: bool = False
    rows: int = 2
    skew: int = 1
    crashes: int = 1
    floods: int = 0
    orphans: int = 1
    invariants: Invariants[State] = field(default_factory=lambda: INVARIANTS)

    def initial(self) -> Iterable[State]:
        """Return the state in which everything is still to be sent."""
        rows, workers = (Row(),) * self.rows, (Worker(), Worker())
        return [State(rows, workers, (), (), (0, self.skew), self.crashes, self.floods)]

    def is_end(self, state: State) -> bool:
        """Return whether the outbox is empty."""
        return not any(row.is_waiting for row in state.rows)

    def needs_end(self, state: State) -> bool:
        """Return whether a process is alive, which must be able to send everything."""
        return any(worker.doing != Doing.DEAD for worker in state.workers)

    def counts(self, name: str) -> bool:
        """Return whether an end may depend on an action: dead processes may never return."""
        return not name.startswith("resume")

    def actions(self, state: State) -> Iterator[Step[State]]:
        """Yield everything that can happen."""
        for number, worker in enumerate(state.workers):
            yield from self._actions_of(state, number, worker)
        for request in dict.fromkeys(state.requests):
            yield from self._arrive(state, request)
            yield from self._get_lost(state, request)
        yield from self._write_much(state)
        yield from self._pass_time(state)

    def _actions_of(self, state: State, number: int, worker: Worker) -> Iterator[Step[State]]:
        if worker.doing is Doing.DEAD:
            yield f"resume: worker {number}", self._resume(state, number)
            return
        if worker.doing is Doing.NOTHING:
            for index in self._free_heads(state, number):
                yield (
                    f"claim: worker {number}, row {index}",
                    self._claim(state, number, index),
                )
        elif worker.doing is Doing.BEGINNING:
            yield self._look(state, number, worker)
        elif worker.doing is Doing.SENDING:
            yield f"send: worker {number}, row {worker.row}", self._send(state, number, worker)
        elif worker.doing in (Doing.ARRIVED, Doing.POSTPONED):
            yield self._record(state, number, worker)
        yield from self._stop(state, number, worker)

    def _free_heads(self, state: State, number: int) -> Iterator[int]:
        """Yield the rows that a worker may claim: `store._head_of_queue` and `store._is_free`."""
        waiting = [index for index, row in enumerate(state.rows) if row.is_waiting]
        for index in waiting[:1] if self.cures.order_by_match else waiting:
            row = state.rows[index]
            if not self.cures.exclusive or row.lease_expires_in - state.clocks[number] < 0:
                yield index

    def _claim(self, state: State, number: int, index: int) -> State:
        """Claim a row: `store._CLAIM`."""
        row, clock = state.rows[index], state.clocks[number]
        age = -clock if row.age is None else row.age
        claimed = row._replace(age=age, lease_expires_in=clock + self.times.lease, worker_id=number)
        is_retry = self.in_forum and row.age is not None
        worker = Worker(Doing.BEGINNING, index, self.times.timeout, is_retry)
        return state.with_row(index, claimed).with_worker(number, worker)

    def _look(self, state: State, number: int, worker: Worker) -> Step[State]:
        """Search the channel for an earlier attempt, if needed: `transport.Transport.post`."""
        seen = (state.rows[worker.row].age or 0) + state.clocks[number]
        may_be_forgotten = not 0 <= seen <= self.times.search_after
        if not self.cures.search or not (worker.is_retry if self.in_forum else may_be_forgotten):
            name, now = "begin", worker._replace(doing=Doing.SENDING)
        elif any(self._is_found(post, worker.row) for post in state.channel):
            name, now = "find", Worker(Doing.ARRIVED, worker.row)
        else:
            name, now = "find nothing", worker._replace(doing=Doing.SENDING)
        after = state.with_worker(number, now)
        return f"{name}: worker {number}, row {worker.row}", after

    def _is_found(self, post: Post, row: int) -> bool:
        """Return whether a search finds a message: `transport._since`, `Transport.find`."""
        is_read = not post.is_below or (self.cures.search_from_start and not post.is_hidden)
        return is_read and (post.row == row or not self.cures.mark_names_delivery)

    def _send(self, state: State, number: int, worker: Worker) -> State:
        """Send a request: `channel.send` in `transport.Transport.post`."""
        request = Request(worker.row, number, self.times.latency)
        waiting = state.with_worker(number, worker._replace(doing=Doing.WAITING))
        return waiting._replace(requests=tuple(sorted((*state.requests, request))))

    def _record(self, state: State, number: int, worker: Worker) -> Step[State]:
        """Remove a row or end its lease, if the claim is still the last one: `store.record`."""
        row, after = state.rows[worker.row], state.with_worker(number, Worker())
        is_last = row.worker_id == number
        if not row.is_waiting or (self.cures.fencing and not is_last):
            name = "record nothing"
        elif worker.doing is Doing.ARRIVED:
            name = "record delivery"
            is_used = Doing.BEGINNING in {w.doing for w in after.workers if w.row == worker.row}
            done = Row(False, row.age if is_used else None, is_recorded_late=not is_last)
            after = after.with_row(worker.row, done)
        else:
            name = "record retry"
            after = after.with_row(
                worker.row, row._replace(lease_expires_in=ENDED, worker_id=NO_WORKER)
            )
        return f"{name}: worker {number}, row {worker.row}", after

    def _stop(self, state: State, number: int, worker: Worker) -> Iterator[Step[State]]:
        """End an attempt after a timeout or another error, or the whole process by a crash.

        `worker.OutboxWorker._retry_later`. A request on its way is not stopped by this.
        """
        asked = [request for request in state.requests if request.worker == number]
        orphans = sum(request.worker == NO_WORKER for request in state.requests)
        if asked and orphans >= self.orphans:
            return
        others = [request for request in state.requests if request.worker != number]
        left = (request._replace(worker=NO_WORKER) for request in asked)
        state = state._replace(requests=tuple(sorted((*others, *left))))
        if worker.doing in IN_ATTEMPT:
            late = Worker(Doing.POSTPONED, worker.row)
            yield f"retry later: worker {number}", state.with_worker(number, late)
        if state.crashes:
            state = state._replace(crashes=state.crashes - 1)
            yield f"crash: worker {number}", state.with_worker(number, Worker(Doing.DEAD))

    def _resume(self, state: State, number: int) -> State:
        """Start a process again and release its leases: `worker.OutboxWorker.resume`."""
        rows = (
            row._replace(lease_expires_in=ENDED, worker_id=NO_WORKER)
            if row.worker_id == number
            else row
            for row in state.rows
        )
        return state._replace(rows=tuple(rows)).with_worker(number, Worker())

    def _arrive(self, state: State, request: Request) -> Iterator[Step[State]]:
        """Let Discord carry out a request, unless it knows the nonce; its reply may be lost."""
        posts = (post for post in state.channel if post.row == request.row)
        name = f"Discord knows row {request.row}"
        after = self._without(state, request)
        if not any(post.nonce for post in posts):
            name = f"Discord posts row {request.row}"
            nonce = self.times.memory if self.cures.nonce and not self.in_forum else 0
            post = Post(request.row, nonce, is_hidden=state.rows[request.row].is_hidden)
            after = after._replace(channel=(*state.channel, post))
        if request.worker == NO_WORKER:
            yield name, after
            return
        worker = state.workers[request.worker]
        arrived = Worker(Doing.ARRIVED, worker.row)
        yield f"{name}, worker {request.worker} is told", after.with_worker(request.worker, arrived)
        for outcome, unsure in self._after_loss(request, worker):
            yield f"{name}, {outcome}", after.with_worker(request.worker, unsure)

    def _get_lost(self, state: State, request: Request) -> Iterator[Step[State]]:
        """Lose a request before Discord has seen it."""
        name, after = f"the request for row {request.row} is lost", self._without(state, request)
        if request.worker == NO_WORKER:
            yield name, after
            return
        for outcome, unsure in self._after_loss(request, state.workers[request.worker]):
            yield f"{name}, {outcome}", after.with_worker(request.worker, unsure)

    def _after_loss(self, request: Request, worker: Worker) -> Iterator[tuple[str, Worker]]:
        """Yield a worker's steps without a reply: retry later, or let discord.py repeat."""
        postponed = Worker(Doing.POSTPONED, worker.row)
        yield f"worker {request.worker} retries later", postponed
        if not self.in_forum:  # `forum_posts._SentOnce`
            again = worker._replace(doing=Doing.SENDING)
            yield f"worker {request.worker} repeats it", again

    @staticmethod
    def _without(state: State, request: Request) -> State:
        left = list(state.requests)
        left.remove(request)
        return state._replace(requests=tuple(left))

    @staticmethod
    def _write_much(state: State) -> Iterator[Step[State]]:
        """Let others write more messages than a search reads."""
        if state.floods:
            rows = (
                row._replace(is_hidden=row.is_waiting and row.age is not None) for row in state.rows
            )
            channel = (post._replace(is_below=True) for post in state.channel)
            after = state._replace(rows=tuple(rows), channel=tuple(channel))
            yield "others write much", after._replace(floods=state.floods - 1)

    def _pass_time(self, state: State) -> Iterator[Step[State]]:
        """Let a tick pass, unless an attempt or a request has to end first."""
        if any(request.left == 0 for request in state.requests) or (
            self.cures.timeout
            and any(worker.doing in IN_ATTEMPT and worker.left == 0 for worker in state.workers)
        ):
            return
        yield (
            "a tick passes",
            state._replace(
                rows=tuple(map(self._older_row, state.rows)),
                workers=tuple(map(self._older_worker, state.workers)),
                requests=tuple(
                    request._replace(left=request.left - 1) for request in state.requests
                ),
                channel=tuple(self._older_post(state, post) for post in state.channel),
            ),
        )

    def _older_row(self, row: Row) -> Row:
        if row.age is None:
            return row
        age = min(row.age + 1, self.times.search_after + self.skew + 1)
        lease = (
            row.lease_expires_in
            if row.lease_expires_in == ENDED or not self.cures.lease_ends
            else row.lease_expires_in - 1
        )
        return row._replace(age=age, lease_expires_in=lease)

    def _older_worker(self, worker: Worker) -> Worker:
        is_limited = worker.doing in IN_ATTEMPT and self.cures.timeout
        return worker._replace(left=worker.left - 1) if is_limited else worker

    @staticmethod
    def _older_post(state: State, post: Post) -> Post:
        """Count down the time for which a nonce is known, unless no request can use it any more."""
        used = {request.row for request in state.requests}
        used |= {worker.row for worker in state.workers if worker.doing in IN_ATTEMPT}
        if not state.rows[post.row].is_waiting and post.row not in used:
            return post._replace(nonce=0)
        return post._replace(nonce=post.nonce - 1) if post.nonce else post
