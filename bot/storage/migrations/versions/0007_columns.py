"""Rename the columns of clocks, absences, vacations and leases, and stored values.

Revision: 0007, after 0006
"""

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None

COLUMNS = {
    "matches": {"drawn_seats": "seats_to_draw"},
    "seats": {"left": "seconds_left", "since": "clock_started_at"},
    "earlier_clocks": {
        "number": "action_number",
        "left": "seconds_left",
        "since": "clock_started_at",
        "asked": "was_pending",
    },
    "absences": {"until": "ends_at", "begun": "started_at"},
    "vacations": {"begun": "started_at", "used": "seconds"},
    "leases": {"holder": "worker_id", "until": "expires_at"},
}
PREFERENCES = {"closed": "dm_failed"}

POSTED = "UPDATE posted_messages SET kind = 'board' WHERE kind = 'notice'"
HEARTBEATS = "UPDATE facts SET name = 'heart' || name WHERE name LIKE 'beat:%'"


def upgrade() -> None:
    """Upgrade the schema."""
    op.drop_index("ix_absences_until", "absences")
    for table, names in COLUMNS.items():
        for earlier, name in names.items():
            op.alter_column(table, earlier, new_column_name=name)
    op.create_index("ix_absences_ends_at", "absences", ["ends_at"])
    op.execute(POSTED)
    op.execute(HEARTBEATS)
    _rename_preference()


def _rename_preference() -> None:
    players = sa.table("players", sa.column("user_id"), sa.column("preferences", sa.JSON()))
    stored = sa.cast(players.c.preferences, sa.Text()).contains('"closed"')
    connection = op.get_bind()
    for user_id, preferences in connection.execute(sa.select(players).where(stored)).all():
        renamed = {PREFERENCES.get(name, name): value for name, value in preferences.items()}
        update = sa.update(players).where(players.c.user_id == user_id)
        connection.execute(update.values(preferences=renamed))
