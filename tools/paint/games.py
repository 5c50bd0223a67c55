"""The paintings of the installed games: `PAINTING` in the file of this folder with its name."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from typing import NamedTuple

from engine import packages
from tools.paint.ground import Levels
from tools.paint.sheet import Painter


class Painting(NamedTuple):
    """The painted sprites and background of a game.

    Attributes:
        colours: number of colours of a sheet.
        ground: paints levels of light, given how many there are for clouds and for stars.
        emojis: returns its emojis as PNGs, by name.
    """

    painters: Callable[[], dict[str, Painter]]
    colours: int
    ground: Callable[[int, int], Levels]
    ground_name: str
    emojis: Callable[[], dict[str, bytes]] = dict


@cache
def paintings() -> Mapping[str, Painting]:
    """Return the painting of each installed game that has one, by name."""
    modules = {name: f"{__package__}.{name}" for name in packages.installed()}
    return {
        name: import_module(module).PAINTING
        for name, module in modules.items()
        if find_spec(module)
    }
