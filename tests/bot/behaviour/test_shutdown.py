"""A bot that is told to stop finishes what it has begun."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path
from random import Random
from signal import SIGINT, SIGTERM
from types import SimpleNamespace
from typing import Any

import discord
import pytest

from bot.app.runtime import DRAIN_TIMEOUT_SECONDS
from bot.domain.ids import MatchId
from tests.support.fake_discord import until
from tests.support.harness import Stage, words
from tests.verification.kills.audit_log import FileAuditLog
from tests.verification.kills.kills import Kills


@pytest.mark.slow
async def test_signals_end_the_bot_with_nothing_left_to_send(
    tmp_path: Path, say: Callable[[object], None]
) -> None:
    report = await Kills(FileAuditLog(tmp_path / "kills.db"), Random(5)).run(0, (SIGTERM, SIGINT))
    say(report)
    assert not report.wrong, str(report)
    assert report.slowest_end < DRAIN_TIMEOUT_SECONDS


async def test_what_is_new_is_put_off_while_what_runs_is_finished(stage: Stage) -> None:
    challenge = await stage.challenge()
    started, go_on = asyncio.Event(), asyncio.Event()
    look_up = stage.client.context.preferences.language

    async def slowly(*args: Any, **options: Any) -> str:
        started.set()
        await go_on.wait()
        return await look_up(*args, **options)

    stage.client.context.preferences.language = slowly  # type: ignore[method-assign]
    user, locale = SimpleNamespace(id=8), discord.Locale.german
    click: Any = SimpleNamespace(id=7, user=user, guild_id=None, locale=locale, data={}, extras={})
    begins = asyncio.create_task(stage.client.gate.admit(click))  # the first that is done with any
    await started.wait()
    end = asyncio.create_task(stage.client.drain())
    await until(lambda: stage.client.stopping)
    late = await stage.click(stage.bo, challenge, "accept:")
    assert "back in a moment" in words(late.response)
    typed = await stage.ada.slash(stage.channel, "games")
    assert "back in a moment" in words(typed.response)
    assert not end.done()
    assert (await stage.client.context.queries.match(MatchId(1))).status == "challenge"
    go_on.set()
    await end
    assert await begins


async def test_repeated_click_is_not_refused_after_it_was_done(stage: Stage) -> None:
    stage.client.gate._seen_ids.append(7)
    stage.client.gate.close()
    interaction: Any = SimpleNamespace(id=7)  # without any means to answer it
    assert not await stage.client.gate.admit(interaction)
