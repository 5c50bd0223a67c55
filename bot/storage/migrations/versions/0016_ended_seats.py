"""Store with each seat when its match ended, to find a user's matches in progress at once.

Revision: 0016, after 0015
"""

import sqlalchemy as sa
from alembic import op

revision = "0016"
down_revision = "0015"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Upgrade the schema."""
    op.add_column("seats", sa.Column("ended_at", sa.Float))
    seats = sa.table("seats", sa.column("match_id"), sa.column("ended_at"))
    matches = sa.table("matches", sa.column("id"), sa.column("status"), sa.column("changed_at"))
    ended = sa.select(matches.c.changed_at).where(
        matches.c.id == seats.c.match_id, matches.c.status.in_(("finished", "closed"))
    )
    op.execute(seats.update().values(ended_at=ended.scalar_subquery()))
    op.create_index(
        "ix_seats_user_id_ended_at_match_id", "seats", ["user_id", "ended_at", "match_id"]
    )
