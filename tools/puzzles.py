"""Find puzzles for players in matches between computer players.

    python -m tools.puzzles warp6 --count 12    # prints them, to be copied into a lesson
    python -m tools.puzzles warp6 --check       # prints the lesson's puzzles that have changed
    python -m tools.puzzles warp6 --pool        # does the same for positions of the day

A puzzle is a decision whose best action leads all others by `MIN_LEAD` of the expected score in the
view of its player, is not the one that looks best one action ahead (`greedy`), and has a reason in
words. Positions are rated as the strongest level rates them, with several random sources, and the
same action has to lead with each. The same seed finds the same puzzles on every machine.

Matches are numbered from 0 until enough puzzles have been found, at most one of each `MIN_APART`
decisions, and for no theme (what a player does, and the reason) more than its part of them.
A position of the day has at least `MIN_CHOICES` legal choices, and is not in the lesson.
"""

from __future__ import annotations

import argparse
import hashlib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import count
from typing import NamedTuple

from bot.rulebook.lessons import Step, steps
from bot.rulebook.positions import pool_of
from engine import games
from engine.computer.baselines import choose_greedily, choose_randomly
from engine.computer.games import COMPUTER_SUPPORT
from engine.computer.levels import LEVELS
from engine.computer.situation import SCALE, Situation
from engine.dice import Dice
from engine.game import CHANCE, Action, AnyGame, RandomSource

OPTIONS: Mapping[str, Mapping[str, str]] = {"wormholes": {"notes": "on"}}
"""Options of the matches: with notes, a view shows what its player has seen."""

MIN_LEAD = SCALE * 15 // 100
"""Minimum lead of the best action, in expected score."""

SOURCES = 4
"""Number of random sources for rating a puzzle."""

NODES = max(level.nodes for level in LEVELS.values())
"""Maximum number of positions that are evaluated for a rating of a puzzle."""

PLAY_NODES = 40
"""The same for the decisions of a match."""

QUICK_STEP = 5
"""One action in this many of a quick match is rated."""

MIN_APART = 12
"""Number of decisions of a match between two puzzles."""

PARTS = 6
"""A theme has at most this part of the puzzles of a game, rounded up."""

POOL_PARTS = 2
"""The same for positions of the day."""

MIN_CHOICES = 3
"""Minimum number of legal choices in a position of the day: of two, many would guess the best."""

MAX_LOSS = SCALE // 10
"""Maximum loss of an action that is chosen in the matches, in expected score."""

Rated = list[tuple[int, Action]]
"""Expected scores with their actions, the best first."""


class Puzzle(NamedTuple):
    """A decision with one clearly best action.

    Attributes:
        position: the position as the engine prints it, including facts that the seat does not know.
        values: the expected scores after the actions worth choosing, in percent, the best first.
        theme: the player's action, and the reason.
    """

    seat: str
    position: str
    values: Mapping[str, int]
    theme: tuple[str, ...]


def judge(situation: Situation, rated: Rated) -> Puzzle | None:
    """Return a decision as a puzzle; None if it is none.

    Args:
        rated: the actions, rated roughly; they are rated again only where one leads.
    """
    game, seat = situation.game, situation.seat
    action = _leader(situation, rated)
    if action is None or not game.view(situation.sampled_state, seat).turn:
        return None
    sources = [_rated(situation, _draw(seat, source), NODES) for source in range(SOURCES)]
    if any(_leader(situation, scores, source) != action for source, scores in enumerate(sources)):
        return None
    reasons = COMPUTER_SUPPORT[game.name].explain(situation, action)
    theme = (action.verb, *(reason.template for reason in reasons[:1]))
    totals = Counter[Action]()
    for scores in sources:
        totals.update({action: value for value, action in scores})
    values = {option.notation: _percent(total) for option, total in totals.most_common()}
    return Puzzle(seat, game.dump(situation.sampled_state), values, theme) if reasons else None


def judge_position(game: AnyGame, position: str, seat: str) -> Puzzle | None:
    """Return a printed position as a puzzle of a seat; None if it is none."""
    state = game.load(position)
    legal = tuple(action for action in game.legal(state) if action.actor == seat)
    situation = Situation(game, seat, legal, state)
    return judge(situation, _rated(situation, _draw(seat, 0), NODES))


def _leader(situation: Situation, rated: Rated, source: int = 0) -> Action | None:
    """Return the action that leads all others, if it is not the one that looks best at first."""
    if len(rated) < 2 or rated[0][0] - rated[1][0] < MIN_LEAD:
        return None
    best = rated[0][1]
    draw = _draw(situation.seat, source)
    greedy = choose_greedily(situation, draw, len(situation.legal)).action
    return best if best != greedy else None


def _rated(situation: Situation, draw: RandomSource, nodes: int) -> Rated:
    """Return the actions with their expected scores, the best first."""
    rated = COMPUTER_SUPPORT[situation.game.name].rate(situation, draw, nodes)
    clamped = [(min(max(value, 0), SCALE), action) for value, action in rated]
    return sorted(clamped, key=lambda pair: -pair[0])


