"""Commands are registered with Discord when they, or their translations, have changed."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot import i18n
from bot.app.client import Starpost
from bot.app.run import open_database
from hatch_build import compiled
from tests.support.fake_discord import FakeDiscord, until
from tests.support.harness import Clock
from tools import translations


async def start(url: str) -> None:
    """Start a bot until its commands are registered."""
    async with open_database(url) as database, Starpost(database, Clock()) as client:
        await client.login("token")
        await until(lambda: client.runtime.command_sync.done)


async def test_a_second_start_registers_nothing(url: str, fake_discord: FakeDiscord) -> None:
    await start(url)
    i18n._catalogue.cache_clear()
    await start(url)
    assert fake_discord.synced == 1
    assert not i18n._catalogue.cache_info().currsize, "a catalogue was read"


async def test_a_new_translation_is_registered(
    url: str, fake_discord: FakeDiscord, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    name = Path("de", "LC_MESSAGES", "starpost.po")
    catalogue, copy = translations.read(i18n.LOCALES / name), tmp_path / name
    copy.parent.mkdir(parents=True)
    monkeypatch.setattr(i18n, "LOCALES", tmp_path)
    for words in ("aufgeben", "passen"):
        catalogue["resign"].string = words
        copy.with_suffix(".mo").write_bytes(compiled(catalogue))
        i18n._catalogue.cache_clear()
        await start(url)
    assert fake_discord.synced == 2
