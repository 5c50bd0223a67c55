"""A player of the arena that is another program and speaks the protocol (protocol.py)."""

from __future__ import annotations

import json
import shlex
from subprocess import PIPE, Popen
from types import TracebackType
from typing import IO, Any, Self, cast

from engine.computer.protocol import PROTOCOL
from engine.computer.situation import PlayerError
from engine.record import Record, quoted


class Program:
    """A program that answers on its standard output.

    Args:
        command: as in a shell, without expansions.
        nodes: maximum positions it may evaluate for one action; 0 for its own default.

    Raises:
        OSError: it cannot be started.
    """

    def __init__(self, command: str, nodes: int = 0) -> None:
        self.decisions = self.nodes = 0
        self.cpu_seconds: float | None = None
        self._nodes = nodes
        self._process = Popen(  # noqa: S603 - it is the user who names the program
            shlex.split(command), stdin=PIPE, stdout=PIPE, text=True, encoding="utf-8"
        )

    def line(self, record: Record, seat: str) -> str:
        """Return an action without its actor, in the notation of records.

        Raises:
            PlayerError: the program does not give one.
        """
        request: dict[str, Any] = {"do": "choose", "seat": seat, "record": str(record)}
        if self._nodes:
            request["nodes"] = self._nodes
        answer = self._ask(request)
        self.decisions += 1
        nodes = answer.get("nodes")
        self.nodes += nodes if type(nodes) is int else 0
        return str(answer.get("line", ""))

    def __enter__(self) -> Self:
        """Greet the program.

        Raises:
            PlayerError: it does not answer.
        """
        try:
            self._ask({"do": "hello", "protocol": PROTOCOL})
        except PlayerError:
            self._stop()
            raise
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._stop()

    def _stop(self) -> None:
        self._process.kill()
        self._process.communicate()

    def _ask(self, request: dict[str, Any]) -> dict[str, Any]:
        """Send a request and read its answer.

        Raises:
            PlayerError: the answer is missing or is not a JSON object.
        """
        questions, answers = (
            cast(IO[str], self._process.stdin),
            cast(IO[str], self._process.stdout),
        )
        try:
            questions.write(json.dumps(request) + "\n")
            questions.flush()
            answer = json.loads(line := answers.readline())
        except (ValueError, OSError) as error:
            raise PlayerError("The program gave no answer.") from error
        if not isinstance(answer, dict):
            raise PlayerError(f"{quoted(line.strip())}: no JSON object.")
        return answer
