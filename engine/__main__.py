"""The engine on the command line: `python -m engine` or `starpost engine`."""

from __future__ import annotations

import argparse
import hashlib
import json
import sys
from contextlib import ExitStack
from pathlib import Path
from time import process_time

from engine import games
from engine.computer import arena, players, protocol
from engine.computer.audit import audit
from engine.computer.choosers import HEADER
from engine.computer.external import DEFAULT_SECONDS, Program
from engine.computer.situation import PlayerError
from engine.dice import Dice, commitment
from engine.game import PUBLIC, IllegalActionError
from engine.record import MAX_RECORD_CHARACTERS, Record, RecordError, play, points_text
from engine.testing import DEFAULT_MATCHES, findings

MAX_FILE_BYTES = 4 * MAX_RECORD_CHARACTERS + 1
"""Maximum number of bytes read from a file; a longer one is too long in any encoding."""

MAX_RANDOM_LINES = 2000
"""Maximum number of actions of a random record; a longer match has no Result."""


PROGRAM = "cmd:"
"""Begins a player of the arena that is another program."""

DEFAULT_LEVEL = "greedy"


def main(argv: list[str] | None = None) -> int:
    """Run a command and return its exit code: 0, or 1 if a record is invalid.

    Args:
        argv: the arguments after the program's name.
    """
    if reconfigure := getattr(sys.stdout, "reconfigure", None):
        reconfigure(encoding="utf-8")  # as records are, in any locale
    arguments = _parser().parse_args(argv)
    try:
        arguments.run(arguments)
    except (RecordError, IllegalActionError, PlayerError, OSError) as error:
        print(error, file=sys.stderr)
        return 1
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="starpost engine", description=__doc__)
    commands = parser.add_subparsers(required=True)
    _add_play(commands.add_parser("play", help="print a random record"))
    _add_seat(
        commands.add_parser("seat", help="choose for seats of records: one JSON request a line")
    )
    _add_arena(commands.add_parser("arena", help="let players play each other"))
    _add_check(commands.add_parser("check", help="check a game in random matches"))
    for name, run, description in (
        ("replay", _replay, "check a record and print its result"),
        ("legal", _legal, "the legal actions after the last line"),
        ("view", _view, "what a seat may know, as JSON"),
        ("redact", _redact, "the record as a seat may see it"),
        ("ppn", _ppn, "the match in Portable Piecepack Notation, if played with a piecepack"),
        (
            "verify",
            _verify,
            "draw the dice and choose for the computer again from the revealed seed",
        ),
    ):
        command = commands.add_parser(name, help=description)
        command.add_argument("file", help="a record; - for standard input")
        command.set_defaults(run=run)
        if name in ("view", "redact"):
            command.add_argument("--seat", default=PUBLIC)
        if name == "redact":
            perfect = "show all actions of the seat, also where the rules leave them to its memory"
            command.add_argument("--recall", action="store_true", help=perfect)
        if name == "legal":
            command.add_argument("--each", action="store_true", help="before every line, as JSON")
        if name == "verify":
            commitment_help = "the dice commitment that you noted before the match"
            command.add_argument(
                "--commitment", "--seal", default="", metavar="HASH", help=commitment_help
            )
    return parser


def _add_play(command: argparse.ArgumentParser) -> None:
    _add_game_options(command)
    command.add_argument("--seed", type=int, default=0)
    command.set_defaults(run=_play)


def _add_check(command: argparse.ArgumentParser) -> None:
    command.add_argument("game")
    command.add_argument("--matches", type=int, default=DEFAULT_MATCHES, metavar="N")
    command.add_argument("--json", action="store_true", help="print the findings as JSON")
    command.set_defaults(run=_check)


def _check(arguments: argparse.Namespace) -> None:
    """Print one line for each finding, or all as JSON, and exit with 1 if there is one."""
    faults = findings(arguments.game, arguments.matches)
    if arguments.json:
        print(json.dumps([finding._asdict() for finding in faults], indent=2, ensure_ascii=False))
    else:
        print("\n".join(map(str, faults)) or "ok")
    if faults:
        sys.exit(1)


