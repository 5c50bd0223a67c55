"""Hooks: handlers of features in the transactions of the core.

The core publishes events; it does not know which features handle them. Handlers run in the
transaction that publishes the event, in the order in which their features are registered.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from contextvars import ContextVar
from typing import Any

from bot.storage.connection import Connection

Handler = Callable[[Connection, Any], Awaitable[object]]
"""Handles an event, given the connection of the transaction."""

Handlers = Mapping[type[Any], Handler]
"""Type of event → handler."""


class Hooks:
    """The handlers of the features on one database."""

    def __init__(self) -> None:
        self._features: dict[str, Handlers] = {}

    def subscribe(self, feature: str, handlers: Handlers) -> None:
        """Add the handlers of a feature; they replace its previous ones."""
        self._features[feature] = handlers

    async def publish(self, connection: Connection, event: object) -> bool:
        """Call all handlers of an event.

        Returns:
            Whether one of them has returned a true value.
        """
        handled = False
        for handlers in self._features.values():
            if handler := handlers.get(type(event)):
                handled |= bool(await handler(connection, event))
        return handled


HOOKS: ContextVar[Hooks] = ContextVar("HOOKS")
"""The hooks of the current transaction's database."""


async def publish(connection: Connection, event: object) -> bool:
    """Call all handlers of an event in the current transaction; see `Hooks.publish`.

    Raises:
        LookupError: there is no transaction that writes.
    """
    return await HOOKS.get().publish(connection, event)
