"""The stories of several turns; those of a set-up are told together."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

from bot.domain.models import Match
from bot.views.names import escaped_names
from engine.game import View
from render import for_game

SETUP_VIEWS = 2
"""Maximum number of decisions of a set-up in a row that are told one by one."""


def stories_of(match: Match, views: Sequence[View]) -> list[str]:
    """Return the story of each turn; one for all decisions of a set-up, if they are many.

    Args:
        views: one view for each turn, with its whole story.
    """
    renderer, names = for_game(match.game), escaped_names(match)
    stories: list[str] = []
    decided_at = [*views[:1], *views[:-1]]  # the last decision of a set-up begins the first turn
    for is_setup, pairs in groupby(
        zip(decided_at, views, strict=True), lambda pair: not pair[0].turn
    ):
        run = [view for _before, view in pairs]
        if is_setup and len(run) > SETUP_VIEWS:
            stories.append(renderer.setup_story(run, names))
        else:
            stories += [renderer.story(view, names) for view in run]
    return stories
