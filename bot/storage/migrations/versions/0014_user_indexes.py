"""Indexes for finding all rows of a user.

Revision: 0014, after 0013
"""

from alembic import op

revision = "0014"
down_revision = "0013"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Upgrade the schema."""
    op.create_index("ix_matches_challenger_id", "matches", ["challenger_id"])
    op.create_index("ix_posted_messages_user_id", "posted_messages", ["user_id"])
