"""Add plans as their players wrote them, and since when moves of plans are marked.

Revision: 0021, after 0020
"""

import sqlalchemy as sa
from alembic import op

revision = "0021"
down_revision = "0020"
branch_labels = None
depends_on = None

ID = sa.BigInteger().with_variant(sa.Integer, "sqlite")


def upgrade() -> None:
    """Upgrade the schema.

    Matches until now were played under the promise that their plans stay private.
    """
    op.create_table(
        "written_plans",
        sa.Column("match_id", ID, nullable=False),
        sa.Column("user_id", sa.BigInteger, autoincrement=False, nullable=False),
        sa.Column("orders", sa.Text, nullable=False),
        sa.Column("orders_left", sa.Text, nullable=False, server_default=""),
        sa.Column("published_at", sa.Float),
        sa.ForeignKeyConstraint(
            ["match_id"],
            ["matches.id"],
            name="fk_written_plans_match_id_matches",
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("match_id", "user_id", name="pk_written_plans"),
    )
    op.create_index("ix_written_plans_user_id", "written_plans", ["user_id"])
    last = "SELECT 'private_plans_until', CAST(max(id) AS TEXT) FROM matches HAVING count(*) > 0"
    op.execute(f"INSERT INTO facts (name, value) {last}")
