"""The verbs that all games share: resigning, leaving, draws, losing on time, abandoning a match.

These verbs are never in legal lists; a seat that is still in the match can use them whenever a
player's decision is pending.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Protocol

from engine.dispatch import unreadable
from engine.game import CHANCE, Action, AnyGame, Event, IllegalActionError


class EndablePosition(Protocol):
    """A position that players can end."""

    offer: str
    result: str


ENDING_VERBS = frozenset({"resign", "leave", "draw", "flag", "abandon"})

DRAW_ANSWERS = ("accept", "decline")

DRAW_WORDS = ("offer", *DRAW_ANSWERS)
"""Arguments of the verb `draw`."""

ENDING_EVENTS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "offered": ("seat",),
        "accepted": ("seat",),
        "declined": ("seat",),
        "ended": ("winner", "reason"),
    }
)
"""Events of the shared verbs in a match of two, and of every end; see `Game.events`."""

FORFEIT_REASONS = {"resign": "resign", "leave": "left", "flag": "time"}
"""Verb of a seat leaving the match → reason in the Result."""


ABANDONED = "- abandoned"
"""The result of a match that ended without one: no seat wins, and it is no draw."""


def is_ending(action: Action) -> bool:
    """Return whether this is one of the shared verbs, used by a player."""
    return action.verb in ENDING_VERBS and action.actor != CHANCE


def is_final(action: Action) -> bool:
    """Return whether this ends the match, or the seat's part in it, and cannot be undone."""
    accepts = (action.verb, action.args) == ("draw", ("accept",))
    return accepts or action.verb in FORFEIT_REASONS or action.verb == "abandon"


def is_offer(action: Action) -> bool:
    """Return whether this offers a draw."""
    return (action.verb, action.args) == ("draw", ("offer",))


def draw_answers(game: AnyGame, state: Any, seat: str) -> tuple[Action, ...]:
    """Return a seat's answers to a draw offer, accepting first; empty if none awaits its answer.

    The seat need not have any other decision pending.
    """
    answers = tuple(Action(seat, "draw", (answer,)) for answer in DRAW_ANSWERS)
    try:
        game.apply(state, answers[0])
    except IllegalActionError:
        return ()
    return answers


def story_events(events: tuple[Event, ...]) -> tuple[Event, ...]:
    """Return the events that belong into the story because nothing else shows them."""
    return tuple(event for event in events if event.kind == "declined")


def apply_ending(
    position: EndablePosition,
    seats: str,
    pending: str,
    action: Action,
    rule: str,
    *,
    seat_count: int = 2,
) -> tuple[Event, ...]:
    """Change the offer or the result of a position by one of the shared verbs.

    With more than two seats, one can leave without ending the match. The game removes its pieces;
    this function withdraws the draw offer and sets the result once only one seat remains.

    The caller checks that all players agree to abandon a match, and that a seat is out of time.

    Args:
        position: a draft to write to.
        seats: letters of the seats that are still in the match.
        pending: see `Game.pending`.
        action: one with a shared verb.
        rule: number of the game's rule on ending a match early.
        seat_count: number of seats at the start of the match.

    Raises:
        IllegalActionError: it is not possible now.
    """
    if not pending:
        raise IllegalActionError(rule, "This match is over.")
    if pending == CHANCE:
        raise IllegalActionError(rule, "A random event is still being resolved; one moment.")
    if action.actor not in tuple(seats):
        raise IllegalActionError(rule, "Only this match's players can end it.")
    if action.verb == "draw" and len(action.args) == 1:
        return _draw(position, seats, action, rule)
    if action.args or action.verb == "draw":
        raise unreadable(action)
    if action.verb == "abandon":
        return _end(position, *ABANDONED.split())
    if seat_count > 2:
        return _leave(position, seats, action, rule)
    if action.verb == "leave":
        raise IllegalActionError(rule, "In a match of two, resign instead of leaving.")
    winner = next(seat for seat in seats if seat != action.actor)
    return _end(position, winner, FORFEIT_REASONS[action.verb])


def _leave(position: EndablePosition, seats: str, action: Action, rule: str) -> tuple[Event, ...]:
    if action.verb == "resign":
        raise IllegalActionError(rule, "Leave instead of resigning: the others can play on.")
    position.offer = ""
    reason = FORFEIT_REASONS[action.verb]
    departure = Event("left", (action.actor, reason))
    others = seats.replace(action.actor, "")
    if len(others) > 1:
        return (departure,)
    return (departure, *_end(position, others, reason))


def _draw(position: EndablePosition, seats: str, action: Action, rule: str) -> tuple[Event, ...]:
    seat, answer = action.actor, action.args[0]
    if answer == "offer":
        if position.offer:
            raise IllegalActionError(rule, "There's already a draw offer.")
        position.offer = seat
        return (Event("offered", (seat,)),)
    if answer not in DRAW_ANSWERS:
        raise unreadable(action)
    if not position.offer or seat in position.offer:
        raise IllegalActionError(rule, "There is no draw offer for you to answer.")
    if answer == "decline":
        position.offer = ""
        return (Event("declined", (seat,)),)
    position.offer += seat
    if len(position.offer) < len(seats):
        return (Event("accepted", (seat,)),)
    return (Event("accepted", (seat,)), *_end(position, "-", "agreed"))


def _end(position: EndablePosition, winner: str, reason: str) -> tuple[Event, ...]:
    position.result = f"{winner} {reason}"
    return (Event("ended", (winner, reason)),)
