"""Add positions of the day, and the answers to them.

Revision: 0011, after 0010
"""

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"
branch_labels = None
depends_on = None

ID = sa.BigInteger().with_variant(sa.Integer, "sqlite")


def upgrade() -> None:
    """Upgrade the schema."""
    op.add_column("guilds", sa.Column("daily_due_at", sa.Float))
    op.create_index("ix_guilds_daily_due_at", "guilds", ["daily_due_at"])
    op.create_table(
        "daily_positions",
        sa.Column("id", ID, nullable=False),
        sa.Column("guild_id", sa.BigInteger, nullable=False),
        sa.Column("channel_id", sa.BigInteger, nullable=False),
        sa.Column("day", sa.Integer, nullable=False),
        sa.Column("position", sa.String(16), nullable=False),
        sa.Column("status", sa.String(16), nullable=False),
        sa.Column("first_attempt_at", sa.Float, nullable=False),
        sa.Column("closes_at", sa.Float, nullable=False),
        sa.Column("message_id", sa.BigInteger),
        sa.Column("key", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_daily_positions"),
        sa.UniqueConstraint(
            "guild_id", "channel_id", "day", name="uq_daily_positions_guild_id_channel_id_day"
        ),
    )
    op.create_index(
        "ix_daily_positions_status_closes_at", "daily_positions", ["status", "closes_at"]
    )
    op.create_table(
        "daily_answers",
        sa.Column("daily_id", ID, nullable=False, autoincrement=False),
        sa.Column("user_id", sa.BigInteger, nullable=False, autoincrement=False),
        sa.Column("line", sa.Text, nullable=False),
        sa.Column("answered_at", sa.Float, nullable=False),
        sa.PrimaryKeyConstraint("daily_id", "user_id", name="pk_daily_answers"),
        sa.ForeignKeyConstraint(
            ["daily_id"],
            ["daily_positions.id"],
            name="fk_daily_answers_daily_id",
            ondelete="CASCADE",
        ),
    )
    op.create_index("ix_daily_answers_user_id", "daily_answers", ["user_id"])
