"""What is logged: one record, one line, with the numbers of what it is about, and never a secret.

A task that begins to work on something notes it (`bind_context`), and each record made by that
task, or by what it starts, carries the numbers. What a record must not hold is kept out in three
ways: only the bot's own records can be made chattier than INFO, since those of libraries hold what
is sent; of an unexpected error only its kind and its places are told, since its text may repeat
what a user typed; and everything that looks like a token or a password is left out of the line.
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
_concern: ContextVar[Mapping[str, int]] = ContextVar("concern", default=NOTHING)

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
"""How discord.py's lines about a lost gateway begin; most of them come with a traceback."""

TELLING = (OSError, discord.DiscordException, aiohttp.ClientError, SQLAlchemyError)
"""Errors whose texts hold nothing that a player has typed; statements hide their values."""


def bind_context(**numbers: int) -> None:
    """What this task is about from now on, such as `match=5`."""
    _concern.set({**_concern.get(), **numbers})


@contextmanager
def log_context(**numbers: int) -> Iterator[None]:
    """What is done inside the block is about this."""
    token = _concern.set({**_concern.get(), **numbers})
    try:
        yield
    finally:
        _concern.reset(token)


def set_up_logs(level: str, form: str = "text", stream: TextIO | None = None) -> None:
    """Log from now on.

    Args:
        level: how chatty the bot itself is; libraries say no more than at INFO.
        form: `text` or `json`, one object a line.
        stream: where to; standard error by default.
    """
    handler = logging.StreamHandler(stream)
    handler.addFilter(_mark)
    handler.addFilter(_is_news)
    handler.setFormatter(JSONLines() if form == "json" else Lines())
    chosen = logging.getLevelNamesMapping()[level]
    logging.getLogger("bot").setLevel(chosen)
    root = logging.getLogger()
    root.addHandler(handler)
    root.setLevel(max(logging.INFO, chosen))
    logging.getLogger("alembic").setLevel(logging.WARNING)  # it introduces itself at length


def _mark(record: logging.LogRecord) -> bool:
    """Note what a record is about while its task is known."""
    record.concern = _concern.get()
    return True


def _is_news(record: logging.LogRecord) -> bool:
    """Return whether a record says more than the one line about an outage (`bot.outages`)."""
    if record.levelno <= logging.DEBUG:
        return True
    if record.name.startswith("discord.") and str(record.msg).startswith(RECONNECTING):
        return False
    given = record.args if isinstance(record.args, tuple) else ()
    return not any(map(is_outage, given))


class Lines(logging.Formatter):
    """For people: time, level, where, what, and in brackets what it is about."""

    def format(self, record: logging.LogRecord) -> str:
        """One line; what follows of an error is indented."""
        about = ", ".join(f"{name} {number}" for name, number in _numbers(record).items())
        line = f"{_time(record)} {record.levelname:8} {record.name}: {record.getMessage()}"
        told = "\n".join((f"{line} ({about})" if about else line, *_error(record)))
        return _without_secrets(told).rstrip().replace("\n", "\n    ")


class JSONLines(logging.Formatter):
    """For programs: the same as one object a line."""

    def format(self, record: logging.LogRecord) -> str:
        """One line; ids of Discord are too large for some readers' numbers, but they are ours."""
        told: dict[str, Any] = {
            "time": _time(record),
            "level": record.levelname,
            "logger": record.name,
            "message": _without_secrets(record.getMessage()),
            **_numbers(record),
        }
        if error := "\n".join(_error(record)):
            told["error"] = _without_secrets(error)
        return json.dumps(told, ensure_ascii=False)


def _numbers(record: logging.LogRecord) -> Mapping[str, int]:
    numbers: Mapping[str, int] = getattr(record, "concern", NOTHING)
    return numbers


def _time(record: logging.LogRecord) -> str:
    moment = datetime.fromtimestamp(record.created, UTC)
    return moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")


def _error(record: logging.LogRecord) -> Iterator[str]:
    """The places at which an error came about, its causes first, and of what kind they are."""
    chain: list[BaseException] = []
    error = record.exc_info[1] if record.exc_info else None
    while error is not None and error not in chain:
        chain.append(error)
        error = error.__cause__ or (None if error.__suppress_context__ else error.__context__)
    for each in reversed(chain):
        yield "".join(traceback.format_tb(each.__traceback__)).rstrip()
        yield f"{type(each).__name__}: {each}" if isinstance(each, TELLING) else type(each).__name__


def _without_secrets(text: str) -> str:
    return SECRET.sub(lambda found: f"{found[1] or found[2] or ''}[…]", text)
