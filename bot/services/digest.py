"""The views of a digest: since a player's last turn, of one change, or of the latest turn."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from engine.game import Action, View
from render.renderer import turns

MAX_PUBLIC_TURNS = 6
"""Number of turns in the digest for spectators."""


def turns_since(views: Sequence[View], actions: Sequence[Action], seat: str) -> list[View]:
    """Return the views of all turns since a seat's last one, including the current one.

    Args:
        views: the reader's views, at the start and after each action.
        actions: the actions of the match; those hidden from the reader may be redacted.
        seat: the reader's seat; all turns if it has had none, only a few for the public.
    """
    now = views[-1]
    own = (
        number
        for number in reversed(range(len(actions)))
        if actions[number].actor == seat and (not now.turn or views[number].turn < now.turn)
    )
    last = next(own, -1)
    turn_views = list(turns(views[last + 1 :]))[1:]
    if now.story and (not turn_views or turn_views[-1] is not now) and last + 1 < len(actions):
        turn_views.append(now)
    turn_views = [view for view in turn_views if view.story]
    return turn_views if seat else turn_views[-MAX_PUBLIC_TURNS:]


def finished_stories(views: Sequence[View]) -> list[View]:
    """Return the views whose stories the next view does not continue.

    Args:
        views: before a change, and after each of its actions; the last one is not returned.
    """
    return [
        view
        for view, after in pairwise(views[1:])
        if view.story and after.story[: len(view.story)] != view.story
    ]


def last_turn(views: Sequence[View]) -> list[View]:
    """Return the views of the latest story: the one before it, then each that extends it.

    The first view has no story; the list is empty if there is no latest story.

    Args:
        views: of one reader, at the start and after each action.
    """
    story = views[-1].story
    found: list[View] = []
    for view in reversed(views if story else ()):
        if not view.story or story[: len(view.story)] != view.story:
            return [replace(view, story=()), *found[::-1]]
        if not found or len(view.story) < len(found[-1].story):
            found.append(view)
    return found[::-1]
