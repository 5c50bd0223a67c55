"""Registration of component handlers, and the data of a click."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping
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
    """Register a handler for the components whose custom_ids are of a kind.

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
    """Return the registered handlers; `bot.app.registry` has them all."""
    return MappingProxyType(_HANDLERS)


def id_of(interaction: Interaction) -> CustomId | None:
    """Return the custom_id of a clicked component or submitted window; None if it is malformed."""
    data: Any = interaction.data or {}
    try:
        return parse(str(data.get("custom_id", "")))
    except CustomIdError:
        return None


def selected_values(interaction: Interaction) -> list[str]:
    """Return all values selected in a list; empty for a button."""
    data: Any = interaction.data or {}
    return [str(value) for value in data.get("values", ())]


def selected(interaction: Interaction) -> str:
    """Return the values selected in a list, joined by spaces; empty for a button."""
    return " ".join(selected_values(interaction))


def typed(interaction: Interaction) -> str:
    """Return all text typed into a window, joined by spaces."""
    data: Any = interaction.data or {}
    return " ".join(text for _, text in _typed(data))


def typed_texts(interaction: Interaction) -> dict[str, str]:
    """Return custom_id → text, for each text field in a window."""
    data: Any = interaction.data or {}
    return dict(_typed(data))


def shown_texts(interaction: Interaction) -> list[str]:
    """Return the texts of the clicked message, from top to bottom; empty for a command."""
    message = interaction.message
    return list(_shown(message.components)) if message else []


def filled_in(interaction: Interaction) -> dict[str, list[str]]:
    """Return custom_id → selected values, for each list and choice in a window."""
    data: Any = interaction.data or {}
    return dict(_filled_in(data))


def _shown(parts: Iterable[Any]) -> Iterator[str]:
    for part in parts:
        if isinstance(part, discord.TextDisplay):
            yield part.content
        yield from _shown(getattr(part, "children", ()))


def _filled_in(part: Mapping[str, Any]) -> Iterator[tuple[str, list[str]]]:
    if isinstance(part.get("values"), list):
        yield str(part.get("custom_id", "")), [str(value) for value in part["values"]]
    elif part.get("type") == RADIO_GROUP and isinstance(part.get("value"), str):
        yield str(part.get("custom_id", "")), [part["value"]]
    for child in (*part.get("components", ()), *filter(None, [part.get("component")])):
        yield from _filled_in(child)


def _typed(part: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    if isinstance(part.get("value"), str):
        yield str(part.get("custom_id", "")), part["value"]
    for child in (*part.get("components", ()), *filter(None, [part.get("component")])):
        yield from _typed(child)