def _add_seat(command: argparse.ArgumentParser) -> None:
    _add_player_options(command)
    command.add_argument("--level", default=DEFAULT_LEVEL, choices=players.names())
    command.set_defaults(run=_serve_seat)


def _add_arena(command: argparse.ArgumentParser) -> None:
    _add_game_options(command)
    player_help = f"{', '.join(players.names())} or 'cmd:PROGRAM ARGUMENTS'; once for each seat"
    command.add_argument(
        "--player", action="append", default=[], metavar="NAME=PLAYER", help=player_help
    )
    command.add_argument("--matches", type=int, default=20)
    command.add_argument("--json", action="store_true", help="print the figures as JSON")
    seconds_help = "how many seconds a program has for an answer; one that takes longer is stopped"
    command.add_argument("--seconds", type=float, default=DEFAULT_SECONDS, help=seconds_help)
    _add_player_options(command)
    command.set_defaults(run=_arena)


def _add_game_options(command: argparse.ArgumentParser) -> None:
    command.add_argument("game", choices=games.names())
    command.add_argument("--rules")
    command.add_argument("--option", action="append", default=[], metavar="NAME=VALUE")


def _add_player_options(command: argparse.ArgumentParser) -> None:
    command.add_argument("--seed", type=int, default=0)
    nodes = "how many positions a player may evaluate for one action"
    command.add_argument("--nodes", type=int, default=players.DEFAULT_NODES, help=nodes)


def _serve_seat(arguments: argparse.Namespace) -> None:
    seed = protocol.seed_of(arguments.seed)
    player = players.ComputerPlayer(arguments.level, seed, arguments.nodes)
    for answer in protocol.serve(sys.stdin, player):
        print(answer, flush=True)


def _arena(arguments: argparse.Namespace) -> None:
    game = games.get(arguments.game)
    options = dict(option.partition("=")[::2] for option in arguments.option)
    contest = arena.Contest(game, arguments.rules or game.rules[0], options, arguments.seed)
    with ExitStack() as stack:
        contestants = {
            name: _contestant(stack, word, number, arguments)
            for number, (name, _, word) in enumerate(
                player.partition("=") for player in arguments.player
            )
        }
        report = contest.run(list(contestants.values()), arguments.matches).report()
    report["players"] = {
        name: {
            "decisions": contestant.decisions,
            "nodes": contestant.nodes,
            "cpu_seconds": contestant.cpu_seconds,
        }
        for name, contestant in contestants.items()
    }
    print(json.dumps(report) if arguments.json else arena.report_text(report))


def _contestant(
    stack: ExitStack, word: str, number: int, arguments: argparse.Namespace
) -> arena.Contestant:
    if word.startswith(PROGRAM):
        command = word.removeprefix(PROGRAM)
        return stack.enter_context(Program(command, arguments.nodes, arguments.seconds))
    seed = protocol.seed_in_match(arguments.seed, number)
    return arena.EnginePlayer(players.ComputerPlayer(word, seed, arguments.nodes), process_time)


def _read(arguments: argparse.Namespace) -> Record:
    name = arguments.file
    if name == "-":
        return Record.parse(_decode(_stdin()))
    with Path(name).open("rb") as file:
        return Record.parse(_decode(file.read(MAX_FILE_BYTES)))


def _stdin() -> bytes | str:
    """Read standard input, as bytes if possible.

    Raises:
        RecordError: it is closed.
    """
    if sys.stdin is None or sys.stdin.closed:
        raise RecordError("Standard input is closed: there is no record to read.")
    return getattr(sys.stdin, "buffer", sys.stdin).read(MAX_FILE_BYTES)


