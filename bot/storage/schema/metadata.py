"""The metadata and column types of all tables."""

from __future__ import annotations

from sqlalchemy import BigInteger, Integer, MetaData

METADATA = MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "fk": "fk_%(table_name)s_%(column_0_name)s",
        "pk": "pk_%(table_name)s",
    }
)

ID = BigInteger().with_variant(Integer, "sqlite")
"""SQLite numbers rows automatically only in a column of exactly this type."""
