"""All features, commands and component handlers: the only list of features."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import chain
from typing import Any

from discord.app_commands import Command, ContextMenu, Group

from bot.app.settings import EVERY_FEATURE
from bot.feature import Feature, Foundation
from bot.features import (
    analyses,
    cups,
    daily,
    halls,
    leaderboards,
    notes,
    privacy,
    profiles,
    published_plans,
    replays,
    rules,
    scorecards,
    servers,
)
from bot.interactions import (
    about,
    boards,
    challenge_card,
    challenges,
    computers,
    context_menus,
    game_commands,
    inbox,
    match_card,
    match_commands,
    match_picker,
    matchmaking,
    moves,
    plans,
    preferences,
    stand_ins,
    vacation,
)
from bot.interactions.about import HelpLines
from bot.interactions.components import Handler, handlers
from bot.interactions.context import Context
from bot.interactions.inbox import OfferReaders
from bot.interactions.match_card import CardButtonMakers
from bot.interactions.memory_buttons import MemoryButtonReaders
from bot.interactions.private_lines import PrivateLineReaders
from bot.interactions.replies import Interaction
from bot.interactions.server_options import ServerOptions
from bot.interactions.story_buttons import StoryButtonReaders
from bot.personal import Personal
from bot.views.custom_id_codec import CustomId

FEATURES: Sequence[Feature] = tuple(
    package.FEATURE
    for package in (
        rules,
        replays,
        analyses,
        scorecards,
        servers,
        halls,
        daily,
        notes,
        published_plans,
        profiles,
        leaderboards,
        cups,
        privacy,
    )
)
"""All features, in the order of their commands and settings."""

COMMAND_MODULES = (
    challenge_card,
    moves,
    game_commands,
    plans,
    boards,
    inbox,
    match_commands,
    preferences,
    about,
    vacation,
)
"""Modules of the core that define commands, in order of registration."""

COMPONENTS_ONLY = (challenges, computers, match_card, match_picker, matchmaking, stand_ins)
"""Modules that define handlers of components but no commands."""

HANDLERS = handlers()
"""Kind of custom_id → handler, of all features; importing the modules above has registered them."""


def all_context_menus(
    context: Context, features: Sequence[Feature] = FEATURES
) -> Iterator[ContextMenu]:
    """Return every context menu."""
    of_features = (feature.menus(context) for feature in features)
    return chain(context_menus.context_menus(context), *of_features)


def all_commands(
    context: Context, features: Sequence[Feature] = FEATURES
) -> Iterator[Command[Any, ..., Any] | Group]:
    """Return every command."""
    of_core = (module.commands(context) for module in COMMAND_MODULES)
    of_features = (feature.commands(context) for feature in features)
    return chain(*of_core, *of_features)


def features_named(names: str) -> Sequence[Feature]:
    """Return the features that a host has chosen, and those that every bot has.

    Args:
        names: value of the setting `FEATURES`, checked by `bot.app.settings`.
    """
    all_names = {feature.name for feature in FEATURES}
    selected = all_names if names == EVERY_FEATURE else names.split(",")
    return [feature for feature in FEATURES if feature.is_required or feature.name in selected]


def handlers_of(features: Sequence[Feature]) -> Mapping[type[CustomId], Handler[Any]]:
    """Return kind of custom_id → handler, without handlers of features that are left out."""
    left_out = {
        kind for feature in FEATURES if feature not in features for kind in feature.components
    }
    return {kind: handler for kind, handler in HANDLERS.items() if kind not in left_out}


def server_options(features: Sequence[Feature]) -> ServerOptions:
    """Return the settings of servers, and the checks of features."""
    options = [option for feature in features for option in feature.server_options]
    buttons = [button for feature in features for button in feature.server_buttons]
    doctors = [feature.doctor for feature in features if feature.doctor]
    return ServerOptions(options, buttons, doctors)


def personal_data() -> list[Personal]:
    """Return the data about users of all features, also of those that are left out."""
    return [personal for feature in FEATURES for personal in feature.personal]


def services_of(features: Sequence[Feature], foundation: Foundation) -> dict[type[Any], Any]:
    """Return the services of features by their classes, and subscribe their handlers of events."""
    for feature in features:
        foundation.database.hooks.subscribe(feature.name, feature.hooks(foundation))
    services = [service for feature in features for service in feature.services(foundation)]
    return {type(service): service for service in services}


def offer_readers(features: Sequence[Feature]) -> OfferReaders:
    """Return the readers of the features' offers for `/games`."""
    return OfferReaders([feature.offers for feature in features if feature.offers])


def card_buttons(features: Sequence[Feature]) -> CardButtonMakers:
    """Return the makers of the features' buttons in the card of a match."""
    return CardButtonMakers([feature.card_buttons for feature in features if feature.card_buttons])


def memory_button_readers(features: Sequence[Feature]) -> MemoryButtonReaders:
    """Return the readers of the features' buttons beside what a player has to remember."""
    return MemoryButtonReaders(
        [feature.memory_button for feature in features if feature.memory_button]
    )


def private_line_readers(features: Sequence[Feature]) -> PrivateLineReaders:
    """Return the readers of the features' lines beside private boards."""
    return PrivateLineReaders(
        [feature.private_lines for feature in features if feature.private_lines]
    )


def story_button_readers(features: Sequence[Feature]) -> StoryButtonReaders:
    """Return the readers of the features' buttons beside the story of a finished match."""
    return StoryButtonReaders(
        [feature.story_buttons for feature in features if feature.story_buttons]
    )


def help_lines(features: Sequence[Feature]) -> HelpLines:
    """Return the lines of features in `/help`."""
    return HelpLines([feature.help_line for feature in features if feature.help_line])


def stores_nothing(features: Sequence[Feature]) -> Callable[[Interaction], bool]:
    """Return a function that checks whether handling an interaction may store nothing."""
    return lambda interaction: any(feature.stores_nothing(interaction) for feature in features)
