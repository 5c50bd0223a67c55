"""Starting and running the bot, as far as it needs no Discord."""

from __future__ import annotations

import os
from importlib.metadata import version

import pytest
from pydantic import SecretStr

from bot.client import Starpost
from bot.invite import link
from bot.run import introduction
from bot.settings import Settings
from bot.storage.lock import last_beat
from bot.storage.sqlite import SQLite
from tests.bot.command import APPLICATION, TOKEN


def test_the_first_line_says_what_a_host_wants_to_know() -> None:
    line = introduction(Settings(discord_token=TOKEN), TOKEN)
    assert version("starpost") in line
    assert "sqlite+aiosqlite:///starpost.db" in line
    assert "1 shard" in line
    assert line.endswith(link(APPLICATION))
    assert TOKEN not in line


def test_a_token_of_an_unusual_form_is_tried_all_the_same() -> None:
    line = introduction(Settings(discord_token=SecretStr("odd")), "odd")
    assert "unusual form" in line
    assert "odd " not in line


@pytest.mark.errors_wanted
async def test_the_heart_beats_on_whatever_becomes_of_a_chore(database: SQLite) -> None:
    async def fail() -> None:
        raise OSError

    async def beat() -> None:
        database.lock.beat()

    async with Starpost(database, chores=[fail, beat]) as client:
        os.utime(database.lock.path, (0, 0))
        await client.heartbeat.coro(client)
        assert last_beat(database.path)
