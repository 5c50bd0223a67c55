"""The bot as a process of its own, talking to a fake Discord; to be killed at any time.

It is the real bot: `bot.app.run.serve`, discord.py's HTTP and gateway, and a database file. Only
the addresses, the clock and the dice are ours.
"""

from __future__ import annotations

import math
import sys
import time
from functools import partial
from multiprocessing import get_context
from multiprocessing.context import ForkServerProcess
from pathlib import Path
from typing import Any, cast

import bot.app.computers
import bot.app.identify
import bot.app.run
import bot.domain.clocks
import bot.domain.ratings
import bot.domain.waiting
import bot.features.cups.dates
import bot.features.cups.posts
import bot.features.cups.season_view
import bot.features.cups.seasons
import bot.features.daily.posts
import bot.features.daily.service
import bot.features.halls.posts
import bot.features.halls.service
import bot.interactions.member_lookup
import bot.interactions.vacation
import bot.outbox.worker
import bot.services.computer_jobs
import bot.services.computer_turns
import bot.services.matches
import bot.services.nudges
import bot.services.preferences
import bot.services.silence
import bot.workers.pool
from bot.app.client import Starpost
from bot.app.heartbeat import HEARTBEAT_SECONDS, Heartbeat
from bot.app.settings import Settings
from bot.domain.models import TimerKind
from bot.domain.steady_clock import SteadyClock
from bot.logs import set_up_logs
from bot.storage.database import Database
from bot.workers.pool import WorkerPool
from tests.support.fake_discord import point_at
from tests.verification.kills.halls import CALL_PAUSE_SECONDS

TOKEN = "MTIzNDU2Nzg5MDEyMzQ1Njc4.Gcanary.canary-canary-canary-canary-canary"
"""Never to be seen in a log."""

COMPUTER_PAUSE_SECONDS = 0.1

GONE_DAYS, SILENT_DAYS, NOTICE_DAYS = 0.5, 1.5, 0.5
"""Days after which a player who is gone, or one who is silent, gets notice, and for which it lasts,
if days are short."""

CONTEXT = get_context("forkserver")
CONTEXT.set_forkserver_preload(["tests.verification.kills.worker"])


def live(  # noqa: PLR0917 - they go to another process by position
    port: int,
    url: str,
    log: Path,
    ahead: float,
    shard: int = 0,
    count: int = 1,
    day: float = bot.domain.clocks.DAY,
    heartbeat: float = HEARTBEAT_SECONDS,
) -> None:
    """Run the bot until it is told to stop, or killed.

    Args:
        ahead: the clock's lead over this machine's, in seconds.
        count: how many processes there are; with more than one all waits are short, so that
            others take over what a dead one has left while the test lasts.
        day: seconds of a day for clocks, reminders and vacations.
        heartbeat: seconds between two heartbeats.
    """
    set_up_logs("DEBUG", "json", log.open("a", encoding="utf-8"))
    point_at(port)
    set_day(day)
    Heartbeat.beat.change_interval(seconds=heartbeat)
    if count > 1:
        hurry()
    at_once = bot.workers.pool.LIMITS._replace(niceness=0)  # it has to answer while the bot lives
    setattr(bot.app.run, "WorkerPool", partial(WorkerPool, limits=at_once))  # noqa: B010
    setattr(bot.app.run, "Starpost", partial(_shifted, ahead))  # noqa: B010 - it is a class
    settings = Settings(
        discord_token=TOKEN,
        database_url=url,
        shard_count=count,
        shard_ids=str(shard),
    )
    bot.app.run.run(settings)


def _shifted(ahead: float, database: Database, **options: Any) -> Starpost:
    """Make a bot whose clock differs from this machine's, and whose computer answers quickly."""
    client = Starpost(database, SteadyClock(lambda: time.time() + ahead), **options)
    client.context.computer_turns.pause_seconds = COMPUTER_PAUSE_SECONDS
    return client


def set_day(day: float) -> None:
    """A day of clocks, reminders and vacations takes so many seconds: their timers fire.

    So does a day of positions of the day. If days are short, so are the pauses of halls.
    """
    bot.domain.clocks._UNITS |= {"d": day, "h": day / 24}
    vars(bot.services.preferences)["HOUR"] = day / 24
    if day < bot.domain.clocks.DAY:
        _shorten_waiting(day)
        shorten_months(day)
        vars(bot.features.halls.service).update(LIST_PAUSE_SECONDS=1.0, FIRST_LIST_SECONDS=1.5)
        for module in (bot.features.halls.service, bot.features.halls.posts):
            vars(module)["CALL_PAUSE_SECONDS"] = CALL_PAUSE_SECONDS
    vars(bot.features.daily.service).update(DAY=day, CLOSING_HOUR=0, MIN_OPEN_SECONDS=day / 4)
    vars(bot.features.cups.dates)["CLAIM_SECONDS"] = day
    vars(bot.services.nudges)["NUDGE_PAUSE_SECONDS"] = day
    vars(bot.services.matches)["DAY"] = vars(bot.interactions.vacation)["DAY"] = day


def shorten_months(day: float) -> None:
    """Have the seasons of cups begin every two days, and their sign-up a day before."""

    def month_after(first_at: float, months: int) -> float:
        return first_at + 2 * day * months

    for module in (bot.features.cups.seasons, bot.features.cups.season_view):
        vars(module)["SIGN_UP_SECONDS"] = day
    vars(bot.features.cups.seasons)["month_after"] = month_after


def _shorten_waiting(day: float) -> None:
    """Have players get notice, and the computer play for them, after days instead of weeks.

    Ratings are never provisional.
    """
    gone, silent = GONE_DAYS * day, SILENT_DAYS * day
    for module in (bot.domain.waiting, bot.services.silence):
        vars(module).update(GONE_SECONDS=gone, SILENCE_SECONDS=silent)
    ages = {TimerKind.GONE: gone, TimerKind.SILENT: silent, TimerKind.STUCK: 2 * silent}
    cast(dict[TimerKind, float], bot.domain.waiting.AGES).update(ages)
    vars(bot.domain.ratings)["PROVISIONAL_SIGMA"] = math.inf  # a few results give a role
    vars(bot.services.silence)["NOTICE_SECONDS"] = NOTICE_DAYS * day
    vars(bot.interactions.member_lookup)["DAY"] = day


def hurry() -> None:
    """Leases, turns and heartbeats of some seconds become shorter ones."""
    (
        bot.outbox.worker.LEASE_SECONDS,
        bot.outbox.worker.ATTEMPT_TIMEOUT_SECONDS,
        bot.outbox.worker.WORKER_CLOCK_SKEW_SECONDS,
    ) = 6.0, 5.0, 1.0
    bot.features.daily.posts.LEASE_SECONDS = bot.features.cups.posts.LEASE_SECONDS = 6.0
    bot.services.computer_jobs.LEASE_SECONDS = 10.0
    bot.app.identify.IDENTIFY_SECONDS = 0.2
    Heartbeat.beat.change_interval(seconds=1.0)


def born(*arguments: Any) -> ForkServerProcess:
    """Start a process that lives as `live` does."""
    process = CONTEXT.Process(target=live, args=arguments, daemon=True)
    process.start()
    return process


if __name__ == "__main__":
    live(int(sys.argv[1]), sys.argv[2], Path(sys.argv[3]), float(sys.argv[4]))
