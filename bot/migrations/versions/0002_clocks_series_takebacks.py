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
    with op.batch_alter_table("matches") as batch:
        batch.add_column(sa.Column("clock", sa.String(16), nullable=False, server_default=""))
        batch.add_column(
            sa.Column("parent_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"))
        )
        batch.add_column(sa.Column("round", sa.Integer(), nullable=False, server_default="1"))
        batch.add_column(sa.Column("rounds", sa.Integer(), nullable=False, server_default="1"))
        batch.create_foreign_key(
            batch.f("fk_matches_parent_id"), "matches", ["parent_id"], ["id"], ondelete="SET NULL"
        )
        batch.create_index(batch.f("ix_matches_parent_id"), ["parent_id"])
    with op.batch_alter_table("seats") as batch:
        batch.add_column(sa.Column("left", sa.Float()))
        batch.add_column(sa.Column("since", sa.Float()))
    with op.batch_alter_table("actions") as batch:
        batch.add_column(sa.Column("undone", sa.Float()))
    with op.batch_alter_table("timers") as batch:
        batch.add_column(sa.Column("seat", sa.String(1), nullable=False, server_default=""))
    op.create_table(
        "guilds",
        sa.Column("guild_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("settings", sa.JSON(), nullable=False),
        sa.PrimaryKeyConstraint("guild_id", name=op.f("pk_guilds")),
    )
