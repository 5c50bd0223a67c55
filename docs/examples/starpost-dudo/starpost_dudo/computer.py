"""A computer for Dudo: it bids and doubts by how likely a bid is to be true."""

from engine.computer.plain import support_by_score
from engine.computer.situation import SCALE
from engine.game import Action

from .rules import SEATS, State, is_true


def score(state: State, action: Action) -> int:
    """Return the score of an action if bids were always doubted."""
    if action.verb == "doubt":
        return SCALE * (not is_true(state.bid, state.hands))
    return SCALE * is_true("".join(action.args), state.hands)


SUPPORT = support_by_score(SEATS, score)
