"""Private notes of players on matches and opponents.

Revision: 0018, after 0017
"""

import sqlalchemy as sa
from alembic import op

revision = "0018"
down_revision = "0017"
branch_labels = None
depends_on = None

ID = sa.BigInteger().with_variant(sa.Integer, "sqlite")


def upgrade() -> None:
    """Upgrade the schema."""
    op.create_table(
        "match_notes",
        sa.Column("match_id", ID, nullable=False, autoincrement=False),
        sa.Column("user_id", sa.BigInteger, autoincrement=False, nullable=False),
        sa.Column("text", sa.Text, nullable=False),
        sa.ForeignKeyConstraint(
            ["match_id"], ["matches.id"], name="fk_match_notes_match_id", ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("match_id", "user_id", name="pk_match_notes"),
    )
    op.create_index("ix_match_notes_user_id", "match_notes", ["user_id"])
    op.create_table(
        "opponent_notes",
        sa.Column("user_id", sa.BigInteger, autoincrement=False, nullable=False),
        sa.Column("opponent_id", sa.BigInteger, autoincrement=False, nullable=False),
        sa.Column("text", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("user_id", "opponent_id", name="pk_opponent_notes"),
    )
    op.create_index("ix_opponent_notes_opponent_id", "opponent_notes", ["opponent_id"])
