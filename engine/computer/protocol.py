"""The protocol of computer players: one JSON object a line, on standard input and output."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from string import hexdigits
from typing import Any

from engine import games
from engine.computer.analyst import analyse
from engine.computer.audit import audit
from engine.computer.players import VERSION, ComputerPlayer
from engine.computer.situation import SCALE, PlayerError
from engine.game import IllegalActionError
from engine.record import Record, RecordError, quoted

PROTOCOL = 1

SEED_DIGITS = 64

MAX_PLAYERS = 8
"""Factor that keeps the seeds of this many players apart."""


def seed_of(number: int) -> bytes:
    """Return the seed of a computer player from a number on the command line."""
    return hashlib.sha256(f"computer {number}".encode()).digest()


def seed_in_match(number: int, player: int) -> bytes:
    """Return the seed of a player in a match from a number on the command line."""
    return seed_of(number * MAX_PLAYERS + player)


def serve(lines: Iterable[str], player: ComputerPlayer) -> Iterator[str]:
    """Answer requests, one line each, until one says `quit`."""
    for line in lines:
        try:
            request = _parse(line)
            if request["do"] == "quit":
                return
            answer = _ANSWERS[request["do"]](request, player)
        except (RecordError, IllegalActionError, PlayerError) as error:
            answer = {"error": str(error)}
        yield json.dumps(answer, ensure_ascii=False)


def _parse(line: str) -> Mapping[str, Any]:
    """Read a request.

    Raises:
        RecordError: the line is not a request.
    """
    try:
        request = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise RecordError(f"{quoted(line.strip())}: not JSON.") from error
    verbs = (*_ANSWERS, "quit")
    if not isinstance(request, dict) or request.get("do") not in verbs:
        raise RecordError(f"{quoted(line.strip())}: “do” is one of {', '.join(verbs)}.")
    return request


def _hello(_: Mapping[str, Any], player: ComputerPlayer) -> dict[str, Any]:
    return {
        "name": f"Starpost {player.level.capitalize()}",
        "version": str(VERSION),
        "protocol": PROTOCOL,
        "games": list(games.names()),
    }


def _choose(request: Mapping[str, Any], player: ComputerPlayer) -> dict[str, Any]:
    seat, text, nodes = request.get("seat"), request.get("record"), _count(request, "nodes")
    if not isinstance(seat, str) or not isinstance(text, str):
        raise RecordError("“choose” needs “seat” and “record”, both text.")
    level, seed = request.get("level", player.level), request.get("seed")
    if not isinstance(level, str):
        raise RecordError("“level” is the name of a player.")
    player = replace(
        player,
        level=level,
        seed=player.seed if seed is None else _read_seed(seed),
        nodes=nodes or player.nodes,
    )
    choose = player.advise if request.get("advise") is True else player.choose
    choice = choose(Record.parse(text), seat)
    return {
        "line": choice.action.notation,
        "value": choice.value / SCALE,
        "reason": choice.reason,
        "reasons": [(reason.template, reason.fields) for reason in choice.reasons],
        "nodes": choice.nodes,
        "player": player.name,
    }


def _audit(request: Mapping[str, Any], _: ComputerPlayer) -> dict[str, Any]:
    first, end = (_count(request, name) for name in ("first", "end"))
    return audit(_record_of(request), first or 0, end)._asdict()


def _analyse(request: Mapping[str, Any], _: ComputerPlayer) -> dict[str, Any]:
    return analyse(_record_of(request)).to_json()


def _count(request: Mapping[str, Any], name: str) -> int | None:
    """Return a number of a request; None if it is left out.

    Raises:
        RecordError: it is not a whole number from 0.
    """
    number = request.get(name)
    if number is None or (type(number) is int and number >= 0):
        return number
    raise RecordError(f"“{name}” is a whole number from 0.")


def _record_of(request: Mapping[str, Any]) -> Record:
    """Return the whole record of a request.

    Raises:
        RecordError: there is none.
    """
    text = request.get("record")
    if not isinstance(text, str):
        raise RecordError(f"“{request['do']}” needs “record”, a text.")
    return Record.parse(text)


def _read_seed(seed: object) -> bytes:
    """Return a seed that is written in hexadecimal digits.

    Raises:
        RecordError: it is not.
    """
    if isinstance(seed, str) and len(seed) == SEED_DIGITS and set(seed) <= set(hexdigits):
        return bytes.fromhex(seed)
    raise RecordError(f"“seed” has {SEED_DIGITS} hexadecimal digits.")


_ANSWERS = {"hello": _hello, "choose": _choose, "audit": _audit, "analyse": _analyse}
