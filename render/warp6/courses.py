"""The end of a die's move: the spaces on its way, computed from a view."""

from __future__ import annotations

from typing import NamedTuple

from engine.warp6.board import CENTRE, WARP
from engine.warp6.view import Die, Warp6View


class Course(NamedTuple):
    """The course of a possible move.

    Attributes:
        lands: the space at the end of the solid line's part; 0 is the wormhole.
        warps: the end of each warp after it.
    """

    lands: int
    warps: tuple[int, ...]

    @property
    def end(self) -> int:
        """The space where the die comes to rest."""
        return self.warps[-1] if self.warps else self.lands


def course(view: Warp6View, die: Die) -> Course:
    """Return the course of a die by the number it shows (X3.1, X4.1)."""
    lands = landing(die)
    return Course(lands, warps_from(view, lands))


def landing(die: Die) -> int:
    """Return the space where a die lands by the number it shows; 0 is the wormhole (X3.1)."""
    return max(die.space - int(die.number), CENTRE)


def warps_from(view: Warp6View, space: int) -> tuple[int, ...]:
    """Return the ends of the warps of a die from a space; none from a free space (X4.1)."""
    full = {die.space for die in view.dice}
    warps: list[int] = []
    while space != CENTRE and space in full:
        space = WARP[space]
        warps.append(space)
    return tuple(warps)


def die_named(view: Warp6View, name: str) -> Die:
    """Return the die of this name."""
    return next(die for die in view.dice if die.name == name)
