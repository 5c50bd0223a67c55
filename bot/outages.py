"""Outages of the bot's dependencies: one log line when one begins, and one when it ends."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from datetime import UTC, datetime

log = logging.getLogger(__name__)


class Outage:
    """The state of one dependency, and the time since which it fails.

    Args:
        name: the dependency, as the subject of a log line.
        state: word for the state during an outage, e.g. `unreachable`.
        clock: the time in UTC seconds, for the log.
        monotonic: monotonic clock in seconds.
        settle: seconds without a failure before a success ends an outage.
    """

    def __init__(
        self,
        name: str,
        state: str = "unreachable",
        clock: Callable[[], float] = time.time,
        monotonic: Callable[[], float] = time.monotonic,
        settle: float = 0.0,
    ) -> None:
        self._name = name
        self._state = state
        self._clock = clock
        self._monotonic = monotonic
        self._settle = settle
        self._since: float | None = None
        self._failed = 0.0

    def lasts(self) -> bool:
        """Return whether there is an outage now."""
        return self._since is not None

    def begin(self, reason: str, seconds: float = 0.0) -> None:
        """Note a failure; only the first one of an outage is logged.

        Args:
            reason: why it does not work; only its first line is logged.
            seconds: seconds since the first failure.
        """
        self._failed = self._monotonic()
        if self._since is not None:
            return
        self._since = self._monotonic() - seconds
        since = datetime.fromtimestamp(self._clock() - seconds, UTC).isoformat(timespec="seconds")
        since = since.replace("+00:00", "Z")
        first_line = reason.strip().partition("\n")[0]
        log.warning("%s since %s: %s", f"{self._name} {self._state}", since, first_line)

    def end(self, begun: float | None = None) -> None:
        """Note a success.

        Args:
            begun: start of the successful work (`time.monotonic`); work that began before the
                outage proves nothing.
        """
        if self._since is None or (begun is not None and begun < self._since):
            return
        if self._monotonic() < self._failed + self._settle:
            return
        log.warning("%s back after %.0f s", self._name, self._monotonic() - self._since)
        self._since = None
