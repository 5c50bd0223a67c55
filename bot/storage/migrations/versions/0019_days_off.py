"""Store the days of the week on which a player's clock does not run.

Revision: 0019, after 0018
"""

import sqlalchemy as sa
from alembic import op

revision = "0019"
down_revision = "0018"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Upgrade the schema."""
    op.add_column("seats", sa.Column("days_off", sa.String(48)))
