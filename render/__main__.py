"""Boards on the command line: `python -m render MATCH -o board.png`."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from engine.game import PUBLIC
from engine.record import Record, RecordError
from render import for_game
from render.records import at_turn, names_of, views_of
from render.renderer import ORIENTATIONS, Style
from render.themes import THEMES


def main(argv: list[str] | None = None) -> int:
    """Write a picture or an animation; return the exit code, 1 on failure.

    Args:
        argv: the arguments after the program's name.
    """
    arguments = _parser().parse_args(argv)
    try:
        arguments.output.write_bytes(_drawn(arguments))
    except (RecordError, OSError, UnicodeDecodeError) as error:
        print(error, file=sys.stderr)
        return 1
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="render", description=__doc__)
    parser.add_argument("file", help="a record; - for standard input")
    parser.add_argument("--seat", default=PUBLIC, help="as this seat sees it, its side first")
    parser.add_argument("--turn", type=int, help="after this turn; 0 is the set-up")
    parser.add_argument("--marks", action="store_true", help="mark what the seat may do")
    parser.add_argument("--theme", choices=THEMES, default="dark")
    parser.add_argument("--orientation", choices=ORIENTATIONS, default=ORIENTATIONS[0])
    parser.add_argument(
        "-o", "--output", type=Path, required=True, help="a PNG file, or .gif: the whole match"
    )
    return parser


def _drawn(arguments: argparse.Namespace) -> bytes:
    """Return the file's contents."""
    name = arguments.file
    text = sys.stdin.read() if name == "-" else Path(name).read_text(encoding="utf-8")
    record = Record.parse(text)
    style = Style(arguments.theme, arguments.orientation, own_side=True)
    renderer, names = for_game(record.game().name), names_of(record)
    views = views_of(record, arguments.seat)
    if arguments.output.suffix == ".gif":
        return renderer.animation(views, names, style)
    view = at_turn(views, arguments.turn)
    return renderer.picture(view, names, style, view.legal if arguments.marks else ())


if __name__ == "__main__":
    sys.exit(main())
