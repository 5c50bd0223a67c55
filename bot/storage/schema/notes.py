"""The tables of private notes."""

from __future__ import annotations

from sqlalchemy import BigInteger, Column, ForeignKey, Index, Table, Text

from bot.storage.schema.metadata import ID, METADATA

match_notes = Table(
    "match_notes",
    METADATA,
    Column("match_id", ID, ForeignKey("matches.id", ondelete="CASCADE"), primary_key=True),
    Column("user_id", BigInteger, primary_key=True, autoincrement=False),
    Column("text", Text, nullable=False),
    Index(None, "user_id"),
)
"""The notes of players on their matches. A secret of the user, also after the match."""

opponent_notes = Table(
    "opponent_notes",
    METADATA,
    Column("user_id", BigInteger, primary_key=True, autoincrement=False),
    Column("opponent_id", BigInteger, primary_key=True, autoincrement=False),
    Column("text", Text, nullable=False),
    Index(None, "opponent_id"),
)
"""The notes of players on their opponents. A secret of the user, above all for the opponent."""
