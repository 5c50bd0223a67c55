"""The tables. The log of actions is authoritative; a stored position is a cache of it.

Times are UTC seconds since 1970. `outbox` holds no secrets: a row names the content and the
receiver, and the view is created when it is sent.
"""

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
    LargeBinary,
    MetaData,
    String,
    Table,
    Text,
    UniqueConstraint,
    false,
)

METADATA = MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "fk": "fk_%(table_name)s_%(column_0_name)s",
        "pk": "pk_%(table_name)s",
    }
)

ID = BigInteger().with_variant(Integer, "sqlite")
"""SQLite numbers rows by itself only in a column of exactly this type."""

matches = Table(
    "matches",
    METADATA,
    Column("id", ID, primary_key=True),
    Column("game", String(32), nullable=False),
    Column("engine_version", Integer, nullable=False),
    Column("rules", String(32), nullable=False),
    Column("options", JSON, nullable=False),
    Column("status", String(16), nullable=False),
    Column("version", Integer, nullable=False),
    Column("position", Text),
    Column("decisions", JSON, nullable=False),
    Column("chance_count", Integer, nullable=False),
    Column("seed", LargeBinary(32), nullable=False),
    Column("salt", Text, nullable=False),
    Column("commitment", String(80)),
    Column("committed_at", Float),
    Column("seat_order", String(8)),
    Column("seats_to_draw", String(8)),
    Column("challenger_id", BigInteger, nullable=False),
    Column("guild_id", BigInteger),
    Column("channel_id", BigInteger, nullable=False),
    Column("parent_channel_id", BigInteger),
    Column("clock", String(16), nullable=False),
    Column("parent_id", ID),
    Column("round", Integer, nullable=False),
    Column("rounds", Integer, nullable=False),
    Column("created_at", Float, nullable=False),
    Column("expires_at", Float),
    Column("changed_at", Float, nullable=False),
    Column("lines_taken_over", Integer, nullable=False, server_default="0"),
    Column("rated", String(16), nullable=False, server_default="casual"),
    Index(None, "status"),
    Index(None, "parent_id"),
    Index(None, "guild_id"),
)
"""`status`: challenge, running, finished, or closed (declined, withdrawn, expired). `version`
rises with each change; `decisions`: seat → version at which its pending decision appeared;
`chance_count`: number of chance events. `parent_channel_id`: the parent channel if `channel_id` is
a thread, else NULL. `clock`: see `bot.services.time_controls`. `parent_id`: the previous match, of
which this one is the rematch or the next in a series of `rounds`.

`commitment`: the hash of the seed as published, never computed again; `committed_at`: when it was
stored, empty if at an upgrade. `seat_order`: the seats in the order in which their players joined,
as in the salt; `seats_to_draw`: those to draw from the seed when the match begins. Both are empty
in matches of earlier versions.

`lines_taken_over`: number of the first actions that were taken over from another match, after which
this one begins; `parent_id` is then that match, or NULL if they come from a record.

`rated`: whether its result changes ratings, or why it did not; see `bot.services.models.Rated`."""

seats = Table(
    "seats",
    METADATA,
    Column("match_id", ID, ForeignKey("matches.id", ondelete="CASCADE"), primary_key=True),
    Column("seat", String(1), primary_key=True),
    Column("user_id", BigInteger, nullable=False),
    Column("name", String(64), nullable=False),
    Column("joined_at", Float),
    Column("seconds_left", Float),
    Column("clock_started_at", Float),
    Column("level", String(16)),
    Column("joinable", Boolean, nullable=False, server_default=false()),
    Column("agreed_by", String(8), nullable=False, server_default=""),
    Column("reminded_at", Integer),
    Column("reminders", Integer, nullable=False, server_default="0"),
    Index(None, "user_id"),
)
"""`user_id` is 0 while the seat is open, -1 for a deleted player, -2 for the computer. `level`:
that of the computer, where it decides: in its own seats, and in those of people for whom it stands
in. `joinable`: whether another player may take over its seat. `agreed_by`: the seats whose players
agree that it stands in for this one. `joined_at`: when the player accepted. With a clock:
`seconds_left` is the remaining time when this seat's clock was last started, at
`clock_started_at`; the clock is stopped while that is empty. With no time left, `clock_started_at`
is when it ran out, if known. `reminders`: how often the player was reminded of the decision with
the version `reminded_at`."""

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
    Index(None, "user_id", "pool", "number"),
)
"""The results from which ratings follow, in the order of `number`: a row for each seat of a match,
or of the last one of a series. `user_id`: see `seats`, but each deleted player has an own one. For
`rank` see `bot.services.ratings.Entrant`. `mu`, `sigma`: a cache of its rating after the result."""

actions = Table(
    "actions",
    METADATA,
    Column("match_id", ID, ForeignKey("matches.id", ondelete="CASCADE"), primary_key=True),
    Column("number", Integer, primary_key=True),
    Column("line", Text, nullable=False),
    Column("made_at", Float, nullable=False),
    Column("undone_at", Float),
    Column("chosen_by", String(32)),
    Column("automatic", String(8)),
)
"""`undone_at`: when it was taken back; such a line no longer counts. `chosen_by`: name and version
of the computer player that chose it, e.g. `admiral/1`; NULL for people and dice. `automatic`: why
the bot made it for a player, `plan` or `forced`; NULL for all others. Only its player may know."""

