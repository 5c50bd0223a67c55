"""Rate what a seat of Warp 6 can do: a network values the positions after each action."""

from __future__ import annotations

from engine.computer.situation import Situation
from engine.computer.warp6.search import REPLIES, Search, value, worth_trying
from engine.computer.warp6.setup import rate_setup
from engine.game import Action, RandomSource
from engine.warp6.pieces import SEATS
from engine.warp6.rules import apply

NODE_POSITIONS = 10
"""Positions that count as one of a player's: in Warp 6 they take a tenth of the usual time."""

REPLY_NODES = 300
"""A player that may evaluate fewer positions does not look at replies."""


def rate(situation: Situation, draw: RandomSource, nodes: int) -> list[tuple[int, Action]]:
    """Return the actions worth choosing with the expected score after each."""
    state, seat = situation.sampled_state, SEATS.index(situation.seat)
    if state.phase != "play":
        return rate_setup(situation, state, draw)
    actions = worth_trying(state, situation.legal)
    rated = [(value(apply(state, action)[0], seat), action) for action in actions]
    situation.tally.nodes += len(actions)
    if nodes >= REPLY_NODES and REPLIES[state.seats]:
        search = Search(exact=True)
        best_first = [action for _, action in sorted(rated, key=lambda pair: -pair[0])]
        rated = search.after_replies(state, best_first, nodes * NODE_POSITIONS)
        situation.tally.nodes += search.positions // NODE_POSITIONS
    return rated
