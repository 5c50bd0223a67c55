"""Clocks, series and rematches, takebacks, settings of servers.

Revision: 0002, after 0001
"""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    # Columns are added in place: a new table would delete the rows that refer to it.
    op.add_column("matches", sa.Column("clock", sa.String(16), nullable=False, server_default=""))
    number = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
    op.add_column("matches", sa.Column("parent_id", number))
    op.add_column("matches", sa.Column("round", sa.Integer(), nullable=False, server_default="1"))
    op.add_column("matches", sa.Column("rounds", sa.Integer(), nullable=False, server_default="1"))
    op.create_index(op.f("ix_matches_parent_id"), "matches", ["parent_id"])
    op.add_column("seats", sa.Column("left", sa.Float()))
    op.add_column("seats", sa.Column("since", sa.Float()))
    op.add_column("actions", sa.Column("undone", sa.Float()))
    op.add_column("timers", sa.Column("seat", sa.String(1), nullable=False, server_default=""))
    op.create_table(
        "guilds",
        sa.Column("guild_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("settings", sa.JSON(), nullable=False),
        sa.PrimaryKeyConstraint("guild_id", name=op.f("pk_guilds")),
    )
