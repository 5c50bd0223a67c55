"""Buttons of features beside what a player has to remember, because it cannot be shown again."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from typing import NamedTuple

from bot.domain.ids import UserId
from bot.domain.models import Match
from bot.interactions.context import Context
from bot.views import ui

MemoryButtonReader = Callable[[Context, Match, UserId, Sequence[str]], Awaitable[ui.Button]]
"""Returns the button of a feature for lines that a player has to remember in a match."""


class MemoryButtonReaders(NamedTuple):
    """The buttons of features beside what a player has to remember.

    Attributes:
        readers: the readers in the order of the buttons.
    """

    readers: Sequence[MemoryButtonReader]


async def memory_buttons(
    context: Context, match: Match, user_id: UserId, lines: Sequence[str]
) -> list[ui.Button]:
    """Return the buttons beside lines that a player has to remember, or that the notes have."""
    readers = context.of(MemoryButtonReaders).readers
    return [await read(context, match, user_id, lines) for read in readers]
