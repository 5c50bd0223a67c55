"""The checks of `starpost check`: everything that could keep the bot from running well.

They only read, so they are safe while the bot is running. Checks that depend on a broken thing are
skipped: one fault, one line.
"""

from __future__ import annotations

import asyncio
import os
import platform
import shutil
import sqlite3
import stat
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from sqlalchemy import StaticPool, create_engine, func, select
from sqlalchemy import text as text_of
from sqlalchemy.engine import Connection
from sqlalchemy.exc import SQLAlchemyError

from bot.app import invite
from bot.app.env_file import DEFAULT_FILE
from bot.app.installed_games import try_commands, try_parts
from bot.app.registry import all_commands
from bot.app.settings import Settings, SettingsError, backups_of, load
from bot.domain.ids import MatchId
from bot.domain.models import MatchStatus
from bot.storage.factory import connect
from bot.storage.file_lock import DatabaseError
from bot.storage.file_systems import unsafe_text
from bot.storage.inspection import (
    SchemaState,
    integrity_error,
    is_there,
    newer_text,
    open_read_only,
    revisions,
    schema_state,
)
from bot.storage.migrate import schema
from bot.storage.private import OTHERS_BITS
from bot.storage.schema import actions, computer_jobs, matches
from engine import games, packages
from engine.game import Action, IllegalActionError
from engine.packages import STRANGE_ERRORS
from render import for_game
from render.typeface import can_shape

PYTHON = (3, 11)
SQLITE = (3, 31, 0)
SAFE_SQLITE = (3, 51, 3)
"""Older versions can corrupt a WAL written by two connections; Starpost writes with one."""

FREE_SPACE_BYTES = 64 * 2**20
"""Required free bytes, beside the size of the database for a backup."""

PROXIES = frozenset({"https_proxy", "all_proxy"})
"""Variables that other programs read."""

POSTGRES = 13
SERVER_SETTINGS = {"fsync": "on", "full_page_writes": "on", "server_encoding": "UTF8"}

SERVER_CLOCK_SKEW_SECONDS = 5.0
"""Maximum difference from the database server's clock: leases are times."""

EARLIEST_CLOCK_TIME = 1_767_225_600.0
"""The beginning of 2026: a clock before that is wrong."""

CLOCK_SLACK_SECONDS = 3600.0
"""Maximum seconds that the clock may be behind the last move."""

OLDER = "is from an older Starpost; the next start backs it up and migrates it."


class Fault(NamedTuple):
    """A problem: the check that found it, and one sentence."""

    check: str
    text: str


@dataclass(frozen=True)
class Report:
    """The results of all checks."""

    faults: tuple[Fault, ...]
    notes: tuple[str, ...]

    def lines(self) -> list[str]:
        """Return a line for each fault, or `ok` and a line for each note."""
        if self.faults:
            return [f"{name}: {text}" for name, text in self.faults]
        return ["ok", *(f"note: {text}" for text in self.notes)]

    def report(self) -> dict[str, Any]:
        """Return the results as JSON-compatible data."""
        faults = [fault._asdict() for fault in self.faults]
        return {"ok": not faults, "faults": faults, "notes": self.notes}


def run_checks(env_file: Path | None = None, *, online: bool = False) -> Report:
    """Run all checks.

    Args:
        env_file: file with the settings; see `bot.app.settings.load`.
        online: whether Discord is asked, too.
    """
    faults = [*_python(), *_sqlite(), *_clock(), *_games(), *_fonts()]
    faults += _env(env_file or DEFAULT_FILE)
    try:
        settings = load(env_file)
    except SettingsError as error:
        faults += (Fault("settings", sentence) for sentence in error.args)
    else:
        faults += (Fault("settings", hint) for hint in settings.hints)
        checks = (_folder, _disk_space, _backups, _database) if settings.on_file else (_server,)
        for check in (_token, *checks):
            faults += check(settings)
        if online and not any(fault.check == "token" for fault in faults):
            faults += asyncio.run(_discord(settings))
    return Report(tuple(faults), tuple(_notes()))


def _env(path: Path) -> Iterator[Fault]:
    """Report an env file that every user of the machine can read."""
    if path.is_file() and path.stat().st_mode & OTHERS_BITS and _is_reachable(path):
        yield Fault("env", f"{path} is readable by every user of this machine: chmod 600 {path}")


def _is_reachable(path: Path) -> bool:
    """Return whether all folders above a file let other users of the machine in."""
    return all(folder.stat().st_mode & stat.S_IXOTH for folder in path.resolve().parents)


