"""Playing a match through the bot, as people do: with buttons and lists, or by slash command."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from random import Random
from typing import Any

from bot.panels import line_of
from engine import games
from engine.game import Action
from tests.bot.plans import Plan, ahead
from tests.bot.stage import Stage, ids, walk

SELECT = 3

Way = Callable[[Stage, int, Any, Action], Awaitable[Any]]


async def by_click(stage: Stage, match_id: int, actor: Any, action: Action) -> Any:
    """Use what stands under the newest board."""
    match = await stage.client.tables.match(match_id)
    message = stage.last(stage.where)
    wanted = f"act:{match_id}:{match.decisions[action.actor]}:{line_of(action)}"
    if wanted in ids(message):
        return await actor.click(message, custom_id=wanted)
    if f"menu:{match_id}" in ids(message):
        message = (await actor.click(message, custom_id=f"menu:{match_id}")).response
    while True:
        result = await _pick(actor, message, line_of(action))
        after = await stage.client.tables.match(match_id)
        if (after.status, after.decisions) != (match.status, match.decisions):
            return result
        message = result.response or message


async def _pick(actor: Any, message: Any, line: str) -> Any:
    """Choose the entry that is this line or its beginning."""
    for custom_id, values in lists(message).items():
        for value in values:
            if value == line or line.startswith(f"{value} "):
                return await actor.select(message, [value], custom_id=custom_id)
    raise AssertionError(f"no entry for {line} in {ids(message)}")


def lists(message: Any) -> dict[str, list[str]]:
    """custom_id → values of each select of a message."""
    return {
        each["custom_id"]: [option["value"] for option in each["options"]]
        for each in walk(message.components)
        if each["type"] == SELECT
    }


async def by_command(stage: Stage, match_id: int, actor: Any, action: Action) -> Any:
    """Type the command, and check that each argument is proposed on the way."""
    verb = next(v for v in games.get("wormholes").verbs if v.name == action.verb)
    command = f"wormholes {action.verb}"
    where = stage.where or stage.channel
    given: dict[str, str] = {}
    for parameter, value in zip(verb.parameters, action.args, strict=True):
        offered = await actor.autocomplete(where, command, parameter.name, value, **given)
        assert value in [choice["value"] for choice in offered]
        given[parameter.name] = value
    result = await actor.slash(where, command, **given)
    assert result.ephemeral
    return result


async def play_on(
    stage: Stage,
    match_id: int,
    random: Random,
    *,
    ways: tuple[Way, ...] = (by_click, by_command),
    after: Callable[[Action], Awaitable[None]] | None = None,
    plan: Plan = ahead,
    limit: int = 10_000,
) -> None:
    """Play until the end, or for so many choices."""
    for number in range(limit):
        match = await stage.client.tables.match(match_id)
        if match.status != "running":
            return
        actor = await stage.deciding(match_id)
        action = plan(await stage.state(match_id), random)
        result = await ways[number % len(ways)](stage, match_id, actor, action)
        assert result.acknowledged, action
        if after:
            await after(action)
