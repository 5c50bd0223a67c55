"""Two simple players that stronger ones are measured against."""

from __future__ import annotations

from engine.computer.games import support_of
from engine.computer.situation import Choice, Situation
from engine.game import Action, RandomSource


def choose_randomly(situation: Situation, draw: RandomSource, _: int) -> Choice:
    """Choose any legal action; each is equally likely."""
    form = situation.legal[draw(len(situation.legal))]
    return Choice(situation.game.fill(form, draw))


def choose_greedily(situation: Situation, draw: RandomSource, nodes: int) -> Choice:
    """Choose the action that ranks best one step ahead in one world; break ties at random."""
    game = situation.game
    sampled_state = situation.determinize(draw)
    actions = [game.fill(form, draw) for form in _some(situation.legal, nodes, draw)]
    rank = support_of(game).rank
    ranked = [(rank(sampled_state, action), action) for action in actions]
    situation.tally.nodes += len(ranked)
    best = max(value for value, _ in ranked)
    equals = [action for value, action in ranked if value == best]
    return Choice(equals[draw(len(equals))])


def _some(legal: tuple[Action, ...], count: int, draw: RandomSource) -> list[Action]:
    """Draw `count` of the actions without repetition; all if there are no more."""
    actions = list(legal)
    if len(actions) <= count:
        return actions
    return [actions.pop(draw(len(actions))) for _ in range(count)]