def _notes() -> Iterator[str]:
    yield f"Python {platform.python_version()}, SQLite {sqlite3.sqlite_version}."
    if sqlite3.sqlite_version_info < SAFE_SQLITE:
        yield (
            f"SQLite before {_version_text(SAFE_SQLITE)} can corrupt a WAL written by two "
            "connections; Starpost writes with one, so do not write to its database with other "
            "programs."
        )
    if not can_shape():
        yield (
            "FriBidi is missing, so pictures show the side of a player whose name is in Arabic, "
            "Devanagari or Thai script; install libfribidi0 (Debian) or fribidi."
        )
    if proxies := sorted(name for name in os.environ if name.lower() in PROXIES):
        yield f"{proxies[0]} is not used: the bot connects to Discord directly."


def _python() -> Iterator[Fault]:
    if sys.version_info[:2] < PYTHON:
        version, needed = platform.python_version(), _version_text(PYTHON)
        text = f"Python {version} is too old; Starpost needs {needed} or newer."
        yield Fault("python", text)


def _sqlite() -> Iterator[Fault]:
    if sqlite3.sqlite_version_info < SQLITE:
        version, needed = sqlite3.sqlite_version, _version_text(SQLITE)
        text = f"SQLite {version} is too old; Starpost needs {needed} or newer."
        yield Fault("sqlite", text)


def _clock() -> Iterator[Fault]:
    if time.time() < EARLIEST_CLOCK_TIME:
        today = time.strftime("%Y-%m-%d", time.gmtime())
        yield Fault("clock", f"The system clock says {today}, which is in the past.")


def _games() -> Iterator[Fault]:
    """Report games that are left out."""
    try_parts(packages.installed())
    nothing: Any = None  # building the commands uses no service
    try_commands(nothing, partial(all_commands, nothing))
    for fault in packages.faults():
        text = f"{fault.name} of {fault.distribution} is left out: {fault.reason}."
        yield Fault("games", text)


def _fonts() -> Iterator[Fault]:
    """Draw the beginning of each game."""
    for game in map(games.get, games.names()):
        view = game.view(game.start(game.rules[0], {}))
        try:
            for_game(game.name).picture(view, game.sides)
        except Exception as error:  # noqa: BLE001 - other people's code may raise anything
            yield Fault("fonts", f"{game.title} cannot be drawn: {error}")


def _token(settings: Settings) -> Iterator[Fault]:
    try:
        invite.application_id(settings.token())
    except SettingsError as error:
        yield Fault("token", str(error))


def _folder(settings: Settings) -> Iterator[Fault]:
    database = settings.database_file.absolute()
    folder = database.parent
    if not folder.is_dir():
        yield Fault("folder", f"{folder} is not a folder.")
        return
    files = [database.with_name(database.name + end) for end in ("", "-wal", "-shm", ".lock")]
    for path in (folder, *filter(Path.exists, files)):
        if not os.access(path, os.R_OK | os.W_OK):
            yield Fault("folder", f"{path} is not writable by this user.")
            return
    if text := unsafe_text(folder):
        yield Fault("folder", text)


def _disk_space(settings: Settings) -> Iterator[Fault]:
    database = settings.database_file.absolute()
    if database.parent.is_dir():
        size = database.stat().st_size if database.exists() else 0
        free = shutil.disk_usage(database.parent).free
        if free < FREE_SPACE_BYTES + size:
            text = f"{free // 2**20} MB free; {(FREE_SPACE_BYTES + size) // 2**20} MB needed."
            yield Fault("space", text)


def _backups(settings: Settings) -> Iterator[Fault]:
    """Report a folder for backups that cannot be written to, or not be made."""
    folder = settings.backup_folder
    if folder is None:
        return
    above = (folder.absolute(), *folder.absolute().parents)
    existing = next(path for path in above if path.exists())
    if not (existing.is_dir() and os.access(existing, os.W_OK)):
        reason = "is not writable" if existing == folder.absolute() else "cannot be made"
        yield Fault("backups", f"BACKUP_FOLDER: {folder} {reason}.")


async def _discord(settings: Settings) -> list[Fault]:
    """Report a token that Discord refuses, or that Discord cannot be reached."""
    from bot.app.remote import logged_in  # noqa: PLC0415 - other checks do without the client

    try:
        async with logged_in(settings.token()):
            return []
    except SettingsError as error:
        return [Fault("discord", str(error))]


def _database(settings: Settings) -> Iterator[Fault]:
    path = settings.database_file
    try:
        revisions()
        if not is_there(path):
            backups_of(settings).refuse_new_database()
            return
        with open_read_only(path) as connection:
            yield from _sqlite_file(connection, settings)
    except DatabaseError as error:
        yield Fault("database", str(error))
    except OSError as error:
        yield Fault("database", f"{path} cannot be read: {error.strerror}.")


def _sqlite_file(connection: sqlite3.Connection, settings: Settings) -> Iterator[Fault]:
    path = settings.database_file
    if broken := integrity_error(connection):
        yield Fault("integrity", f"{path} is damaged: {broken}.")
        return
    state = schema_state(connection)
    if state is SchemaState.EMPTY:
        backups_of(settings).refuse_new_database()
    yield from _schema(str(path), state, connection.execute)
    if state is SchemaState.CURRENT:
        engine = create_engine("sqlite://", creator=lambda: connection, poolclass=StaticPool)
        with engine.connect() as reader:
            reader.exec_driver_sql("BEGIN")  # all that follows sees one moment
            yield from _matches(reader)
            yield from _computers(reader, settings)


