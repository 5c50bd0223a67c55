"""Find the timers of a match by an index.

Revision: 0012, after 0011
"""

from alembic import op

revision = "0012"
down_revision = "0011"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Upgrade the schema."""
    op.create_index("ix_timers_match_id", "timers", ["match_id"])
