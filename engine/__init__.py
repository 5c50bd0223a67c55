"""The rules of the games: pure, standard library only. Start reading in `engine/game.py`.

The public names here are the games as a library (docs/developers/library.md):

    >>> from engine import Position
    >>> position = Position("wormholes", seed=1)
    >>> [action.notation for action in position.legal]
    ['first move', 'first place']
    >>> position = position.play("first move")
    >>> position.pending
    'O'
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from engine.library import (
        Action,
        IllegalActionError,
        Player,
        Position,
        Record,
        RecordError,
        analyse,
        read_records,
    )

__all__ = [
    "Action",
    "IllegalActionError",
    "Player",
    "Position",
    "Record",
    "RecordError",
    "analyse",
    "read_records",
]


def __getattr__(name: str) -> Any:
    """Return a part of `engine.library`, which is imported when it is first needed.

    Raises:
        AttributeError: there is no such part.
    """
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from engine import library  # noqa: PLC0415 - the bot starts without it

    globals()[name] = getattr(library, name)
    return globals()[name]
