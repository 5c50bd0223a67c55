"""Tom Tube: moves that waste a counter or turns."""

from __future__ import annotations

from itertools import islice, pairwise

from engine.computer.situation import Situation
from engine.game import Action
from engine.tomtube.rules import points
from engine.tomtube.state import State
from engine.tomtube.tables import SEATS

RETURN_TURNS = 2
"""How many turns of its seat a move may lead back without a gain to be wasteful."""


def wasteful(situation: Situation) -> frozenset[Action]:
    """Return jumps to places that a drift reaches, and moves back after turns without a gain."""
    if situation.sampled_state.phase != "turn":
        return frozenset()
    drifts = {action.args for action in situation.legal if action.verb == "drift"}
    places = _places_left_for_nothing(situation)
    return frozenset(
        action
        for action in situation.legal
        if (action.verb == "jump" and action.args in drifts) or places.intersection(action.args)
    )


def _places_left_for_nothing(situation: Situation) -> set[str]:
    """Return the places where the latest turns began if all since then were moves without a gain.

    A place that has a counter now is none of them.
    """
    state: State = situation.sampled_state
    seat = SEATS.index(situation.seat)
    turns: dict[int, State] = {}  # by number, the latest one first: the position before it ended
    for earlier in reversed(situation.earlier):
        if earlier.turn == seat and 0 < earlier.number < state.number:
            turns.setdefault(earlier.number, earlier)
    places = set()
    for after, before in pairwise((state, *islice(turns.values(), RETURN_TURNS))):
        node = before.at[seat]
        if node == after.at[seat] or _points(before, seat) < _points(state, seat):
            break  # it built, or took a counter
        if not state.counters() >> node & 1:
            places.add(state.board.name(node, seat))
    return places


def _points(state: State, seat: int) -> int:
    return points(state)[SEATS[seat]]
