"""A state of the specified outbox: its rows, its workers, the network, the channel."""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple

from bot.outbox.transport import SEARCH_AFTER_SECONDS
from bot.outbox.worker import (
    ATTEMPT_TIMEOUT_SECONDS,
    LEASE_SECONDS,
    WORKER_CLOCK_SKEW_SECONDS,
)
from tests.support.fake_discord import REMEMBERED

TICK_SECONDS = 15.0
"""Length of a tick: all times of the outbox are multiples of it."""

ENDED = -1
"""Ticks until the end of a lease that has ended by each clock; none is behind the right one."""

NO_WORKER = -1
"""Stands for no worker."""


class Doing(StrEnum):
    """The current step of a worker."""

    NOTHING = "nothing"
    BEGINNING = "beginning"  # it has claimed a row
    SENDING = "sending"  # it is about to send its request
    WAITING = "waiting"  # for the reply
    ARRIVED = "arrived"  # the result is not recorded yet
    POSTPONED = "postponed"  # the result is not recorded yet
    DEAD = "dead"


class Row(NamedTuple):
    """A row of the outbox; all times by a clock that is right.

    Attributes:
        is_waiting: whether the row is still in the outbox.
        age: ticks since `first_attempt_at`, not counted further than needed; None before.
        lease_expires_in: ticks until `lease_expires_at`.
        worker_id: the worker that claimed it last, while this matters.
        is_hidden: whether others have written much in the channel since the first attempt.
        is_recorded_late: whether a worker removed it after another one had claimed it.
    """

    is_waiting: bool = True
    age: int | None = None
    lease_expires_in: int = ENDED
    worker_id: int = NO_WORKER
    is_hidden: bool = False
    is_recorded_late: bool = False


class Worker(NamedTuple):
    """A worker with at most one attempt.

    Attributes:
        doing: the step of its attempt.
        row: index of the row that it has claimed.
        left: ticks until its attempt times out.
        is_retry: whether the row was attempted before.
    """

    doing: Doing = Doing.NOTHING
    row: int = 0
    left: int = 0
    is_retry: bool = False


class Request(NamedTuple):
    """A request on its way to Discord.

    Attributes:
        row: index of the row that it posts.
        worker: the worker that waits for the reply; `NO_WORKER` if its attempt has ended.
        left: ticks until it arrives at the latest.
    """

    row: int
    worker: int
    left: int


class Post(NamedTuple):
    """A message in the channel.

    Attributes:
        row: index of the row that it shows.
        nonce: ticks for which Discord remembers its nonce.
        is_below: whether more newer messages than a search reads stand above it.
        is_hidden: whether as many were written between its first attempt and its arrival.
    """

    row: int
    nonce: int
    is_below: bool = False
    is_hidden: bool = False


class State(NamedTuple):
    """The outbox, its workers, the network, the channel, and how much can still go wrong."""

    rows: tuple[Row, ...]
    workers: tuple[Worker, ...]
    requests: tuple[Request, ...]
    channel: tuple[Post, ...]
    clocks: tuple[int, ...]
    crashes: int
    floods: int

    def with_row(self, index: int, row: Row) -> State:
        """Return the state with another row."""
        return self._replace(rows=(*self.rows[:index], row, *self.rows[index + 1 :]))

    def with_worker(self, number: int, worker: Worker) -> State:
        """Return the state with another worker."""
        before, after = self.workers[:number], self.workers[number + 1 :]
        return self._replace(workers=(*before, worker, *after))


class Cures(NamedTuple):
    """Safeguards of the outbox against each fault; see `bot/outbox/`.

    Attributes:
        exclusive: a row under a lease is not claimed (`store._is_free`).
        lease_ends: another worker may claim the row after the lease (`store._is_free`).
        timeout: an attempt ends before its lease (`worker.OutboxWorker._attempt`).
        fencing: the result of a claim that is not the last one is not recorded (`store._OURS`).
        nonce: Discord posts a nonce once (`services.outbox.nonce_of`).
        search: the channel is searched when the nonce may be forgotten (`transport.post`).
        search_from_start: also below the newest messages (`transport._since`).
        mark_names_delivery: a message found is that of this delivery (`services.outbox.mark_of`).
        order_by_match: only the first row of a queue is claimed (`store._head_of_queue`).
    """

    exclusive: bool = True
    lease_ends: bool = True
    timeout: bool = True
    fencing: bool = True
    nonce: bool = True
    search: bool = True
    search_from_start: bool = True
    mark_names_delivery: bool = True
    order_by_match: bool = True


class Times(NamedTuple):
    """Durations in ticks.

    Attributes:
        lease, timeout, search_after, skew: those of the code.
        memory: for which Discord remembers a nonce.
        latency: until a request that was sent has arrived.
    """

    lease: int = round(LEASE_SECONDS / TICK_SECONDS)
    timeout: int = round(ATTEMPT_TIMEOUT_SECONDS / TICK_SECONDS)
    search_after: int = round(SEARCH_AFTER_SECONDS / TICK_SECONDS)
    skew: int = round(WORKER_CLOCK_SKEW_SECONDS / TICK_SECONDS)
    memory: int = round(REMEMBERED / TICK_SECONDS)
    latency: int = 1
