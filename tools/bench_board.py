"""The part of `make bench` for boards: time and bytes, beside chess boards and Pillow.

Seconds are of the processor: other programs on the machine change them less.
"""

from __future__ import annotations

import io
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import chess
import chess.svg
import fentoboardimage  # type: ignore[import-untyped]
from PIL import Image

import render
from engine import games
from engine.game import CHANCE, Action, AnyGame, View
from engine.record import play
from render import png
from render.renderer import Style
from render.turns import turns
from tools.aims import AIMS, exit_status, judge


class Subject(NamedTuple):
    """The benchmark's input: random matches of a game."""

    game: str
    options: dict[str, str]

    @property
    def names(self) -> dict[str, str]:
        """Players for all seats."""
        return dict(
            zip(games.get(self.game).seats(self.options), ("Ada", "Bo", "Cy"), strict=False)
        )


class Kind(NamedTuple):
    """A way to draw boards.

    Attributes:
        marked: with the choices of the deciding player, as in private.
    """

    style: Style
    marked: bool = False


SUBJECTS = (
    Subject("wormholes", {}),
    Subject("warp6", {}),
    Subject("warp6", {"seats": "3"}),
    Subject("tomtube", {}),
)

ROUNDS = 5

COLD = 60
"""Number of unrelated positions that are drawn with a cold cache."""

SQUARE = 112
"""Pixels of a chess board's square: 896 × 896, two thirds of our pixels."""

TITLES = {
    "Pillow": "Pillow saves it: palette, level 1",
    "fentoboardimage": "fentoboardimage, saved as PNG",
    "cairosvg": "python-chess SVG + cairosvg",
}
"""The references: our picture saved by Pillow, which need not draw it, and boards of chess."""

FIRST = """
import sys, time
from random import Random
from engine import games
from engine.record import play
game, options = games.get(sys.argv[1]), dict(word.split("=") for word in sys.argv[2:])
random = Random(4)
choose = lambda legal: game.fill(random.choice(legal), random.randrange)
start = game.start(game.rules[0], options)
view = game.view(play(game, start, choose, lambda _: random.randrange, 90)[0])
begin = time.process_time()
import render
render.for_game(view.game).picture(view, dict.fromkeys(view.seats, "Ada"))
print(time.process_time() - begin)
"""
"""Code that draws the first board of a process, Pillow's import included."""


def views(subject: Subject, seeds: Sequence[int], limit: int = 200) -> Iterator[View]:
    """Yield the public view after each action of random matches."""
    game = games.get(subject.game)
    for seed in seeds:
        state = game.start(game.rules[0], subject.options)
        yield game.view(state)
        for action in _actions(game, state, Random(seed), limit):
            state, _ = game.apply(state, action)
            yield game.view(state)


def choices(subject: Subject, seeds: Sequence[int]) -> Iterator[View]:
    """Yield the deciding player's view before each action of random matches."""
    game = games.get(subject.game)
    for seed in seeds:
        state = game.start(game.rules[0], subject.options)
        for action in _actions(game, state, Random(seed), 200):
            if (seat := game.pending(state)[0]) != CHANCE:
                yield game.view(state, seat)
            state, _ = game.apply(state, action)


def _actions(game: AnyGame, start: Any, random: Random, limit: int) -> tuple[Action, ...]:
    """Return the actions of a random match."""

    def choose(legal: tuple[Action, ...]) -> Action:
        return game.fill(random.choice(legal), random.randrange)

    return play(game, start, choose, lambda _: random.randrange, limit)[1]


def positions(count: int) -> list[chess.Board]:
    """Return the positions of one long game of chess."""
    board, boards = chess.Board(), []
    for number in range(count):
        moves = list(board.legal_moves)
        if not moves:
            break
        board.push(moves[number * 7 % len(moves)])
        boards.append(board.copy())
    return boards


@contextmanager
def chess_pieces(svg2png: Callable[..., bytes]) -> Iterator[str]:
    """Yield a folder with pictures of chess pieces, as fentoboardimage wants it."""
    with tempfile.TemporaryDirectory() as folder:
        for colour, side in ((chess.WHITE, "white"), (chess.BLACK, "black")):
            (Path(folder) / side).mkdir()
            for piece in chess.PIECE_TYPES:
                svg = chess.svg.piece(chess.Piece(piece, colour))
                path = Path(folder) / side / f"{chess.piece_name(piece).title()}.png"
                svg2png(svg, write_to=str(path), output_width=SQUARE, output_height=SQUARE)
        yield folder


