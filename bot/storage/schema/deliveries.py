"""The tables of interactions and of messages on Discord."""

from __future__ import annotations

from secrets import token_hex

from sqlalchemy import (
    JSON,
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

interactions = Table(
    "interactions",
    METADATA,
    Column("id", BigInteger, primary_key=True, autoincrement=False),
    Column("result", JSON, nullable=False),
    Column("received_at", Float, nullable=False),
)
"""The outcome of each interaction: a repeated delivery gets the same answer. Discord's ids rise
with time, so the key finds the old ones, which are deleted (`bot.features.privacy.retention`)."""

outbox = Table(
    "outbox",
    METADATA,
    Column("id", ID, primary_key=True),
    Column("match_id", ID, ForeignKey("matches.id", ondelete="CASCADE"), nullable=False),
    Column("target", String(64), nullable=False),
    Column("kind", String(32), nullable=False),
    Column("payload", JSON, nullable=False),
    Column("status", String(16), nullable=False),
    Column("attempts", Integer, nullable=False),
    Column("next_attempt_at", Float, nullable=False),
    Column("lease_expires_at", Float),
    Column("worker_id", String(64)),
    Column("first_attempt_at", Float),
    Column("error", Text),
    Column("key", Text, nullable=False, default=lambda: token_hex(8)),
    Column("errors", Integer, nullable=False, default=0),
    Column("priority", Integer, nullable=False, server_default="0"),
    Index(None, "status", "priority", "next_attempt_at", "id"),
    Index(None, "match_id", "target"),
    Index(None, "target"),
)
"""Messages to deliver; a delivered one is deleted. For `target`, `kind`, `payload` and `status` see
`bot.domain.outbox`; order is kept within a match and target. `worker_id`: the process that holds
the lease until `lease_expires_at`. `first_attempt_at`: start of the first attempt with unknown
outcome. `key`: random name of the delivery (ids are reused on SQLite and in restored backups).
`errors`: number of attempts that ended in a bug. `priority`: 0 for what players wait for, 1 for the
rest, which is sent later if not everything can be sent at once."""

posted_messages = Table(
    "posted_messages",
    METADATA,
    Column("id", ID, primary_key=True),
    Column("match_id", ID, ForeignKey("matches.id", ondelete="CASCADE"), nullable=False),
    Column("kind", String(32), nullable=False),
    Column("channel_id", BigInteger, nullable=False),
    Column("message_id", BigInteger),
    Column("action_count", Integer, nullable=False),
    Column("user_id", BigInteger, nullable=False, server_default="0"),
    UniqueConstraint("match_id", "kind", "user_id"),
    Index(None, "user_id"),
)
"""Messages on Discord that are kept up to date: the challenge of a match (`challenge`), its latest
board (`board`), which shows the position after `action_count` actions, the latest message that
pinged players (`ping`), for decisions up to the version `action_count`, the first message of its
post in a forum (`post`), where `action_count` is a `bot.domain.models.Stage`, and questions that
have not been answered (`bot.domain.outbox.QUESTIONS`), asked at the version `action_count`.
`user_id` is 0 for a message in a channel, else the recipient of a copy by DM."""
