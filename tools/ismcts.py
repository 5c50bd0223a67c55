"""Play by OpenSpiel's information set Monte Carlo tree search, as a program of the arena.

    make openspiel
    OPENSPIEL=$(echo build/openspiel/lib/python3*/site-packages)
    .venv/bin/starpost engine arena wormholes --matches 20 --player A=admiral \
        --player B="cmd:env PYTHONPATH=$OPENSPIEL .venv/bin/python -m tools.ismcts"

The search is `ISMCTSBot` of OpenSpiel (Python) with its usual settings: UCT, the most visited
action, and one random match to the end (no limit of depth) as the value of a new node. It plays all
three games by the rules of the engine, on the positions of `engine.openspiel`, without the detour
by OpenSpiel's own states, which takes several times longer.
"""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from importlib import import_module
from random import Random
from typing import Any, NamedTuple

from engine import games
from engine.computer.protocol import seed_of
from engine.computer.situation import Situation, situation_of
from engine.dice import Dice
from engine.game import CHANCE, Action, RandomSource
from engine.openspiel.position import CHANCE_PLAYER, Position, terms_of
from engine.record import Record
from tools.serving import Program

EXPLORATION = 2.0
"""The constant of UCT, as in OpenSpiel's examples; results are 1 for a win and -1 for a loss."""

SEEDS = 1 << 32


class GameType(NamedTuple):
    """What `ISMCTSBot` asks of a game: constants of `pyspiel.GameType`."""

    dynamics: Any = None
    information: Any = None


class Node:
    """A position in the form of OpenSpiel's `State`, as far as `ISMCTSBot` asks."""

    def __init__(self, kind: GameType, position: Position) -> None:
        self.position = position
        self._kind = kind

    def get_game(self) -> Node:
        return self

    def get_type(self) -> GameType:
        return self._kind

    def is_terminal(self) -> bool:
        return not self.position.pending

    def is_chance_node(self) -> bool:
        return self.position.player == CHANCE_PLAYER

    def current_player(self) -> int:
        return self.position.player

    def legal_actions(self) -> list[int]:
        return list(self.position.legal)

    def chance_outcomes(self) -> list[tuple[int, float]]:
        return [(number, part) for number, (_, part) in self.position.outcomes.items()]

    def apply_action(self, number: int) -> None:
        self.position = self.position.after(number)

    def information_state_string(self) -> str:
        return self.position.information(self.position.pending)

    def returns(self) -> list[float]:
        return self.position.returns()

    def resampled(self, draw: RandomSource) -> Node:
        """Return the position in another world that is consistent with its player's knowledge."""
        return Node(self._kind, self.position.world(self.position.pending, draw))

    def play_out(self, random: Random) -> list[float]:
        """Return the result of a match that continues from here at random."""
        position = self.position
        while position.values or position.draws:  # begin with a whole action
            position = position.after(random.choice(list(position.legal or position.outcomes)))
        game, state, count = position.game, position.state, position.choices
        while (pending := game.pending(state)) and count < position.terms.max_choices:
            if pending == CHANCE:
                action = game.chance(state, random.randrange)
            else:
                legal = game.legal(state)
                action = game.fill(legal[int(random.random() * len(legal))], random.randrange)
                count += 1
            state = game.apply(state, action)[0]
        return Position(position.terms, state).returns()


class Rollout:
    """OpenSpiel's `RandomRolloutEvaluator` without its detour by numbers of actions."""

    def __init__(self, random: Random) -> None:
        self._random = random

    def evaluate(self, node: Node) -> list[float]:
        return node.play_out(self._random)

    def prior(self, node: Node) -> list[tuple[int, float]]:
        actions = node.legal_actions()
        return [(action, 1 / len(actions)) for action in actions]


def root(kind: GameType, situation: Situation, record: Record) -> Node:
    """Return the position where a seat decides, in a world that fits its record."""
    game, options = situation.game, record.options()
    actions = game.fill_redacted(options, record.actions)
    terms = terms_of(game.name, record.headers.get("Rules", ""), options)
    choices = sum(action.actor != CHANCE for action in actions)
    return Node(kind, Position(terms, situation.sampled_state, actions, choices))


class Searcher:
    """Chooses by `ISMCTSBot`.

    Attributes:
        simulations: number of simulations for each choice.

    Args:
        seed: seed of its random choices; the same record gives the same choice.

    Raises:
        ImportError: OpenSpiel is not installed.
    """

    def __init__(self, simulations: int, seed: bytes) -> None:
        self.simulations, self._seed = simulations, seed
        self._numpy = import_module("numpy")
        self._ismcts = import_module("open_spiel.python.algorithms.ismcts")
        kinds = import_module("pyspiel").GameType
        self._kind = GameType(kinds.Dynamics.SEQUENTIAL, kinds.Information.IMPERFECT_INFORMATION)

    def choose(self, record: Record, seat: str) -> Action:
        """Return an action of a seat, by its record."""
        random = Random(Dice(self._seed, seat).draw(len(record.actions))(SEEDS))
        bot = self._ismcts.ISMCTSBot(
            game=None,
            evaluator=Rollout(random),
            uct_c=EXPLORATION,
            max_simulations=self.simulations,
            random_state=self._numpy.random.RandomState(random.randrange(SEEDS)),
        )
        bot.set_resampler(lambda node, _: node.resampled(random.randrange))
        node = root(self._kind, situation_of(record, seat), record)
        before = len(node.position.actions)
        while len(node.position.actions) == before:  # an action with open values has many parts
            node.apply_action(bot.step(node))
        return node.position.actions[-1]


def program(searcher: Searcher) -> Program:
    """Return the search as a program of the arena."""

    def answer(record: Record, seat: str) -> Mapping[str, Any]:
        return {"line": searcher.choose(record, seat).notation, "nodes": searcher.simulations}

    return Program("OpenSpiel ISMCTS", games.names(), answer)


def main(argv: Sequence[str] | None = None) -> None:
    """Answer on standard output."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--simulations", type=int, default=1000, help="for each choice")
    parser.add_argument("--seed", type=int, default=0)
    arguments = parser.parse_args(argv)
    program(Searcher(arguments.simulations, seed_of(arguments.seed))).run()


if __name__ == "__main__":
    main()
