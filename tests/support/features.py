"""The services of features, without a bot."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from typing import Any

from bot.app.registry import FEATURES, personal_data, services_of
from bot.feature import Feature, Foundation
from bot.services.factory import Services
from bot.services.queries import Queries
from bot.storage.database import Database
from bot.storage.leases import Leases
from bot.workers.pool import WorkerPool


def features_on(
    database: Database,
    clock: Callable[[], float],
    core: Services,
    features: Sequence[Feature] = FEATURES,
) -> dict[type[Any], Any]:
    """The services of features by their classes; their handlers are subscribed."""
    leases = Leases(database, "features", clock)
    foundation = Foundation(
        *(database, clock, leases, threading.Event(), core),
        *(Queries(database), WorkerPool(0), personal_data()),
        cache_clearers=[],
        closers=[],
    )
    return services_of(features, foundation)
