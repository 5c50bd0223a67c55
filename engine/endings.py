"""The verbs that all games share: leaving, draws by agreement, losing on time (docs/notation.md).

A state that can be left this way has the fields `offer` and `result`. These verbs are never in
legal lists; a seat still in may use them whenever some seat's decision is pending.
"""

from __future__ import annotations

from typing import Protocol

from engine.dispatch import unreadable
from engine.game import CHANCE, Action, Event, IllegalActionError


class Leavable(Protocol):
    """What a position needs to be ended by its players."""

    offer: str
    result: str


ENDING_VERBS = frozenset({"resign", "leave", "draw", "flag"})

FORFEIT_REASONS = {"resign": "resign", "leave": "left", "flag": "time"}
"""The verbs after which a seat is out, and the reason that a Result gives for each."""


def is_ending(action: Action) -> bool:
    """Whether this is one of the shared verbs; chance uses none, whatever its words are."""
    return action.verb in ENDING_VERBS and action.actor != CHANCE


def is_final(action: Action) -> bool:
    """Return whether this ends the match, or the seat's part in it, and cannot be undone."""
    return action.verb in FORFEIT_REASONS or (action.verb, action.args) == ("draw", ("accept",))


def story_events(events: tuple[Event, ...]) -> tuple[Event, ...]:
    """Return the events of an exit that the story tells, because nothing else shows them."""
    return tuple(event for event in events if event.kind == "declined")


def apply_ending(
    position: Leavable, seats: str, pending: str, action: Action, rule: str, *, table: int = 2
) -> tuple[Event, ...]:
    """Change the offer or the result of a position by one of the shared verbs.

    In a match of more than two a seat can leave without ending it. Its game takes that seat out
    of play; here only the draw offer falls, and the result is set once one seat remains.

    Args:
        position: a draft to write to.
        seats: letters of the seats still in.
        pending: what `Game.pending` says of the position.
        action: the exit.
        rule: number of the game's rule on ending a match early.
        table: with how many seats the match began.

    Raises:
        IllegalActionError: not possible now.
    """
    if not pending:
        raise IllegalActionError(rule, "This match is over.")
    if pending == CHANCE:
        raise IllegalActionError(rule, "The dice are rolling; one moment.")
    if action.actor not in tuple(seats):
        raise IllegalActionError(rule, "Only the players of this match can end it.")
    if action.verb == "draw" and len(action.args) == 1:
        return _draw(position, seats, action, rule)
    if action.args or action.verb == "draw":
        raise unreadable(action)
    if table > 2:
        return _leave(position, seats, action, rule)
    if action.verb == "leave":
        raise IllegalActionError(rule, "In a match of two you resign; there is nobody to play on.")
    winner = next(seat for seat in seats if seat != action.actor)
    return _end(position, winner, FORFEIT_REASONS[action.verb])


def _leave(position: Leavable, seats: str, action: Action, rule: str) -> tuple[Event, ...]:
    if action.verb == "resign":
        raise IllegalActionError(
            rule, "The others can play on without you: leave instead of resigning."
        )
    position.offer = ""
    reason = FORFEIT_REASONS[action.verb]
    left = Event("left", (action.actor, reason))
    others = seats.replace(action.actor, "")
    if len(others) > 1:
        return (left,)
    return (left, *_end(position, others, reason))


def _draw(position: Leavable, seats: str, action: Action, rule: str) -> tuple[Event, ...]:
    seat, answer = action.actor, action.args[0]
    if answer == "offer":
        if position.offer:
            raise IllegalActionError(rule, "There is a draw offer already.")
        position.offer = seat
        return (Event("offered", (seat,)),)
    if answer not in ("accept", "decline"):
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


def _end(position: Leavable, winner: str, reason: str) -> tuple[Event, ...]:
    position.result = f"{winner} {reason}"
    return (Event("ended", (winner, reason)),)
