"""The views of a digest: from a player's last turn on, of one change, or of one turn."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from itertools import groupby, pairwise

from engine.endings import is_ending
from engine.game import CHANCE, Action, Event, View

MAX_PUBLIC_TURNS = 6
"""Number of turns in the digest for spectators."""


def turns_since(
    views: Sequence[View], actions: Sequence[Action], seat: str, automatic: Collection[int] = ()
) -> list[View]:
    """Return the views of a seat's last turn, and of all turns since, including the current one.

    Args:
        views: the reader's views, at the start and after each action.
        actions: the actions of the match; those hidden from the reader may be redacted.
        seat: the reader's seat; all turns if it has had none, only a few for the public.
        automatic: the places of actions that the bot made for a player, who has not seen them.
    """
    now = views[-1]
    action_numbers = (
        number
        for number in reversed(range(len(actions)))
        if actions[number].actor == seat
        and number not in automatic
        and (not now.turn or views[number].turn < now.turn)
    )
    story_views = finished_stories(views[next(action_numbers, 0) :])
    story_views += [now] if now.story else []
    return story_views if seat else story_views[-MAX_PUBLIC_TURNS:]


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
    turn_views: list[View] = []
    for view in reversed(views if story else ()):
        if not view.story or story[: len(view.story)] != view.story:
            return [replace(view, story=()), *turn_views[::-1]]
        if not turn_views or len(view.story) < len(turn_views[-1].story):
            turn_views.append(view)
    return turn_views[::-1]


def answer_to(views: Sequence[View], actions: Sequence[Action], place: int) -> View | None:
    """Return the view after the next turn of another seat, with the story since an action.

    That turn may have no choice, or only a roll with which its seat could do nothing. None if there
    is none.

    Args:
        views: of one reader, at the start of a match and after each action.
        actions: all actions of the match.
        place: number of the actions before the one that is answered.
    """
    later = [at for at in range(place + 1, len(actions)) if not is_ending(actions[at])]
    for turn, places in groupby(later, key=lambda at: views[at].turn):
        turn_places = [*places]
        seats = [actions[at].actor for at in turn_places if actions[at].actor != CHANCE]
        is_passed = not seats and turn != views[place].turn
        if is_passed or (seats and seats[0] != actions[place].actor):
            return _since(views[place + 1].story, views[turn_places[-1] + 1])
    return None


def _since(story: Sequence[Event], view: View) -> View | None:
    """Return a view without the events of an earlier story; None if it has no others."""
    is_continued = view.story[: len(story)] == story
    events = view.story[len(story) :] if is_continued else view.story
    return replace(view, story=events) if events else None
