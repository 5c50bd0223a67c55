"""Lines of features beside a player's own private boards, such as the player's notes."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from typing import NamedTuple

from bot.domain.ids import UserId
from bot.domain.models import Match
from bot.interactions.context import Context

PrivateLineReader = Callable[[Context, Match, UserId], Awaitable[str]]
"""Returns lines for one player of a match, who alone sees them; empty if there are none."""


class PrivateLineReaders(NamedTuple):
    """The lines of features beside private boards.

    Attributes:
        readers: the readers in the order of the lines.
    """

    readers: Sequence[PrivateLineReader]


async def private_lines(context: Context, match: Match, user_id: UserId) -> str:
    """Return the lines beside the private board of a player; empty for spectators."""
    if not match.seat_of(user_id):
        return ""
    readers = context.of(PrivateLineReaders).readers
    return "\n".join(filter(None, [await read(context, match, user_id) for read in readers]))
