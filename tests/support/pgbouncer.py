"""PgBouncer in front of a server of the tests, in transaction mode."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import mkdtemp

from sqlalchemy import make_url

from tests.support.postgres import Server, free_port, server_user

START_SECONDS = 30.0

SETTINGS = """
[databases]
* = host=127.0.0.1 port={server} user=starpost

[pgbouncer]
listen_addr = 127.0.0.1
listen_port = {port}
unix_socket_dir =
auth_type = any
pool_mode = transaction
min_pool_size = 3
default_pool_size = 30
server_round_robin = 1
"""
"""Three sessions take turns, so that hardly two transactions in a row have the same one.

Startup parameters are refused, as PgBouncer does by default.
"""


def program() -> Path | None:
    """The program; None if it is not installed."""
    path = shutil.which("pgbouncer", path=f"{os.environ['PATH']}:/usr/sbin")
    return Path(path) if path else None


@contextmanager
def pooling(server: Server) -> Iterator[int | None]:
    """Run PgBouncer in front of a server in the block; its port, or None if it is not installed."""
    path, user = program(), server_user()
    if path is None or user is None:
        yield None
        return
    folder = Path(mkdtemp(prefix="starpost-pgbouncer-"))
    port = free_port()
    settings = folder / "pgbouncer.ini"
    settings.write_text(SETTINGS.format(server=server.port, port=port))
    shutil.chown(folder, user)
    log = (folder / "log").open("w")
    running = subprocess.Popen(
        [path, settings],
        user=None if os.geteuid() else user,
        cwd=folder,
        stdout=log,
        stderr=log,
    )
    try:
        _wait(port)
        yield port
    finally:
        running.kill()
        running.wait()
        log.close()
        shutil.rmtree(folder)


def through(url: str, port: int) -> str:
    """Return the URL of a database through the pooler on this port."""
    return make_url(url).set(port=port).render_as_string(hide_password=False)


def _wait(port: int) -> None:
    """Wait until it accepts connections."""
    end = time.monotonic() + START_SECONDS
    while True:
        try:
            socket.create_connection(("127.0.0.1", port), timeout=1).close()
        except OSError:
            if time.monotonic() > end:
                raise
            time.sleep(0.05)
        else:
            return
