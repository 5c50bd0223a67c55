"""The protocol of computer players: one JSON object a line, on standard input and output."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from string import hexdigits
from typing import Any

from engine import games
from engine.computer.analysis import Step
from engine.computer.analyst import Analyst
from engine.computer.audit import audit
from engine.computer.players import VERSION, ComputerPlayer
from engine.computer.situation import SCALE, PlayerError
from engine.game import IllegalActionError
from engine.record import Record, RecordError, quoted

PROTOCOL = 1

Answers = Iterator[dict[str, Any]]
"""Reports on the progress of a request, then its answer."""

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
    """Answer requests, each with a line and what it reports before, until one says `quit`."""
    for line in lines:
        try:
            request = _parse(line)
            if request["do"] == "quit":
                return
            for answer in _ANSWERS[request["do"]](request, player):
                yield json.dumps(answer, ensure_ascii=False)
        except (RecordError, IllegalActionError, PlayerError) as error:
            yield json.dumps({"error": str(error)}, ensure_ascii=False)


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


def _hello(_: Mapping[str, Any], player: ComputerPlayer) -> Answers:
    yield {
        "name": f"Starpost {player.level.capitalize()}",
        "version": str(VERSION),
        "protocol": PROTOCOL,
        "games": list(games.names()),
    }


def _choose(request: Mapping[str, Any], player: ComputerPlayer) -> Answers:
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
    yield {
        "line": choice.action.notation,
        "value": choice.value / SCALE,
        "reason": choice.reason,
        "reasons": [(reason.template, reason.fields) for reason in choice.reasons],
        "nodes": choice.nodes,
        "player": player.name,
    }


def _audit(request: Mapping[str, Any], _: ComputerPlayer) -> Answers:
    first, end = (_count(request, name) for name in ("first", "end"))
    yield audit(_record_of(request), first or 0, end)._asdict()


def _analyse(request: Mapping[str, Any], _: ComputerPlayer) -> Answers:
    analyst, steps = Analyst(_record_of(request)), _steps(request)
    for step in analyst.steps(len(steps)):
        steps.append(step)
        if "steps" in request:
            yield {"step": step.to_json()}
    yield analyst.add_up(steps).to_json()


def _steps(request: Mapping[str, Any]) -> list[Step]:
    """Return the judgements that a request has from an earlier attempt.

    Raises:
        RecordError: they are no judgements.
    """
    try:
        return [Step.from_json(step) for step in request.get("steps", ())]
    except (TypeError, ValueError) as error:
        raise RecordError("“steps” are those of earlier answers.") from error


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
