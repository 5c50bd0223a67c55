"""Every request keeps to Discord's own HTTP description, where that is at hand."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from referencing import Registry
from referencing.jsonschema import DRAFT202012

from tests.support.everything import use_everything
from tests.support.harness import Stage
from tests.support.pseudo import TAG

FILE = Path(__file__).parents[4] / "shared" / "discord" / "discord_openapi.json"

pytestmark = pytest.mark.skipif(
    not FILE.exists(), reason=f"Discord's HTTP description is not at {FILE.name}: nothing to check"
)

OF_FORUMS = {
    ("POST", "/channels/1/threads"),  # a post
    ("PATCH", "/channels/1"),  # its name and tags
    ("PATCH", "/channels/1/messages/1"),
}

BASE = "urn:discord"


class Description:
    """Discord's OpenAPI document."""

    def __init__(self) -> None:
        self._document = json.loads(FILE.read_text("utf-8"))
        resource = DRAFT202012.create_resource(self._document)
        self._registry: Registry[Any] = Registry().with_resource(BASE, resource)
        self._paths = [
            (re.compile(re.sub(r"\{\w+\}", "[^/]+", path)), path)
            for path in sorted(self._document["paths"], key=lambda template: template.count("{"))
        ]

    def faults(self, method: str, path: str, body: Any) -> list[str]:
        """Return the faults of a request; an empty list if there are none."""
        template = next(
            (candidate for rule, candidate in self._paths if rule.fullmatch(path)), None
        )
        operation = self._document["paths"].get(template, {}).get(method.lower())
        if operation is None:
            return [f"{method} {path} is not described"]
        if body is None:
            return []
        pointer = (
            f"/paths/{_escape(template)}/{method.lower()}/requestBody/content/application~1json"
        )
        validator = Draft202012Validator(
            {"$ref": f"{BASE}#{pointer}/schema"}, registry=self._registry
        )
        return [
            f"{method} {path}: {'/'.join(map(str, error.absolute_path))}: {error.message[:200]}"
            for error in _leaves(validator.iter_errors(_as_sent(body)))
        ]


def _escape(path: str | None) -> str:
    return (
        (path or "").replace("~", "~0").replace("/", "~1").replace("{", "%7B").replace("}", "%7D")
    )


def _leaves(errors: Any) -> list[Any]:
    """The most telling of the errors inside unions."""
    leaves = []
    for error in errors:
        inner = sorted(error.context, key=lambda nested: -len(nested.absolute_path))
        leaves += _leaves([inner[0]]) if inner else [error]
    return leaves


def _as_sent(body: Any, key: str = "") -> Any:
    """Ids are numbers in discord.py's requests, which Discord takes; it describes them as text."""
    if isinstance(body, dict):
        return {
            name: str(value) if (key, name) == ("attachments", "id") else _as_sent(value, name)
            for name, value in body.items()
        }
    if isinstance(body, list):
        return [_as_sent(item, key) for item in body]
    is_id = isinstance(body, int) and (
        key == "id" or key.endswith("_id") or key in ("users", "roles")
    )
    return str(body) if is_id and body > 2**32 else body


@pytest.mark.slow
@pytest.mark.usefixtures("long_pauses")
@pytest.mark.parametrize("language", [pytest.param("en", marks=pytest.mark.soak), TAG])
async def test_every_request_is_as_discord_describes_it(
    stage: Stage, pseudo_language: str, locales: dict[int, str], language: str
) -> None:
    locales.update(dict.fromkeys(stage.people, language))
    await stage.client.context.servers.choose(stage.guild.id, language=language)
    await use_everything(stage)
    description = Description()
    faults: dict[str, str] = {}
    checked: set[tuple[str, str]] = set()
    for request in stage.env.http_requests:
        path = re.sub(r"\d{15,}|simcord_interaction_\w+", "1", request.path)
        checked.add((request.method, path))
        for fault in description.faults(request.method, request.path, request.json):
            faults.setdefault(re.sub(r"\d{15,}", "…", fault), str(request.json)[:500])
    assert not faults, "\n".join(f"{fault}\n    {body}" for fault, body in faults.items())
    assert checked >= OF_FORUMS


def test_the_check_finds_faults() -> None:
    description = Description()
    path = "/channels/1/messages"
    assert not description.faults("POST", path, {"content": "Hello"})
    assert description.faults("POST", path, {"content": 5})
    assert description.faults("POST", path, {"components": [{"type": 2, "label": "x" * 99}]})
    assert description.faults("POST", "/nowhere", {})
