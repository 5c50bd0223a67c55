"""Programs of the arena: they answer the protocol of players on standard output."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from engine.computer.protocol import PROTOCOL
from engine.computer.situation import situation_of
from engine.game import Action
from engine.record import Record


class Program(NamedTuple):
    """A player of the arena.

    Attributes:
        name: its name.
        games: names of the games that it plays.
        answer: returns the answer for a seat by its record.
    """

    name: str
    games: tuple[str, ...]
    answer: Callable[[Record, str], Mapping[str, Any]]

    def serve(self, lines: Iterable[str]) -> Iterator[str]:
        """Answer requests, one line each, until one says `quit`."""
        for line in lines:
            request = json.loads(line)
            if request["do"] == "quit":
                return
            if request["do"] == "hello":
                answer = {"name": self.name, "protocol": PROTOCOL, "games": [*self.games]}
            else:
                answer = {**self.answer(Record.parse(request["record"]), request["seat"])}
            yield json.dumps(answer)

    def run(self) -> None:
        """Answer on standard output."""
        for answer in self.serve(sys.stdin):
            print(answer, flush=True)


def by_position(
    choose: Callable[[Any, str], Action],
) -> Callable[[Record, str], Mapping[str, Any]]:
    """Return the answers of a player that needs nothing but the position and its seat."""

    def answer(record: Record, seat: str) -> Mapping[str, Any]:
        return {"line": choose(situation_of(record, seat).sampled_state, seat).notation}

    return answer
