"""Add indexes, so that no read takes longer with the number of finished matches.

Revision: 0015, after 0014
"""

from alembic import op
from sqlalchemy import text

revision = "0015"
down_revision = "0014"
branch_labels = None
depends_on = None

WAITING = text("result IS NULL")


def upgrade() -> None:
    """Upgrade the schema."""
    op.create_index("ix_rated_results_number", "rated_results", ["number"])
    op.create_index("ix_rated_results_user_id_ended_at", "rated_results", ["user_id", "ended_at"])
    op.create_index(
        "ix_analyses_version_attempts_requested_at",
        "analyses",
        ["version", "attempts", "requested_at"],
        sqlite_where=WAITING,
        postgresql_where=WAITING,
    )
    op.create_index(
        "ix_matches_guild_id_status_changed_at", "matches", ["guild_id", "status", "changed_at"]
    )
    op.create_index("ix_seats_user_id_match_id", "seats", ["user_id", "match_id"])
    op.drop_index("ix_seats_user_id", "seats")
    op.create_index("ix_matches_challenger_id_status", "matches", ["challenger_id", "status"])
    op.drop_index("ix_matches_challenger_id", "matches")
