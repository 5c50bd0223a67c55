"""Add cups that repeat each month, their groups, and final places.

Revision: 0020, after 0019
"""

import sqlalchemy as sa
from alembic import op

revision = "0020"
down_revision = "0019"
branch_labels = None
depends_on = None

ID = sa.BigInteger().with_variant(sa.Integer, "sqlite")


def upgrade() -> None:
    """Upgrade the schema."""
    op.create_table(
        "leagues",
        sa.Column("id", ID, nullable=False),
        sa.Column("guild_id", sa.BigInteger, nullable=False),
        sa.Column("name", sa.String(64), nullable=False),
        sa.Column("divisions", sa.Integer, nullable=False),
        sa.Column("season", sa.Integer, nullable=False),
        sa.Column("first_at", sa.Float),
        sa.Column("opens_at", sa.Float),
        sa.PrimaryKeyConstraint("id", name="pk_leagues"),
    )
    op.create_index("ix_leagues_opens_at", "leagues", ["opens_at"])
    op.add_column("cups", sa.Column("league_id", ID))
    for name in ("season", "division"):
        op.add_column("cups", sa.Column(name, sa.Integer, nullable=False, server_default="0"))
    op.create_index("ix_cups_league_id_season", "cups", ["league_id", "season"])
    op.add_column("cup_entrants", sa.Column("place", sa.Integer))
