"""Add computer players: their seats, their choices, and the jobs of their turns.

Revision: 0008, after 0007
"""

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None

ID = sa.BigInteger().with_variant(sa.Integer, "sqlite")


def upgrade() -> None:
    """Upgrade the schema."""
    op.add_column("seats", sa.Column("level", sa.String(16)))
    joinable = sa.Column("joinable", sa.Boolean, nullable=False, server_default=sa.false())
    op.add_column("seats", joinable)
    agreed_by = sa.Column("agreed_by", sa.String(8), nullable=False, server_default="")
    op.add_column("seats", agreed_by)
    op.add_column("absences", sa.Column("stand_in", sa.String(16)))
    op.add_column("actions", sa.Column("chosen_by", sa.String(32)))
    op.create_table(
        "computer_jobs",
        sa.Column("id", ID),
        sa.Column("match_id", ID, nullable=False),
        sa.Column("seat", sa.String(1), nullable=False),
        sa.Column("version", sa.Integer, nullable=False),
        sa.Column("queued_at", sa.Float, nullable=False),
        sa.Column("attempts", sa.Integer, nullable=False),
        sa.Column("lease_expires_at", sa.Float),
        sa.Column("worker_id", sa.String(64)),
        sa.PrimaryKeyConstraint("id", name="pk_computer_jobs"),
        sa.UniqueConstraint("match_id", "seat", name="uq_computer_jobs_match_id_seat"),
        sa.ForeignKeyConstraint(
            ["match_id"],
            ["matches.id"],
            name="fk_computer_jobs_match_id",
            ondelete="CASCADE",
        ),
    )
