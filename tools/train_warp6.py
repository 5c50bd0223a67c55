"""Train the networks of the Warp 6 players by self-play: TD(λ) on positions, one core, minutes.

    python -m tools.train_warp6 --seats 2 --games 1500 --seed 1

The positions of a game are learned backwards, with targets that mix the next value and the
result. The weights are rounded and written to engine/computer/warp6/.
"""

from __future__ import annotations

import argparse
import json
from dataclasses import dataclass
from operator import mul
from pathlib import Path
from random import Random
from time import process_time

from engine.computer.network import WEIGHT
from engine.computer.warp6.features import UNIT, features
from engine.games import get
from engine.warp6.rules import apply, legal, pending
from engine.warp6.state import State

HIDDEN = 32
LAMBDA = 0.7
RATES = (0.02, 0.004)
"""Learning rate of the first and the last game."""

TOTAL_NEED = 1
"""Place of the turns that a side needs in all, among its features."""

INITIAL_WEIGHT = 2.0
"""What they weigh at the start."""

REPORTED = 50
"""Games between two lines of output."""

EXPLORED = 0.02
"""How often a random action is chosen."""

FOLDER = Path(__file__).parent.parent / "engine" / "computer" / "warp6"


@dataclass
class Learner:
    """A network of floating-point numbers."""

    hidden: list[list[float]]
    output: list[list[float]]
    linear: list[list[float]]

    @classmethod
    def random(cls, size: int, outputs: int, random: Random) -> Learner:
        """Make one with small weights, which knows that a shorter race is better.

        Without that the first games would not end: ships can change their numbers without end.
        """
        side = size // outputs
        linear = [[0.0] * (size + 1) for _ in range(outputs)]
        for output, row in enumerate(linear):
            for other in range(outputs):
                row[other * side + TOTAL_NEED] = (
                    -INITIAL_WEIGHT if output == other else INITIAL_WEIGHT / (outputs - 1)
                )
        return cls(
            [[random.gauss(0, 0.3) for _ in range(size + 1)] for _ in range(HIDDEN)],
            [[random.gauss(0, 0.1) for _ in range(HIDDEN)] for _ in range(outputs)],
            linear,
        )

    def forward(self, inputs: list[float]) -> tuple[list[float], list[float]]:
        """Return the hidden units and the sums of the outputs."""
        units = [min(max(sum(map(mul, row, inputs)), 0.0), 1.0) for row in self.hidden]
        sums = [
            sum(map(mul, row, units)) + sum(map(mul, linear, inputs))
            for row, linear in zip(self.output, self.linear, strict=True)
        ]
        return units, sums

    def values(self, inputs: list[float]) -> list[float]:
        """Return the share of the score for each side, the one on turn first."""
        return [0.5 + x / (2 + 2 * abs(x)) for x in self.forward(inputs)[1]]

    def learn(self, inputs: list[float], targets: list[float], rate: float) -> None:
        """Change the weights towards these targets."""
        units, sums = self.forward(inputs)
        back = [0.0] * len(units)
        for number, (x, target) in enumerate(zip(sums, targets, strict=True)):
            value = 0.5 + x / (2 + 2 * abs(x))
            slope = rate * (target - value) * 2 / (1 + abs(x)) ** 2
            row, linear = self.output[number], self.linear[number]
            for unit, active in enumerate(units):
                back[unit] += slope * row[unit]
                row[unit] += slope * active
            for place, feature in enumerate(inputs):
                linear[place] += 0.1 * slope * feature
        for unit, (active, delta) in enumerate(zip(units, back, strict=True)):
            if 0 < active < 1:
                row = self.hidden[unit]
                for place, feature in enumerate(inputs):
                    row[place] += delta * feature


def inputs_of(state: State) -> list[float]:
    """Return the features of a position as the learner takes them."""
    return [*(feature / UNIT for side in features(state) for feature in side), 1.0]


def value_of(learner: Learner, state: State, seat: int) -> float:
    """Return the value of a position to a seat, from 0 to 1; before a reroll the mean."""
    if state.result:
        return float(state.result[0] == "BYW"[seat])
    if state.phase == "reroll":
        (form,) = legal(state)
        die, faces = form.args[0], int(form.args[0][1])
        rolled = [form._replace(args=(die, str(n + 1))) for n in range(faces)]
        return sum(value_of(learner, apply(state, outcome)[0], seat) for outcome in rolled) / faces
    return learner.values(inputs_of(state))[(seat - state.turn) % state.seats]


def play(learner: Learner, seats: int, random: Random) -> tuple[list[State], State]:
    """Play a game against itself; return the positions to learn from, and the last one."""
    game = get("warp6")
    state = game.start("standard", {"seats": str(seats)})
    states: list[State] = []
    while pending_seats := pending(state):
        if pending_seats == "*":
            state = apply(state, game.chance(state, random.randrange))[0]
            continue
        actions = legal(state)
        if state.phase == "play":
            states.append(state)
        if state.phase != "play" or random.random() < EXPLORED:
            action = random.choice(actions)
        else:
            seat = state.turn
            rated = [
                (value_of(learner, apply(state, option)[0], seat), number)
                for number, option in enumerate(actions)
            ]
            action = actions[max(rated)[1]]
        state = apply(state, action)[0]
    return states, state


def learn_game(learner: Learner, states: list[State], last: State, rate: float) -> None:
    """Learn the positions of a game from the last to the first."""
    seats = last.seats
    winner = "BYW".index(last.result[0])
    target = [float(seat == winner) for seat in range(seats)]
    for state in reversed(states):
        inputs = inputs_of(state)
        targets = [target[(state.turn + step) % seats] for step in range(seats)]
        value = learner.values(inputs)
        learner.learn(inputs, targets, rate)
        for step in range(seats):
            seat = (state.turn + step) % seats
            target[seat] = LAMBDA * target[seat] + (1 - LAMBDA) * value[step]


def rounded(learner: Learner) -> dict[str, object]:
    """Return the weights as whole numbers."""
    rows = {"hidden": learner.hidden, "output": learner.output, "linear": learner.linear}
    weights = {
        name: [[round(WEIGHT * weight) for weight in row] for row in table]
        for name, table in rows.items()
    }
    return {"unit": UNIT, **weights}


def main(argv: list[str] | None = None) -> None:
    """Train and write the weights."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seats", type=int, choices=(2, 3), default=2)
    parser.add_argument("--games", type=int, default=1500)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--folder", type=Path, default=FOLDER)
    arguments = parser.parse_args(argv)
    random, seats = Random(arguments.seed), arguments.seats
    start = get("warp6").start("standard", {"seats": str(seats)})
    learner = Learner.random(sum(map(len, features(start))), seats, random)
    began, turns = process_time(), 0
    for number in range(arguments.games):
        progress = number / arguments.games
        states, last = play(learner, seats, random)
        turns += len(states)
        learn_game(learner, states, last, RATES[0] + progress * (RATES[1] - RATES[0]))
        if (number + 1) % REPORTED == 0:
            seconds = process_time() - began
            print(f"{number + 1} games, {turns // REPORTED} turns, {seconds:.0f} s")
            turns = 0
    text = json.dumps(rounded(learner)).replace("], [", "],\n[") + "\n"
    (arguments.folder / f"network{seats}.json").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
