"""Repair what version 0.1 stored too little of.

Revision: 0005, after 0004
"""

import hashlib

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("outbox", sa.Column("key", sa.String(16)))
    _add_commitments()


def _add_commitments() -> None:
    op.add_column("matches", sa.Column("commitment", sa.String(80)))
    op.add_column("matches", sa.Column("committed", sa.Float()))
    op.add_column("matches", sa.Column("seat_order", sa.String(8)))
    op.add_column("matches", sa.Column("drawn_seats", sa.String(8)))
    matches = sa.table("matches", sa.column("id"), sa.column("seed"), sa.column("commitment"))
    same = matches.c.id == sa.bindparam("match")
    change = sa.update(matches).where(same).values(commitment=sa.bindparam("hash"))
    connection = op.get_bind()
    stored = connection.execute(sa.select(matches.c.id, matches.c.seed)).all()
    hashes = [
        {"match": match_id, "hash": f"sha256:{hashlib.sha256(seed).hexdigest()}"}
        for match_id, seed in stored
    ]
    if hashes:
        connection.execute(change, hashes)
