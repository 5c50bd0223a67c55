"""Buttons of features beside the story of a finished match, such as the plans of its players."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from typing import NamedTuple

from bot.domain.ids import UserId
from bot.domain.models import Match, MatchStatus
from bot.interactions.context import Context
from bot.views import ui

StoryButtonReader = Callable[[Context, Match, UserId], Awaitable[Sequence[ui.Button]]]
"""Returns the buttons of a feature for a reader of a finished match, who alone sees them."""


class StoryButtonReaders(NamedTuple):
    """The buttons of features beside the story of a finished match.

    Attributes:
        readers: the readers in the order of the buttons.
    """

    readers: Sequence[StoryButtonReader]


async def story_buttons(context: Context, match: Match, user_id: UserId) -> list[ui.Button]:
    """Return the buttons beside the story of a match for a reader; none before its end."""
    if match.status != MatchStatus.FINISHED:
        return []
    readers = context.of(StoryButtonReaders).readers
    return [button for read in readers for button in await read(context, match, user_id)]
