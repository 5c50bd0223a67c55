"""Wiring: the services that commands and components use, on one database."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from bot.app.computers import WorkerClient
from bot.app.drawing import DrawingClient
from bot.app.registry import FEATURES, offer_readers, personal_data, server_options, services_of
from bot.clicked_messages import ClickedMessages
from bot.feature import Feature, Foundation
from bot.interactions.context import Context
from bot.interactions.user_limits import UserLimits
from bot.outbox.refusals import Refusals
from bot.services.computer_turns import ComputerTurns
from bot.services.factory import services_on
from bot.services.player_names import PlayerNames
from bot.services.preferences import Preferences
from bot.services.queries import Queries
from bot.services.servers import Servers
from bot.services.suggestions import Suggestions
from bot.shards import Shards
from bot.storage.database import Database
from bot.storage.leases import Leases
from bot.views.images import BoardImages
from bot.workers.pool import WorkerPool


def context_on(
    database: Database,
    clock: Callable[[], float],
    make_seed: Callable[[], bytes],
    *,
    leases: Leases,
    workers: WorkerPool,
    drawing: WorkerPool,
    contact: str,
    shards: Shards,
    features: Sequence[Feature] = FEATURES,
) -> Context:
    """Return the services on a database.

    Args:
        database: opened and migrated.
        clock: the time in UTC seconds.
        make_seed: 32 secret bytes for the dice of a new match.
        leases: the leases of this process.
        workers: the processes where the computer chooses.
        drawing: the processes where boards are drawn.
        contact: address for reporting a problem; may be empty.
        shards: the shards whose matches are served.
        features: the features in use.
    """
    images = BoardImages(DrawingClient(drawing))
    services = services_on(
        database,
        clock,
        make_seed,
        lambda: not images.idle.is_set(),
        shards=shards,
        computers=workers.enabled,
    )
    client = WorkerClient(workers)
    turns = ComputerTurns(services.match_store, services.matches, client.choose)
    queries = Queries(database)
    foundation = Foundation(
        *(database, clock, leases, images.idle, services, queries, workers, personal_data()),
        cache_clearers=[],
        closers=[],
    )
    options, offers = server_options(features), offer_readers(features)
    return Context(
        challenges=services.challenges,
        computer_seats=services.computer_seats,
        rematches=services.rematches,
        matches=services.matches,
        takebacks=services.takebacks,
        plans=services.plans,
        boards=services.boards,
        deadlines=services.deadlines,
        nudges=services.nudges,
        silence=services.silence,
        abandoning=services.abandoning,
        queries=queries,
        preferences=Preferences(database),
        names=PlayerNames(database, clock),
        servers=Servers(database),
        vacations=services.vacations,
        stand_ins=services.stand_ins,
        images=images,
        clicked=ClickedMessages(),
        limits=UserLimits(),
        computer_turns=turns,
        suggestions=Suggestions(services.match_store, turns),
        audit=client.audit,
        computers=workers.enabled,
        contact=contact,
        clock=clock,
        services={
            type(options): options,
            type(offers): offers,
            Refusals: Refusals(database),
            **services_of(features, foundation),
        },
        cache_clearers=foundation.cache_clearers,
        closers=foundation.closers,
    )
