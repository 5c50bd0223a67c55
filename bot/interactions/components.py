"""Reading of components: a custom_id is `name:field:field…`."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator, Mapping
from types import MappingProxyType
from typing import Any

from bot.interactions.context import Context
from bot.interactions.replies import Interaction, UserError
from render.i18n import N_, _

Handler = Callable[[Context, Interaction, list[str]], Awaitable[None]]

BUTTON_GONE = N_("This button does not work any more.")


def number(fields: list[str], place: int) -> int:
    """A whole number out of a custom_id.

    Raises:
        UserError: there is none.
    """
    if len(fields) <= place or not (fields[place].isascii() and fields[place].isdecimal()):
        raise UserError(_(BUTTON_GONE))
    return int(fields[place][:18])


def values_of(part: Mapping[str, Any]) -> Iterator[str]:
    """All that was typed into a window."""
    if isinstance(part.get("value"), str):
        yield part["value"]
    for each in (*part.get("components", ()), *filter(None, [part.get("component")])):
        yield from values_of(each)


_HANDLERS: dict[str, Handler] = {}


def component(name: str) -> Callable[[Handler], Handler]:
    """Register a handler for the components whose custom_id begins with a name.

    Raises:
        ValueError: the name has a handler already.
    """

    def register(handler: Handler) -> Handler:
        if name in _HANDLERS:
            raise ValueError(name)
        _HANDLERS[name] = handler
        return handler

    return register


def handlers() -> Mapping[str, Handler]:
    """Return the registered handlers by name; `bot.interactions.registry` has them all."""
    return MappingProxyType(_HANDLERS)
