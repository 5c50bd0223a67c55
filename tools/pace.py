"""How many days a match takes of two people who look in twice a day, with and without plans.

Both look in at two random times a day, choose as a computer player would, and go on as long as it
is their turn. With plans, they let the computer suggest their setup at their first look
(`engine.plans`), and forced choices are made for them. The same seeds give the same figures.

    python -m tools.pace --matches 100

Then a player with plans meets one without, with swapped seats: plans should cost no strength.
"""

from __future__ import annotations

import argparse
import hashlib
import statistics
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any, NamedTuple

from engine import games
from engine.computer.players import ComputerPlayer
from engine.dice import Dice
from engine.game import CHANCE, Action, AnyGame
from engine.plans import Order, Plan, Step, forced_action, next_step, order_like
from engine.record import Record

LEVEL = "captain"
LOOKS_PER_DAY = 2


class Figures(NamedTuple):
    """What a match took.

    Attributes:
        days: until its end.
        set_up_days: until its first turn.
        looks: visits by both players together.
        winner: a seat, or `-`.
    """

    days: float
    set_up_days: float
    looks: int
    winner: str


@dataclass
class Person:
    """A player who looks in from time to time.

    Attributes:
        plans: whether they use plans, and let forced choices be made.
    """

    seat: str
    plans: bool
    player: ComputerPlayer
    looks: Iterator[float]
    plan: Plan = field(default=Plan(()))


def looks(random: Random) -> Iterator[float]:
    """Yield random times, some each day, in days."""
    day = 0
    while True:
        yield from (
            day + moment for moment in sorted(random.random() for _ in range(LOOKS_PER_DAY))
        )
        day += 1


class Match:
    """A match of people who look in from time to time.

    Args:
        game: the game, with its first rules and default options.
        seed: random seed for dice and visits.
        planners: the seats of the players with plans.
    """

    def __init__(self, game: AnyGame, seed: str, planners: str) -> None:
        self._game = game
        self._dice, self._rolls = Dice(hashlib.sha256(seed.encode()).digest(), ""), 0
        self._random = Random(seed)
        self._state: Any = game.start(game.rules[0], {})
        self._actions: list[Action] = []
        self._headers = {"Game": game.name, "Rules": game.rules[0], "Version": str(game.version)}
        self._people = {
            seat: Person(
                seat,
                seat in planners,
                ComputerPlayer(LEVEL, hashlib.sha256(f"{seed} {seat}".encode()).digest()),
                looks(Random(f"{seed} {seat} looks")),
            )
            for seat in game.seats({})
        }

    def play(self) -> Figures:
        """Play until the end."""
        coming = {seat: next(person.looks) for seat, person in self._people.items()}
        now, play_begin, count = 0.0, 0.0, 0
        self._go_on()
        while self._game.pending(self._state):
            if not self._in_set_up() and not play_begin:
                play_begin = now
            seat = min(coming, key=lambda candidate: coming[candidate])
            now, coming[seat] = coming[seat], next(self._people[seat].looks)
            self._look(self._people[seat])
            count += 1
        return Figures(now, play_begin, count, self._game.result(self._state)[0])

    def _look(self, person: Person) -> None:
        """Choose as long as it is a player's turn; write a plan for the setup."""
        if person.plans and self._in_set_up() and not person.plan.orders:
            person.plan = self._suggested(person)
            self._go_on()
        while person.seat in self._game.pending(self._state):
            self._apply(self._choice(person, self._actions))
            self._go_on()

    def _go_on(self) -> None:
        """Roll the dice, and make all choices that need no look."""
        game = self._game
        while pending := game.pending(self._state):
            if pending == CHANCE:
                self._apply(game.chance(self._state, self._dice.draw(self._rolls)))
                self._rolls += 1
                continue
            action = self._automatic(self._people[pending[0]])
            if action is None:
                return
            self._apply(action)

    def _automatic(self, person: Person) -> Action | None:
        """Return the choice that is made for a player, if any."""
        if not person.plans:
            return None
        if forced := forced_action(self._game, self._state, person.seat):
            return forced
        step = next_step(self._game, self._state, person.seat, person.plan, self._actions)
        if not isinstance(step, Step):
            return None
        person.plan = step.rest
        return step.action

    def _apply(self, action: Action) -> None:
        self._state, _ = self._game.apply(self._state, action)
        self._actions.append(action)

    def _choice(self, person: Person, actions: Sequence[Action], state: Any = None) -> Action:
        history = self._game.redact_for_infostate(state or self._state, person.seat, actions)
        return person.player.choose(Record(self._headers, history), person.seat).action

    def _in_set_up(self) -> bool:
        return not self._game.view(self._state).turn

    def _suggested(self, person: Person) -> Plan:
        """Return a plan for the rest of a setup, against an opponent who chooses at random."""
        game, state, orders = self._game, self._state, list[Order]()
        actions = list(self._actions)
        while game.pending(state) not in ("", CHANCE) and not game.view(state).turn:
            if person.seat in game.pending(state):
                action = self._choice(person, actions, state)
                orders.append(order_like(game, state, action, orders))
            else:
                action = self._random.choice(game.legal(state))
            state, _ = game.apply(state, action)
            actions.append(action)
        return Plan(tuple(orders))


def report(name: str, matches: int, seed: int) -> Iterator[str]:
    """Play matches of a game, and yield lines of a table."""
    game = games.get(name)
    seats = game.seats({})
    for label, planners in (("without", ""), ("with", seats)):
        results = [Match(game, f"pace {seed} {n}", planners).play() for n in range(matches)]
        days = statistics.median(result.days for result in results)
        set_up = statistics.median(result.set_up_days for result in results)
        count = statistics.median(result.looks for result in results)
        took = f"{days:.1f} days ({set_up:.1f} of them set-up), {count:.0f} looks"
        yield f"{game.title} {label} plans: {took}"
    scores = [
        Match(game, f"pace {seed} {n}", seat).play().winner == seat
        for n in range(matches // 2)
        for seat in seats
    ]
    mean = sum(scores) / len(scores)
    margin = 1.96 * (mean * (1 - mean) / len(scores)) ** 0.5
    yield f"{game.title} with plans against without: {mean:.3f} ± {margin:.3f} of {len(scores)}"


def main() -> None:
    """Print the figures of the games."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("games", nargs="*", default=games.names(), help="which games")
    parser.add_argument("--matches", type=int, default=100, help="how many of each kind")
    parser.add_argument("--seed", type=int, default=1, help="of dice and looks")
    arguments = parser.parse_args()
    for name in arguments.games:
        for line in report(name, arguments.matches, arguments.seed):
            print(line, flush=True)


if __name__ == "__main__":
    main()
