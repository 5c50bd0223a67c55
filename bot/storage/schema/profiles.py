"""The table of what profiles show."""

from __future__ import annotations

from sqlalchemy import Column, Float, ForeignKey, Integer, String, Table

from bot.storage.schema.metadata import ID, METADATA

seat_figures = Table(
    "seat_figures",
    METADATA,
    Column("match_id", ID, ForeignKey("matches.id", ondelete="CASCADE"), primary_key=True),
    Column("seat", String(1), primary_key=True),
    Column("version", Integer, nullable=False),
    Column("outcome", String(8), nullable=False),
    Column("turns", Integer, nullable=False),
    Column("seconds", Float, nullable=False),
    Column("opening", String(64), nullable=False),
    Column("analysis_version", Integer),
    Column("luck", Integer),
    Column("loss", Integer),
    Column("decisions", Integer),
    Column("level", String(16)),
)
"""A cache of what finished matches add to the profiles of their players, computed by
`bot.services.seat_figures` in this `version`. `outcome`: won, drawn or lost; empty without a
result. `seconds`: the time of the `turns`. With an analysis of `analysis_version`: the `luck` of
dice and draws, and the sum of the `loss` of the `decisions`, in parts of
`engine.computer.situation.SCALE`; `level`: that of the computer that loses about as much."""
