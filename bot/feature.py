"""Features: the registrations of a package in `bot.features`, and the services that it uses.

`bot.app.registry` lists the features. No other module imports them, so a feature can be left
out of a bot (`FEATURES`) unless every bot has it, and a new one is a package and a line of that
list.
"""

from __future__ import annotations

import threading
from collections.abc import Awaitable, Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import discord
from discord.app_commands import Command, ContextMenu, Group
from sqlalchemy import ColumnElement, true

from bot.guilds import Guilds
from bot.interactions.context import Context
from bot.interactions.inbox import OfferReader
from bot.interactions.memory_buttons import MemoryButtonReader
from bot.interactions.private_lines import PrivateLineReader
from bot.interactions.replies import Interaction
from bot.interactions.server_options import Doctor, ServerOption
from bot.interactions.story_buttons import StoryButtonReader
from bot.outbox.feature_messages import RegisterMessages
from bot.outbox.transport import Transport
from bot.personal import Personal
from bot.services.factory import Services
from bot.services.queries import Queries
from bot.storage.database import Database
from bot.storage.hooks import Handlers
from bot.storage.leases import Leases
from bot.views import ui
from bot.views.custom_id_codec import CustomId
from bot.views.match_card import CardButtons
from bot.views.public_boards import EndButton
from bot.workers.pool import WorkerPool


class Foundation(NamedTuple):
    """The parts that services of features use.

    Attributes:
        boards_idle: set while no board waits to be drawn.
        workers: the processes where computers choose.
        personal: the data about users of all features, also of those that are left out.
        cache_clearers: services append functions that clear their caches.
        closers: services append functions to be called before the bot disconnects.
    """

    database: Database
    clock: Callable[[], float]
    leases: Leases
    boards_idle: threading.Event
    core: Services
    queries: Queries
    workers: WorkerPool
    personal: Sequence[Personal]
    cache_clearers: list[Callable[[], None]]
    closers: list[Callable[[], None]]


class Delivery(NamedTuple):
    """The services that background jobs of features use for sending messages."""

    client: discord.Client
    context: Context
    leases: Leases
    transport: Transport
    guilds: Guilds


StartStep = Callable[[], Awaitable[object]]
"""Part of the start."""


class ScheduledJob(NamedTuple):
    """A job in the background, see `bot.app.background`, and when it runs.

    Attributes:
        name: name for the log, such as `the posts of cups`.
        run: the job; it returns at once if nothing is left to do.
        due: a condition for `bot.storage.due`; a heartbeat starts the job if it holds.
        topic: a notification of the database that starts it at once; empty for none.
        close: called when the bot stops, before running replies are awaited.
    """

    name: str
    run: Callable[[], Awaitable[None]]
    due: ColumnElement[bool] = true()
    topic: str = ""
    close: Callable[[], Awaitable[None]] | None = None


def _nothing(_parts: object) -> tuple[()]:
    return ()


def _no_hooks(_foundation: Foundation) -> Handlers:
    return {}


def _stores(_interaction: Interaction) -> bool:
    return False


@dataclass(frozen=True)
class Feature:
    """A feature, which a host can leave out unless every bot has it; its data stays.

    Attributes:
        name: name of its package, and in the setting `FEATURES`.
        is_required: whether every bot has it.
        services: returns its services; `Context.of` finds them by their class.
        commands: returns its commands.
        menus: returns its context menus.
        jobs: returns its background jobs.
        first_steps: returns the steps to take at the start, before anything is sent.
        stores_nothing: returns whether an interaction is about stored data, so that viewing it may
            store nothing.
        hooks: returns the handlers for events of the core, see `bot.services.events`.
        doctor: the feature's part of *Check this server*.
        on_role_deleted: called after a role of a server was deleted.
        on_permissions_changed: called after the permissions of a role, or in a channel, of a server
            were changed.
        end_button: returns its button at the end of a match.
        card_buttons: returns its buttons in the card of a match.
        memory_button: returns its button beside what a player has to remember.
        private_lines: returns its lines beside the private board of a player.
        story_buttons: returns its buttons beside the story of a finished match.
        help_line: its line in `/help`, untranslated; see `render.i18n.N_`.
        offers: returns offers that a user can join on a server, for `/games`.
        personal: the feature's data about users, exported and deleted even if it is left out.
    """

    name: str
    is_required: bool = False
    services: Callable[[Foundation], Iterable[object]] = _nothing
    commands: Callable[[Context], Iterable[Command[Any, ..., Any] | Group]] = _nothing
    menus: Callable[[Context], Iterable[ContextMenu]] = _nothing
    components: Sequence[type[CustomId]] = ()
    jobs: Callable[[Delivery], Iterable[ScheduledJob]] = _nothing
    first_steps: Callable[[Context], Sequence[StartStep]] = _nothing
    stores_nothing: Callable[[Interaction], bool] = _stores
    hooks: Callable[[Foundation], Handlers] = _no_hooks
    messages: RegisterMessages | None = None
    server_options: Sequence[ServerOption] = ()
    server_buttons: Sequence[Callable[[], ui.Button]] = ()
    doctor: Doctor | None = None
    on_role_deleted: Callable[[Context, discord.Role], Awaitable[None]] | None = None
    on_permissions_changed: Callable[[Context, discord.Guild], Awaitable[None]] | None = None
    end_button: EndButton | None = None
    card_buttons: CardButtons | None = None
    memory_button: MemoryButtonReader | None = None
    private_lines: PrivateLineReader | None = None
    story_buttons: StoryButtonReader | None = None
    help_line: str = ""
    offers: OfferReader | None = None
    personal: Sequence[Personal] = ()
