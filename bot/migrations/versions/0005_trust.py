"""Repair what version 0.1 stored too little of.

Revision: 0005, after 0004
"""

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Nothing yet: each change of the schema in this release adds its operations here."""
