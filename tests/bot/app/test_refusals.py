"""Messages to the host when Discord refuses a connection for good."""

from __future__ import annotations

import discord
import pytest

from bot.app.client import Starpost
from bot.app.refusals import sentence_of
from bot.app.run import _connect_with_retries
from bot.app.settings import SettingsError
from bot.storage.database import Database
from tests.support.fake_discord import FakeDiscord
from tests.support.harness import Clock

REFUSED = {
    4004: "DISCORD_TOKEN: Discord does not accept this token",
    4010: "SHARD_COUNT: Discord does not accept",
    4011: "SHARD_COUNT: the bot is on too many servers",
    4012: "install the newest Starpost",
    4013: "install the newest Starpost",
    4014: "Privileged Gateway Intents",
}


@pytest.mark.parametrize("code", REFUSED)
async def test_refused_connection_says_what_to_change(
    database: Database, fake_discord: FakeDiscord, code: int
) -> None:
    fake_discord.close_code = code
    async with Starpost(database, Clock()) as client:
        with pytest.raises(SettingsError, match=REFUSED[code]):
            await _connect_with_retries(client, "token")
        assert client.is_closed()


async def test_refused_token_is_not_tried_again(
    database: Database, fake_discord: FakeDiscord
) -> None:
    fake_discord.login_refusals = [401]
    async with Starpost(database, Clock()) as client:
        with pytest.raises(SettingsError, match=REFUSED[4004]):
            await _connect_with_retries(client, "token")
    assert fake_discord.login_refusals == []


def test_unknown_error_is_no_refusal() -> None:
    assert sentence_of(discord.ClientException()) == ""
