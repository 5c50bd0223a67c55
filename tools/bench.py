"""The benchmarks of `make bench`: each figure beside a named reference, in one run.

Machines are noisy, so only the ratio counts. References are measured in turns with ours, and
the best of several rounds is taken on both sides. The aims are in `tools.aims`.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Sequence
from functools import partial
from importlib import import_module
from importlib.util import find_spec
from random import Random
from typing import Any, NamedTuple

import chess

from engine import games
from engine.game import Action, AnyGame
from engine.record import Record
from engine.tomtube.board import board_of
from engine.tomtube.game import TomTube
from engine.tomtube.homeward import homeward
from engine.tomtube.state import State
from tests.support.tomtube.games import greedy, isolating, match
from tests.support.tomtube.games import random_match as tomtube_match
from tests.support.warp6.games import random_match as warp6_match
from tests.support.wormholes.games import random_match as wormholes_match
from tools import bench_board, bench_storage, bench_turn
from tools.aims import exit_status, judge

cozy_chess: Any = import_module("cozy_chess") if find_spec("cozy_chess") else None
"""None with Python 3.14, for which there are no wheels of it."""

ROUNDS = 7
MATCHES, TEXT_MATCHES = 30, 5
"""Number of random matches of each game, and of those whose positions are read and printed."""

TOM_TUBE = TomTube()

Matches = list[tuple[Action, ...]]


class Subject(NamedTuple):
    """A game to measure: the start of each match, and actions of random matches."""

    game: AnyGame
    start: Any
    matches: Matches


def best_of_turns(ours: Callable[[], int], theirs: Callable[[], int]) -> tuple[float, float]:
    """Return seconds of CPU a step of each, the best of rounds taken in turns."""
    best = [float("inf"), float("inf")]
    for _ in range(ROUNDS):
        for side, run in enumerate((ours, theirs)):
            begin = time.process_time()
            steps = run()
            best[side] = min(best[side], (time.process_time() - begin) / steps)
    return best[0], best[1]


def subjects() -> tuple[Subject, ...]:
    """Return each game with random matches under its default rules."""
    wormholes, warp6 = games.get("wormholes"), games.get("warp6")
    seeds = range(MATCHES)
    return (
        Subject(
            wormholes,
            wormholes.start("0.6", {}),
            [wormholes_match("0.6", seed)[1] for seed in seeds],
        ),
        Subject(
            warp6,
            warp6.start("standard", {"seats": "2", "setup": "rolled"}),
            [warp6_match("2", "rolled", seed)[1] for seed in seeds],
        ),
        Subject(
            TOM_TUBE,
            TOM_TUBE.start("standard", {}),
            [tomtube_match(seed)[1] for seed in seeds],
        ),
    )


def their_matches(count: int) -> list[list[chess.Move]]:
    """Return the moves of random games of chess, at most 200 half-moves each."""
    games = []
    for seed in range(count):
        random, board = Random(seed), chess.Board()
        while (moves := list(board.legal_moves)) and board.ply() < 200:
            board.push(random.choice(moves))
        games.append(board.move_stack)
    return games


def moves_per_second(subject: Subject) -> None:
    """Legal list and apply, beside python-chess's legal list and push."""
    game, start, matches = subject
    chess_games = their_matches(MATCHES)

    def ours() -> int:
        for actions in matches:
            state = start
            for action in actions:
                game.legal(state)
                state, _ = game.apply(state, action)
        return sum(map(len, matches))

    def theirs() -> int:
        for moves in chess_games:
            board = chess.Board()
            for move in moves:
                list(board.legal_moves)
                board.push(move)
        return sum(map(len, chess_games))

    title = f"{game.title}: legal list + apply"
    name = f"{game.name}, step, python-chess"
    report(title, *best_of_turns(ours, theirs), "python-chess list + push", name)
    if cozy_chess:
        name = f"{game.name}, step, cozy-chess"
        fastest = partial(cozy_steps, cozy_moves(chess_games))
        report(title, *best_of_turns(ours, fastest), "cozy-chess list + play", name)


