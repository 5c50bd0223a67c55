"""Add plans, why the bot made an action for a player, halls, and matches from records.

Revision: 0009, after 0008
"""

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"
branch_labels = None
depends_on = None

ID = sa.BigInteger().with_variant(sa.Integer, "sqlite")


def upgrade() -> None:
    """Upgrade the schema."""
    op.add_column("actions", sa.Column("automatic", sa.String(8)))
    op.add_column(
        "matches", sa.Column("lines_taken_over", sa.Integer, nullable=False, server_default="0")
    )
    op.create_table(
        "plans",
        sa.Column("match_id", ID, nullable=False),
        sa.Column("seat", sa.String(1), nullable=False),
        sa.Column("orders", sa.Text, nullable=False),
        sa.Column("version", sa.Integer, nullable=False),
        sa.Column("turn", sa.Integer, nullable=False, server_default="0"),
        sa.Column("stopped", sa.String(16)),
        sa.Column("stopped_at", sa.Integer),
        sa.Column("changed_at", sa.Float, nullable=False),
        sa.PrimaryKeyConstraint("match_id", "seat", name="pk_plans"),
        sa.ForeignKeyConstraint(
            ["match_id"], ["matches.id"], name="fk_plans_match_id", ondelete="CASCADE"
        ),
    )
    op.create_table(
        "halls",
        sa.Column("guild_id", sa.BigInteger, nullable=False, autoincrement=False),
        sa.Column("is_forum", sa.Boolean, nullable=False),
        sa.Column("posted_in", sa.BigInteger),
        sa.Column("list_channel_id", sa.BigInteger),
        sa.Column("list_message_id", sa.BigInteger),
        sa.Column("called_at", sa.Float),
        sa.Column("call_channel_id", sa.BigInteger),
        sa.Column("call_message_id", sa.BigInteger),
        sa.PrimaryKeyConstraint("guild_id", name="pk_halls"),
    )
    op.create_index("ix_matches_guild_id", "matches", ["guild_id"])
