"""`starpost smoke` tries out what matches need, and deletes all that it has made."""

from __future__ import annotations

import asyncio
import json
import os
import re
import signal
import sys
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import discord
import pytest
from aiohttp import web

from bot.app import invite
from bot.app.env_file import SettingsError
from bot.app.smoke import CHECKLIST, Host, Results, try_out, walk_through
from bot.app.smoke_steps import STEPS, Place, Step, UnexpectedError
from bot.domain.ids import ChannelId, GuildId
from tests.support import fake_objects
from tests.support.command import ROOT, TOKEN, run
from tests.support.fake_discord import FakeDiscord
from tests.support.harness import Stage

PAGE = ROOT / "docs" / "hosts" / "first-server.md"

ONLY_ON_DISCORD = {
    "a message sent twice",  # simcord has no nonces
    "a file above the limit",  # it takes files of any size
    "an edit in the archived thread",  # it takes that
    "a message in the archived thread",  # it leaves the thread archived
}
"""Steps that simcord answers in another way than Discord."""

CHANNEL = 5

NEEDED = {"a silent message", "a thread"}
"""Steps whose messages later steps use."""

pytestmark = pytest.mark.slow


def things(stage: Stage) -> tuple[int, ...]:
    """Return the numbers of messages, channels, emojis and commands on simcord."""
    backend = stage.env.backend
    messages = sum(map(len, backend.messages.values()))
    channels = len(backend.channels) - len(backend.dm_channels)
    commands = sum(map(len, backend.commands.values()))
    return messages, channels, len(backend.application_emojis), commands


def owned_by_ada(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    """Have Ada own the application: simcord says that it belongs to its own bot."""
    info = stage.client.application_info

    async def of_ada() -> discord.AppInfo:
        about = await info()
        about.owner = await stage.client.fetch_user(stage.ada.id)
        return about

    monkeypatch.setattr(stage.client, "application_info", of_ada)


async def smoke(
    stage: Stage, channel: ChannelId | None = None, steps: Sequence[Step] = STEPS
) -> tuple[Results, list[str]]:
    """Take steps on the server of the stage; returns the lines as well."""
    results = Results()
    lines: list[str] = []
    async with results.answers.kept(stage.client.http):
        await try_out(
            stage.client, stage.guild.id, channel, Host(lines.append), results, steps=steps
        )
    return results, lines


async def test_each_step_works_and_nothing_is_left(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    owned_by_ada(stage, monkeypatch)
    stage.guild.create_forum_channel("posts")
    before = things(stage)
    results, lines = await smoke(stage)
    assert set(results.faults) == ONLY_ON_DISCORD, lines
    assert not [line for line in lines if line.startswith("skipped")], lines
    assert len(lines) == len(STEPS) + 2
    assert lines[-1] == "Everything is deleted."
    assert things(stage) == before


async def test_where_the_bot_could_not_delete_threads_none_is_made(stage: Stage) -> None:
    stage.guild.create_forum_channel("posts")
    guild = stage.env.backend.guilds[stage.guild.id]
    for role in guild.roles.values():
        role.permissions = invite.permissions().value
    before = things(stage)
    _, lines = await smoke(stage)
    skipped = [line for line in lines if line.startswith("skipped")]
    assert [line.split(": ")[0] for line in skipped] == [
        "skipped  a thread",
        "skipped  an edit in the archived thread",
        "skipped  a message in the archived thread",
        "skipped  a forum post",
    ]
    assert any(line.startswith("refused  a pin: 403, 50013") for line in lines), lines
    assert things(stage) == before


@pytest.mark.parametrize("number", range(len(STEPS)))
async def test_interrupted_in_any_step_all_is_deleted(
    stage: Stage, monkeypatch: pytest.MonkeyPatch, number: int
) -> None:
    owned_by_ada(stage, monkeypatch)
    stage.guild.create_forum_channel("posts")
    before = things(stage)

    async def interrupt(place: Place) -> str:
        with suppress(UnexpectedError):
            await STEPS[number].run(place)
        raise asyncio.CancelledError

    steps = [*STEPS[:number], STEPS[number]._replace(run=interrupt), *STEPS[number + 1 :]]
    needed = [step for step in steps[: number + 1] if step.name in NEEDED or step is steps[number]]
    with pytest.raises(asyncio.CancelledError):
        await smoke(stage, steps=needed)
    assert things(stage) == before


async def test_a_request_under_way_is_awaited_and_deleted(stage: Stage) -> None:
    """An interruption after Discord has stored a message, before its answer is there."""
    begun, answered = asyncio.Event(), asyncio.Event()
    request = stage.client.http.request

    async def late(*route: Any, **options: Any) -> Any:
        answer = await request(*route, **options)
        if route[0].method == "POST":
            begun.set()
            await answered.wait()
        return answer

    before = things(stage)
    stage.client.http.request = late  # type: ignore[method-assign]
    task = asyncio.ensure_future(smoke(stage, steps=STEPS[1:2]))
    await begun.wait()
    task.cancel()
    asyncio.get_running_loop().call_soon(answered.set)
    with pytest.raises(asyncio.CancelledError):
        await task
    assert things(stage) == before


async def test_ctrl_c_ends_the_command_after_all_is_deleted(
    fake_discord: FakeDiscord, tmp_path: Path
) -> None:
    """The program is interrupted while its third message is on the way."""
    fake_discord.text_channels.add(CHANNEL)
    server = fake_objects.guild(int(fake_objects.GUILD), "en-US")
    server["roles"][0]["permissions"] = str(discord.Permissions.all().value)
    fake_discord.servers.append(server)
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "tests.support.against_fake", str(fake_discord.port)),
        *("smoke", "--server", server["id"], "--save", "answers.json"),
        cwd=tmp_path,
        env={"PATH": os.environ["PATH"], "PYTHONPATH": str(ROOT), "DISCORD_TOKEN": TOKEN},
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )

    async def interrupt(request: web.Request) -> None:
        if request.method == "POST" and len(fake_discord.posted) == 3:
            process.send_signal(signal.SIGINT)

    fake_discord.before_reply = interrupt
    out, errors = await process.communicate()
    assert (process.returncode, errors.decode()) == (130, "starpost: interrupted.\n")
    assert out.decode().splitlines()[-1] == "Everything is deleted."
    assert len(fake_discord.posted) == 3
    assert not any(fake_discord.channels.values())
    assert json.loads((tmp_path / "answers.json").read_text("utf-8"))["answers"]


