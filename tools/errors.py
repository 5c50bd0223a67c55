"""Analyse matches of the computer players against themselves: what their decisions lose.

    python -m tools.errors [GAME …] [--matches N] [--seed S] [--workers N] [--each FILE] [--dice]

For each game and player this prints the error rate with its 95 % interval, and over all of them
the mean luck of the dice; the largest difference of the sum of the parts from result − start, with
the result as the match says it; and the slope: the change of the expected score, as a decision is
made, for each unit of loss that it is judged to be. Where the judgement is right the slope is −1;
the constants `..._PERCENT` of engine/computer/GAME/values.py are there to make it so. With --dice,
only the luck of the dice is computed, in a tenth of the time.
"""

from __future__ import annotations

import argparse
import json
import math
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from itertools import product
from pathlib import Path
from time import process_time
from typing import NamedTuple

from engine import games
from engine.computer.analysis import Analysis
from engine.computer.analyst import analyse, dice_luck
from engine.computer.arena import Z_95
from engine.computer.players import ComputerPlayer
from engine.computer.protocol import seed_in_match
from engine.computer.shares import won_by
from engine.computer.situation import SCALE
from engine.dice import Dice
from engine.game import CHANCE, Action
from engine.record import Record

PLAYERS = ("random", "greedy", "cadet", "navigator", "captain", "admiral")

MAX_ACTIONS = 3000
"""A match that is longer is left out."""


class Job(NamedTuple):
    """A match to play and to analyse.

    Attributes:
        player: name of the player in both seats.
        number: decides its dice and the choices of its players.
        only_dice: whether its decisions are left out.
    """

    game: str
    player: str
    number: int
    only_dice: bool = False


class MatchErrors(NamedTuple):
    """The losses, the luck and the difference that one match shows.

    Attributes:
        player: name of the player in both seats.
        losses: for each decision, whether it belongs to the setup, its loss, and the change of
            its seat's expected score.
        dice: luck of the first seat.
        gap: maximum difference between the sum of its parts and result − start.
        seconds: processor time of the analysis.
    """

    game: str
    player: str
    losses: list[tuple[bool, float, float]]
    dice: float
    gap: float
    seconds: float


def play(job: Job) -> Record:
    """Play a match of a player against itself; the record may be unfinished."""
    game = games.get(job.game)
    rules, seats = game.rules[0], game.seats({})
    headers = {"Game": game.name, "Rules": rules, "Version": str(game.version)}
    players = {
        seat: ComputerPlayer(job.player, seed_in_match(job.number, place))
        for place, seat in enumerate(seats)
    }
    dice = Dice(seed_in_match(job.number, len(seats)), "")
    state, actions, rolls = game.start(rules, {}), list[Action](), 0
    while (pending := game.pending(state)) and len(actions) < MAX_ACTIONS:
        if pending == CHANCE:
            action = game.chance(state, dice.draw(rolls))
            rolls += 1
        else:
            record = Record(headers, game.redact_for_infostate(state, pending[0], actions))
            action = players[pending[0]].choose(record, pending[0]).action
        state, _ = game.apply(state, action)
        actions.append(action)
    return Record(headers, tuple(actions))


def find(job: Job) -> MatchErrors | None:
    """Play and analyse a match; return None if it did not end."""
    record = play(job)
    if len(record.actions) == MAX_ACTIONS:
        return None
    began = process_time()
    if job.only_dice:
        dice = dice_luck(record)[0] / SCALE
        return MatchErrors(job.game, job.player, [], dice, 0.0, process_time() - began)
    analysis = analyse(record)
    seconds = process_time() - began
    turns = [game.view(state).turn for game, state in record.positions()]
    losses = []
    for decision in analysis.decisions:
        seat, place = analysis.seats.index(decision.seat), decision.place
        change = analysis.curve[place + 1][seat] - analysis.curve[place][seat]
        losses.append((not turns[place], decision.loss / SCALE, change / SCALE))
    dice = analysis.parts[0].dice / SCALE
    return MatchErrors(job.game, job.player, losses, dice, gap_of(record, analysis), seconds)


