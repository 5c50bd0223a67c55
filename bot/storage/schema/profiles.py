"""The tables of profiles, leaderboards and roles for ranks."""

from __future__ import annotations

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    Float,
    ForeignKey,
    Index,
    Integer,
    String,
    Table,
    false,
)

from bot.storage.schema.metadata import ID, METADATA

seat_figures = Table(
    "seat_figures",
    METADATA,
    Column("match_id", ID, ForeignKey("matches.id", ondelete="CASCADE"), primary_key=True),
    Column("seat", String(1), primary_key=True),
    Column("version", Integer, nullable=False),
    Column("outcome", String(8), nullable=False),
    Column("turns", Integer, nullable=False),
    Column("seconds", Float, nullable=False),
    Column("opening", String(64), nullable=False),
    Column("analysis_version", Integer),
    Column("luck", Integer),
    Column("loss", Integer),
    Column("decisions", Integer),
    Column("level", String(16)),
)
"""A cache of what finished matches add to the profiles of their players, computed by
`bot.features.profiles.match_statistics` in this `version`. `outcome`: won, drawn or lost; empty
without a result. `seconds`: the time of the `turns`. With an analysis of `analysis_version`: the
`luck` of dice and draws, and the sum of the `loss` of the `decisions`, in parts of
`engine.computer.situation.SCALE`; `level`: the computer level that loses about as much.
A new column needs a migration, and a new `match_statistics.VERSION`, with which all are
computed again."""

leaderboard_entries = Table(
    "leaderboard_entries",
    METADATA,
    Column("guild_id", BigInteger, primary_key=True, autoincrement=False),
    Column("user_id", BigInteger, primary_key=True, autoincrement=False),
    Column("name", String(64), nullable=False),
    Column("checked_at", Float, nullable=False),
    Index(None, "user_id"),
)
"""The players who want to be listed on the leaderboards of a server. `checked_at`: when Discord
last said that they are members of it, by this `name`."""

rank_roles = Table(
    "rank_roles",
    METADATA,
    Column("guild_id", BigInteger, primary_key=True, autoincrement=False),
    Column("role_id", BigInteger, primary_key=True, autoincrement=False),
    Column("pool", String(32), nullable=False),
    Column("threshold", Integer, nullable=False),
)
"""The roles that a server gives for ranks: from the rating `threshold` on in a pool."""

rank_grants = Table(
    "rank_grants",
    METADATA,
    Column("guild_id", BigInteger, primary_key=True, autoincrement=False),
    Column("user_id", BigInteger, primary_key=True, autoincrement=False),
    Column("role_id", BigInteger, primary_key=True, autoincrement=False),
    Column("given", Boolean, nullable=False),
    Column("erased", Boolean, nullable=False, server_default=false()),
    Index(None, "user_id"),
)
"""The roles that the bot has given to members of servers, or (not `given`) is about to give.
`erased`: the user has had their data deleted, so the row goes as soon as the role is removed."""
