"""A player with thousands of matches: no command of theirs holds the event loop for long."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from random import Random
from typing import Any

import discord
import pytest
from discord import app_commands

from bot.app.registry import personal_data
from bot.domain.ids import MatchId
from bot.domain.models import MatchStatus
from bot.features.privacy.exports import Exports, Progress
from bot.features.profiles.service import Profiles
from tests.support.driver import play_on, silently
from tests.support.harness import NoRateLimit, Stage
from tests.support.history import give_history
from tests.support.matches import ADA, MatchFixture, begun
from tests.support.privacy import privacy_of
from tests.support.steps import LoopSteps

LONG, SHORT = 2000, 20
"""Numbers of running matches, and of finished ones, in a long history and in a short one."""

SQLITE = ["SQLite"]
"""The backend whose own steps are counted."""

MOST_STEPS = 65_000
"""Steps that a command may take before other tasks go on: 25 ms on a quiet core."""

MOST_PROFILE_STEPS = 20_000
"""The same for a profile, which is read in slices of ids, however many matches there are."""


async def history(env: MatchFixture, count: int) -> None:
    """Ada and Bo have some running and some finished matches of 40 lines."""
    match_id, random = await begun(env, "3d"), Random(1)
    for _ in range(40):
        user = await env.on_turn(match_id)
        view = (await env.queries.view(match_id, user)).view
        await env.matches.act(next(env.ids), match_id, user, random.choice(view.legal).notation)
    await give_history(env, match_id, count)


READINGS: dict[str, Callable[[MatchFixture], Awaitable[object]]] = {
    "a page of /games": lambda env: env.queries.page_of(ADA, 0, 4),
    "running matches": lambda env: env.queries.running_count(ADA),
    "game played": lambda env: env.queries.game_played(ADA, ("wormholes", "warp6")),
    "proposals": lambda env: env.queries.latest(ADA, MatchStatus.RUNNING, digits="1"),
    "proposals of finished matches": lambda env: env.queries.latest(ADA, MatchStatus.FINISHED),
}


@pytest.mark.first(test=2)
@pytest.mark.parametrize("backend", SQLITE)
@pytest.mark.parametrize("name", READINGS)
async def test_lists_read_few_matches(env: MatchFixture, name: str) -> None:
    """Twenty matches more cost far less than to read as many."""
    read, steps, costs = READINGS[name], LoopSteps(), list[int]()
    await history(env, SHORT)
    for _ in range(2):
        await read(env)  # statements are compiled
        with steps.counted():
            await read(env)
        costs.append(steps.longest + steps.in_threads)
        await give_more(env)
    few, many = costs
    assert many - few < 20 * (SHORT * 2), "steps of a match more"


async def give_more(env: MatchFixture) -> None:
    """Ada and Bo have as many matches again."""
    match_id = await begun(env, "3d")
    await give_history(env, match_id, SHORT)


async def export(env: MatchFixture) -> None:
    async for _ in Exports(env.database, personal_data()).files(ADA, Progress()):
        pass


async def begin_vacation(env: MatchFixture) -> None:
    await env.vacations.begin(ADA, env.now + 86_400)


WORK: dict[str, Callable[[MatchFixture], Awaitable[object]]] = READINGS | {
    "profile": lambda env: Profiles(env.database).read(ADA, ADA),
    "profile again": lambda env: Profiles(env.database).read(ADA, ADA),
    "export": export,
    "vacation": begin_vacation,
    "end of the vacation": lambda env: env.vacations.end(ADA),
    "deletion": lambda env: privacy_of(env).erase(ADA),
}
"""What takes longer with each match, in this order."""


@pytest.mark.soak
@pytest.mark.parametrize("backend", SQLITE)
async def test_work_for_a_long_history_is_done_in_slices(env: MatchFixture) -> None:
    await history(env, LONG)
    steps, longest = LoopSteps(), dict[str, int]()
    for name, work in WORK.items():
        with steps.counted():
            await work(env)
        longest[name] = steps.longest
    assert {name: count for name, count in longest.items() if count > MOST_STEPS} == {}


@pytest.mark.slow
@pytest.mark.timeout(600)
@pytest.mark.parametrize("backend", SQLITE)
async def test_profiles_of_few_and_of_many_matches_hold_the_loop_alike(env: MatchFixture) -> None:
    await history(env, LONG)
    steps, longest, left_out = LoopSteps(), list[int](), [1]
    while left_out[-1]:
        with steps.counted():
            left_out.append((await Profiles(env.database).read(ADA, ADA)).left_out)
        longest.append(steps.longest)
    with steps.counted():
        assert (await Profiles(env.database).read(ADA, ADA)).matches > LONG
    longest.append(steps.longest)
    assert max(longest) < MOST_PROFILE_STEPS, longest


def options_of(command: app_commands.Command[Any, ..., Any], stage: Stage) -> dict[str, Any]:
    """Return the options that a command needs."""
    values = {
        "user": stage.bo,
        "mentionable": stage.bo,
        "channel": stage.channel,
        "string": "x",
        "integer": 1,
        "number": 1.0,
        "boolean": True,
    }
    return {
        parameter.name: parameter.choices[0].value
        if parameter.choices
        else values[parameter.type.name]
        for parameter in command.parameters
        if parameter.required
    }


@pytest.mark.slow
@pytest.mark.timeout(900)
async def test_no_command_of_a_long_history_holds_the_loop(stage: Stage) -> None:
    match_id = await stage.begin()
    await play_on(stage, match_id, Random(1), ways=(silently,), limit=30)
    await copy_for(stage, match_id)
    role = stage.guild.create_role("Host", permissions=discord.Permissions(manage_guild=True))
    user = stage.env.create_user("host", global_name="Host")
    host = stage.guild.add_member(user, roles=[role])
    stage.client.gate._limits = NoRateLimit()
    steps, longest = LoopSteps(), dict[str, int]()
    for command in stage.client.tree.walk_commands():
        if not isinstance(command, app_commands.Command):
            continue
        name, options = command.qualified_name, options_of(command, stage)
        actor = host if (command.root_parent or command).default_permissions else stage.ada
        with steps.counted():
            await actor.slash(stage.channel, name, **options)
        longest[name] = steps.longest
        for option in command.parameters:
            if option.autocomplete:
                with steps.counted():
                    await stage.ada.autocomplete(stage.channel, name, option.name, "1")
                longest[f"{name} {option.name}"] = steps.longest
    answer = await stage.ada.slash(stage.channel, "privacy")
    for start in ("export", "erase:ask"):
        with steps.counted():
            await stage.click(stage.ada, answer.response, start)
        longest[start] = steps.longest
    assert len(longest) > 60
    assert {name: count for name, count in longest.items() if count > MOST_STEPS} == {}


async def copy_for(stage: Stage, match_id: MatchId) -> None:
    """Give the players of a match a long history."""
    env = MatchFixture(stage.database, 10**6, clock=stage.clock)
    await give_history(env, match_id, LONG)
