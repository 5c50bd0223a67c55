"""The host's settings: typed, from the environment or a file `.env`, checked first."""

from __future__ import annotations

import os
from pathlib import Path
from pkgutil import iter_modules
from typing import Annotated, Literal

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    PrivateAttr,
    SecretStr,
    ValidationError,
    ValidationInfo,
    field_validator,
)
from sqlalchemy import make_url
from sqlalchemy.exc import ArgumentError

from bot import features
from bot.app import env_file
from bot.app.env_file import SettingsError
from bot.shards import Shards
from bot.storage.backup import Backups

__all__ = ["Settings", "SettingsError", "database_address", "load"]

NUMBER = "write a whole number in digits, such as 1"
"""Why a setting is refused that is no number."""

LOOPBACK = "127.0.0.1"
MAX_PORT = 65535

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
    if url.startswith(SERVER) and url.partition("?")[0].count("@") > 1:
        raise ValueError(ENCODE)
    try:
        read = make_url(url)
    except ArgumentError:
        raise ValueError("this is not a database address") from None
    except ValueError:  # the text after the host is no port
        raise ValueError(ENCODE) from None
    is_supported = read.drivername in (FILE, SERVER)
    if not is_supported or read.database in (None, "", ":memory:"):
        raise ValueError(f"use {FILE}:///FILE or {SERVER}://USER:PASSWORD@HOST/NAME")
    return url


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


class Settings(BaseModel):
    """All settings; `make settings` writes their descriptions to docs/hosts/hosting.md."""

    model_config = ConfigDict(hide_input_in_errors=True, validate_default=True)

    discord_token: SecretStr = Field(default=SecretStr(""), description="the bot's token")
    discord_token_file: Path | None = Field(
        default=None, description="instead: a file that contains the token"
    )
    database_url: Annotated[str, AfterValidator(_database)] = Field(
        default=f"{FILE}:///starpost.db",
        repr=False,
        description="the database file: after `///` a path relative to where the bot is started, "
        f"after `////` an absolute one. Or `{SERVER}://USER:PASSWORD@HOST/NAME`",
    )
    database_url_file: Path | None = Field(
        default=None, description="instead: a file that contains this URL"
    )
    log_level: Annotated[
        Literal["DEBUG", "INFO", "WARNING", "ERROR"], BeforeValidator(str.upper)
    ] = Field(default="INFO", description="`DEBUG`, `INFO`, `WARNING` or `ERROR`")
    log_format: Annotated[Literal["text", "json"], BeforeValidator(str.lower)] = Field(
        default="text", description="`text`, or `json`: one object per line, for programs"
    )
    metrics_address: Annotated[str, AfterValidator(_address)] = Field(
        default="",
        description="where `/livez`, `/readyz` and `/metrics` are served: a port for this machine "
        "only, or `HOST:PORT`; see [Monitoring](#monitoring)",
    )
    contact: str = Field(
        default="",
        max_length=200,
        description="where players report problems, such as an email address or an invitation; "
        "shown by `/about`",
    )
    backup_folder: Path | None = Field(
        default=None, description="where backups go; if set, the bot makes one every day"
    )
    backup_keep: int = Field(default=7, ge=1, description="how many backups are kept")
    computer_workers: int = Field(
        default=1,
        ge=0,
        description="how many processes choose for computer players; each takes up to 64 MB of "
        "memory. `0`: no computer players and no analyses",
    )
    drawing_workers: int = Field(
        default=1,
        ge=0,
        description="how many processes draw boards when many have to be drawn at the same time, "
        "or have whole turns to choose from; each takes up to 192 MB of memory. "
        "`0`: the bot always draws them itself, and replies more slowly under load",
    )
    shard_count: int = Field(
        default=1,
        ge=1,
        description="how many shards the bot's servers are split into; Discord requires at least "
        "one for each 2,500 servers",
    )
    shard_ids: str = Field(
        default="",
        description="the shards of this process, such as `0-3` or `0-3,8`; default: all. Several "
        "processes need PostgreSQL",
    )
    features: Annotated[str, AfterValidator(_features)] = Field(
        default=EVERY_FEATURE,
        description="the optional features: `all`, `none`, or names such as `daily`, separated by "
        "commas. The data of a feature that is left out stays",
    )
    _hints: list[str] = PrivateAttr(default_factory=list)

    @property
    def hints(self) -> list[str]:
        """Sentences about names that look like misspelt settings."""
        return self._hints

    @field_validator("shard_ids")
    @classmethod
    def _known(cls, ids: str, info: ValidationInfo) -> str:
        shards = Shards.parse(info.data.get("shard_count", 1), ids)
        file = str(info.data.get("database_url", "")).startswith(FILE)
        if file and len(shards.ids) < shards.count:
            raise ValueError(f"several processes need one PostgreSQL: DATABASE_URL={SERVER}://…")
        return ids

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
        return Path(make_url(self.database_url).database or "")

    def token(self) -> str:
        """Return the token, from its setting or its file.

        Raises:
            SettingsError: there is none, or it cannot be one.
        """
        token = self.discord_token.get_secret_value()
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


def _read(name: str, path: Path) -> str:
    """Return the contents of the file that a setting names."""
    try:
        return path.read_text(encoding="utf-8").strip()
    except (OSError, UnicodeDecodeError):
        raise SettingsError(f"{name}: {path} cannot be read.") from None


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
    try:
        settings = Settings.model_validate(values)
    except ValidationError as error:
        first = error.errors()[0]
        name = str(first["loc"][0]).upper() if first["loc"] else "settings"
        reason = NUMBER if first["type"] == "int_parsing" else first["msg"]
        raise SettingsError(f"{name}: {reason}.") from None
    names = [name.upper() for name in Settings.model_fields]
    settings._hints += env_file.misspelt(in_file, os.environ, names, path)  # noqa: SLF001
    return settings


def backups_of(settings: Settings) -> Backups:
    """Return the backups of the database file, in the folder that the host has chosen.

    Raises:
        SettingsError: the database is a PostgreSQL server.
    """
    return Backups(settings.database_file, settings.backup_folder, settings.backup_keep)
