"""The settings of servers, as they are stored."""

from __future__ import annotations

from bot.domain.ids import ChannelId, GuildId
from bot.i18n import languages
from bot.services.servers import (
    LANGUAGE_CHOICES,
    RATED_CHOICES,
    THREAD_CHOICES,
    Servers,
    ServerSettings,
)
from tests.support.matches import MatchFixture

CLUB, OTHER = GuildId(5), GuildId(6)

STORED = {
    "channels": [71, 72],
    "role": 73,
    "clock": "3d",
    "threads": "off",
    "language": "de",
    "hall": 74,
    "hall_role": 75,
    "daily": 76,
    "rated": "on",
    "orientation": "portrait",
}
"""Settings as existing databases have them."""

DEFAULTS = ServerSettings(
    channels=(),
    role=0,
    clock="3d",
    threads=True,
    language="discord",
    rated=False,
    orientation="landscape",
)


async def test_settings_are_read_as_they_are_stored(env: MatchFixture) -> None:
    servers = Servers(env.database)
    await servers.choose(CLUB, **STORED)
    expected = ServerSettings(
        (ChannelId(71), ChannelId(72)), 73, "3d", False, "de", True, "portrait", STORED
    )
    assert await servers.settings(CLUB) == expected
    assert await servers.language(CLUB, "en-GB") == "de"
    assert await servers.settings(OTHER) == DEFAULTS


async def test_a_choice_leaves_the_other_settings(env: MatchFixture) -> None:
    servers = Servers(env.database)
    await servers.choose(CLUB, role=73)
    await servers.choose(CLUB, rated="on")
    await servers.choose(CLUB, rated="off", threads="on")
    stored = {"role": 73, "rated": "off", "threads": "on"}
    assert await servers.settings(CLUB) == DEFAULTS._replace(role=73, stored=stored)


def test_a_server_that_has_chosen_nothing_has_the_defaults() -> None:
    assert ServerSettings() == DEFAULTS
    assert ServerSettings.of({}) == DEFAULTS


def test_values_of_the_settings_are_those_of_earlier_versions() -> None:
    choices = THREAD_CHOICES, RATED_CHOICES, LANGUAGE_CHOICES
    assert [list(values) for values in choices] == [
        ["on", "off"],
        ["off", "on"],
        ["discord", *languages()],
    ]
    assert all(label for choice in choices for label in choice.values())
