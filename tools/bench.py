"""The benchmarks of `make bench`: each figure beside a named reference, in one run.

Machines are noisy, so only the ratio counts. References are measured in turns with ours, and
the best of several rounds is taken on both sides.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from random import Random

import chess

from engine.game import Action
from engine.record import Record
from engine.tomtube.board import board_of
from engine.tomtube.drifting import drift
from engine.tomtube.game import TomTube
from engine.tomtube.homeward import homeward
from engine.tomtube.state import State
from engine.wormholes.game import Wormholes
from tests.support.tomtube.games import greedy, isolating, match
from tests.support.wormholes.games import random_match
from tools import bench_board, bench_turn

ROUNDS = 7
GAME = Wormholes()
TOM_TUBE = TomTube()


def best_of_turns(ours: Callable[[], int], theirs: Callable[[], int]) -> tuple[float, float]:
    """Seconds a step of each, the best of rounds taken in turns."""
    best = [float("inf"), float("inf")]
    for _ in range(ROUNDS):
        for side, run in enumerate((ours, theirs)):
            begin = time.perf_counter()
            steps = run()
            best[side] = min(best[side], (time.perf_counter() - begin) / steps)
    return best[0], best[1]


def our_matches(count: int) -> list[tuple[Action, ...]]:
    """Return the actions of random matches under the default rules."""
    return [random_match("0.6", seed)[1] for seed in range(count)]


def their_matches(count: int) -> list[list[chess.Move]]:
    """Return the moves of random games of chess, at most 200 half-moves each."""
    games = []
    for seed in range(count):
        random, board = Random(seed), chess.Board()
        while (moves := list(board.legal_moves)) and board.ply() < 200:
            board.push(random.choice(moves))
        games.append(board.move_stack)
    return games


def moves_per_second() -> None:
    """Legal list and apply, beside python-chess's legal list and push."""
    matches, games = our_matches(30), their_matches(30)

    def ours() -> int:
        for actions in matches:
            state = GAME.start("0.6", {})
            for action in actions:
                GAME.legal(state)
                state, _ = GAME.apply(state, action)
        return sum(map(len, matches))

    def theirs() -> int:
        for moves in games:
            board = chess.Board()
            for move in moves:
                list(board.legal_moves)
                board.push(move)
        return sum(map(len, games))

    report("legal list + apply", *best_of_turns(ours, theirs), "python-chess list + push", 6)


def text_round_trips() -> None:
    """Measure text → parse → apply → text, beside FEN → SAN → FEN."""
    positions = []
    for actions in our_matches(5):
        state = GAME.start("0.6", {})
        for action in actions:
            positions.append((GAME.dump(state), str(action)))
            state, _ = GAME.apply(state, action)
    sans = []
    for moves in their_matches(5):
        board = chess.Board()
        for move in moves:
            sans.append((board.fen(), board.san(move)))
            board.push(move)

    def ours() -> int:
        for text, line in positions:
            GAME.dump(GAME.apply(GAME.load(text), Action.parse(line))[0])
        return len(positions)

    def theirs() -> int:
        for fen, san in sans:
            board = chess.Board(fen)
            board.push_san(san)
            board.fen()
        return len(sans)

    report("text → apply → text", *best_of_turns(ours, theirs), "python-chess FEN → SAN → FEN", 5)


def replay_of_a_record() -> None:
    """Measure reading and checking the record of a finished match."""
    records = [
        str(Record({"Game": GAME.name, "Result": state.result}, actions))
        for state, actions in (random_match("0.6", seed) for seed in range(30))
    ]

    def ours() -> int:
        for text in records:
            Record.parse(text).replay()
        return len(records)

    seconds, _ = best_of_turns(ours, lambda: 1)
    print(f"{'finished match replayed and checked':38} {1e3 * seconds:8.2f} ms   (aim: ≤ 2 ms)")


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
        print(f"{title:46} {1e3 * seconds:6.2f} ms   (aim: ≤ 10 ms)")


def best_cold_list(state: State) -> float:
    """Seconds for reading a position and its legal list, the best of three without caches."""
    best, text = float("inf"), TOM_TUBE.dump(state)
    for _ in range(3):
        for cache in (board_of, drift, homeward):
            cache.cache_clear()
        begin = time.perf_counter()
        TOM_TUBE.legal(TOM_TUBE.load(text))
        best = min(best, time.perf_counter() - begin)
    return best


def report(subject: str, ours: float, theirs: float, reference: str, aim: float) -> None:
    """Print one line: both times and their ratio."""
    print(
        f"{subject:38} {1e6 * ours:8.2f} µs   {reference}: {1e6 * theirs:.2f} µs"
        f"   ratio {theirs / ours:.1f} × (aim: ≥ {aim} ×)"
    )


if __name__ == "__main__":
    moves_per_second()
    text_round_trips()
    replay_of_a_record()
    slowest_legal_lists()
    bench_board.main()
    bench_turn.main()
