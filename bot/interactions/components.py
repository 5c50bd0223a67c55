"""Handlers of components, and the values that a click carries."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator, Mapping
from types import MappingProxyType
from typing import Any, TypeVar

import discord

from bot.interactions.context import Context
from bot.interactions.replies import Interaction
from bot.views.custom_id_codec import CustomId, CustomIdError, parse
from render.i18n import N_

Id = TypeVar("Id", bound=CustomId)

Handler = Callable[[Context, Interaction, Id], Awaitable[None]]

BUTTON_GONE = N_("This button no longer works.")

RADIO_GROUP = discord.ComponentType.radio_group.value

_HANDLERS: dict[type[CustomId], Handler[Any]] = {}


def component(kind: type[Id]) -> Callable[[Handler[Id]], Handler[Id]]:
    """Register a handler for the components with custom_ids of a kind.

    Raises:
        ValueError: the kind has a handler already.
    """

    def register(handler: Handler[Id]) -> Handler[Id]:
        if kind in _HANDLERS:
            raise ValueError(kind)
        _HANDLERS[kind] = handler
        return handler

    return register


def handlers() -> Mapping[type[CustomId], Handler[Any]]:
    """Return the registered handlers; `bot.interactions.registry` has them all."""
    return MappingProxyType(_HANDLERS)


def id_of(interaction: Interaction) -> CustomId | None:
    """Return the custom_id of a clicked component or a submitted window, if it can be read."""
    data: Any = interaction.data or {}
    try:
        return parse(str(data.get("custom_id", "")))
    except CustomIdError:
        return None


def selected_values(interaction: Interaction) -> list[str]:
    """Return all values that were chosen from a list; none for a button."""
    data: Any = interaction.data or {}
    return [str(value) for value in data.get("values", ())]


def selected(interaction: Interaction) -> str:
    """Return the value that was chosen from a list; empty for a button."""
    return " ".join(selected_values(interaction))


def typed(interaction: Interaction) -> str:
    """Return all that was typed into a window."""
    data: Any = interaction.data or {}
    return " ".join(_typed(data))


def filled_in(interaction: Interaction) -> dict[str, list[str]]:
    """Return what was chosen in each list of a window, or among its choices, by custom_id."""
    data: Any = interaction.data or {}
    return dict(_filled_in(data))


def _filled_in(part: Mapping[str, Any]) -> Iterator[tuple[str, list[str]]]:
    if isinstance(part.get("values"), list):
        yield str(part.get("custom_id", "")), [str(value) for value in part["values"]]
    elif part.get("type") == RADIO_GROUP and isinstance(part.get("value"), str):
        yield str(part.get("custom_id", "")), [part["value"]]
    for each in (*part.get("components", ()), *filter(None, [part.get("component")])):
        yield from _filled_in(each)


def _typed(part: Mapping[str, Any]) -> Iterator[str]:
    if isinstance(part.get("value"), str):
        yield part["value"]
    for each in (*part.get("components", ()), *filter(None, [part.get("component")])):
        yield from _typed(each)
