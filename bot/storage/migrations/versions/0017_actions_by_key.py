"""Store actions in the order of their key, which makes an SQLite file a fifth smaller.

PostgreSQL has no such tables. The old table's pages are free afterwards: the file is rewritten
without them in a quiet moment, as after a deletion.

Revision: 0017, after 0016
"""

import sqlalchemy as sa
from alembic import op

revision = "0017"
down_revision = "0016"
branch_labels = None
depends_on = None

COLUMNS = "match_id, number, line, made_at, undone_at, chosen_by, automatic"

# The same as `bot.personal.SCRUB`: rewrite the file, unless it is a new one.
FACT = (
    "INSERT OR REPLACE INTO facts (name, value)"
    " SELECT 'scrub', 'due' WHERE EXISTS (SELECT 1 FROM actions)"
)


def upgrade() -> None:
    """Upgrade the schema."""
    if op.get_context().dialect.name != "sqlite":
        return
    op.create_table(
        "actions_by_key",
        sa.Column("match_id", sa.Integer, nullable=False),
        sa.Column("number", sa.Integer, nullable=False),
        sa.Column("line", sa.Text, nullable=False),
        sa.Column("made_at", sa.Float, nullable=False),
        sa.Column("undone_at", sa.Float),
        sa.Column("chosen_by", sa.String(32)),
        sa.Column("automatic", sa.String(8)),
        sa.ForeignKeyConstraint(
            ["match_id"], ["matches.id"], name="fk_actions_match_id", ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("match_id", "number", name="pk_actions"),
        sqlite_with_rowid=False,
    )
    op.execute(
        f"INSERT INTO actions_by_key ({COLUMNS})"  # noqa: S608 - constants
        f" SELECT {COLUMNS} FROM actions ORDER BY match_id, number"
    )
    op.drop_table("actions")
    op.rename_table("actions_by_key", "actions")
    op.execute(FACT)