async def test_a_refused_deletion_is_named_and_the_rest_goes_on(stage: Stage) -> None:
    stage.env.inject_error("DELETE", "/channels/*/messages/*", status=403, code=50013, times=1)
    before = things(stage)
    results, lines = await smoke(stage, steps=[STEPS[1], STEPS[11]])
    assert (results.left, results.healthy) == (1, False)
    assert [line for line in lines if line.startswith("LEFT BEHIND")]
    assert lines[-1] == "Not everything is deleted."
    assert things(stage)[0] == before[0] + 1


async def test_saved_answers_have_neither_ids_nor_names(stage: Stage, tmp_path: Path) -> None:
    results, _ = await smoke(stage)
    walk_through(lambda _: "yes", results)
    file = tmp_path / "answers.json"
    results.save(file)
    text = file.read_text("utf-8")
    data = json.loads(text)
    assert {answer["step"] for answer in data["answers"]} > {step.name for step in STEPS[:3]}
    assert set(data["checklist"]) == set(CHECKLIST)
    assert not re.search(r"\d{15,}", text)
    assert not [name for name in ("Club", "games", "TestBot", "Ada") if f'"{name}"' in text]


async def test_another_channel_or_server_is_one_sentence(stage: Stage) -> None:
    with pytest.raises(SettingsError, match="cannot play in the channel 5 of this server"):
        await smoke(stage, ChannelId(5))
    with pytest.raises(SettingsError, match="is not on the server 7"):
        await try_out(stage.client, GuildId(7), None, Host(print), Results())


def test_the_checklist_is_that_of_the_page() -> None:
    items = re.findall(r"^- \[ \] ((?:.+\n)(?: {6}.+\n)*)", PAGE.read_text("utf-8"), re.MULTILINE)
    texts = [" ".join(item.split()) for item in items]
    assert len(texts) == len(CHECKLIST)
    assert [
        text for text, item in zip(texts, CHECKLIST, strict=True) if not text.startswith(item)
    ] == []


def test_the_command_needs_a_server(tmp_path: Path) -> None:
    refused = run(tmp_path, "smoke", DISCORD_TOKEN=TOKEN)
    assert refused.returncode == 2
    assert "--server" in refused.stderr
