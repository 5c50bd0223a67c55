"""The tables of ratings."""

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

rated_results = Table(
    "rated_results",
    METADATA,
    Column("match_id", ID, ForeignKey("matches.id", ondelete="CASCADE"), primary_key=True),
    Column("seat", String(1), primary_key=True),
    Column("number", Integer, nullable=False),
    Column("pool", String(32), nullable=False),
    Column("user_id", BigInteger, nullable=False),
    Column("rank", Integer, nullable=False),
    Column("out_of_time", Boolean, nullable=False, server_default=false()),
    Column("ended_at", Float, nullable=False),
    Column("mu", Float, nullable=False),
    Column("sigma", Float, nullable=False),
    Column("anchor", String(32)),
    Index(None, "number"),
    Index(None, "user_id", "pool", "number"),
    Index(None, "user_id", "ended_at"),
)
"""The results that determine ratings, in the order of `number`: a row for each seat of a match, or
of the last one of a series. `user_id`: see `seats`, but each deleted player has a separate one.
For `rank` see `bot.domain.ratings.Entrant`. `mu`, `sigma`: a cache of its rating after the result.
`anchor`: name and version of a computer player, whose rating never changes, e.g. `admiral/1`; NULL
for people."""
