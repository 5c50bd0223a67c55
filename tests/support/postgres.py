"""A PostgreSQL server of the tests' own: on a free port, as an ordinary user, gone after them."""

from __future__ import annotations

import asyncio
import os
import pwd
import shutil
import socket
import subprocess
import threading
from collections.abc import Coroutine, Iterator, Sequence
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from tempfile import mkdtemp
from typing import Any, Self
from unittest.mock import patch

import asyncpg  # type: ignore[import-untyped]
from sqlalchemy import make_url

from bot.storage.factory import connect
from bot.storage.migrate import upgrade

TEMPLATE = "template_starpost"

FAST = ("fsync=off", "full_page_writes=off", "autovacuum=off", "max_connections=200")
"""Nothing here has to outlive the machine."""

DURABLE = ("max_connections=200",)
"""Settings of a server whose times are measured: a commit waits for its disk."""


MEMORY = Path("/dev/shm")  # noqa: S108 - a folder of its own is made in it
MEMORY_BYTES = 4 * 2**30
"""A file system in memory, and the free space there that a server's files need.

On a disk, the 300 files of a database took three quarters of the time of a new one.
"""

LONG_WAITS = {"CONNECTION_WAIT_SECONDS": 60.0, "ROW_LOCK_WAIT_SECONDS": 60.0}
"""Waits in seconds for other transactions on a busy machine; those of a click are too short."""


@contextmanager
def long_waits() -> Iterator[None]:
    """Databases that are connected to inside wait as long as `LONG_WAITS` says."""
    with patch.dict("bot.storage.postgres.__dict__", LONG_WAITS):
        yield


def programs() -> Path | None:
    """The folder of PostgreSQL's programs, as Debian or PATH have it; None if it is not there."""
    debian = sorted(Path("/usr/lib/postgresql").glob("*/bin/postgres"))
    program = shutil.which("postgres") or (debian[-1] if debian else None)
    return Path(program).parent if program else None


class Outside:
    """A look into a database from outside, by a thread of its own: it can be used anywhere."""

    def __init__(self, url: str) -> None:
        self._url = make_url(url).set(drivername="postgresql").render_as_string(False)
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._thread.start()
        self._connection: Any = self._do(asyncpg.connect(self._url))

    def _do(self, work: Coroutine[Any, Any, Any]) -> Any:
        return asyncio.run_coroutine_threadsafe(work, self._loop).result()

    def rows(self, query: str, *values: object) -> list[Any]:
        """The rows of a query; `?` stands for a value."""
        numbers = count(1)
        parts = query.split("?")
        query = parts[0] + "".join(f"${next(numbers)}{part}" for part in parts[1:])
        return [tuple(row) for row in self._do(self._connection.fetch(query, *values))]

    def execute(self, statements: str) -> None:
        """Run statements that give nothing."""
        self._do(self._connection.execute(statements))

    def close(self) -> None:
        """Look away."""
        self._do(self._connection.close())
        self._do(asyncio.sleep(0))  # the transport closes in the loop's next round
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class Server:
    """The server; it can be stopped and started again.

    Args:
        programs: where PostgreSQL's programs are.
        folder: for its data; it belongs to `user`.
    """

    def __init__(
        self, programs: Path, folder: Path, user: str, settings: Sequence[str] = FAST
    ) -> None:
        self._programs = programs
        self._settings = settings
        self._data = folder / "data"
        self._user = user
        self._names = count(1)
        self._admin: Outside | None = None
        self.port = free_port()

    def prepare(self) -> None:
        """Make its files, start it, and make the template that all databases are copied from."""
        command: list[Any] = ["initdb", "--no-sync", "--auth=trust", "--encoding=UTF8"]
        command += ["--locale=C", "--username=starpost", "--pgdata", self._data]
        self._as_user(command)
        self.start()
        self._execute(f"CREATE DATABASE {TEMPLATE}")
        asyncio.run(_migrate(self.url(TEMPLATE)))

    def start(self) -> None:
        """Start it, and wait until it answers."""
        options = f"-p {self.port} -k '' -c listen_addresses=127.0.0.1"
        options += "".join(f" -c {setting}" for setting in self._settings)
        log = self._data / "server.log"
        self._as_user(["pg_ctl", "start", "-w", "-D", self._data, "-l", log, "-o", options])

    def stop(self) -> None:
        """Stop it, in spite of open connections."""
        if self._admin:
            self._admin.close()
            self._admin = None
        self._as_user(["pg_ctl", "stop", "-m", "fast", "-D", self._data])

    def url(self, name: str) -> str:
        """The address of a database."""
        return f"postgresql+asyncpg://starpost@127.0.0.1:{self.port}/{name}"

    @contextmanager
    def database(self, template: str = TEMPLATE) -> Iterator[str]:
        """The address of a new database, which is gone afterwards."""
        name = f"test_{next(self._names)}"
        self._execute(f"CREATE DATABASE {name} TEMPLATE {template} STRATEGY FILE_COPY")
        try:
            yield self.url(name)
        finally:
            self._execute(f"DROP DATABASE {name} WITH (FORCE)")

    def _execute(self, statement: str) -> None:
        self._admin = self._admin or Outside(self.url("postgres"))
        self._admin.execute(statement)

    def _as_user(self, command: list[Any]) -> None:
        command[0] = self._programs / command[0]
        user = None if os.geteuid() else self._user
        folder, nothing = self._data.parent, subprocess.DEVNULL
        subprocess.run(command, check=True, user=user, cwd=folder, stdout=nothing, stderr=nothing)


@contextmanager
def served(settings: Sequence[str] = FAST) -> Iterator[Server | None]:
    """A server while the block lasts; None where PostgreSQL is not installed.

    Args:
        settings: of the server; its files are on a disk unless they are `FAST`.
    """
    binaries = programs()
    user = server_user()
    if binaries is None or user is None:
        yield None
        return
    # asyncpg drops the future of a TLS request that is cancelled, and asyncio logs it as an error
    os.environ["PGSSLMODE"] = "disable"
    folder = Path(mkdtemp(prefix="starpost-pg-", dir=_place() if settings is FAST else None))
    shutil.chown(folder, user)
    server = Server(binaries, folder, user, settings)
    try:
        server.prepare()
        yield server
    finally:
        server.stop()
        shutil.rmtree(folder)


def _place() -> Path | None:
    """Return the folder for the files, in memory if they fit; None for the usual one."""
    fits = MEMORY.is_dir() and shutil.disk_usage(MEMORY).free > MEMORY_BYTES
    return MEMORY if fits else None


def server_user() -> str | None:
    """Whose server it is: PostgreSQL refuses to run as root."""
    names = {entry.pw_name for entry in pwd.getpwall()}
    user_name = pwd.getpwuid(os.geteuid()).pw_name
    return (
        user_name if os.geteuid() else next((n for n in ("postgres", "nobody") if n in names), None)
    )


def free_port() -> int:
    """Return a free port of this machine."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


async def _migrate(url: str) -> None:
    database = connect(url)
    await upgrade(database)
    await database.close()