def _schema(name: str, state: SchemaState, query: Callable[[str], Any]) -> Iterator[Fault]:
    """Report a schema that is not this program's."""
    if state is SchemaState.OLDER:
        yield Fault("schema", f"{name} {OLDER}")
    if state is SchemaState.NEWER:
        yield Fault("schema", f"{name} {newer_text(query)}")


def _server(settings: Settings) -> Iterator[Fault]:
    if settings.backup_folder:
        text = "BACKUP_FOLDER: back up a PostgreSQL server with pg_dump; the bot cannot."
        yield Fault("backups", text)
    try:
        yield from asyncio.run(_server_faults(settings))
    except DatabaseError as error:
        yield Fault("database", str(error))
    except SQLAlchemyError as error:
        reason = " ".join(str(getattr(error, "orig", None) or error).split())
        yield Fault("database", f"The PostgreSQL server does not answer: {reason}")


async def _server_faults(settings: Settings) -> list[Fault]:
    database = connect(settings.database_url)
    try:
        async with database.read() as connection:
            return await connection.run_sync(lambda reader: list(_postgres(reader, settings)))
    finally:
        await database.close()


def _postgres(connection: Connection, settings: Settings) -> Iterator[Fault]:
    """Yield the problems of a PostgreSQL database."""
    number = int(connection.scalar(text_of("SHOW server_version_num")) or 0) // 10_000
    if number < POSTGRES:
        text = f"PostgreSQL {number} is too old; Starpost needs {POSTGRES} or newer."
        yield Fault("postgresql", text)
    for setting, expected in SERVER_SETTINGS.items():
        if (is_now := connection.scalar(text_of(f"SHOW {setting}"))) != expected:
            yield Fault(
                "postgresql", f"{setting} is {is_now}; matches are only safe with {expected}."
            )
    now = connection.scalar(text_of("SELECT extract(epoch FROM clock_timestamp())"))
    if abs(difference := time.time() - float(now or 0)) > SERVER_CLOCK_SKEW_SECONDS:
        yield Fault("clock", f"The system clock is {difference:+.0f} s off the database server's.")
    state = schema(connection)
    yield from _schema("The database", state, connection.exec_driver_sql)
    if state is SchemaState.CURRENT:
        yield from _matches(connection)
        yield from _computers(connection, settings)


def _matches(connection: Connection) -> Iterator[Fault]:
    """Yield the problems of the matches in a database."""
    latest = connection.scalar(select(func.max(matches.c.changed_at)))
    if latest and EARLIEST_CLOCK_TIME < time.time() < latest - CLOCK_SLACK_SECONDS:
        yield Fault("clock", "The system clock is behind the last move in the database.")
    running = (
        select(matches.c.id).where(matches.c.status == MatchStatus.RUNNING).order_by(matches.c.id)
    )
    for match_id in connection.scalars(running).all():
        if wrong := _match_fault(connection, match_id):
            yield Fault("matches", f"match {match_id}: {wrong}")


def _match_fault(connection: Connection, match_id: MatchId) -> str:
    """Return the reason that a match in progress cannot continue, or an empty string."""
    live = (actions.c.match_id == match_id) & actions.c.undone_at.is_(None)
    log = select(actions.c.line).where(live).order_by(actions.c.number)
    try:
        row = connection.execute(select(matches).where(matches.c.id == match_id)).one()
        if not games.is_installed(row.game):
            return f"it waits, because {row.game} is not installed."
        game = games.get(row.game)
        if (version := row.engine_version) != game.version:
            return f"it was started with version {version} of {game.name}; this is {game.version}."
        state = game.start(row.rules, row.options)
        for line in connection.scalars(log):
            state, _ = game.apply(state, Action.parse(line))
        agrees = game.dump(state) == row.position
    except (IllegalActionError, ValueError):  # the line itself may be a player's secret
        return "the engine rejects an action in its log."
    except STRANGE_ERRORS as error:
        return f"the rules of {row.game} fail: {type(error).__name__}."
    return "" if agrees else "its position differs from a replay of its actions."


def _computers(connection: Connection, settings: Settings) -> Iterator[Fault]:
    """Report matches that wait for the computer although it is turned off."""
    count = connection.scalar(select(func.count(computer_jobs.c.match_id.distinct())))
    if count and not settings.computer_workers:
        text = f"COMPUTER_WORKERS is 0, and matches wait for the computer: {count}. Their players"
        yield Fault("computers", f"{text} can only end them; 1 lets the computer play.")


def _version_text(version: tuple[int, ...]) -> str:
    return ".".join(map(str, version))
