"""What the computer players know of Warp 6."""

from __future__ import annotations

from engine.computer.support import ComputerSupport
from engine.computer.warp6 import values
from engine.computer.warp6.player import rate
from engine.computer.warp6.ranking import rank
from engine.computer.warp6.reasons import explain

SUPPORT = ComputerSupport(
    rank=rank,
    rate=rate,
    explain=explain,
    temperatures=(240, 140, 80, 0),
    values=values,
    error_rates=(0.0127, 0.0081, 0.0044, 0.0),
)
"""See `ComputerSupport`."""
