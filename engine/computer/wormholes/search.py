"""Choose in a turn of Wormholes: try all that the dice allow, in several worlds."""

from __future__ import annotations

from engine.computer.situation import Situation
from engine.computer.wormholes.race import Outlook, place_if_sent
from engine.game import Action, RandomSource
from engine.wormholes.board import INDEX
from engine.wormholes.pieces import SEATS, SUITS, owner
from engine.wormholes.rules import apply, legal, pending
from engine.wormholes.state import State

MAX_WORLDS = 12
MAX_SPACES_TO_SEND = 4

LATER = 1
"""What another own action in the turn costs, in `ONE`: a match that can be won is won at once."""

IN_TURN = frozenset({"act", "jump", "send"})
"""Phases where the dice of the turn are known."""


def rate(
    situation: Situation, draw: RandomSource, nodes: int, *others: Action
) -> list[tuple[int, Action]]:
    """Return the actions worth trying, and others, with their mean values over worlds, in `ONE`.

    All actions are evaluated in the same worlds, so none gains from hidden information.
    """
    outlook = Outlook.known_to(situation.sampled_state, SEATS.index(situation.seat))
    search = Search(SEATS.index(situation.seat), outlook)
    actions = tuple(dict.fromkeys((*worth_trying(situation.sampled_state, outlook), *others)))
    totals = dict.fromkeys(actions, 0)
    worlds = 0
    while worlds < MAX_WORLDS and (not worlds or search.nodes * (worlds + 1) <= nodes * worlds):
        sampled_state = situation.determinize(draw)
        for action in actions:
            totals[action] += search.value(apply(sampled_state, action)[0])
        worlds += 1
    situation.tally.nodes += search.nodes
    return [(total // worlds, action) for action, total in totals.items()]


def worth_trying(state: State, outlook: Outlook) -> tuple[Action, ...]:
    """Return the legal actions; of the spaces to send a ship to, those that are worst for it."""
    actions = legal(state)
    if state.phase != "send":
        return actions
    lengths = outlook.races[1 - owner(state.focus)].lengths
    sends = [action for action in actions if action.verb == "send"]
    sends.sort(key=lambda action: -lengths[_place_sent_to(action)])
    keeps = [action for action in actions if action.verb != "send"]
    return (*sends[:MAX_SPACES_TO_SEND], *keeps)


def _place_sent_to(action: Action) -> int:
    suit, space = action.args
    return place_if_sent(SUITS.index(suit), INDEX[space])


class Search:
    """Values of positions for a seat, to the end of the turn."""

    def __init__(self, seat: int, outlook: Outlook) -> None:
        self.nodes = 0
        self._seat, self._outlook = seat, outlook

    def value(self, state: State) -> int:
        """Return the value of a position for the seat, in `ONE`."""
        if state.phase not in IN_TURN:
            self.nodes += 1
            return self._outlook.winning(state, self._seat, state.turn)
        actions = worth_trying(state, self._outlook)
        values = [self.value(apply(state, action)[0]) for action in actions]
        return max(values) - LATER if pending(state) == SEATS[self._seat] else min(values)