def gap_of(record: Record, analysis: Analysis) -> float:
    """Return by how much the sum of a seat's parts differs at most from result − start."""
    *_, end = record.positions()
    winner, *_ = (end.game.result(end.state) or "").split() or [""]
    result = won_by(analysis.seats, winner)
    return max(
        abs(parts.total - (score - start)) / SCALE
        for parts, score, start in zip(analysis.parts, result, analysis.curve[0], strict=True)
    )


def report(matches: Sequence[MatchErrors]) -> Iterator[str]:
    """Yield the lines about one game."""
    name = matches[0].game
    for player in PLAYERS:
        rates = [
            sum(loss for _, loss, _ in match.losses) / len(match.losses)
            for match in matches
            if match.player == player and match.losses
        ]
        if rates:
            mean, margin = mean_of(rates)
            yield f"{name:10} {player:10} {len(rates):4} matches  {mean:.4f} ± {margin:.4f}"
    mean, margin = mean_of([match.dice for match in matches])
    longest, gap = max(match.seconds for match in matches), max(match.gap for match in matches)
    yield (
        f"{name:10} dice {mean:+.4f} ± {margin:.4f} in {len(matches)} matches, at most"
        f" {longest:.1f} s of processor time"
    )
    if not any(match.losses for match in matches):
        return
    yield (
        f"{name:10} parts differ from result − start by at most {gap:.1e} in {len(matches)} matches"
    )
    for in_set_up in (True, False):
        pairs = [
            (loss, change)
            for match in matches
            for early, loss, change in match.losses
            if early is in_set_up
        ]
        if len(pairs) > 1:
            when = "set-up" if in_set_up else "play"
            yield f"{name:10} {when}: slope {slope(pairs):+.2f} of {len(pairs)} decisions"


def mean_of(values: Sequence[float]) -> tuple[float, float]:
    """Return the mean, and half the width of its 95 % interval."""
    mean = sum(values) / len(values)
    variance = sum((value - mean) ** 2 for value in values) / max(len(values) - 1, 1)
    return mean, Z_95 * math.sqrt(variance / len(values))


def slope(pairs: Sequence[tuple[float, float]]) -> float:
    """Return the slope of the second numbers on the first ones, by least squares."""
    mean_x, mean_y = (sum(column) / len(pairs) for column in zip(*pairs, strict=True))
    over = sum((x - mean_x) * (y - mean_y) for x, y in pairs)
    spread = sum((x - mean_x) ** 2 for x, _ in pairs)
    return over / spread if spread else 0.0


def _jobs(arguments: argparse.Namespace) -> Iterable[Job]:
    numbers = range(arguments.seed, arguments.seed + arguments.matches)
    for number, game, player in product(numbers, arguments.games, arguments.player or PLAYERS):
        # Other dice for each player: the intervals are those of independent matches.
        yield Job(game, player, len(PLAYERS) * number + PLAYERS.index(player), arguments.dice)


def _write(path: Path | None, matches: Iterable[MatchErrors | None]) -> Iterator[MatchErrors]:
    for match in matches:
        if match is None:
            continue
        if path:
            with path.open("a", encoding="utf-8") as file:
                print(json.dumps(match), file=file)
        yield match


def main(argv: Sequence[str] | None = None) -> None:
    """Run the program."""
    parser = argparse.ArgumentParser(prog="tools.errors", description=__doc__)
    parser.add_argument("games", nargs="*", default=list(games.names()), metavar="GAME")
    parser.add_argument("--player", action="append", choices=PLAYERS)
    parser.add_argument("--matches", type=int, default=20)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--dice", action="store_true", help="only the luck of the dice")
    parser.add_argument("--each", type=Path, help="a file to which each match is added as JSON")
    arguments = parser.parse_args(argv)
    with ProcessPoolExecutor(arguments.workers) as pool:
        matches = list(_write(arguments.each, pool.map(find, _jobs(arguments))))
    for game in arguments.games:
        for line in report([match for match in matches if match.game == game]):
            print(line)


if __name__ == "__main__":
    main()
