"""The tables of matches: seats, actions, plans, clocks, timers, computer jobs and analyses."""

from __future__ import annotations

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
    String,
    Table,
    Text,
    UniqueConstraint,
    false,
    text,
)

from bot.storage.schema.metadata import ID, METADATA

_WAITING = text("result IS NULL")
"""Analyses to be made: the few of many that an index finds."""

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
    Index(None, "guild_id", "status", "changed_at"),
    Index(None, "challenger_id", "status"),
)
"""`status`: challenge, running, finished, or closed (declined, withdrawn, expired). `version`
rises with each change; `decisions`: seat → version at which its pending decision appeared;
`chance_count`: number of chance events. `parent_channel_id`: the parent channel if `channel_id` is
a thread, else NULL. `clock`: see `bot.domain.clocks`. `parent_id`: the previous match, of
which this one is the rematch or the next in a series of `rounds`.

`commitment`: the hash of the seed as published, never computed again; `committed_at`: when it was
stored, empty if at an upgrade. `seat_order`: the seats in the order in which their players joined,
as in the salt; `seats_to_draw`: those to draw from the seed when the match begins. Both are empty
in matches of earlier versions.

`lines_taken_over`: number of the first actions that were taken over from another match, after which
this one begins; `parent_id` is then that match, or NULL if they come from a record.

`rated`: whether its result changes ratings, or why it did not; see `bot.domain.models.Rated`."""

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
    Column("ended_at", Float),
    Column("days_off", String(48)),
    Index(None, "user_id", "match_id"),
    Index(None, "user_id", "ended_at", "match_id"),
)
"""`user_id` is 0 while the seat is open, -1 for a deleted player, -2 for the computer. `level`:
that of the computer, where it decides: in its own seats, and in those of people for whom it stands
in. `joinable`: whether another player may take over its seat. `agreed_by`: the seats whose players
agree that it stands in for this one. `joined_at`: when the player accepted. With a clock:
`seconds_left` is the remaining time when this seat's clock was last started, at
`clock_started_at`; the clock is stopped while that is empty. With no time left, `clock_started_at`
is when it ran out, if known. `reminders`: how often the player was reminded of the decision with
the version `reminded_at`. `ended_at`: when the match was finished or closed, so that a user's
others are found without reading these. `days_off`: the days of the week on which the clock does not
run, and the time zone, see `bot.domain.days_off`; chosen when the match begins, and deleted at its
end."""

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
    sqlite_with_rowid=False,  # half of a file are these rows, and so it needs no index beside them
)
"""`undone_at`: when it was taken back; such a line no longer counts. `chosen_by`: name and version
of the computer player that chose it, e.g. `admiral/1`; NULL for people and dice. `automatic`: why
the bot made it for a player, `plan` or `forced`; NULL for all others. That it was a plan is a
secret of its player until the match is over; see `bot.services.automatic_moves`."""

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

written_plans = Table(
    "written_plans",
    METADATA,
    Column("match_id", ID, ForeignKey("matches.id", ondelete="CASCADE"), primary_key=True),
    Column("user_id", BigInteger, primary_key=True, autoincrement=False),
    Column("orders", Text, nullable=False),
    Column("orders_left", Text, nullable=False, server_default=""),
    Column("published_at", Float),
    Index(None, "user_id"),
)
"""Plans as their players last wrote them, also after the match. `orders`: all of them, as in
`plans`; `orders_left`: for each order that was carried out, how many were left then. A secret of
the user until `published_at`, when the user has let all read it; see
`bot.features.published_plans`."""

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
`bot.services.computer_jobs`. `worker_id`: the process that holds the lease until
`lease_expires_at`."""

analyses = Table(
    "analyses",
    METADATA,
    Column("match_id", ID, ForeignKey("matches.id", ondelete="CASCADE"), primary_key=True),
    Column("version", Integer, nullable=False),
    Column("requested_at", Float, nullable=False),
    Column("attempts", Integer, nullable=False),
    Column("result", Text),
    Index(
        None,
        "version",
        "attempts",
        "requested_at",
        # Its migration gives PostgreSQL the same; `postgresql_where` would import that dialect.
        sqlite_where=_WAITING,
    ),
)
"""Analyses of finished matches, see `bot.features.analyses.service`. `version`: of the judgements.
`result`: as JSON; without it, the analysis waits to be made."""