def as_png(image: Image.Image) -> int:
    """Save a picture as Pillow does by default and return its size in bytes."""
    data = io.BytesIO()
    image.save(data, "PNG")
    return data.tell()


class Run(NamedTuple):
    """The cost of one picture."""

    seconds: float
    size: int


def timed(draw: Callable[[], int]) -> Run:
    """Draw one picture and measure it."""
    begin = time.process_time()
    size = draw()
    return Run(time.process_time() - begin, size)


def first_board(subject: Subject) -> None:
    """Measure first boards in separate processes; the first one compiles all modules."""
    words = [f"{name}={value}" for name, value in subject.options.items()]
    command = [sys.executable, "-c", FIRST, subject.game, *words]
    with tempfile.TemporaryDirectory() as folder:
        compiled = {"PYTHONPYCACHEPREFIX": folder, "PYTHONDONTWRITEBYTECODE": ""}
        run = partial(subprocess.run, command, capture_output=True, check=True)
        runs = [float(run(env=os.environ | compiled).stdout) for _ in range(6)]
    milliseconds = 1e3 * min(runs)
    judged = judge("first board", milliseconds)
    print(f"{'first board of a process':38} {milliseconds:8.1f} ms   {judged}")


def after_a_move(subject: Subject) -> None:
    """Measure our boards and the references in turns; print the best round's median of each."""
    kinds = (Kind(Style()), Kind(Style("light", "portrait")), Kind(Style(), marked=True))
    drawn = {kind: [_match(subject, kind, ROUNDS)] for kind in kinds}  # the first warms up
    unrelated = list(_unrelated(subject))
    cold: list[list[Run]] = []
    with _references(subject) as others:
        rounds: dict[str, list[list[Run]]] = {name: [] for name in others}
        for number in range(ROUNDS):
            for kind in kinds:
                drawn[kind].append(_match(subject, kind, number))
            cold.append([_cold(subject, view) for view in unrelated])
            for name, pictures in others.items():
                rounds[name].append([timed(draw) for draw in pictures])
    medians = {kind: _report(kind, runs[1:]) for kind, runs in drawn.items()}
    ours = max(seconds for kind, seconds in medians.items() if not kind.marked)
    for name, runs in rounds.items():
        _beside(name, "board", runs, ours)
    seconds = _best(cold)
    milliseconds = f"{1e3 * seconds:8.2f} ms   {judge('cold board', 1e3 * seconds)}"
    print(f"{f'{COLD} unrelated boards, cold strips':38} {milliseconds}")
    for name, runs in rounds.items():
        if f"cold board, {name}" in AIMS:
            _beside(name, "cold board", runs, seconds)


