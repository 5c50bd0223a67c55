"""Ratings of matches against the computer; figures of profiles, leaderboards, their roles; cups.

Revision: 0013, after 0012
"""

import sqlalchemy as sa
from alembic import op

revision = "0013"
down_revision = "0012"
branch_labels = None
depends_on = None

ID = sa.BigInteger().with_variant(sa.Integer, "sqlite")


def upgrade() -> None:
    """Upgrade the schema."""
    op.add_column("rated_results", sa.Column("anchor", sa.String(32)))
    _add_cups()
    _add_rank_roles()
    op.create_table(
        "seat_figures",
        sa.Column("match_id", ID, nullable=False),
        sa.Column("seat", sa.String(1), nullable=False),
        sa.Column("version", sa.Integer, nullable=False),
        sa.Column("outcome", sa.String(8), nullable=False),
        sa.Column("turns", sa.Integer, nullable=False),
        sa.Column("seconds", sa.Float, nullable=False),
        sa.Column("opening", sa.String(64), nullable=False),
        sa.Column("analysis_version", sa.Integer),
        sa.Column("luck", sa.Integer),
        sa.Column("loss", sa.Integer),
        sa.Column("decisions", sa.Integer),
        sa.Column("level", sa.String(16)),
        sa.ForeignKeyConstraint(
            ["match_id"], ["matches.id"], name="fk_seat_figures_match_id", ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("match_id", "seat", name="pk_seat_figures"),
    )
    op.create_table(
        "leaderboard_entries",
        sa.Column("guild_id", sa.BigInteger, autoincrement=False, nullable=False),
        sa.Column("user_id", sa.BigInteger, autoincrement=False, nullable=False),
        sa.Column("name", sa.String(64), nullable=False),
        sa.Column("checked_at", sa.Float, nullable=False),
        sa.PrimaryKeyConstraint("guild_id", "user_id", name="pk_leaderboard_entries"),
    )
    op.create_index("ix_leaderboard_entries_user_id", "leaderboard_entries", ["user_id"])


def _add_cups() -> None:
    op.create_table(
        "cups",
        sa.Column("id", ID, nullable=False),
        sa.Column("guild_id", sa.BigInteger, nullable=False),
        sa.Column("channel_id", sa.BigInteger, nullable=False),
        sa.Column("parent_channel_id", sa.BigInteger),
        sa.Column("organiser_id", sa.BigInteger, nullable=False),
        sa.Column("name", sa.String(64), nullable=False),
        sa.Column("game", sa.String(32), nullable=False),
        sa.Column("rules", sa.String(32), nullable=False),
        sa.Column("options", sa.JSON, nullable=False),
        sa.Column("clock", sa.String(16), nullable=False),
        sa.Column("rounds", sa.Integer, nullable=False),
        sa.Column("rated", sa.Boolean, nullable=False, server_default=sa.false()),
        sa.Column("format", sa.String(16), nullable=False),
        sa.Column("max_open", sa.Integer, nullable=False),
        sa.Column("status", sa.String(16), nullable=False),
        sa.Column("seed", sa.String(32), nullable=False),
        sa.Column("version", sa.Integer, nullable=False),
        sa.Column("created_at", sa.Float, nullable=False),
        sa.Column("starts_at", sa.Float),
        sa.Column("ends_at", sa.Float),
        sa.Column("started_at", sa.Float),
        sa.Column("ended_at", sa.Float),
        sa.Column("key", sa.Text, nullable=False),
        sa.Column("message_id", sa.BigInteger),
        sa.Column("shown_version", sa.Integer, nullable=False),
        sa.Column("announced", sa.Integer, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_cups"),
    )
    op.create_index("ix_cups_guild_id_status", "cups", ["guild_id", "status"])
    op.create_index("ix_cups_status", "cups", ["status"])
    op.create_index("ix_cups_organiser_id", "cups", ["organiser_id"])
    op.create_table(
        "cup_entrants",
        sa.Column("cup_id", ID, nullable=False, autoincrement=False),
        sa.Column("number", sa.Integer, nullable=False, autoincrement=False),
        sa.Column("user_id", sa.BigInteger, nullable=False),
        sa.Column("name", sa.String(64), nullable=False),
        sa.Column("joined_by", sa.BigInteger, nullable=False),
        sa.Column("withdrawn_at", sa.Float),
        sa.Column("substitute_id", sa.BigInteger),
        sa.Column("checked_at", sa.Float, nullable=False, server_default="0"),
        sa.Column("has_left", sa.Boolean, nullable=False, server_default=sa.false()),
        sa.PrimaryKeyConstraint("cup_id", "number", name="pk_cup_entrants"),
        sa.ForeignKeyConstraint(
            ["cup_id"], ["cups.id"], name="fk_cup_entrants_cup_id", ondelete="CASCADE"
        ),
    )
    op.create_index("ix_cup_entrants_user_id", "cup_entrants", ["user_id"])
    op.create_index("ix_cup_entrants_substitute_id", "cup_entrants", ["substitute_id"])
    op.create_index("ix_cup_entrants_checked_at", "cup_entrants", ["checked_at"])
    op.create_table(
        "cup_pairings",
        sa.Column("id", ID, nullable=False),
        sa.Column("cup_id", ID, nullable=False),
        sa.Column("round", sa.Integer, nullable=False),
        sa.Column("place", sa.Integer, nullable=False),
        sa.Column("numbers", sa.String(16), nullable=False),
        sa.Column("seated", sa.String(16), nullable=False, server_default=""),
        sa.Column("match_id", ID),
        sa.Column("replays", sa.Integer, nullable=False),
        sa.Column("status", sa.String(16), nullable=False),
        sa.Column("winners", sa.String(16), nullable=False, server_default=""),
        sa.Column("forfeits", sa.String(16), nullable=False, server_default=""),
        sa.Column("reason", sa.String(16)),
        sa.Column("ended_at", sa.Float),
        sa.PrimaryKeyConstraint("id", name="pk_cup_pairings"),
        sa.ForeignKeyConstraint(
            ["cup_id"], ["cups.id"], name="fk_cup_pairings_cup_id", ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["match_id"], ["matches.id"], name="fk_cup_pairings_match_id", ondelete="SET NULL"
        ),
        sa.UniqueConstraint("cup_id", "round", "place", name="uq_cup_pairings_cup_id_round_place"),
    )
    op.create_index("ix_cup_pairings_match_id", "cup_pairings", ["match_id"])


def _add_rank_roles() -> None:
    op.create_table(
        "rank_roles",
        sa.Column("guild_id", sa.BigInteger, autoincrement=False, nullable=False),
        sa.Column("role_id", sa.BigInteger, autoincrement=False, nullable=False),
        sa.Column("pool", sa.String(32), nullable=False),
        sa.Column("threshold", sa.Integer, nullable=False),
        sa.PrimaryKeyConstraint("guild_id", "role_id", name="pk_rank_roles"),
    )
    op.create_table(
        "rank_grants",
        sa.Column("guild_id", sa.BigInteger, autoincrement=False, nullable=False),
        sa.Column("user_id", sa.BigInteger, autoincrement=False, nullable=False),
        sa.Column("role_id", sa.BigInteger, autoincrement=False, nullable=False),
        sa.Column("given", sa.Boolean, nullable=False),
        sa.Column("erased", sa.Boolean, nullable=False, server_default=sa.false()),
        sa.PrimaryKeyConstraint("guild_id", "user_id", "role_id", name="pk_rank_grants"),
    )
    op.create_index("ix_rank_grants_user_id", "rank_grants", ["user_id"])
    op.add_column("guilds", sa.Column("ranks_due_at", sa.Float))
    op.create_index("ix_guilds_ranks_due_at", "guilds", ["ranks_due_at"])
