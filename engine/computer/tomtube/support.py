"""What the computer players know of Tom Tube."""

from __future__ import annotations

from engine.computer.support import ComputerSupport
from engine.computer.tomtube import values
from engine.computer.tomtube.outlook import slope
from engine.computer.tomtube.player import rate
from engine.computer.tomtube.ranking import rank
from engine.computer.tomtube.reasons import explain
from engine.computer.tomtube.waste import wasteful

SUPPORT = ComputerSupport(
    rank=rank,
    rate=rate,
    explain=explain,
    temperatures=(800, 400, 200, 0),
    values=values,
    error_rates=(0.0104, 0.0069, 0.0030, 0.0),
    slope=slope,
    wasteful=wasteful,
)
"""See `ComputerSupport`."""
