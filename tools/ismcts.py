"""Play Wormholes by OpenSpiel's information set Monte Carlo tree search, as a program of the arena.

    python3 -m venv build/openspiel
    build/openspiel/bin/pip install open_spiel==2.0.2
    starpost engine arena wormholes --matches 20 --player A=admiral \
        --player B='cmd:build/openspiel/bin/python -m tools.ismcts'

The search is `ISMCTSBot` of OpenSpiel (Python) with its usual settings: UCT, the most visited
action, and one random match to the end (no limit of depth) as the value of a new node. It plays by
the rules of the engine. Worlds come from `Game.redeal`, as for the players of the engine, and an
information state is what a player with a perfect memory knows: `Game.recall`.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from importlib import import_module
from itertools import product
from random import Random
from typing import Any, NamedTuple

from engine import games
from engine.computer.protocol import PROTOCOL, seed_of
from engine.computer.situation import Situation, situation_of
from engine.dice import Dice
from engine.dispatch import dispatch
from engine.game import CHANCE, OPEN_VALUE, Action, RandomSource
from engine.record import Record
from engine.wormholes import rules
from engine.wormholes.board import INDEX
from engine.wormholes.pieces import COIN_AT, COINS, SEATS, VALUES
from engine.wormholes.state import State

WORMHOLES = games.get("wormholes")

EXPLORATION = 2.0
"""The constant of UCT, as in OpenSpiel's examples; results are 1 for a win and -1 for a loss."""

SEEDS = 1 << 32


class GameType(NamedTuple):
    """What `ISMCTSBot` asks of a game: constants of `pyspiel.GameType`."""

    dynamics: Any = None
    information: Any = None


class Position:
    """A position in the form of OpenSpiel's `State`, as far as `ISMCTSBot` asks.

    An action is its place in the list of legal actions: it is the same in all worlds of an
    information state.

    Args:
        kind: the type of the game.
        state: the position in the engine.
        actions: that led to it, without anything hidden.
    """

    def __init__(self, kind: GameType, state: State, actions: tuple[Action, ...]) -> None:
        self.state, self.actions = state, actions
        self._kind = kind
        self._legal = WORMHOLES.legal(state)
        self._key = ""

    def get_game(self) -> Position:
        return self

    def get_type(self) -> GameType:
        return self._kind

    def is_terminal(self) -> bool:
        return bool(self.state.result)

    def is_chance_node(self) -> bool:
        return WORMHOLES.pending(self.state) == CHANCE

    def current_player(self) -> int:
        return SEATS.index(WORMHOLES.pending(self.state))

    def legal_actions(self) -> list[int]:
        return list(range(len(self._legal)))

    def legal(self, number: int) -> Action:
        """Return a legal action by its place."""
        return self._legal[number]

    def chance_outcomes(self) -> list[tuple[int, float]]:
        count = len(outcomes(self._legal[0]))
        return [(number, 1 / count) for number in range(count)]

    def apply_action(self, number: int) -> None:
        chance = self.is_chance_node()
        action = outcomes(self._legal[0])[number] if chance else self._legal[number]
        self.state = WORMHOLES.apply(self.state, action)[0]
        self.actions += (action,)
        self._legal, self._key = WORMHOLES.legal(self.state), ""

    def information_state_string(self) -> str:
        if not self._key:
            seat = SEATS[self.current_player()]
            known = WORMHOLES.recall(self.state, seat, self.actions)
            self._key = "\n".join(map(_printed, known))
        return self._key

    def returns(self) -> list[float]:
        return _returns(self.state)

    def resampled(self, seat: str, draw: RandomSource) -> Position:
        """Return the position in another world that a seat cannot tell from this one."""
        world = WORMHOLES.redeal(self.state, seat, draw)
        return Position(self._kind, world, with_coins(world, self.actions))

    def play_out(self, random: Random) -> list[float]:
        """Return the result of a match that goes on from here at random."""
        draft: Any = self.state.draft()  # one for all actions: a match has hundreds
        while actions := rules.legal(draft):
            if actions[0].actor == CHANCE:
                actions = outcomes(actions[0])
            dispatch(draft, actions[int(random.random() * len(actions))], rules._HANDLERS)
        return _returns(draft)


def _returns(state: State) -> list[float]:
    return [1.0 if state.result[:1] == seat else -1.0 for seat in SEATS]


_printed = lru_cache(maxsize=1 << 14)(str)


@lru_cache
def outcomes(form: Action) -> tuple[Action, ...]:
    """Return the outcomes of a chance event; all are equally likely."""
    values = [
        [arg[0] + value for value in VALUES] if arg.endswith(OPEN_VALUE) else [arg]
        for arg in form.args
    ]
    return tuple(form._replace(args=args) for args in product(*values))


def with_coins(world: State, actions: Sequence[Action]) -> tuple[Action, ...]:
    """Return the actions with the coins that a world has on the spaces where they were placed."""
    return tuple(
        action._replace(args=(_coin_on(world, action.args[1]), action.args[1]))
        if action.verb == "place"
        else action
        for action in actions
    )


def _coin_on(world: State, space: str) -> str:
    return COINS[COIN_AT[world.board[INDEX[space]]]]


class Rollout:
    """OpenSpiel's `RandomRolloutEvaluator` without its detour by numbers of actions."""

    def __init__(self, random: Random) -> None:
        self._random = random

    def evaluate(self, position: Position) -> list[float]:
        return position.play_out(self._random)

    def prior(self, position: Position) -> list[tuple[int, float]]:
        actions = position.legal_actions()
        return [(action, 1 / len(actions)) for action in actions]


def root(kind: GameType, situation: Situation, record: Record) -> Position:
    """Return the position in which a seat decides, in a world that fits its record."""
    return Position(kind, situation.world, with_coins(situation.world, record.actions))


class Searcher:
    """Chooses by `ISMCTSBot`.

    Attributes:
        simulations: number of simulations for each choice.

    Args:
        simulations: see above.
        seed: of its random choices; the same record gives the same choice.

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
        bot.set_resampler(lambda position, _: position.resampled(seat, random.randrange))
        position = root(self._kind, situation_of(record, seat), record)
        return position.legal(bot.step(position))


def serve(lines: Iterable[str], searcher: Searcher) -> Iterator[str]:
    """Answer requests of the protocol of computer players, until one says `quit`."""
    for line in lines:
        request = json.loads(line)
        if request["do"] == "quit":
            return
        if request["do"] == "hello":
            answer = {"name": "OpenSpiel ISMCTS", "protocol": PROTOCOL, "games": ["wormholes"]}
        else:
            action = searcher.choose(Record.parse(request["record"]), request["seat"])
            answer = {"line": action.notation, "nodes": searcher.simulations}
        yield json.dumps(answer)


def main(argv: Sequence[str] | None = None) -> None:
    """Answer on standard output."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--simulations", type=int, default=1000, help="for each choice")
    parser.add_argument("--seed", type=int, default=0)
    arguments = parser.parse_args(argv)
    for answer in serve(sys.stdin, Searcher(arguments.simulations, seed_of(arguments.seed))):
        print(answer, flush=True)


if __name__ == "__main__":
    main()
