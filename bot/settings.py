"""What the host decides: typed, from the environment or a file `.env`, checked before all else."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated, Literal

from dotenv import dotenv_values
from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    Field,
    SecretStr,
    ValidationError,
    ValidationInfo,
    field_validator,
)
from sqlalchemy import make_url
from sqlalchemy.exc import ArgumentError

from bot.shards import Shards

LOOPBACK = "127.0.0.1"
MOST_PORTS = 65535

FILE, SERVER = "sqlite+aiosqlite", "postgresql+asyncpg"
"""The kinds of databases: SQLite's file, PostgreSQL's server."""


class SettingsError(Exception):
    """A setting is missing or malformed; the text is one line that says which and why."""


def _database(url: str) -> str:
    try:
        read = make_url(url)
    except ArgumentError:
        raise ValueError("this is not a database address") from None
    known = read.drivername in (FILE, SERVER)
    if not known or read.database in (None, "", ":memory:"):
        raise ValueError(f"use {FILE}:///FILE or {SERVER}://USER:PASSWORD@HOST/NAME")
    return url


def _address(text: str) -> str:
    host, _, port = text.strip().rpartition(":")
    if text and not (port.isdecimal() and int(port) <= MOST_PORTS and " " not in host):
        raise ValueError("use PORT or HOST:PORT")
    return text


def database_address(url: str) -> str:
    """An address given elsewhere than in the settings.

    Raises:
        SettingsError: it is none.
    """
    try:
        return _database(url)
    except ValueError as error:
        raise SettingsError(f"{error}.") from None


class Settings(BaseModel):
    """All settings.

    Attributes:
        discord_token: the bot's token.
        discord_token_file: a file that holds the token, instead.
        database_url: where matches are kept.
        log_level: how much is logged.
        log_format: lines for people, or JSON objects for programs.
        metrics_address: where `/livez`, `/readyz` and `/metrics` are; empty for nowhere.
        contact: where people report a problem, shown by `/about`.
        backup_folder: where backups go; if it is set, the bot makes one every day.
        backup_keep: how many of them stay.
        shard_count: into how many shards Discord deals the bot's servers out.
        shard_ids: those of this process, e.g. `0-3`; empty for all.
    """

    model_config = ConfigDict(hide_input_in_errors=True, validate_default=True)

    discord_token: SecretStr = SecretStr("")
    discord_token_file: Path | None = None
    database_url: Annotated[str, AfterValidator(_database), Field(repr=False)] = (
        f"{FILE}:///starpost.db"
    )
    log_level: Literal["DEBUG", "INFO", "WARNING", "ERROR"] = Field(default="INFO")
    log_format: Literal["text", "json"] = "text"
    metrics_address: Annotated[str, AfterValidator(_address)] = ""
    contact: str = Field(default="", max_length=200)
    backup_folder: Path | None = None
    backup_keep: int = Field(default=7, ge=1)
    shard_count: int = Field(default=1, ge=1)
    shard_ids: str = ""

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
        """Whether the database is a file of ours, not a server's."""
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
        """The token, wherever it stands.

        Raises:
            SettingsError: there is none, or it cannot be one.
        """
        token = self.discord_token.get_secret_value()
        if not token and self.discord_token_file:
            try:
                token = self.discord_token_file.read_text(encoding="utf-8")
            except (OSError, UnicodeDecodeError):
                raise SettingsError(
                    f"DISCORD_TOKEN_FILE: {self.discord_token_file} cannot be read."
                ) from None
        token = token.strip()
        if not token:
            raise SettingsError(
                "DISCORD_TOKEN is missing: set it, or DISCORD_TOKEN_FILE to a file that holds it."
            )
        if not token.isascii() or any(letter.isspace() or letter in "\"'" for letter in token):
            raise SettingsError("DISCORD_TOKEN is not a bot token: copy it from the portal again.")
        return token


def load() -> Settings:
    """Read all settings; the environment wins over the file.

    Raises:
        SettingsError: one is malformed.
    """
    given = {**dotenv_values(".env"), **os.environ}
    try:
        return Settings.model_validate({name.lower(): value for name, value in given.items()})
    except ValidationError as error:
        first = error.errors()[0]
        name = str(first["loc"][0]).upper() if first["loc"] else "settings"
        raise SettingsError(f"{name}: {first['msg']}.") from None
