"""The tables for the installation as a whole."""

from __future__ import annotations

from sqlalchemy import BigInteger, Column, Float, String, Table, Text

from bot.storage.schema.metadata import METADATA

facts = Table(
    "facts",
    METADATA,
    Column("name", String(64), primary_key=True),
    Column("value", Text, nullable=False),
)
"""Facts about the installation, e.g. the commands registered with Discord."""

erasures = Table(
    "erasures",
    METADATA,
    Column("number", BigInteger, primary_key=True, autoincrement=False),
    Column("digest", String(64), nullable=False),
)
"""On a server: users whose data was deleted, see `bot.storage.erasure_list`. Beside a database file
there is a file instead."""

leases = Table(
    "leases",
    METADATA,
    Column("name", String(64), primary_key=True),
    Column("worker_id", String(64), nullable=False),
    Column("token", BigInteger, nullable=False),
    Column("expires_at", Float, nullable=False),
)
"""Leases for work that one process does for all. `token` rises with each holder, whose writes are
only valid while the token is its own. See `bot.storage.leases`."""
