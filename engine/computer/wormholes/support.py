"""What the computer players know of Wormholes."""

from __future__ import annotations

from engine.computer.support import ComputerSupport
from engine.computer.wormholes import values
from engine.computer.wormholes.player import rate
from engine.computer.wormholes.ranking import rank
from engine.computer.wormholes.reasons import explain

SUPPORT = ComputerSupport(
    rank=rank,
    rate=rate,
    explain=explain,
    temperatures=(800, 450, 180, 0),
    values=values,
    error_rates=(0.0202, 0.0127, 0.0061, 0.0017),
)
"""See `ComputerSupport`."""
