"""How a process of the bot is deployed, besides its database and its clock."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from bot.app.heartbeat import Job
from bot.app.registry import FEATURES
from bot.feature import Feature
from bot.shards import Shards
from bot.workers.pool import WorkerPool


def no_workers() -> WorkerPool:
    """Return a pool without processes."""
    return WorkerPool(0)


@dataclass(frozen=True, kw_only=True)
class Deployment:
    """The parts of a process that differ between hosts.

    Attributes:
        background_jobs: done at each heartbeat, besides its own.
        contact: address for reporting a problem; may be empty.
        workers: the processes where the computer chooses; by default it does not play.
        drawing: the processes where boards are drawn; by default, this one.
        features: the features that are not left out.
    """

    background_jobs: Sequence[Job] = ()
    contact: str = ""
    workers: WorkerPool = field(default_factory=no_workers)
    drawing: WorkerPool = field(default_factory=no_workers)
    shards: Shards = field(default_factory=Shards)
    features: Sequence[Feature] = FEATURES
