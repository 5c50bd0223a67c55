"""Add the data that version 0.1 did not store.

Revision: 0005, after 0004
"""

import hashlib
import time

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None

THREADS = """
UPDATE matches SET parent_channel_id = (
    SELECT surfaces.channel_id FROM surfaces WHERE surfaces.match_id = matches.id
    AND surfaces.kind = 'challenge' AND surfaces.message_id = matches.channel_id
)
"""
"""A thread has the id of the message under which the bot created it."""


def upgrade() -> None:
    """Upgrade the schema; each change in this release adds its operations here."""
    op.add_column("outbox", sa.Column("key", sa.String(16)))
    op.add_column("outbox", sa.Column("errors", sa.Integer()))
    op.add_column("timers", sa.Column("errors", sa.Integer()))
    _add_commitments()
    _add_earlier_clocks()
    _add_vacations()
    _add_places()
    _add_erasures()


def _add_commitments() -> None:
    op.add_column("matches", sa.Column("commitment", sa.String(80)))
    op.add_column("matches", sa.Column("committed", sa.Float()))
    op.add_column("matches", sa.Column("seat_order", sa.String(8)))
    op.add_column("matches", sa.Column("drawn_seats", sa.String(8)))
    matches = sa.table("matches", sa.column("id"), sa.column("seed"), sa.column("commitment"))
    row = matches.c.id == sa.bindparam("match")
    change = sa.update(matches).where(row).values(commitment=sa.bindparam("hash"))
    connection = op.get_bind()
    stored = connection.execute(sa.select(matches.c.id, matches.c.seed)).all()
    hashes = [
        {"match": match_id, "hash": f"sha256:{hashlib.sha256(seed).hexdigest()}"}
        for match_id, seed in stored
    ]
    if hashes:
        connection.execute(change, hashes)


def _add_erasures() -> None:
    """Add the list of deletions that a restored backup has to repeat."""
    op.create_table(
        "erasures",
        sa.Column("number", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("digest", sa.String(64), nullable=False),
        sa.PrimaryKeyConstraint("number", name=op.f("pk_erasures")),
    )


def _add_earlier_clocks() -> None:
    """Add the clocks that a takeback restores."""
    number = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
    op.create_table(
        "earlier_clocks",
        sa.Column("match_id", number, nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("seat", sa.String(1), nullable=False),
        sa.Column("left", sa.Float()),
        sa.Column("since", sa.Float()),
        sa.Column("asked", sa.Boolean(), nullable=False),
        sa.ForeignKeyConstraint(
            ["match_id"],
            ["matches.id"],
            name=op.f("fk_earlier_clocks_match_id"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("match_id", "number", "seat", name=op.f("pk_earlier_clocks")),
    )


def _add_vacations() -> None:
    """Add the used allowance; current absences begin to count now."""
    begun = sa.Column("begun", sa.Float(), nullable=False, server_default="0")
    op.add_column("absences", begun)
    absences = sa.table("absences", sa.column("begun"))
    op.get_bind().execute(sa.update(absences).values(begun=time.time()))
    op.create_table(
        "vacations",
        sa.Column("user_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("begun", sa.Float(), nullable=False),
        sa.Column("used", sa.Float(), nullable=False),
        sa.PrimaryKeyConstraint("user_id", "begun", name=op.f("pk_vacations")),
    )


def _add_places() -> None:
    """Add the parent channel of threads, and each player's copy of a message."""
    op.add_column("matches", sa.Column("parent_channel_id", sa.BigInteger()))
    op.execute(THREADS)
    user_id = sa.Column("user_id", sa.BigInteger(), nullable=False, server_default="0")
    with op.batch_alter_table("surfaces") as surfaces:
        surfaces.add_column(user_id)
        surfaces.drop_constraint("uq_surfaces_match_id_kind", type_="unique")
        surfaces.create_unique_constraint(
            "uq_surfaces_match_id_kind_user_id", ["match_id", "kind", "user_id"]
        )
