"""What the computer players know of Tom Tube."""

from __future__ import annotations

from engine.computer.support import ComputerSupport
from engine.computer.tomtube import values
from engine.computer.tomtube.player import rate
from engine.computer.tomtube.ranking import rank
from engine.computer.tomtube.reasons import explain

SUPPORT = ComputerSupport(
    rank=rank,
    rate=rate,
    explain=explain,
    temperatures=(240, 160, 90, 0),
    values=values,
    error_rates=(0.0135, 0.0088, 0.0043, 0.0002),
)
"""See `ComputerSupport`."""