def _draw(seat: str, source: int) -> RandomSource:
    return Dice(bytes(32), seat).draw(source)


def _percent(total: int) -> int:
    return (total * 100 + SCALE * SOURCES // 2) // (SCALE * SOURCES)


def puzzles(game: AnyGame, seed: int, *, quick: bool = False) -> Iterator[Puzzle]:
    """Yield the puzzles of one match after the other, without end; see `decisions`."""
    for number in count():
        distance = MIN_APART
        for situation, rated in decisions(game, f"{seed} {number}", quick=quick):
            puzzle = judge(situation, rated) if distance >= MIN_APART else None
            distance = 0 if puzzle else distance + 1
            if puzzle:
                yield puzzle


def decisions(game: AnyGame, seed: str, *, quick: bool) -> Iterator[tuple[Situation, Rated]]:
    """Yield the decisions of a match, with their rated actions.

    Players err at times, so that positions are as people have them: one of the better actions is
    chosen, each the likelier the better. In a quick match the choice is greedy three times of
    four and else random, and every `QUICK_STEP`th decision is rated.
    """
    dice = Dice(hashlib.sha256(f"puzzles {seed}".encode()).digest(), "")
    state = game.start(game.rules[0], OPTIONS.get(game.name, {}))
    for number in count():
        pending, draw = game.pending(state), dice.draw(number)
        if not pending:
            return
        if pending == CHANCE:
            action = game.chance(state, draw)
        else:
            legal = tuple(option for option in game.legal(state) if option.actor == pending[0])
            situation = Situation(game, pending[0], legal, state)
            if not quick or number % QUICK_STEP == 0:
                rated = _rated(situation, draw, PLAY_NODES)
                yield situation, rated
            action = _hurried(situation, draw) if quick else _careless(rated, draw)
        state, _ = game.apply(state, action)


def _careless(rated: Rated, draw: RandomSource) -> Action:
    close = [action for value, action in rated if value >= rated[0][0] - MAX_LOSS]
    return close[min(draw(len(close)), draw(len(close)))]


def _hurried(situation: Situation, draw: RandomSource) -> Action:
    choose = choose_greedily if draw(4) else choose_randomly
    return choose(situation, draw, PLAY_NODES).action


def for_pool(game: AnyGame, candidates: Iterator[Puzzle]) -> Iterator[Puzzle]:
    """Yield the puzzles that can be positions of the day."""
    taught = {step.position for step in steps(game.name)}
    for puzzle in candidates:
        legal = game.legal(game.load(puzzle.position))
        choices = sum(action.actor == puzzle.seat for action in legal)
        if choices >= MIN_CHOICES and puzzle.position not in taught:
            yield puzzle


def chosen(candidates: Iterator[Puzzle], amount: int, parts: int = PARTS) -> Iterator[Puzzle]:
    """Yield as many puzzles, of no theme more than its part of them."""
    themes: Counter[tuple[str, ...]] = Counter()
    while themes.total() < amount:
        puzzle = next(candidates)
        if themes[puzzle.theme] * parts < amount:
            themes[puzzle.theme] += 1
            yield puzzle


def written(puzzle: Puzzle, table: str = "puzzles") -> str:
    """Return a puzzle as lessons have it, without its texts, or as a pool has it."""
    values = ", ".join(f'"{line}" = {value}' for line, value in puzzle.values.items())
    return (
        f"# {': '.join(puzzle.theme)}\n[[{table}]]\n"
        f'seat = "{puzzle.seat}"\nposition = "{puzzle.position}"\nvalues = {{ {values} }}\n'
    )


def changed(game: str, lesson_steps: Sequence[Step]) -> list[Puzzle | str]:
    """Return the puzzles among steps as they are rated now; if they are none, their titles.

    Those without a title are named by their positions.

    Those that are rated as before are left out.
    """
    rules, rated_steps = games.get(game), [step for step in lesson_steps if step.values]
    judged = ((step, judge_position(rules, step.position, step.seat)) for step in rated_steps)
    return [
        puzzle or step.title or step.position
        for step, puzzle in judged
        if puzzle is None or tuple(puzzle.values.items()) != step.values
    ]


def main() -> None:
    """Print puzzles of a game."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("game", choices=games.names())
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=12)
    parser.add_argument("--quick", action="store_true", help="matches of greedy players")
    parser.add_argument("--check", action="store_true", help="rate those of the lesson again")
    parser.add_argument("--pool", action="store_true", help="positions of the day")
    arguments = parser.parse_args()
    if arguments.check:
        lesson_steps = (
            [entry.step for entry in pool_of(arguments.game)]
            if arguments.pool
            else steps(arguments.game)
        )
        print("\n".join(map(str, changed(arguments.game, lesson_steps))))
        return
    game = games.get(arguments.game)
    candidates = puzzles(game, arguments.seed, quick=arguments.quick)
    table, parts = ("positions", POOL_PARTS) if arguments.pool else ("puzzles", PARTS)
    for puzzle in chosen(
        for_pool(game, candidates) if arguments.pool else candidates, arguments.count, parts
    ):
        print(written(puzzle, table), flush=True)


if __name__ == "__main__":
    main()