def _decode(data: bytes | str) -> str:
    """Decode a file with the line ends and byte order mark of any system.

    Raises:
        RecordError: it is not UTF-8.
    """
    if isinstance(data, str):
        return data
    try:
        return data.decode("utf-8-sig").replace("\r\n", "\n").replace("\r", "\n")
    except UnicodeDecodeError as error:
        number = data.count(b"\n", 0, error.start) + 1
        raise RecordError(f"line {number}: not UTF-8.") from error


def _play(arguments: argparse.Namespace) -> None:
    game = games.get(arguments.game)
    rules = arguments.rules or game.rules[0]
    options = dict(option.partition("=")[::2] for option in arguments.option)
    start = game.start(rules, options)
    seed = hashlib.sha256(f"dice {arguments.seed}".encode()).digest()
    client_seed = f"play {arguments.seed}"
    choices_seed = hashlib.sha256(f"choices {arguments.seed}".encode()).digest()
    choices = Dice(choices_seed, client_seed).draw(0)
    state, actions = play(
        game,
        start,
        lambda legal: game.fill(legal[choices(len(legal))], choices),
        Dice(seed, client_seed).draw,
        MAX_RANDOM_LINES,
    )
    headers = {"Game": game.name, "Rules": rules}
    if options:
        headers["Options"] = " ".join(f"{name}={value}" for name, value in sorted(options.items()))
    headers |= {f"Seat {seat}": game.sides[seat] for seat in game.seats(options)}
    headers |= {"Version": str(game.version), "Dice": commitment(seed), "Salt": client_seed}
    if result := game.result(state):
        headers |= {"Seed": seed.hex(), "Result": result}
    if points := points_text(game, state):
        headers["Points"] = points
    print(Record(headers, actions), end="")


def _replay(arguments: argparse.Namespace) -> None:
    game, state = _read(arguments).replay()
    print(game.result(state) or "unfinished")


def _legal(arguments: argparse.Namespace) -> None:
    record = _read(arguments)
    if arguments.each:
        for game, state in record.positions():
            print(json.dumps(sorted(map(str, game.legal(state)))))
        return
    game, state = record.replay()
    for line in sorted(map(str, game.legal(state))):
        print(line)


def _view(arguments: argparse.Namespace) -> None:
    record = _read(arguments)
    game, state = record.replay()
    seat = _seat(arguments, game.seats(record.options()))
    view = game.view(state, seat)
    print(json.dumps(view.to_json(), ensure_ascii=False, indent=2))


def _redact(arguments: argparse.Namespace) -> None:
    record = _read(arguments)
    seat = _seat(arguments, record.game().seats(record.options()))
    if arguments.recall and seat == PUBLIC:
        raise RecordError("--recall: name the seat that remembers with --seat.")
    print(record.redact_for_infostate(seat) if arguments.recall else record.redact(seat), end="")


def _ppn(arguments: argparse.Namespace) -> None:
    print(_read(arguments).piecepack(), end="")


def _seat(arguments: argparse.Namespace, seats: str) -> str:
    seat = str(arguments.seat)
    if seat != PUBLIC and (len(seat) != 1 or seat not in seats):
        raise RecordError(f"--seat: the seats of this match are {', '.join(seats)}.")
    return seat


def _verify(arguments: argparse.Namespace) -> None:
    noted_commitment = arguments.commitment
    record = _read(arguments)
    count = record.verify(noted_commitment)
    behind = " behind the commitment that you noted" if noted_commitment else ""
    if not noted_commitment and "Dice stored" in record.headers:
        behind = "; its commitment was stored at an upgrade, after it had been published"
    print(f"All {count} chance lines follow from the seed{behind}.")
    if taken_over := record.taken_over():
        print(f"The first {taken_over} lines were taken over from another record.")
    if HEADER in record.headers:
        checked, unknown = audit(record)
        unknown_note = f"; {unknown} by other versions cannot be chosen again" if unknown else ""
        print(f"All {checked} choices of the computer were chosen again{unknown_note}.")


if __name__ == "__main__":
    sys.exit(main())
