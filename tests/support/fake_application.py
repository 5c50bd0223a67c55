"""The application of the fake Discord, as the developer portal holds it."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

from aiohttp import web

from tests.support import fake_objects
from tests.support.fake_http import Answer, error_answer, json_answer, refused_answer
from tests.support.fake_members import FakeMembers

INVALID = (400, 50035)
"""Discord's answer to a form with a malformed field."""

PICTURES = ("icon", "cover_image")
DATA = "data:image/png;base64,"


class FakeApplication(FakeMembers):
    """The application, which its bot can change.

    Args:
        clock: UTC seconds.

    Attributes:
        application: as `GET` describes it.
        field_refusals: field → status and code with which its change is refused.
        application_refusals: statuses with which the next requests for it are refused.
    """

    def __init__(self, clock: Callable[[], float], random: Random | None = None) -> None:
        super().__init__(clock, random)
        self.application = fake_objects.application()
        self.field_refusals: dict[str, tuple[int, int]] = {}
        self.application_refusals: list[int] = []

    async def _application(self, request: web.Request) -> Answer:
        if self.application_refusals:
            return refused_answer(self.application_refusals.pop(0))
        return json_answer(self.application)

    async def _change_application(self, request: web.Request) -> Answer:
        """Change fields within Discord's limits; it stores a picture by a name of its own."""
        changes: dict[str, Any] = await request.json()
        for field, value in changes.items():
            if field in self.field_refusals:
                return error_answer(*self.field_refusals[field])
            if not _is_valid(field, value):
                return error_answer(*INVALID, f"Invalid Form Body\nIn {field}")
        changes |= {name: f"hash-of-{name}" for name in PICTURES if name in changes}
        self.application |= changes
        return json_answer(self.application)


def _is_valid(field: str, value: Any) -> bool:
    """Return whether Discord takes this value."""
    match field:
        case "description":
            return len(value) <= 400
        case "tags":
            return len(set(value)) == len(value) <= 5 and all(len(tag) <= 20 for tag in value)
        case "icon" | "cover_image":
            return str(value).startswith(DATA)
        case "integration_types_config":
            return set(value) == {"0", "1"}
    return False
