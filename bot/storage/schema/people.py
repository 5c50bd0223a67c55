"""The tables of players and of servers."""

from __future__ import annotations

from sqlalchemy import JSON, BigInteger, Boolean, Column, Float, Index, String, Table

from bot.storage.schema.metadata import METADATA

players = Table(
    "players",
    METADATA,
    Column("user_id", BigInteger, primary_key=True, autoincrement=False),
    Column("preferences", JSON, nullable=False),
)

absences = Table(
    "absences",
    METADATA,
    Column("user_id", BigInteger, primary_key=True, autoincrement=False),
    Column("ends_at", Float, nullable=False),
    Column("started_at", Float, nullable=False, server_default="0"),
    Column("stand_in", String(16)),
    Index(None, "ends_at"),
)
"""Players who are away, since `started_at`; the clocks of their seats are stopped. `stand_in`: the
level at which the computer may stand in for them, if the other players agree."""

vacations = Table(
    "vacations",
    METADATA,
    Column("user_id", BigInteger, primary_key=True, autoincrement=False),
    Column("started_at", Float, primary_key=True),
    Column("seconds", Float, nullable=False),
)
"""`seconds` that a player was away in absences that began within a day of `started_at`: these
count against the allowance, and are deleted after a year."""

guilds = Table(
    "guilds",
    METADATA,
    Column("guild_id", BigInteger, primary_key=True, autoincrement=False),
    Column("settings", JSON, nullable=False),
    Column("daily_due_at", Float),
    Column("ranks_due_at", Float),
    Index(None, "daily_due_at"),
    Index(None, "ranks_due_at"),
)
"""`daily_due_at`: when the next position of the day is due; NULL if the server has switched that
off. `ranks_due_at`: when its roles for ranks are to be updated."""

halls = Table(
    "halls",
    METADATA,
    Column("guild_id", BigInteger, primary_key=True, autoincrement=False),
    Column("is_forum", Boolean, nullable=False),
    Column("posted_in", BigInteger),
    Column("list_channel_id", BigInteger),
    Column("list_message_id", BigInteger),
    Column("called_at", Float),
    Column("call_channel_id", BigInteger),
    Column("call_message_id", BigInteger),
)
"""The halls of servers: the list of open seats and matches in progress, posted in the channel or
forum `posted_in`, and the last ping of the role, at `called_at`. The chosen channel and role are in
the settings of the server; if it has chosen none, the row is deleted once the list is."""
