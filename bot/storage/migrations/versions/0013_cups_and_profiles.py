"""Ratings of matches against the computer; figures of profiles, leaderboards.

Revision: 0013, after 0012
"""

import sqlalchemy as sa
from alembic import op

revision = "0013"
down_revision = "0012"
branch_labels = None
depends_on = None

ID = sa.BigInteger().with_variant(sa.Integer, "sqlite")


def upgrade() -> None:
    """Upgrade the schema."""
    op.add_column("rated_results", sa.Column("anchor", sa.String(32)))
    op.create_table(
        "seat_figures",
        sa.Column("match_id", ID, nullable=False),
        sa.Column("seat", sa.String(1), nullable=False),
        sa.Column("version", sa.Integer, nullable=False),
        sa.Column("outcome", sa.String(8), nullable=False),
        sa.Column("turns", sa.Integer, nullable=False),
        sa.Column("seconds", sa.Float, nullable=False),
        sa.Column("opening", sa.String(64), nullable=False),
        sa.Column("analysis_version", sa.Integer),
        sa.Column("luck", sa.Integer),
        sa.Column("loss", sa.Integer),
        sa.Column("decisions", sa.Integer),
        sa.Column("level", sa.String(16)),
        sa.ForeignKeyConstraint(
            ["match_id"], ["matches.id"], name="fk_seat_figures_match_id", ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("match_id", "seat", name="pk_seat_figures"),
    )
    op.create_table(
        "leaderboard_entries",
        sa.Column("guild_id", sa.BigInteger, autoincrement=False, nullable=False),
        sa.Column("user_id", sa.BigInteger, autoincrement=False, nullable=False),
        sa.Column("name", sa.String(64), nullable=False),
        sa.Column("checked_at", sa.Float, nullable=False),
        sa.PrimaryKeyConstraint("guild_id", "user_id", name="pk_leaderboard_entries"),
    )
    op.create_index("ix_leaderboard_entries_user_id", "leaderboard_entries", ["user_id"])
