"""Discord's answers to requests, kept without the ids and names of anything."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import asdict, dataclass, field
from typing import Any

import discord

KEPT_TEXTS = frozenset({"content_type", "custom_id"})
"""Names of fields whose texts are the bot's own, or the same for every server."""

HIDDEN = "…"
"""Takes the place of every other text."""

ID = re.compile(r"\d{15,}")

LARGEST_NUMBER = 2**31
"""Numbers from here on are ids or sums of permissions."""


@dataclass(frozen=True)
class Answer:
    """The answer to a request.

    Attributes:
        step: what the request was for.
        path: template of the path, such as `/channels/{channel_id}/messages`.
        status: HTTP status; 200 for every success.
        code: Discord's code of a refusal; 0 for a success.
        body: the answer without ids and names; None if there is none.
    """

    step: str
    method: str
    path: str
    status: int
    code: int
    body: Any


@dataclass
class Answers:
    """All answers of a run, in order.

    Attributes:
        step: the step that requests are made for.
    """

    step: str = ""
    _answers: list[Answer] = field(default_factory=list)
    _numbers: dict[str, str] = field(default_factory=dict)

    @asynccontextmanager
    async def kept(self, http: Any) -> AsyncIterator[None]:
        """Keep all answers that a discord.py HTTP client gets inside the block."""
        request = http.request

        async def keep(route: discord.http.Route, **options: Any) -> Any:
            try:
                body = await request(route, **options)
            except discord.HTTPException as error:
                self._add(route, error.status, error.code, None)
                raise
            self._add(route, 200, 0, body)
            return body

        http.request = keep
        try:
            yield
        finally:
            http.request = request

    def _add(self, route: discord.http.Route, status: int, code: int, body: Any) -> None:
        body = self.without_identity(body) if isinstance(body, dict | list) else None
        self._answers.append(Answer(self.step, route.method, route.path, status, code, body))

    def report(self) -> list[dict[str, Any]]:
        """Return all answers as JSON-compatible data."""
        return [asdict(answer) for answer in self._answers]

    def without_identity(self, value: Any, name: str = "") -> Any:
        """Return JSON data without what identifies a person, a server or an application.

        An id becomes a small number, the same wherever it occurs in this run.

        Args:
            value: JSON data.
            name: field that it is the value of.

        Example:
            >>> Answers().without_identity({"id": "123456789012345678", "name": "Ada", "type": 1})
            {'id': '1', 'name': '…', 'type': 1}
        """
        match value:
            case dict():
                return {
                    self._number(key) if ID.search(key) else key: self.without_identity(part, key)
                    for key, part in value.items()
                }
            case list():
                return [self.without_identity(part, name) for part in value]
            case bool() | float() | None:
                return value
            case int():
                return value if abs(value) < LARGEST_NUMBER else 0
            case str():
                if ID.fullmatch(value):
                    return self._number(value)
                return value if name in KEPT_TEXTS and not ID.search(value) else HIDDEN
        return HIDDEN

    def _number(self, identifier: str) -> str:
        return self._numbers.setdefault(identifier, str(len(self._numbers) + 1))