plans = Table(
    "plans",
    METADATA,
    Column("match_id", ID, ForeignKey("matches.id", ondelete="CASCADE"), primary_key=True),
    Column("seat", String(1), primary_key=True),
    Column("orders", Text, nullable=False),
    Column("version", Integer, nullable=False),
    Column("turn", Integer, nullable=False, server_default="0"),
    Column("stopped", String(16)),
    Column("stopped_at", Integer),
    Column("changed_at", Float, nullable=False),
)
"""What players have decided in advance: `orders`, one a line, see `engine.plans`, also for `turn`.
`version` rises with each change. `stopped`: why the plan no longer fires, since the match's version
`stopped_at`; see `bot.services.plans`. A secret of the seat's player; deleted with the last order
and at the end of the match."""

earlier_clocks = Table(
    "earlier_clocks",
    METADATA,
    Column("match_id", ID, ForeignKey("matches.id", ondelete="CASCADE"), primary_key=True),
    Column("action_number", Integer, primary_key=True),
    Column("seat", String(1), primary_key=True),
    Column("seconds_left", Float),
    Column("clock_started_at", Float),
    Column("was_pending", Boolean, nullable=False),
)
"""The previous values of the clocks that action `action_number` stopped or started, for a
takeback; for the times see `seats`. `was_pending`: whether the seat had to decide then. Rows are
deleted once nothing before them can be taken back, and at the end of the match."""

interactions = Table(
    "interactions",
    METADATA,
    Column("id", BigInteger, primary_key=True, autoincrement=False),
    Column("result", JSON, nullable=False),
    Column("received_at", Float, nullable=False),
)
"""The outcome of each interaction: a repeated delivery gets the same answer. Discord's ids rise
with time, so the key finds the old ones, which are deleted (`bot.services.retention`)."""

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
`bot.services.outbox`; order is kept within a match and target. `worker_id`: the process that holds
the lease until `lease_expires_at`. `first_attempt_at`: start of the first attempt with unknown
outcome. `key`: random name of the delivery (ids are reused on SQLite and in restored backups).
`errors`: number of attempts that ended in a bug. `priority`: 0 for what players wait for, 1 for the
rest, which is sent later if not everything can be sent at once."""

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
    Index(None, "daily_due_at"),
)
"""`daily_due_at`: when the next position of the day is due; NULL if the server has switched that
off."""

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
"""The halls of servers: the list of open seats and running matches, posted in the channel or forum
`posted_in`, and the last call of the role, at `called_at`. The chosen channel and role are in the
settings of the server; if it has chosen none, the row is deleted once the list is."""

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
"""Positions of the day in channels; for `day` and `status` see `bot.services.daily`. `position`: a
key of `bot.rulebook.positions`. `message_id`: of the message, empty until it is posted; for `key`
and `first_attempt_at` see `outbox`. Deleted some time after the solution."""

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
)
"""Messages on Discord that are kept up to date: the challenge of a match (`challenge`), its latest
board (`board`), which shows the position after `action_count` actions, the latest message that
pinged players (`ping`), for decisions up to the version `action_count`, and the first message of
its post in a forum (`post`), where `action_count` is a `bot.services.models.Stage`. `user_id` is 0
for a message in a channel, else the receiver of a copy by DM."""

timers = Table(
    "timers",
    METADATA,
    Column("id", ID, primary_key=True),
    Column("match_id", ID, ForeignKey("matches.id", ondelete="CASCADE"), nullable=False),
    Column("seat", String(1), nullable=False),
    Column("kind", String(32), nullable=False),
    Column("version", Integer, nullable=False),
    Column("due_at", Float, nullable=False),
    Column("errors", Integer),
    Index(None, "due_at"),
    Index(None, "match_id"),
)
"""Set for a match version or a seat's decision: firing at another one does nothing.
`errors`: number of attempts to fire it that ended in a bug."""

computer_jobs = Table(
    "computer_jobs",
    METADATA,
    Column("id", ID, primary_key=True),
    Column("match_id", ID, ForeignKey("matches.id", ondelete="CASCADE"), nullable=False),
    Column("seat", String(1), nullable=False),
    Column("version", Integer, nullable=False),
    Column("queued_at", Float, nullable=False),
    Column("attempts", Integer, nullable=False),
    Column("lease_expires_at", Float),
    Column("worker_id", String(64)),
    UniqueConstraint("match_id", "seat"),
)
"""Turns that the computer has to play, queued at this `version` of the match; see
`bot.services.computer`. `worker_id`: the process that holds the lease until `lease_expires_at`."""

analyses = Table(
    "analyses",
    METADATA,
    Column("match_id", ID, ForeignKey("matches.id", ondelete="CASCADE"), primary_key=True),
    Column("version", Integer, nullable=False),
    Column("requested_at", Float, nullable=False),
    Column("attempts", Integer, nullable=False),
    Column("result", Text),
)
"""Analyses of finished matches, see `bot.services.analyses`. `version`: of the judgements.
`result`: as JSON; without it, the analysis waits to be made."""

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
