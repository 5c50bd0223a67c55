"""The verbs that all games share: resigning, draws by agreement, losing on time (notation.md).

A state that can be left this way has the fields `offer` and `result`. These verbs are never in
legal lists; a seat may use them whenever some seat's decision is pending.
"""

from __future__ import annotations

from typing import Protocol

from engine.game import CHANCE, Action, Event, Refused


class Leavable(Protocol):
    """What a position needs to be ended by its players."""

    offer: str
    result: str


VERBS = frozenset({"resign", "draw", "flag"})


def is_exit(action: Action) -> bool:
    """Whether this is one of the shared verbs."""
    return action.verb in VERBS


def apply_exit(
    position: Leavable, seats: str, pending: str, action: Action, rule: str
) -> tuple[Event, ...]:
    """Change the offer or the result of a position by one of the shared verbs.

    Args:
        position: a draft to write to.
        seats: letters of the seats still in.
        pending: what `Game.pending` says of the position.
        action: the exit.
        rule: number of the game's rule on ending a match early.

    Raises:
        Refused: not possible now.
    """
    if not pending:
        raise Refused(rule, "This match is over.")
    if pending == CHANCE:
        raise Refused(rule, "The dice are rolling; one moment.")
    if action.actor not in seats:
        raise Refused(rule, "Only the players of this match can end it.")
    if action.verb == "draw" and len(action.args) == 1:
        return _draw(position, seats, action, rule)
    if action.args or action.verb == "draw":
        raise Refused("notation", "“{line}” is not a known action.", line=str(action))
    winner = next(seat for seat in seats if seat != action.actor)
    return _end(position, winner, "resign" if action.verb == "resign" else "time")


def _draw(position: Leavable, seats: str, action: Action, rule: str) -> tuple[Event, ...]:
    seat, answer = action.actor, action.args[0]
    if answer == "offer":
        if position.offer:
            raise Refused(rule, "There is a draw offer already.")
        position.offer = seat
        return (Event("offered", (seat,)),)
    if answer not in ("accept", "decline"):
        raise Refused("notation", "“{line}” is not a known action.", line=str(action))
    if not position.offer or seat in position.offer:
        raise Refused(rule, "There is no draw offer for you to answer.")
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
