"""Every request keeps to Discord's own HTTP description, where that is at hand."""

from __future__ import annotations

import json
import re
from pathlib import Path
from random import Random
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from referencing import Registry
from referencing.jsonschema import DRAFT202012

from tests.support.driver import lists, play_on
from tests.support.harness import Stage
from tests.support.plans import racing
from tests.support.pseudo import TAG

FILE = Path(__file__).parents[4] / "shared" / "discord" / "discord_openapi.json"

pytestmark = pytest.mark.skipif(
    not FILE.exists(), reason=f"Discord's HTTP description is not at {FILE.name}: nothing to check"
)

BASE = "urn:discord"


class Description:
    """Discord's OpenAPI document."""

    def __init__(self) -> None:
        self._document = json.loads(FILE.read_text("utf-8"))
        resource = DRAFT202012.create_resource(self._document)
        self._registry: Registry[Any] = Registry().with_resource(BASE, resource)
        self._paths = [
            (re.compile(re.sub(r"\{\w+\}", "[^/]+", path)), path)
            for path in sorted(self._document["paths"], key=lambda each: each.count("{"))
        ]

    def faults(self, method: str, path: str, body: Any) -> list[str]:
        """What is wrong with a request; nothing if all is well."""
        found = next((known for rule, known in self._paths if rule.fullmatch(path)), None)
        operation = self._document["paths"].get(found, {}).get(method.lower())
        if operation is None:
            return [f"{method} {path} is not described"]
        if body is None:
            return []
        pointer = f"/paths/{_escape(found)}/{method.lower()}/requestBody/content/application~1json"
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
    found = []
    for error in errors:
        inner = sorted(error.context, key=lambda each: -len(each.absolute_path))
        found += _leaves([inner[0]]) if inner else [error]
    return found


def _as_sent(body: Any, key: str = "") -> Any:
    """Ids are numbers in discord.py's requests, which Discord takes; it describes them as text."""
    if isinstance(body, dict):
        return {
            name: str(value) if (key, name) == ("attachments", "id") else _as_sent(value, name)
            for name, value in body.items()
        }
    if isinstance(body, list):
        return [_as_sent(each, key) for each in body]
    is_id = isinstance(body, int) and (key == "id" or key.endswith("_id") or key == "users")
    return str(body) if is_id and body > 2**32 else body


async def use_everything(stage: Stage) -> None:
    """Two matches, every command and most buttons."""
    match_id = await stage.begin(clock="3 days a turn", notes="on")
    await play_on(stage, match_id, Random(2), limit=34)
    for actor in (stage.ada, stage.bo, stage.eve):
        for command in ("games", "settings", "replay", "about", "privacy"):
            await actor.slash(stage.channel, command)
        for command in ("board", "coins", "draw", "takeback", "resign"):
            await actor.slash(stage.channel, command, match=match_id)
        await actor.slash(stage.channel, "board", match=match_id, text=True)
        await actor.slash(stage.channel, "do", action="nonsense", match=match_id)
        await actor.autocomplete(stage.channel, "wormholes move", "ship", "")
        await actor.slash(stage.channel, "do", match=match_id)
        await stage.click(actor, stage.last(), "since:")
    settings = await stage.ada.slash(stage.channel, "settings")
    await stage.ada.select(settings.response, ["on"], custom_id="prefer:turns")
    asked = await stage.ada.slash(stage.channel, "resign")
    await stage.click(stage.ada, asked.response, "resign:")
    shown = await stage.click(stage.bo, stage.last(), "replay:")
    await stage.click(stage.bo, shown.response, "film:")
    await stage.click(stage.bo, stage.last(), "rematch:")
    await stage.click(stage.bo, stage.last(), "decline:")
    await stage.ada.slash(
        stage.channel, "play", game="warp6", opponent=stage.bo, setup="secret", series=2
    )
    await stage.click(stage.bo, stage.last(), "accept:")
    for actor in (stage.ada, stage.bo):
        panel = await stage.click(actor, stage.last(), "menu:")
        await stage.click(actor, panel.response, "act:")
    await play_on(stage, match_id + 2, Random(2), plan=racing, limit=20)
    shown = await stage.click(stage.eve, stage.last(), "overlay:")
    ((custom_id, spaces),) = lists(shown.response).items()
    await stage.eve.select(shown.response, [spaces[0]], custom_id=custom_id)
    await stage.ada.slash(stage.channel, "warp6 warps", space="91")
    await stage.ada.slash(stage.channel, "warp6 warps", space="0")
    await stage.ada.autocomplete(stage.channel, "warp6 warps", "space", "")


@pytest.mark.parametrize("language", ["en", TAG])
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
    assert len(checked) >= 6


def test_the_check_finds_faults() -> None:
    description = Description()
    path = "/channels/1/messages"
    assert not description.faults("POST", path, {"content": "Hello"})
    assert description.faults("POST", path, {"content": 5})
    assert description.faults("POST", path, {"components": [{"type": 2, "label": "x" * 99}]})
    assert description.faults("POST", "/nowhere", {})
