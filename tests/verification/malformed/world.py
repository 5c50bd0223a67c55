"""A server on which much has happened, for malformed interactions to point to."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from random import Random
from typing import Any

import discord
import simcord

from bot.app.run import open_database
from bot.domain.clocks import DAY
from bot.domain.ids import MatchId
from bot.workers.pool import WorkerPool
from tests.support.driver import play_on, silently
from tests.support.harness import SETTLE_TIMEOUT_SECONDS, NoRateLimit, Stage, actor_bot, ids, play
from tests.support.match_card import on_card
from tests.verification.malformed.probe import ABROAD, LOCKED_THREAD, SILENT, Numbers, Probe


@asynccontextmanager
async def world(folder: Path) -> AsyncIterator[Probe]:
    """Start the bot, and have all happen that a malformed interaction can point to."""
    async with (
        open_database(f"sqlite+aiosqlite:///{folder / 'forged.db'}") as database,
        simcord.run(
            actor_bot(database, workers=WorkerPool(1)),
            settle_timeout=SETTLE_TIMEOUT_SECONDS,
            check_errors=False,
        ) as env,
    ):
        stage = await Stage(env, database).without_threads()
        stage.client.gate._limits = NoRateLimit()
        yield Probe(stage, *await _play(stage))
        await stage.stop_computers()


def living(folder: Path) -> Iterator[tuple[asyncio.Runner, Probe]]:
    """Keep a world alive while tests use it, one after the other."""
    with asyncio.Runner() as runner:
        ready: asyncio.Future[Probe] = runner.get_loop().create_future()
        ended = asyncio.Event()

        async def live() -> None:
            async with world(folder) as probe:
                ready.set_result(probe)
                await ended.wait()

        async def result() -> Probe:
            return await ready

        # One task lives from the beginning to the end: simcord leaves in the context it came in.
        life = runner.get_loop().create_task(live())
        life.add_done_callback(lambda task: _tell(ready, task))
        yield runner, runner.run(result())
        ended.set()
        runner.run(asyncio.wait_for(life, 10))


def _tell(ready: asyncio.Future[Probe], life: asyncio.Task[None]) -> None:
    """Pass on why a world has ended before it was ready."""
    if not ready.done():
        ready.set_exception(life.exception() or RuntimeError("the world was not made"))


async def _play(stage: Stage) -> tuple[Numbers, dict[str, Any]]:
    """Play the matches of the world, with all that players do beside choosing.

    The computer may be challenged, but never plays: else something would change by itself.
    """
    await stage.client.runtime.computers.stop()
    for who in (stage.ada, stage.bo, stage.eve):
        await who.user.send_dm("Hello!")
    running = await stage.begin(side="OrthogonAliens")
    await play_on(stage, running, Random(1), ways=(silently,), limit=7)
    await _arrive(stage)
    elsewhere = stage.env.create_guild("Elsewhere")
    for who in (stage.ada, stage.eve):
        elsewhere.add_member(who.user)
    places = {"home": stage.channel, "elsewhere": elsewhere.create_text_channel("games")}
    closed = await _declined(stage)
    finished = await _finished(stage)
    await stage.click(stage.ada, stage.last(), "rematch:")
    await stage.click(stage.bo, stage.last(), "accept:")
    numbers = Numbers(
        running=running,
        abroad=await _strangers(stage, stage.env.create_guild("Abroad"), hidden=False),
        finished=finished,
        closed=closed,
        erased=await _erased(stage),
        hidden=await _strangers(stage, stage.guild, hidden=True),
        secret=await _in_lost_thread(stage),
        timed=await _timed(stage),
    )
    await stage.bo.slash(stage.channel, "vacation", days=2)
    dm_path = f"/channels/{stage.bo.user.dm_channel.id}/messages"
    stage.env.inject_error("POST", dm_path, status=403, code=50007, times=None)  # closed DMs
    await _arrive(stage)
    return numbers, places


async def _arrive(stage: Stage) -> None:
    """Have everything sent that is to be sent."""
    await stage.client.runtime.outbox.flush()
    await stage.env.settle()


async def _declined(stage: Stage) -> int:
    challenge = await stage.challenge()
    await stage.click(stage.bo, challenge, "decline:")
    return _number(challenge)


async def _finished(stage: Stage) -> MatchId:
    """Finish a match by resigning."""
    match_id = await stage.begin()
    await stage.client.context.matches.act(SILENT + match_id, match_id, stage.bo.id, "resign")
    await _arrive(stage)
    return match_id


async def _erased(stage: Stage) -> int:
    """Play with a player whose data is deleted then, which ends the match."""
    gus = stage.guild.add_member(stage.env.create_user("gus", global_name="Gus"))
    await play(gus, stage.channel, opponent=stage.ada)
    challenge = stage.last()
    await stage.click(stage.ada, challenge, "accept:")
    about = await gus.slash(stage.channel, "privacy")
    sure = await stage.click(gus, about.response, "erase:")
    await stage.click(gus, sure.response, "erase:yes")
    return _number(challenge)


async def _strangers(stage: Stage, guild: Any, *, hidden: bool) -> tuple[int, ...]:
    """Play where the senders cannot look: see `Numbers.hidden`."""
    people = tuple(
        guild.add_member(stage.env.create_user(f"{name}{hidden}".lower(), global_name=name))
        for name in ABROAD
    )
    unseen = discord.PermissionOverwrite(view_channel=False)
    overwrites = dict.fromkeys((stage.ada, stage.bo, stage.eve), unseen) if hidden else {}
    channel = guild.create_text_channel("apart", overwrites=overwrites)
    await stage.client.context.servers.choose(guild.id, threads="off")
    yan, zoe = people
    numbers = []
    for accepted in (True, False, True):
        await play(yan, channel, opponent=zoe)
        challenge = stage.last(channel)
        numbers.append(_number(challenge))
        if accepted:
            await stage.click(zoe, challenge, "accept:")
    await stage.client.context.matches.act(SILENT + numbers[-1], numbers[-1], yan.id, "resign")
    await _arrive(stage)
    for meanwhile in (False, True):
        await play(yan, channel)
        challenge = stage.last(channel)
        numbers.append(_number(challenge))
        if meanwhile:
            await stage.click(yan, challenge, "computer:")
            assert (await stage.client.context.queries.match(numbers[-1])).joinable
    await _arrive(stage)
    return tuple(numbers)


async def _in_lost_thread(stage: Stage) -> MatchId:
    """Begin a match in a thread that is deleted then; Ada has placed her dice in secret."""
    await stage.client.context.servers.choose(stage.guild.id, threads="on")
    match_id = await stage.begin(game="warp6", setup="secret")
    for thread in stage.channel.threads:
        stage.env.backend.delete_channel(thread.id)
    await stage.env.settle()
    await _arrive(stage)
    await _lock_thread(stage)
    await stage.client.context.servers.choose(stage.guild.id, threads="off")
    (form,) = (await stage.perspective(match_id, stage.ada)).view.legal
    line = " ".join((form.verb, *(arg.replace("?", "1") for arg in form.args)))
    outcome = await stage.client.context.matches.act(
        SILENT + match_id, match_id, stage.ada.id, line
    )
    assert outcome.kind == "done"
    await _arrive(stage)
    return match_id


async def _lock_thread(stage: Stage) -> None:
    """Play on in a thread that a moderator has locked and archived."""
    match_id = await stage.begin()
    for thread in stage.channel.threads:
        thread_path = f"/channels/{thread.id}"
        for method, path in (
            ("PATCH", thread_path),
            ("POST", f"{thread_path}/messages"),
            ("PATCH", f"{thread_path}/*"),
        ):
            stage.env.inject_error(method, path, status=400, code=LOCKED_THREAD, times=None)
    await stage.client.context.matches.act(SILENT + match_id, match_id, stage.ada.id, "draw offer")
    await _arrive(stage)


async def _timed(stage: Stage) -> MatchId:
    """Play with clocks, after a move: reminders, a takeback request, a draw offer, a lost time."""
    annex = stage.guild.create_text_channel("annex")
    match_id = await stage.begin(annex, game="tomtube", clock="3 days per turn")
    await on_card(stage, stage.ada, stage.channel, "move:", match_id)
    random = Random(2)
    for _ in range(4):
        actor = await stage.deciding(match_id)
        legal = (await stage.perspective(match_id, actor)).view.legal
        await silently(stage, match_id, actor, random.choice(legal))
    await _arrive(stage)
    for command in ("draw", "takeback"):
        await stage.ada.slash(stage.channel, command, match=match_id)
    for _ in range(4):
        await stage.spend(DAY)
        await stage.client.runtime.timers.fire()
        await stage.client.runtime.outbox.flush()
    match = await stage.client.context.queries.match(match_id)
    assert match.channel_id == stage.channel.id
    assert any(time.over for time in match.times.values())
    return match_id


def _number(asked: Any) -> MatchId:
    """Return the match of a challenge."""
    custom_id = next(custom_id for custom_id in ids(asked) if custom_id.startswith("accept:"))
    return MatchId(int(custom_id.split(":")[1]))
