"""Logging: one line per record, with the ids of its context, and never a secret.

A task that begins to work on something binds its ids (`bind_context`), and each record made by that
task, or by a task it starts, carries them. Secrets are kept out in three ways: only the bot's own
records can be more verbose than INFO, since those of libraries hold message contents; of an
unexpected error only its type and its locations are logged, since its text may repeat a user's
input; and everything that looks like a token or a password is removed from the line.
"""

from __future__ import annotations

import json
import logging
import re
import traceback
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import UTC, datetime
from types import MappingProxyType
from typing import Any, TextIO

import aiohttp
import discord
from sqlalchemy.exc import SQLAlchemyError

from bot.failures import is_outage

NOTHING: Mapping[str, int] = MappingProxyType({})
_context: ContextVar[Mapping[str, int]] = ContextVar("context", default=NOTHING)

SECRET = re.compile(
    r"[\w-]{20,}\.[\w-]{5,}\.[\w-]{25,}"  # a bot's token
    r"|(/(?:interactions|webhooks)/\d+/)[^\s/?]+"  # an interaction's
    r"|(://[^\s:/@]*:)[^\s/@]+(?=@)"  # a database's password
)

RECONNECTING = (
    "Attempting a reconnect",
    "Failed to connect for shard_id",
    "Shard ID %s has stopped responding to the gateway",
)
"""Prefixes of discord.py's lines about a lost gateway; most of them come with a traceback."""

SAFE_TEXT_ERRORS = (OSError, discord.DiscordException, aiohttp.ClientError, SQLAlchemyError)
"""Errors whose texts hold no player's input; statements hide their values."""


def bind_context(**numbers: int) -> None:
    """Bind ids to the log records of this task from now on, such as `match=5`."""
    _context.set({**_context.get(), **numbers})


@contextmanager
def log_context(**numbers: int) -> Iterator[None]:
    """Bind ids to the log records made inside the block."""
    token = _context.set({**_context.get(), **numbers})
    try:
        yield
    finally:
        _context.reset(token)


def set_up_logs(level: str, form: str = "text", stream: TextIO | None = None) -> None:
    """Configure logging.

    Args:
        level: level of the bot's own records; libraries log at INFO at most.
        form: `text` or `json`, one object a line.
        stream: the output; standard error by default.
    """
    handler = logging.StreamHandler(stream)
    handler.addFilter(_mark)
    handler.addFilter(_is_not_outage_noise)
    handler.setFormatter(JSONLines() if form == "json" else Lines())
    level_number = logging.getLevelNamesMapping()[level]
    logging.getLogger("bot").setLevel(level_number)
    root = logging.getLogger()
    root.addHandler(handler)
    root.setLevel(max(logging.INFO, level_number))
    logging.getLogger("alembic").setLevel(logging.WARNING)  # it introduces itself at length


def _mark(record: logging.LogRecord) -> bool:
    """Add the context to a record while its task is known."""
    record.context = _context.get()
    return True


def _is_not_outage_noise(record: logging.LogRecord) -> bool:
    """Return whether a record says more than the one line about an outage (`bot.outages`)."""
    if record.levelno <= logging.DEBUG:
        return True
    if record.name.startswith("discord.") and str(record.msg).startswith(RECONNECTING):
        return False
    arguments = record.args if isinstance(record.args, tuple) else ()
    return not any(map(is_outage, arguments))


class Lines(logging.Formatter):
    """Format for people: time, level, logger, message, and the context in brackets."""

    def format(self, record: logging.LogRecord) -> str:
        """Return one line; the lines of an error are indented below it."""
        context = ", ".join(f"{name} {number}" for name, number in _numbers(record).items())
        line = f"{_time(record)} {record.levelname:8} {record.name}: {record.getMessage()}"
        entry = "\n".join((f"{line} ({context})" if context else line, *_error(record)))
        return _without_secrets(entry).rstrip().replace("\n", "\n    ")


class JSONLines(logging.Formatter):
    """Format for programs: the same as one JSON object a line."""

    def format(self, record: logging.LogRecord) -> str:
        """Return one line; Discord's ids stay numbers, too large for some JSON parsers."""
        entry: dict[str, Any] = {
            "time": _time(record),
            "level": record.levelname,
            "logger": record.name,
            "message": _without_secrets(record.getMessage()),
            **_numbers(record),
        }
        if error := "\n".join(_error(record)):
            entry["error"] = _without_secrets(error)
        return json.dumps(entry, ensure_ascii=False)


def _numbers(record: logging.LogRecord) -> Mapping[str, int]:
    numbers: Mapping[str, int] = getattr(record, "context", NOTHING)
    return numbers


def _time(record: logging.LogRecord) -> str:
    moment = datetime.fromtimestamp(record.created, UTC)
    return moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")


def _error(record: logging.LogRecord) -> Iterator[str]:
    """Yield the types and locations of an error and its causes, the causes first."""
    chain: list[BaseException] = []
    error = record.exc_info[1] if record.exc_info else None
    while error is not None and error not in chain:
        chain.append(error)
        error = error.__cause__ or (None if error.__suppress_context__ else error.__context__)
    for cause in reversed(chain):
        yield "".join(traceback.format_tb(cause.__traceback__)).rstrip()
        yield (
            f"{type(cause).__name__}: {cause}"
            if isinstance(cause, SAFE_TEXT_ERRORS)
            else type(cause).__name__
        )


def _without_secrets(text: str) -> str:
    return SECRET.sub(lambda match: f"{match[1] or match[2] or ''}[…]", text)
