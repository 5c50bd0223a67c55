"""Rated matches, and an index for finding the timers of a match.

Revision: 0012, after 0011
"""

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0011"
branch_labels = None
depends_on = None

ID = sa.BigInteger().with_variant(sa.Integer, "sqlite")


def upgrade() -> None:
    """Upgrade the schema."""
    op.create_index("ix_timers_match_id", "timers", ["match_id"])
    rated = sa.Column("rated", sa.String(16), nullable=False, server_default="casual")
    op.add_column("matches", rated)
    op.add_column("seats", sa.Column("reminded_at", sa.Integer))
    op.add_column("seats", sa.Column("reminders", sa.Integer, nullable=False, server_default="0"))
    op.create_table(
        "rated_results",
        sa.Column("match_id", ID, nullable=False),
        sa.Column("seat", sa.String(1), nullable=False),
        sa.Column("number", sa.Integer, nullable=False),
        sa.Column("pool", sa.String(32), nullable=False),
        sa.Column("user_id", sa.BigInteger, nullable=False),
        sa.Column("rank", sa.Integer, nullable=False),
        sa.Column("out_of_time", sa.Boolean, nullable=False, server_default=sa.false()),
        sa.Column("ended_at", sa.Float, nullable=False),
        sa.Column("mu", sa.Float, nullable=False),
        sa.Column("sigma", sa.Float, nullable=False),
        sa.ForeignKeyConstraint(
            ["match_id"],
            ["matches.id"],
            name="fk_rated_results_match_id",
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("match_id", "seat", name="pk_rated_results"),
    )
    op.create_index(
        "ix_rated_results_user_id_pool_number", "rated_results", ["user_id", "pool", "number"]
    )
