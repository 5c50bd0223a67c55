"""The protocol of computer players: one JSON object a line, on standard input and output."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from engine import games
from engine.computer.players import ComputerPlayer
from engine.computer.situation import SCALE, PlayerError
from engine.game import IllegalActionError
from engine.record import Record, RecordError, quoted

PROTOCOL = 1


MAX_PLAYERS = 8
"""Factor that keeps the seeds of this many players apart."""


def seed_of(number: int) -> bytes:
    """Return the seed of a computer player from a number on the command line."""
    return hashlib.sha256(f"computer {number}".encode()).digest()


def seed_in_match(number: int, player: int) -> bytes:
    """Return the seed of one of the players of a match from a number on the command line."""
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
        "name": f"Starpost {player.level}",
        "protocol": PROTOCOL,
        "games": list(games.names()),
    }


def _choose(request: Mapping[str, Any], player: ComputerPlayer) -> dict[str, Any]:
    seat, text, nodes = request.get("seat"), request.get("record"), request.get("nodes", 0)
    if not isinstance(seat, str) or not isinstance(text, str):
        raise RecordError("“choose” needs “seat” and “record”, both text.")
    if type(nodes) is not int or nodes < 0:
        raise RecordError("“nodes” is a whole number from 0.")
    if nodes:
        player = replace(player, nodes=nodes)
    choice = player.choose(Record.parse(text), seat)
    line = str(choice.action).partition(" ")[2]
    return {"line": line, "value": choice.value / SCALE, "reason": choice.reason}


_ANSWERS = {"hello": _hello, "choose": _choose}
