"""Which events of a story report which actions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from enum import StrEnum
from typing import TypeVar

from engine.game import Action, AnyGame, Event, View

V = TypeVar("V", bound=View)

STORY_ACTIONS = 24
"""Maximum number of actions that a story reports: those of one turn, with their dice."""


class Mark(StrEnum):
    """Why the bot made a choice for a player."""

    FORCED = "forced"
    """The player had no other."""
    FORESEEN = "foreseen"
    """The player's plan did."""


def reports(game: AnyGame, story: Sequence[Event], actions: Sequence[Action]) -> dict[int, int]:
    """Return place of an action → place in the story of the event that reports it.

    An action has one event of the kind that its verb names. So from the end, each action has the
    nearest event of its kind before that of the next one.

    Args:
        game: the game.
        story: the story after the actions.
        actions: the latest actions, at least those of the story.
    """
    kinds = {verb.name: verb.event for verb in game.verbs}
    end, reporting = len(story), dict[int, int]()
    for place in reversed(range(len(actions))):
        kind = kinds.get(actions[place].verb)
        if not kind:
            continue
        places = [at for at in range(end) if story[at].kind == kind]
        if not places:
            break  # it belongs to an earlier story
        end = reporting[place] = places[-1]
    return reporting


def with_marks(game: AnyGame, view: V, log: Sequence[tuple[Action, Mark | None]]) -> V:
    """Return a view whose story knows the choices that the bot has made for players.

    Args:
        game: the game.
        view: the view after these actions.
        log: the latest actions, at least those of its story, each with its mark.
    """
    if not any(mark for _, mark in log):
        return view
    places = reports(game, view.story, [action for action, _ in log])

    def marked(mark: Mark) -> tuple[int, ...]:
        return tuple(sorted(at for place, at in places.items() if log[place][1] == mark))

    return replace(view, forced=marked(Mark.FORCED), foreseen=marked(Mark.FORESEEN))
