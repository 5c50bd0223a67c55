"""Wiring: the services that commands and components use, on one database."""

from __future__ import annotations

from collections.abc import Callable

from bot.app.computers import WorkerClient
from bot.app.deployment import Deployment
from bot.app.drawing import DrawingClient
from bot.app.registry import (
    card_buttons,
    help_lines,
    memory_button_readers,
    offer_readers,
    personal_data,
    private_line_readers,
    server_options,
    services_of,
    story_button_readers,
)
from bot.clicked_messages import ClickedMessages
from bot.feature import Foundation
from bot.interactions.context import Context
from bot.interactions.guild_turns import GuildTurns
from bot.interactions.private_cards import PrivateCards
from bot.interactions.replies import delete_card, edit_card
from bot.interactions.user_limits import UserLimits
from bot.outbox.refusals import Refusals
from bot.services.computer_turns import ComputerTurns
from bot.services.factory import services_on
from bot.services.player_names import PlayerNames
from bot.services.preferences import Preferences
from bot.services.queries import Queries
from bot.services.servers import Servers
from bot.services.suggestions import Suggestions
from bot.storage.database import Database
from bot.storage.leases import Leases
from bot.views.images import BoardImages


def context_on(
    database: Database,
    clock: Callable[[], float],
    make_seed: Callable[[], bytes],
    leases: Leases,
    deployment: Deployment,
) -> Context:
    """Return the services on a database.

    Args:
        make_seed: 32 secret bytes for the dice of a new match.
    """
    images = BoardImages(DrawingClient(deployment.drawing))
    services = services_on(
        database,
        clock,
        make_seed,
        lambda: not images.idle.is_set(),
        shards=deployment.shards,
        computers=deployment.workers.enabled,
    )
    foundation = Foundation(
        *(database, clock, leases, images.idle, services, Queries(database), deployment.workers),
        personal=personal_data(),
        cache_clearers=[],
        closers=[],
    )
    return _context(foundation, images, deployment)


def _context(foundation: Foundation, images: BoardImages, deployment: Deployment) -> Context:
    """Add the services that are not those of matches, and those of features."""
    database, clock, services = foundation.database, foundation.clock, foundation.core
    client = WorkerClient(deployment.workers)
    turns = ComputerTurns(services.match_store, services.matches, client.choose)
    features = deployment.features
    options, offers = server_options(features), offer_readers(features)
    buttons, lines = card_buttons(features), private_line_readers(features)
    memory, story = memory_button_readers(features), story_button_readers(features)
    help_text = help_lines(features)
    return Context(
        **vars(services),
        queries=foundation.queries,
        preferences=Preferences(database),
        names=PlayerNames(database, clock),
        servers=Servers(database),
        images=images,
        clicked=ClickedMessages(),
        clicks=services.match_store.clicks,
        cards=PrivateCards(edit_card, delete_card),
        limits=UserLimits(),
        guild_turns=GuildTurns(),
        computer_turns=turns,
        suggestions=Suggestions(services.match_store, turns),
        audit=client.audit,
        computers=deployment.workers.enabled,
        contact=deployment.contact,
        clock=clock,
        services={
            type(options): options,
            type(offers): offers,
            type(buttons): buttons,
            type(lines): lines,
            type(memory): memory,
            type(story): story,
            type(help_text): help_text,
            Refusals: Refusals(database),
            **services_of(features, foundation),
        },
        cache_clearers=foundation.cache_clearers,
        closers=foundation.closers,
    )
