"""Caches for values that each bot and database of the tests would compute: SQL, commands' JSON.

Each test has its own database and its own bot; a third of their time went into this.
"""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable
from functools import wraps
from typing import Any

import pytest
from discord import app_commands
from sqlalchemy import Engine
from sqlalchemy.ext.asyncio import AsyncEngine

from bot import i18n
from bot.storage import postgres, sqlite


class SharedStatements(dict[Any, Any]):
    """Compiled statements for all engines with the same kind of dialect.

    SQLAlchemy's keys begin with the dialect, and each engine has its own.
    """

    def get(self, key: Any, default: Any = None) -> Any:
        """Return a compiled statement."""
        return super().get(_shared(key), default)

    def __setitem__(self, key: Any, compiled: Any) -> None:
        super().__setitem__(_shared(key), compiled)


def _shared(key: Any) -> Any:
    dialect, *rest = key
    return (type(dialect), *rest)


def share_statements(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let all engines of the bot use the same compiled statements."""
    compiled = SharedStatements()

    def sharing(make: Callable[..., Engine | AsyncEngine]) -> Callable[..., Engine | AsyncEngine]:
        @wraps(make)
        def shared(*args: Any, **kwargs: Any) -> Engine | AsyncEngine:
            engine = make(*args, **kwargs)
            plain = engine.sync_engine if isinstance(engine, AsyncEngine) else engine
            plain.update_execution_options(compiled_cache=compiled)
            return engine

        return shared

    for module, name in ((sqlite, "_engine"), (postgres, "connect_engine")):
        monkeypatch.setattr(module, name, sharing(getattr(module, name)))


def share_command_payloads(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let all bots translate a command once: each does it, into 30 languages."""
    payloads: dict[Any, Any] = {}

    def sharing(translate: Callable[..., Awaitable[Any]]) -> Callable[..., Awaitable[Any]]:
        @wraps(translate)
        async def shared(command: Any, tree: Any, translator: Any) -> Any:
            key = (json.dumps(command.to_dict(tree)), type(translator), i18n.LOCALES)
            if key not in payloads:
                payloads[key] = await translate(command, tree, translator)
            return payloads[key]

        return shared

    for kind in (app_commands.Command, app_commands.Group, app_commands.ContextMenu):
        monkeypatch.setattr(kind, "get_translated_payload", sharing(kind.get_translated_payload))
