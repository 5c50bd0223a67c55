"""The tables of cups."""

from __future__ import annotations

from secrets import token_hex

from sqlalchemy import (
    JSON,
    BigInteger,
    Boolean,
    Column,
    Float,
    ForeignKey,
    Index,
    Integer,
    String,
    Table,
    Text,
    UniqueConstraint,
    false,
)

from bot.storage.schema.metadata import ID, METADATA

leagues = Table(
    "leagues",
    METADATA,
    Column("id", ID, primary_key=True),
    Column("guild_id", BigInteger, nullable=False),
    Column("name", String(64), nullable=False),
    Column("divisions", Integer, nullable=False),
    Column("season", Integer, nullable=False),
    Column("first_at", Float),
    Column("opens_at", Float),
    Index(None, "opens_at"),
)
"""Cups that repeat each month, in at most `divisions` groups. `season`: number of the latest one.
`first_at`: when the first one started; the months count from then. `opens_at`: when the sign-up
for the next one opens; NULL while it is open, and after the last season."""

cups = Table(
    "cups",
    METADATA,
    Column("id", ID, primary_key=True),
    Column("guild_id", BigInteger, nullable=False),
    Column("channel_id", BigInteger, nullable=False),
    Column("parent_channel_id", BigInteger),
    Column("organiser_id", BigInteger, nullable=False),
    Column("name", String(64), nullable=False),
    Column("game", String(32), nullable=False),
    Column("rules", String(32), nullable=False),
    Column("options", JSON, nullable=False),
    Column("clock", String(16), nullable=False),
    Column("rounds", Integer, nullable=False),
    Column("rated", Boolean, nullable=False, server_default=false()),
    Column("format", String(16), nullable=False),
    Column("max_open", Integer, nullable=False),
    Column("status", String(16), nullable=False),
    Column("seed", String(32), nullable=False),
    Column("version", Integer, nullable=False),
    Column("created_at", Float, nullable=False),
    Column("starts_at", Float),
    Column("ends_at", Float),
    Column("started_at", Float),
    Column("ended_at", Float),
    Column("key", Text, nullable=False, default=lambda: token_hex(8)),
    Column("message_id", BigInteger),
    Column("shown_version", Integer, nullable=False),
    Column("announced", Integer, nullable=False),
    Column("league_id", ID),
    Column("season", Integer, nullable=False, server_default="0"),
    Column("division", Integer, nullable=False, server_default="0"),
    Index(None, "guild_id", "status"),
    Index(None, "status"),
    Index(None, "organiser_id"),
    Index(None, "league_id", "season"),
)
"""Cups of servers; for `status` and `format` see `rows` and `formats` in `bot.features.cups`. The
matches have the `game`, `rules`, `options`, `clock` and series of `rounds` of the cup. `max_open`:
open matches of a player at the same time. `seed`: of all random draws. `version` rises with each
change that the post shows; `shown_version`: the one that it shows. `starts_at`, `ends_at`: the
dates chosen by the organiser. `key`, `message_id`: see `daily_positions`. `announced`: number of
announcements that are posted. `league_id`: of a cup that repeats, with the numbers of its season
and of its group, which is 1 for the best."""

cup_entrants = Table(
    "cup_entrants",
    METADATA,
    Column("cup_id", ID, ForeignKey("cups.id", ondelete="CASCADE"), primary_key=True),
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("user_id", BigInteger, nullable=False),
    Column("name", String(64), nullable=False),
    Column("joined_by", BigInteger, nullable=False),
    Column("withdrawn_at", Float),
    Column("substitute_id", BigInteger),
    Column("checked_at", Float, nullable=False, server_default="0"),
    Column("has_left", Boolean, nullable=False, server_default=false()),
    Column("place", Integer),
    Index(None, "user_id"),
    Index(None, "substitute_id"),
    Index(None, "checked_at"),
)
"""Their players: in the order of joining, and from the start of the cup by their randomly drawn
`number`. `user_id`: see `seats`. `joined_by`: the interaction that agreed to all matches, part of
their salt; 0 while a player of the last season has not confirmed to play in the next one.
`substitute_id`: a user who may take over the place, until they do.
`has_left`: whether Discord has said at `checked_at` that the player is no member of the server.
`place`: in the final standings of a cup that repeats."""

cup_pairings = Table(
    "cup_pairings",
    METADATA,
    Column("id", ID, primary_key=True),
    Column("cup_id", ID, ForeignKey("cups.id", ondelete="CASCADE"), nullable=False),
    Column("round", Integer, nullable=False),
    Column("place", Integer, nullable=False),
    Column("numbers", String(16), nullable=False),
    Column("seated", String(16), nullable=False, server_default=""),
    Column("match_id", ID, ForeignKey("matches.id", ondelete="SET NULL")),
    Column("replays", Integer, nullable=False),
    Column("status", String(16), nullable=False),
    Column("winners", String(16), nullable=False, server_default=""),
    Column("forfeits", String(16), nullable=False, server_default=""),
    Column("reason", String(16)),
    Column("ended_at", Float),
    UniqueConstraint("cup_id", "round", "place"),
    Index(None, "match_id"),
)
"""Who meets whom: a row for each pairing of the whole cup. `numbers`, `seated`, `winners`,
`forfeits`: numbers of players with commas between them; `numbers` is incomplete until both players
of a knockout are known, and `seated` are those who play `match_id`, the latest match of the
pairing, in the order of its seats. `replays`: number of drawn matches that were played again.
`reason`: see `bot.features.cups.standings`."""
