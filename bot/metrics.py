"""The bot's Prometheus metrics, each updated in one place.

States, such as the length of the outbox, are read when the page is requested
(`bot.app.health`). Several processes on one database report the same values for it.
"""

from __future__ import annotations

import platform
from time import perf_counter
from typing import Any

import aiohttp
from prometheus_client import Counter, Gauge, Histogram, Info

from bot.version import version

QUICK = (0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.3, 0.5, 1.0, 2.0, 3.0, 5.0)
"""Histogram bounds in seconds for responses to players; Discord gives up after 3."""

SLOW = (0.1, 1.0, 5.0, 15.0, 30.0, 60.0, 300.0, 1800.0, 3600.0)

ANSWER = Histogram(
    "starpost_answer_seconds",
    "From the arrival of a click or command until Discord has the answer.",
    ["kind"],
    buckets=QUICK,
)
RENDER = Histogram("starpost_render_seconds", "Drawing one picture.", buckets=QUICK)
TRANSACTION = Histogram(
    "starpost_transaction_seconds",
    "Duration of a write transaction, with the wait for the writer.",
    buckets=QUICK,
)
REQUEST = Histogram(
    "starpost_discord_request_seconds",
    "A request to Discord, by the status of its answer; 0 where none came.",
    ["status"],
    buckets=QUICK,
)
TIMER_LAG = Histogram(
    "starpost_timer_lag_seconds", "Delay of a timer after its due time.", buckets=SLOW
)
LOOP_LAG = Histogram(
    "starpost_loop_lag_seconds",
    "How long the event loop kept a task waiting.",
    buckets=sorted({*QUICK, 0.03, 0.04, 0.075, 0.15}),
)
WORKER_REQUEST = Histogram(
    "starpost_worker_request_seconds",
    "A request to a worker process, without its time in the queue.",
    ["do", "outcome"],
    buckets=(*QUICK, 10.0, 30.0),
)
CONNECTS = Counter("starpost_gateway_connects", "Connections to the gateway, the first included.")
FAILURES = Counter(
    "starpost_failures",
    "Failures by part and reason; most are retried.",
    ["part", "reason"],
)
LIMITED = Counter(
    "starpost_limited", "Clicks and commands of users who asked for too much at once."
)
GIVEN_UP = Counter(
    "starpost_given_up", "Rows that failed too often and are not retried any more.", ["part"]
)

READY = Gauge("starpost_ready", "1 while the bot can play, as /readyz says.")
DATABASE = Gauge("starpost_database_up", "1 while the database answers.")
WRITABLE = Gauge("starpost_database_writable", "0 since a write failed, e.g. as the disk is full.")
FREE = Gauge("starpost_disk_free_bytes", "Free bytes on the disk of a database file.")
GATEWAY = Gauge("starpost_gateway_up", "1 while this shard is connected to Discord.", ["shard"])
BACKUP_AGE = Gauge(
    "starpost_backup_age_seconds",
    "Seconds since the last backup, or since the start if there is none; none on PostgreSQL.",
)
TIMERS_OVERDUE = Gauge(
    "starpost_timers_overdue_seconds", "How long the oldest timer that has not fired is overdue."
)
LATENCY = Gauge("starpost_gateway_latency_seconds", "Latency of the last gateway heartbeat.")
OUTBOX = Gauge("starpost_outbox_messages", "Messages to deliver, by status.", ["status"])
OUTBOX_AGE = Gauge("starpost_outbox_age_seconds", "How long the oldest waiting message has waited.")
MATCHES = Gauge("starpost_running_matches", "Matches that are being played.")

BUILD = Info("starpost_build", "What is running.")
BUILD.info({"version": version(), "python": platform.python_version()})


def http_trace() -> aiohttp.TraceConfig:
    """Return a trace config that measures each request of a session."""

    async def begin(_session: Any, context: Any, _params: Any) -> None:
        context.begin = perf_counter()

    async def end(_session: Any, context: Any, params: aiohttp.TraceRequestEndParams) -> None:
        REQUEST.labels(params.response.status).observe(perf_counter() - context.begin)

    async def fail(_session: Any, context: Any, _params: Any) -> None:
        REQUEST.labels(0).observe(perf_counter() - context.begin)

    trace = aiohttp.TraceConfig()
    trace.on_request_start.append(begin)
    trace.on_request_end.append(end)
    trace.on_request_exception.append(fail)
    return trace
