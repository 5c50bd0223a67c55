"""Add the priority of messages to send, and indexes to find those that are due.

Revision: 0010, after 0009
"""

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"
branch_labels = None
depends_on = None

ID = sa.BigInteger().with_variant(sa.Integer, "sqlite")


def upgrade() -> None:
    """Upgrade the schema."""
    op.add_column("outbox", sa.Column("priority", sa.Integer, nullable=False, server_default="0"))
    op.drop_index("ix_outbox_status_next_attempt_at", "outbox")
    due = ["status", "priority", "next_attempt_at", "id"]
    for columns in (due, ["match_id", "target"], ["target"]):
        op.create_index("_".join(["ix_outbox", *columns]), "outbox", columns)
    op.create_table(
        "analyses",
        sa.Column("match_id", ID, nullable=False, autoincrement=False),
        sa.Column("version", sa.Integer, nullable=False),
        sa.Column("requested_at", sa.Float, nullable=False),
        sa.Column("attempts", sa.Integer, nullable=False),
        sa.Column("result", sa.Text),
        sa.PrimaryKeyConstraint("match_id", name="pk_analyses"),
        sa.ForeignKeyConstraint(
            ["match_id"], ["matches.id"], name="fk_analyses_match_id", ondelete="CASCADE"
        ),
    )