def _unrelated(subject: Subject) -> Iterator[View]:
    """Yield one position each of different matches, from the start to the end."""
    for number in range(COLD):
        match = list(views(subject, [1000 + number]))
        yield match[(len(match) - 1) * number // (COLD - 1)]


def _cold(subject: Subject, view: View) -> Run:
    """Draw a board whose strips are all unknown; sprites and texts are known."""
    png.clear_cache()
    return timed(partial(_picture, subject, view, Kind(Style())))


@contextmanager
def _references(subject: Subject) -> Iterator[dict[str, list[Callable[[], int]]]]:
    """Yield the references: functions that draw boards of chess and return their sizes."""
    data = render.for_game(subject.game).picture(next(views(subject, [9])), subject.names)
    picture = Image.open(io.BytesIO(data))
    picture.load()
    drawings: dict[str, list[Callable[[], int]]] = {"Pillow": [partial(_level_1, picture)] * 8}
    with _chess() as (fento, svg):
        yield drawings | ({"fentoboardimage": fento, "cairosvg": svg} if fento else {})


def _level_1(picture: Image.Image) -> int:
    """Save a picture with its palette as quickly as Pillow can; return its size in bytes."""
    data = io.BytesIO()
    picture.save(data, "PNG", compress_level=1)
    return data.tell()


@contextmanager
def _chess() -> Iterator[tuple[list[Callable[[], int]], list[Callable[[], int]]]]:
    """Yield chess boards by fentoboardimage and by python-chess; none if a library is missing."""
    try:
        from cairosvg import svg2png  # type: ignore[import-untyped]  # noqa: PLC0415 - needs cairo
    except OSError as error:
        print(f"  no chess boards to compare with: {error}")
        yield [], []
        return
    boards = positions(8)
    with chess_pieces(svg2png) as folder:
        yield (
            [_fento(board, folder) for board in boards],
            [partial(_svg, svg2png, board) for board in boards],
        )


def _match(subject: Subject, kind: Kind, number: int) -> list[Run]:
    """Draw a whole match that has not been drawn before."""
    scenes = (choices if kind.marked else views)(subject, [100 + number])
    return [timed(partial(_picture, subject, view, kind)) for view in scenes]


def _report(kind: Kind, rounds: list[list[Run]]) -> float:
    """Print our line for one kind of board and return the best round's median in seconds."""
    times = sorted(run.seconds for runs in rounds for run in runs)
    sizes = sorted(run.size for runs in rounds for run in runs)
    seconds = _best(rounds)
    judged = judge("marked board" if kind.marked else "board", 1e3 * seconds)
    subject = "all choices marked" if kind.marked else "board after a move"
    subject = f"{subject}, {kind.style.theme} {kind.style.orientation}"
    print(
        f"{subject:38} {1e3 * seconds:8.2f} ms {judged}"
        f"   p99 {1e3 * times[len(times) * 99 // 100]:.1f} ms   "
        f"bytes median {statistics.median(sizes):.0f}, most {sizes[-1]} "
        f"{judge('board size', sizes[-1] / 1000)}"
    )
    return seconds


def _best(rounds: list[list[Run]]) -> float:
    return min(statistics.median(run.seconds for run in runs) for runs in rounds)


def _picture(subject: Subject, view: View, kind: Kind) -> int:
    actions = view.legal if kind.marked else ()
    return len(render.for_game(subject.game).picture(view, subject.names, kind.style, actions))


def _svg(svg2png: Callable[..., bytes], board: chess.Board) -> int:
    return len(svg2png(chess.svg.board(board, size=8 * SQUARE)))


def _fento(board: chess.Board, folder: str) -> Callable[[], int]:
    pieces = fentoboardimage.load_pieces_folder(folder)
    return lambda: as_png(
        fentoboardimage.fen_to_image(board.fen(), SQUARE, pieces, "#D18B47", "#FFCE9E")
    )


def _beside(name: str, subject: str, rounds: list[list[Run]], ours: float) -> None:
    """Print a reference's line, with its ratio to our board.

    Args:
        subject: what of ours it is beside, as in `tools.aims`.
        ours: seconds that our board took.
    """
    seconds, size = _best(rounds), statistics.median(run.size for run in rounds[0])
    ratio = seconds / ours
    print(
        f"  {TITLES[name]:36} {1e3 * seconds:8.2f} ms   {size:.0f} bytes"
        f"   ratio {ratio:.1f} × {judge(f'{subject}, {name}', ratio)}"
    )


def animation(subject: Subject) -> None:
    """Measure the animation of a match of about a hundred frames."""
    board = render.for_game(subject.game)
    match = list(views(subject, [5, 6], limit=150))
    frames = len(list(turns(match)))
    begin = time.process_time()
    board.animation(match, subject.names)
    cold = time.process_time() - begin
    runs = [timed(lambda: len(board.animation(match, subject.names))) for _ in range(3)]
    seconds, size = min(runs)
    print(
        f"{'animation, 100 frames':38} {1e5 * seconds / frames:8.1f} ms"
        f" {judge('animation', 1e5 * seconds / frames)}, the first {1e5 * cold / frames:.0f} ms"
        f"   {size / frames / 1024:.2f} KiB a frame"
        f" {judge('animation size', size / frames / 1024)}"
    )


def main(only: Sequence[str] = ()) -> None:
    """Run all benchmarks, or only the named games' benchmarks."""
    for subject in SUBJECTS:
        if only and subject.game not in only:
            continue
        print(subject.game, *subject.options.values())
        first_board(subject)
        after_a_move(subject)
        animation(subject)


if __name__ == "__main__":
    main(sys.argv[1:])
    sys.exit(exit_status())
