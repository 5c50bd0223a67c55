"""The tables of the positions of the day."""

from __future__ import annotations

from secrets import token_hex

from sqlalchemy import (
    BigInteger,
    Column,
    Float,
    ForeignKey,
    Index,
    Integer,
    String,
    Table,
    Text,
    UniqueConstraint,
)

from bot.storage.schema.metadata import ID, METADATA

daily_positions = Table(
    "daily_positions",
    METADATA,
    Column("id", ID, primary_key=True),
    Column("guild_id", BigInteger, nullable=False),
    Column("channel_id", BigInteger, nullable=False),
    Column("day", Integer, nullable=False),
    Column("position", String(16), nullable=False),
    Column("status", String(16), nullable=False),
    Column("first_attempt_at", Float, nullable=False),
    Column("closes_at", Float, nullable=False),
    Column("message_id", BigInteger),
    Column("key", Text, nullable=False, default=lambda: token_hex(8)),
    UniqueConstraint("guild_id", "channel_id", "day"),
    Index(None, "status", "closes_at"),
)
"""Positions of the day in channels; for `day` and `status` see `bot.features.daily.service`.
`position`: a key of `bot.rulebook.positions`. `message_id`: of the message, empty until it is
posted; for `key` and `first_attempt_at` see `outbox`. Deleted some time after the solution."""

daily_answers = Table(
    "daily_answers",
    METADATA,
    Column("daily_id", ID, ForeignKey("daily_positions.id", ondelete="CASCADE"), primary_key=True),
    Column("user_id", BigInteger, primary_key=True, autoincrement=False),
    Column("line", Text, nullable=False),
    Column("answered_at", Float, nullable=False),
    Index(None, "user_id"),
)
"""The answers to them, each in the notation without the actor. A secret of the user."""
