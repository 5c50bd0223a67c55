"""A player of the arena that is another program (docs/developers/protocol.md)."""

from __future__ import annotations

import json
import shlex
from collections.abc import Sequence
from subprocess import PIPE, Popen
from threading import Timer
from types import TracebackType
from typing import IO, Any, Self, cast

from engine.computer.protocol import PROTOCOL
from engine.computer.situation import PlayerError
from engine.game import Action
from engine.record import Record, quoted

DEFAULT_SECONDS = 60.0
"""Default maximum of seconds for an answer."""

MAX_ANSWER_CHARACTERS = 64 * 1024


class Program:
    """A program that answers on its standard output.

    Args:
        command: command line as in a shell, without expansions.
        nodes: maximum positions it may evaluate for one action; 0 for its own default.
        seconds: maximum seconds for an answer; a program that takes longer is stopped.

    Raises:
        OSError: it cannot be started.
    """

    def __init__(self, command: str, nodes: int = 0, seconds: float = DEFAULT_SECONDS) -> None:
        self.decisions = self.nodes = 0
        self.cpu_seconds: float | None = None
        self._nodes, self._seconds = nodes, seconds
        self._process = Popen(  # noqa: S603 - it is the user who names the program
            shlex.split(command), stdin=PIPE, stdout=PIPE, text=True, encoding="utf-8"
        )

    def line(self, record: Record, seat: str, legal: Sequence[Action]) -> str:
        """Return an action without its actor, in the notation of records.

        Raises:
            PlayerError: the program does not give one.
        """
        request: dict[str, Any] = {
            "do": "choose",
            "seat": seat,
            "record": str(record),
            "legal": [action.notation for action in legal],
        }
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
            PlayerError: it does not answer, or speaks another version of the protocol.
        """
        try:
            self._greet()
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

    def _greet(self) -> None:
        """Say hello.

        Raises:
            PlayerError: see `__enter__`.
        """
        answer = self._ask({"do": "hello", "protocol": PROTOCOL})
        if answer.get("protocol", PROTOCOL) != PROTOCOL:
            raise PlayerError(f"The program does not speak version {PROTOCOL} of the protocol.")

    def _stop(self) -> None:
        self._process.kill()
        self._process.communicate()

    def _ask(self, request: dict[str, Any]) -> dict[str, Any]:
        """Send a request and read its answer.

        Raises:
            PlayerError: the answer is missing, late or too long, or is not a JSON object.
        """
        timer = Timer(self._seconds, self._process.kill)
        timer.start()
        try:
            line = self._exchange(json.dumps(request))
            answer = json.loads(line)
        except (ValueError, RecursionError, OSError) as error:
            raise PlayerError("The program gave no answer.") from error
        finally:
            timer.cancel()
        if not isinstance(answer, dict):
            raise PlayerError(f"{quoted(line.strip())}: no JSON object.")
        return answer

    def _exchange(self, request: str) -> str:
        """Send a line and return the next one; one that is too long is cut off."""
        questions = cast(IO[str], self._process.stdin)
        answers = cast(IO[str], self._process.stdout)
        questions.write(request + "\n")
        questions.flush()
        return answers.readline(MAX_ANSWER_CHARACTERS)