def cozy_moves(chess_games: Sequence[Sequence[chess.Move]]) -> list[list[Any]]:
    """Return games of chess as moves of cozy-chess, where a king castles onto its rook."""
    matches = []
    for moves in chess_games:
        board, match = chess.Board(), []
        for move in moves:
            text = move.uci()
            if board.is_castling(move):
                text = text[:2] + ("h" if board.is_kingside_castling(move) else "a") + text[3:]
            match.append(cozy_chess.Move.from_str(text))
            board.push(move)
        matches.append(match)
    return matches


def cozy_steps(matches: Sequence[Sequence[Any]]) -> int:
    """Play games of chess with cozy-chess; return the number of their moves."""
    for moves in matches:
        board = cozy_chess.Board.startpos()
        for move in moves:
            board.generate_moves()
            board.play(move)
    return sum(map(len, matches))


def text_round_trips(subject: Subject) -> None:
    """Measure text → parse → apply → text, beside FEN → SAN → FEN."""
    game, start, matches = subject
    positions = []
    for actions in matches[:TEXT_MATCHES]:
        state = start
        for action in actions:
            positions.append((game.dump(state), str(action)))
            state, _ = game.apply(state, action)
    sans = []
    for moves in their_matches(TEXT_MATCHES):
        board = chess.Board()
        for move in moves:
            sans.append((board.fen(), board.san(move)))
            board.push(move)

    def ours() -> int:
        for text, line in positions:
            game.dump(game.apply(game.load(text), Action.parse(line))[0])
        return len(positions)

    def theirs() -> int:
        for fen, san in sans:
            board = chess.Board(fen)
            board.push_san(san)
            board.fen()
        return len(sans)

    title, name = f"{game.title}: text → apply → text", f"{game.name}, text, python-chess"
    report(title, *best_of_turns(ours, theirs), "python-chess FEN → SAN → FEN", name)


def replay_of_a_record() -> None:
    """Measure reading and checking the record of a finished match."""
    records = [
        str(Record({"Game": "wormholes", "Result": state.result}, actions))
        for state, actions in (wormholes_match("0.6", seed) for seed in range(MATCHES))
    ]

    def ours() -> int:
        for text in records:
            Record.parse(text).replay()
        return len(records)

    seconds, _ = best_of_turns(ours, lambda: 1)
    judged = judge("replay", 1e3 * seconds)
    print(f"{'finished match replayed and checked':38} {1e3 * seconds:8.2f} ms   {judged}")


def slowest_legal_lists() -> None:
    """Tom Tube: the slowest lists of greedy and isolating matches, on boards not seen before."""
    slowest: dict[str, float] = {}
    for choose in (greedy, isolating):
        for seed in range(20):
            state = TOM_TUBE.start("standard", {})
            for action in match(choose, seed)[1]:
                subject = "in the count of T5.1" if state.faster >= 0 else "before it"
                slowest[subject] = max(slowest.get(subject, 0), best_cold_list(state))
                state, _ = TOM_TUBE.apply(state, action)
    for subject, seconds in slowest.items():
        title = f"slowest legal list of Tom Tube, {subject}"
        print(f"{title:46} {1e3 * seconds:6.2f} ms   {judge('slowest list', 1e3 * seconds)}")


def best_cold_list(state: State) -> float:
    """Seconds for reading a position and its legal list, the best of three without caches."""
    best, text = float("inf"), TOM_TUBE.dump(state)
    for _ in range(3):
        for cache in (board_of, homeward):
            cache.cache_clear()
        begin = time.perf_counter()
        TOM_TUBE.legal(TOM_TUBE.load(text))
        best = min(best, time.perf_counter() - begin)
    return best


def report(subject: str, ours: float, theirs: float, reference: str, name: str) -> None:
    """Print both times, their ratio, and the aim of this name."""
    ratio = theirs / ours
    print(
        f"{subject:38} {1e6 * ours:8.2f} µs   {reference}: {1e6 * theirs:.2f} µs"
        f"   ratio {ratio:.{1 if ratio >= 1 else 2}f} × {judge(name, ratio)}"
    )


def main() -> int:
    """Print all figures; return 1 if one misses its aim, else 0."""
    for subject in subjects():
        moves_per_second(subject)
        text_round_trips(subject)
    replay_of_a_record()
    slowest_legal_lists()
    bench_board.main()
    bench_turn.main()
    bench_storage.main()
    return exit_status()


if __name__ == "__main__":
    sys.exit(main())
