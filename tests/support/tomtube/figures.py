"""Figures of play beside those of an independent implementation (docs/rules/tomtube.md).

Run it: `python -m tests.support.tomtube.figures`.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from random import Random
from statistics import mean, median

from engine.game import Action
from engine.tomtube.board import fill_of, rhomb_of
from engine.tomtube.lattice import AROUND, TRIANGLES
from engine.tomtube.state import State
from engine.tomtube.tables import ALIEN, CONTROL, ENERGY, SOLARS
from engine.tomtube.tiles import BLANK, rhomb_mouths
from tests.support.tomtube.games import (
    Choice,
    any_of,
    bare,
    greedy,
    isolating_tiles,
    match,
    random_match,
)
from tests.support.tomtube.positions import GAME

FILLINGS = 400
GREEDY = 300


def filling(choose: Choice, seed: int) -> State:
    """A board on which rhombs were placed, this way, until there was no room."""

    def build(state: State, legal: tuple[Action, ...], random: Random) -> Action:
        return legal[0] if state.phase == "turn" else choose(state, legal, random)

    random, state = Random(seed), GAME.start("standard", {})
    while GAME.pending(state) and (state.phase != "turn" or state.board.room):
        if GAME.pending(state) == "*":
            action = GAME.chance(state, random.randrange)
        else:
            action = build(state, GAME.legal(state), random)
        state, _ = GAME.apply(state, action)
    return state


def rhombs(state: State) -> int:
    """Rhombs on the board."""
    return len(state.rhombs)


def isolated(state: State) -> int:
    """Triangles that were isolated, filled or not."""
    return len(state.fills) + state.left.bit_count()


def empty(state: State) -> int:
    """Triangles that were left empty."""
    return state.left.bit_count()


def counters(kind: int) -> Callable[[State], int]:
    """Counters of a kind on the board."""
    return lambda state: state.put[kind].bit_count()


def mouths(state: State) -> int:
    """The most tube mouths at a complete knot."""
    knots = [knot for code in state.rhombs for knot in rhomb_mouths(*rhomb_of(code))]
    for triangle, filling in map(fill_of, state.fills):
        knots += TRIANGLES[triangle] * (filling != BLANK)
    return max(knots.count(knot) for knot in AROUND if state.board.complete >> knot & 1)


def show(what: str, values: list[int], expected: str) -> None:
    """Print a line: the least, the greatest, the mean, and the expected value."""
    out = f"{what:34} {min(values):3}-{max(values):<3} mean {mean(values):5.1f}"
    print(f"{out}   expected: {expected}")


def fillings() -> None:
    """Boards filled to the end."""
    for name, choose, figures in (
        (
            "random",
            any_of,
            (
                ("rhombs", rhombs, "30-38 (mean 34)"),
                ("isolated triangles", isolated, "2-18 (mean 10)"),
                ("energy spheres", counters(ENERGY), "14-20"),
                ("control", counters(CONTROL), "0-5"),
                ("alien", counters(ALIEN), "0-2"),
                ("mouths at a knot", mouths, "at most 6"),
            ),
        ),
        (
            "isolating",
            isolating_tiles,
            (
                ("rhombs", rhombs, "26-30"),
                ("isolated triangles", isolated, "18-26"),
                ("left empty", empty, "up to 8"),
            ),
        ),
        (
            "bare knots",
            bare,
            (
                ("control", counters(CONTROL), "0-8 (mean 4)"),
                ("alien", counters(ALIEN), "0-3"),
                ("mouths at a knot", mouths, "at most 6"),
            ),
        ),
    ):
        boards = [filling(choose, seed) for seed in range(FILLINGS)]
        for what, figure, expected in figures:
            show(f"{name}: {what}", [figure(board) for board in boards], expected)


def random_games() -> None:
    """Uniformly random matches."""
    turns = [random_match(seed)[0].number for seed in range(FILLINGS)]
    show("random games: turns", turns, "67-268")
    print(f"{'random games: median of turns':34} {median(turns)}   expected: 118")


def greedy_games() -> None:
    """A greedy player against itself; that of the other implementation is not the same."""
    ends = [match(greedy, seed)[0] for seed in range(GREEDY)]
    winners = [state.result[0] for state in ends]
    share = mean(solars == SOLARS for state in ends for solars in state.solar)
    bonus = [state.bonus for state in ends if state.bonus]
    print(
        f"{'greedy games: T, D, draws':34} "
        f"{winners.count('T')} : {winners.count('D')}, {winners.count('-')}"
        "   expected: even (154 : 130, 16)"
    )
    print(f"{'greedy games: both solar counters':34} {share:.0%}   expected: 85 %")
    print(f"{'greedy games: with bonus':34} {len(bonus)}   expected: 177")
    show("greedy games: bonus", bonus, "1-15 (median 5)")


def main() -> int:
    """Print all figures."""
    fillings()
    random_games()
    greedy_games()
    return 0


if __name__ == "__main__":
    sys.exit(main())
