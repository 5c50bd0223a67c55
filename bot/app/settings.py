"""The host's settings: typed, from the environment or a file `.env`, checked first."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from functools import partial
from pathlib import Path
from pkgutil import iter_modules
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote

from bot import features
from bot.app import env_file
from bot.app.env_file import SettingsError
from bot.app.request_rate import REQUESTS_PER_SECOND, least_shards
from bot.shards import Shards

if TYPE_CHECKING:
    from bot.storage.backup import Backups

__all__ = ["Settings", "SettingsError", "database_address", "load"]

NUMBER = "write a whole number in digits, such as 1"
"""Why a setting is refused that is no number."""

LOOPBACK = "127.0.0.1"
MAX_PORT = 65535

MOST_BACKUPS, MOST_WORKERS, MOST_SHARDS = 10_000, 256, 100_000
"""Greatest values: larger ones are slips, which would take all memory."""

LOG_LEVELS, LOG_FORMATS = ("DEBUG", "INFO", "WARNING", "ERROR"), ("text", "json")

CONTACT_LIMIT = 200
"""Maximum number of characters."""

FILE, SERVER = "sqlite+aiosqlite", "postgresql+asyncpg"
"""The kinds of databases: SQLite's file, PostgreSQL's server."""

EVERY_FEATURE, NO_FEATURE = "all", "none"

ENCODE = (
    "percent-encode special characters of the password: @ as %40, # as %23, / as %2F, : as %3A, "
    "% as %25"
)
"""Hint for an address that is parsed wrongly."""


DRIVERS = {
    "sqlite": FILE,
    **dict.fromkeys(
        ("postgres", "postgresql", "postgresql+psycopg", "postgresql+psycopg2"), SERVER
    ),
}
"""Other names that addresses of these databases begin with → their kinds."""


def plain(value: str) -> str:
    """Return a setting without spaces and quotation marks around it, which some tools keep."""
    value = value.strip()
    quoted = value[:1] + value[-1:] in ('""', "''", "“”", "‘’") and len(value) > 1
    return value[1:-1].strip() if quoted else value


def _database(url: str) -> str:
    kind, colon, rest = plain(url).partition(":")
    address, _, query = rest.partition("?")
    query = query.replace("sslmode=", "ssl=")  # as other drivers call it
    rest = f"{address}?{query}" if query else address
    url = DRIVERS.get(kind.lower(), kind.lower()) + colon + rest
    name = _server_name(url) if url.startswith(f"{SERVER}:") else file_name(url)
    if name in ("", ":memory:") or not url.startswith((f"{FILE}:", f"{SERVER}:")):
        raise ValueError(f"use {FILE}:///FILE or {SERVER}://USER:PASSWORD@HOST/NAME")
    return url


def file_name(url: str) -> str:
    """Return the file in the URL of one; empty if it names none."""
    _, _, address = url.partition("?")[0].partition("://")
    return unquote(address.partition("/")[2])


def _server_name(url: str) -> str:
    """Return the name of the database in the URL of a server; empty if it names none."""
    from sqlalchemy import make_url  # noqa: PLC0415 - `starpost health` of a file imports none
    from sqlalchemy.exc import ArgumentError  # noqa: PLC0415

    if url.partition("?")[0].count("@") > 1:
        raise ValueError(ENCODE)
    try:
        return make_url(url).database or ""
    except ArgumentError:
        raise ValueError("this is not a database address") from None
    except ValueError:  # the text after the host is no port
        raise ValueError(ENCODE) from None


def _address(text: str) -> str:
    host, _, port = text.strip().rpartition(":")
    if text and not (port.isdecimal() and int(port) <= MAX_PORT and " " not in host):
        raise ValueError("use PORT or HOST:PORT")
    return text


def _features(names: str) -> str:
    """Check the names of features; each is a package, so none has to be imported."""
    packages = sorted(module.name for module in iter_modules(features.__path__))
    selected = [name.strip().lower() for name in names.split(",") if name.strip()]
    if selected in ([EVERY_FEATURE], [NO_FEATURE]):
        return selected[0]
    if unknown := [name for name in selected if name not in packages]:
        raise ValueError(
            f"there is no {unknown[0]}; write all, none, or some of {', '.join(packages)}"
        )
    return ",".join(dict.fromkeys(selected))


def database_address(url: str) -> str:
    """Check a database address given outside the settings.

    Raises:
        SettingsError: it is not a database address.
    """
    try:
        return _database(url)
    except ValueError as error:
        raise SettingsError(f"{error}.") from None


def _number(least: int, most: int, text: str) -> int:
    try:
        number = int(text)
    except ValueError:
        raise ValueError(NUMBER) from None
    if not least <= number <= most:
        raise ValueError(f"write a number from {least} to {most:,}")
    return number


def choice(words: Sequence[str], text: str) -> str:
    """Return the one of some words that a text is, in any case.

    Raises:
        ValueError: it is none of them.
    """
    for word in words:
        if word.lower() == text.lower():
            return word
    raise ValueError(f"write {', '.join(words[:-1])} or {words[-1]}")


def _contact(text: str) -> str:
    if len(text) > CONTACT_LIMIT:
        raise ValueError(f"write at most {CONTACT_LIMIT} characters")
    return text


def _as(read: Callable[[str], Any], description: str) -> dict[str, Any]:
    """Return the metadata of a setting.

    Args:
        read: returns its value from its text, or raises ValueError with the reason for refusing it.
        description: see `make settings`.
    """
    return {"read": read, "description": description}


@dataclass(frozen=True, kw_only=True)
class Settings:
    """All settings; `make settings` writes their descriptions to docs/hosts/hosting.md.

    Attributes:
        hints: sentences about names that look like misspelt settings.
    """

    discord_token: str = field(default="", repr=False, metadata=_as(str, "the bot's token"))
    discord_token_file: Path | None = field(
        default=None, metadata=_as(Path, "instead: a file that contains the token")
    )
    database_url: str = field(
        default=f"{FILE}:///starpost.db",
        repr=False,
        metadata=_as(
            _database,
            "the database file: after `///` a path relative to where the bot is started, after "
            f"`////` an absolute one. Or `{SERVER}://USER:PASSWORD@HOST/NAME`",
        ),
    )
    database_url_file: Path | None = field(
        default=None, metadata=_as(Path, "instead: a file that contains this URL")
    )
    log_level: str = field(
        default="INFO",
        metadata=_as(partial(choice, LOG_LEVELS), "`DEBUG`, `INFO`, `WARNING` or `ERROR`"),
    )
    log_format: str = field(
        default="text",
        metadata=_as(
            partial(choice, LOG_FORMATS),
            "`text`, or `json`: one object per line, for programs",
        ),
    )
    metrics_address: str = field(
        default="",
        metadata=_as(
            _address,
            "where `/livez`, `/readyz` and `/metrics` are served: a port for this machine only, or "
            "`HOST:PORT`; see [Monitoring](#monitoring)",
        ),
    )
    contact: str = field(
        default="",
        metadata=_as(
            _contact,
            "where players report problems, such as an email address or an invitation; shown by "
            "*About Starpost* in `/help`",
        ),
    )
    backup_folder: Path | None = field(
        default=None,
        metadata=_as(Path, "where backups go; if set, the bot makes one every day"),
    )
    backup_keep: int = field(
        default=7, metadata=_as(partial(_number, 1, MOST_BACKUPS), "how many backups are kept")
    )
    computer_workers: int = field(
        default=1,
        metadata=_as(
            partial(_number, 0, MOST_WORKERS),
            "how many processes choose for computer players; each takes up to 64 MB of memory. "
            "`0`: no computer players and no analyses",
        ),
    )
    drawing_workers: int = field(
        default=1,
        metadata=_as(
            partial(_number, 0, MOST_WORKERS),
            "how many processes draw boards when many have to be drawn at the same time, or have "
            "whole turns to choose from; each takes up to 192 MB of memory. `0`: the bot always "
            "draws them itself, and replies more slowly under load",
        ),
    )
    shard_count: int = field(
        default=1,
        metadata=_as(
            partial(_number, 1, MOST_SHARDS),
            "how many shards the bot's servers are split into; Discord requires at least one for "
            "each 2,500 servers",
        ),
    )
    shard_ids: str = field(
        default="",
        metadata=_as(
            str,
            "the shards of this process, such as `0-3` or `0-3,8`; default: all. Several processes "
            "need PostgreSQL",
        ),
    )
    features: str = field(
        default=EVERY_FEATURE,
        metadata=_as(
            _features,
            "the optional features: `all`, `none`, or names such as `daily`, separated by commas. "
            "The data of a feature that is left out stays",
        ),
    )
    hints: Sequence[str] = field(default=(), compare=False)

    @property
    def shards(self) -> Shards:
        """The part of Discord that this process serves."""
        return Shards.parse(self.shard_count, self.shard_ids)

    @property
    def on_file(self) -> bool:
        """Whether the database is an SQLite file."""
        return self.database_url.startswith(FILE)

    @property
    def metrics_at(self) -> tuple[str, int] | None:
        """Host and port of `metrics_address`; only this machine sees it if no host is given."""
        host, _, port = self.metrics_address.strip().rpartition(":")
        return (host.strip("[]") or LOOPBACK, int(port)) if port else None

    @property
    def database_file(self) -> Path:
        """The file of `database_url`.

        Raises:
            SettingsError: it is a server's.
        """
        if not self.on_file:
            raise SettingsError(
                "DATABASE_URL is a PostgreSQL server: pg_dump --format=custom makes a backup of "
                "it, also while the bot is running, and pg_restore --clean brings one back."
            )
        return Path(file_name(self.database_url))

    def token(self) -> str:
        """Return the token, from its setting or its file.

        Raises:
            SettingsError: there is none, or it cannot be one.
        """
        token = self.discord_token
        if not token and self.discord_token_file:
            token = _read("DISCORD_TOKEN_FILE", self.discord_token_file)
        token = token.strip()
        if not token:
            raise SettingsError(
                "DISCORD_TOKEN is missing: set it, or DISCORD_TOKEN_FILE to a file that holds it."
            )
        if not token.isascii() or any(letter.isspace() or letter in "\"'" for letter in token):
            raise SettingsError("DISCORD_TOKEN is not a bot token: copy it from the portal again.")
        return token


SETTINGS = {item.name: item for item in fields(Settings) if item.metadata}
"""Name → the field of `Settings`, whose metadata has its `description`."""


def _read(name: str, path: Path) -> str:
    """Return the contents of the file that a setting names."""
    try:
        return path.read_text(encoding="utf-8").strip()
    except (OSError, UnicodeDecodeError):
        raise SettingsError(f"{name}: {path} cannot be read.") from None


def read(texts: Mapping[str, str]) -> Settings:
    """Return settings from texts by name; other names are ignored.

    Raises:
        SettingsError: some are malformed; it names all of them.
    """
    values, sentences = dict[str, Any](), list[str]()
    for name, item in SETTINGS.items():
        if name in texts:
            try:
                values[name] = item.metadata["read"](texts[name])
            except ValueError as error:
                sentences.append(_sentence(name, error))
    settings = Settings(**values)
    if not sentences:
        try:
            _check_shards(settings)
        except ValueError as error:
            sentences.append(_sentence("shard_ids", error))
    if sentences:
        raise SettingsError(*sentences)
    return settings


def _sentence(name: str, error: ValueError) -> str:
    """Return the sentence about a setting that is refused."""
    return f"{name.upper()}: {error}."


def _check_shards(settings: Settings) -> None:
    """Check the shards of this process, and that no other one has some of them and the file.

    Raises:
        ValueError: the text is the reason.
    """
    shards = settings.shards
    if settings.on_file and len(shards.ids) < shards.count:
        raise ValueError(f"several processes need one PostgreSQL: DATABASE_URL={SERVER}://…")
    if len(shards.ids) < (least := least_shards(shards.count)):
        raise ValueError(
            f"give each process at least {least} of {shards.count} shards, so that its share of "
            f"the {REQUESTS_PER_SECOND} requests that Discord allows is at least one a second"
        )


def load(path: Path | None = None) -> Settings:
    """Read all settings; the environment wins over the file, and an empty value is the default.

    Args:
        path: the file; without it `.env`, which may be missing.

    Raises:
        SettingsError: one is malformed, or the file cannot be read.
    """
    path = path or env_file.DEFAULT_FILE
    in_file = env_file.read(path)
    values = {name.lower(): value for name, value in {**in_file, **os.environ}.items()}
    values = {name: plain(value) for name, value in values.items() if plain(value)}
    if "database_url" not in values and (file := values.get("database_url_file")):
        values["database_url"] = _read("DATABASE_URL_FILE", Path(file))
    names = [name.upper() for name in SETTINGS]
    hints = env_file.misspelt(in_file, os.environ, names, path)
    return replace(read(values), hints=hints)


def backups_of(settings: Settings) -> Backups:
    """Return the backups of the database file, in the folder that the host has chosen.

    Raises:
        SettingsError: the database is a PostgreSQL server.
    """
    from bot.storage.backup import Backups  # noqa: PLC0415 - see `_server_name`

    return Backups(settings.database_file, settings.backup_folder, settings.backup_keep)
