"""Rename tables, columns and stored values after their content.

Revision: 0006, after 0005
"""

from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None

ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")

KINDS = {
    "challenge": "post_challenge",
    "answered": "update_challenge",
    "thread": "start_thread",
    "turn": "post_board",
    "refresh": "edit_board",
    "mend": "ensure_board",
    "end": "post_result",
    "plea": "takeback_request",
    "hand": "private_hand",
    "nudge": "turn_dm",
}
STATUSES = {"waiting": "waiting", "dead": "failed"}
FIELDS = {"lines": "action_count"}

COLUMNS = {
    "matches": {
        "rolled": "chance_count",
        "committed": "committed_at",
        "created": "created_at",
        "expires": "expires_at",
        "changed": "changed_at",
    },
    "seats": {"joined": "joined_at"},
    "actions": {"at": "made_at", "undone": "undone_at"},
    "interactions": {"at": "received_at"},
    "timers": {"due": "due_at"},
}

POSTED = """
INSERT INTO posted_messages (match_id, kind, channel_id, message_id, action_count, user_id)
SELECT match_id, kind, channel_id, message_id, shown, user_id FROM surfaces ORDER BY id
"""


def upgrade() -> None:
    """Upgrade the schema; each renamed table or column adds its operations here."""
    _rename_posted_messages()
    _rename_outbox()
    _rename_columns()


def _rename_posted_messages() -> None:
    op.create_table(
        "posted_messages",
        sa.Column("id", ID, nullable=False),
        sa.Column("match_id", ID, nullable=False),
        sa.Column("kind", sa.String(32), nullable=False),
        sa.Column("channel_id", sa.BigInteger(), nullable=False),
        sa.Column("message_id", sa.BigInteger()),
        sa.Column("action_count", sa.Integer(), nullable=False),
        sa.Column("user_id", sa.BigInteger(), nullable=False, server_default="0"),
        sa.ForeignKeyConstraint(
            ["match_id"],
            ["matches.id"],
            name=op.f("fk_posted_messages_match_id"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_posted_messages")),
        sa.UniqueConstraint(
            "match_id", "kind", "user_id", name=op.f("uq_posted_messages_match_id_kind_user_id")
        ),
    )
    op.execute(POSTED)
    op.drop_table("surfaces")


def _rename_columns() -> None:
    op.drop_index("ix_timers_due", "timers")
    for table, names in COLUMNS.items():
        for earlier, name in names.items():
            op.alter_column(table, earlier, new_column_name=name)
    op.create_index("ix_timers_due_at", "timers", ["due_at"])


def _rename_outbox() -> None:
    """Recreate the outbox, which holds only undelivered messages."""
    earlier = sa.table(
        "outbox",
        *map(sa.column, ("id", "match_id", "target", "kind", "state", "attempts", "due")),
        sa.column("what", sa.JSON()),
        *map(sa.column, ("lease", "holder", "tried", "error", "key", "errors")),
    )
    connection = op.get_bind()
    rows = connection.execute(sa.select(earlier).order_by(earlier.c.id)).all()
    op.drop_index("ix_outbox_state_due", "outbox")
    op.drop_table("outbox")
    outbox = op.create_table(
        "outbox",
        sa.Column("id", ID, nullable=False),
        sa.Column("match_id", ID, nullable=False),
        sa.Column("target", sa.String(64), nullable=False),
        sa.Column("kind", sa.String(32), nullable=False),
        sa.Column("payload", sa.JSON(), nullable=False),
        sa.Column("status", sa.String(16), nullable=False),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("next_attempt_at", sa.Float(), nullable=False),
        sa.Column("lease_expires_at", sa.Float()),
        sa.Column("worker_id", sa.String(64)),
        sa.Column("first_attempt_at", sa.Float()),
        sa.Column("error", sa.Text()),
        sa.Column("key", sa.Text(), nullable=False),
        sa.Column("errors", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(
            ["match_id"], ["matches.id"], name=op.f("fk_outbox_match_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_outbox")),
    )
    op.create_index("ix_outbox_status_next_attempt_at", "outbox", ["status", "next_attempt_at"])
    if rows:
        connection.execute(sa.insert(outbox), [_converted(row) for row in rows])


def _converted(row: sa.Row[Any]) -> dict[str, Any]:
    """Return a row with its new names.

    A row without a key gets the text that its nonces were made from.
    """
    return {
        "match_id": row.match_id,
        "target": row.target,
        "kind": KINDS[row.kind],
        "payload": {FIELDS.get(name, name): value for name, value in row.what.items()},
        "status": STATUSES[row.state],
        "attempts": row.attempts,
        "next_attempt_at": row.due,
        "lease_expires_at": row.lease,
        "worker_id": row.holder,
        "first_attempt_at": row.tried,
        "error": row.error,
        "key": row.key or f"{row.id} {row.match_id} {row.kind} {row.what}",
        "errors": row.errors or 0,
    }
