"""Playing a match through the bot, as people do: with buttons and lists, or by slash command."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from itertools import count
from random import Random
from typing import Any, NamedTuple

from sqlalchemy import select

from bot.domain.ids import MatchId
from bot.i18n import catalogue
from bot.services.chance import resolve_chance
from bot.storage.schema import matches
from bot.views.choices import narrow_view
from bot.views.typed_choices import ChoiceReader
from engine import games
from engine.dice import Dice
from engine.game import Action, View
from engine.wording import DIRECTION
from render import for_game
from render.i18n import using
from render.renderer import DEFAULT_STYLE
from tests.support.harness import Stage, ids, walk
from tests.support.strategies import Strategy, ahead

SELECT = 3

_NUMBERS = count(1)
"""Of interactions that Discord never sees: smaller than all of its own."""

Way = Callable[[Stage, MatchId, Any, Action], Awaitable[Any]]


async def by_click(stage: Stage, match_id: MatchId, actor: Any, action: Action) -> Any:
    """Use what stands under the newest board; a form is taken as it is proposed."""
    match = await stage.client.context.queries.match(match_id)
    message = stage.board(match_id, stage.where)
    if f"menu:{match_id}" in ids(message):
        message = (await actor.click(message, custom_id=f"menu:{match_id}")).response
    view = (await stage.perspective(match_id, actor)).view
    while True:
        if _is_merged(message, action.notation):
            return await by_command(stage, match_id, actor, action)
        result = await pick(actor, message, action, view)
        after = await stage.client.context.queries.match(match_id)
        if (after.status, after.decisions) != (match.status, match.decisions):
            return result
        message = result.response or message


async def pick(actor: Any, message: Any, action: Action, view: View) -> Any:
    """Choose the button or entry that is this action, or that brings it nearer."""
    line = action.notation
    custom_ids, entries = ids(message), lists(message)
    is_form = any(custom_id.startswith("form:") for custom_id in custom_ids)
    for custom_id, values in () if is_form else entries.items():
        for value in values:
            if _leads(value, line):  # before the way back, which leads there as well
                return await actor.select(message, [value], custom_id=custom_id)
    for custom_id in [custom_id for custom_id in custom_ids if custom_id not in entries or is_form]:
        name, *fields = custom_id.split(":", 3)
        leads_to = fields[2] if len(fields) > 2 else ""
        if name == "act" and (_leads(leads_to, line) or is_form):
            return await actor.click(message, custom_id=custom_id)
        if name == "part" and leads_to and action in narrow_view(view, leads_to).legal:
            return await actor.click(message, custom_id=custom_id)
    raise AssertionError(f"nothing for {line} in {custom_ids}")


def _is_merged(message: Any, line: str) -> bool:
    """Whether buttons make this choice only together with the next one."""
    acts = [
        custom_id.split(":", 3)[3] for custom_id in ids(message) if custom_id.startswith("act:")
    ]
    return line not in acts and any(act.startswith(f"{line}; ") for act in acts)


def _leads(start: str, line: str) -> bool:
    return line == start or line.startswith(f"{start} ")


def lists(message: Any) -> dict[str, list[str]]:
    """custom_id → values of each select of a message."""
    return {
        component["custom_id"]: [option["value"] for option in component["options"]]
        for component in walk(message.components)
        if component["type"] == SELECT
    }


async def by_command(stage: Stage, match_id: MatchId, actor: Any, action: Action) -> Any:
    """Type the command, or `/do`, and check that each argument is proposed on the way."""
    game = games.get((await stage.client.context.queries.match(match_id)).game)
    verb = next(v for v in game.verbs if v.name == action.verb)
    command = f"{game.name} {action.verb}"
    where = stage.where or stage.channel
    if action.verb not in for_game(game.name).command_verbs:
        offered = await actor.autocomplete(where, "do", "action", action.notation)
        assert action.notation in [choice["value"] for choice in offered]
        result = await actor.slash(where, "do", action=action.notation)
        assert result.ephemeral
        return result
    given: dict[str, str] = {}
    for parameter, value in zip(verb.parameters, action.args, strict=True):
        offered = await actor.autocomplete(where, command, parameter.name, value, **given)
        proposed = value
        if parameter.name == DIRECTION:
            style = await stage.client.context.preferences.style(actor.id, None)
            written = for_game(game.name).written(action.actor, action.notation, style)
            proposed = written.split()[-1]
        assert proposed in [choice["value"] for choice in offered]
        given[parameter.name] = proposed
    result = await actor.slash(where, command, **given)
    assert result.ephemeral
    return result


async def words_for(stage: Stage, match_id: MatchId, actor: Any, action: Action) -> str:
    """Return the words that make a choice, in the actor's language; empty if they are not enough.

    Where words fit several choices, the bot asks.
    """
    view = (await stage.perspective(match_id, actor)).view
    with using(catalogue(await stage.client.context.preferences.language(actor.id))):
        words = for_game(view.game).planned(view, action)
        line = ChoiceReader(view, DEFAULT_STYLE).read(words).line
    return words if line == action.notation else ""


class Silent(NamedTuple):
    """Result of a choice without Discord."""

    acknowledged: bool


async def silently(stage: Stage, match_id: MatchId, actor: Any, action: Action) -> Silent:
    """Choose through the match service, for the long way to an end that is seen again."""
    outcome = await stage.client.context.matches.act(
        next(_NUMBERS), match_id, actor.id, action.notation
    )
    if (await stage.client.context.queries.match(match_id)).status != "running":
        await stage.client.runtime.outbox.flush()
        await stage.env.settle()
    return Silent(outcome.kind == "done")


async def foresee(
    stage: Stage,
    match_id: MatchId,
    strategy: Strategy,
    wished: Callable[[Any], bool] = bool,
    tries: int = 20,
) -> Random:
    """A random source with which a strategy leads to an end as wished, by the fewest choices.

    Args:
        stage: where the match is played; its dice are known here, as to no player.
        strategy: how both sides will choose.
        wished: whether a last state is one of those that are looked for.
    """
    async with stage.database.read() as connection:
        query = select(matches).where(matches.c.id == match_id)
        row = (await connection.execute(query)).one()
    game, dice = games.get(row.game), Dice(row.seed, row.salt)
    best: tuple[int, int] | None = None
    for seed in range(tries):
        random, state, rolled, choices = Random(seed), game.load(row.position), row.chance_count, 0
        while game.pending(state):
            state, _ = game.apply(state, strategy(state, random))
            state, _, rolled = resolve_chance(game, state, dice, rolled)
            choices += 1
        if wished(state) and (best is None or choices < best[0]):
            best = (choices, seed)
    assert best, "no such end was found"
    return Random(best[1])


async def play_on(
    stage: Stage,
    match_id: MatchId,
    random: Random,
    *,
    ways: tuple[Way, ...] = (by_click, by_command),
    after: Callable[[Action], Awaitable[None]] | None = None,
    strategy: Strategy = ahead,
    limit: int = 10_000,
) -> None:
    """Play until the end, or for so many choices."""
    for number in range(limit):
        match = await stage.client.context.queries.match(match_id)
        if match.status != "running":
            return
        actor = await stage.deciding(match_id)
        action = strategy(await stage.state(match_id), random)
        result = await ways[number % len(ways)](stage, match_id, actor, action)
        assert result.acknowledged, action
        if after:
            await after(action)


async def placing(stage: Stage) -> tuple[MatchId, Any]:
    """Return a match in which a coin must be placed, and the player who must."""
    match_id = await stage.begin()
    while (await stage.perspective(match_id)).view.phase != "place":  # type: ignore[attr-defined]
        await play_on(stage, match_id, Random(1), ways=(by_click,), limit=1)
    return match_id, await stage.deciding(match_id)
