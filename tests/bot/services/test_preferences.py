"""The preferences of players, as they are stored and as other services read them."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from sqlalchemy import select

from bot.domain.clocks import HOUR
from bot.domain.ids import GuildId
from bot.i18n import languages
from bot.services.preferences import (
    DEFAULTS,
    GROUPS,
    PREFERENCES,
    PreferenceKey,
    Preferences,
    blocked_by,
    language_of,
    reminder,
    rests_until,
)
from bot.services.servers import Servers
from bot.storage.database import Database
from bot.storage.schema import players
from render.renderer import Style
from tests.support.matches import ADA, BO, EVE, MatchFixture

VALUES = {
    "hand": ["on", "off"],
    "turns": ["off", "on"],
    "forced": ["on", "off"],
    "remind": ["24", "48", "off"],
    "quiet": ["off", "22-8", "23-7"],
    "days_off": ["off", "56", "45", "34", "06", "6", "5", "4", "2", "0"],
    "active_hours": ["off", "on"],
    "challenges": ["on", "off"],
    "analysis": ["off", "on"],
    "profile": ["off", "met", "everyone"],
    "theme": ["dark", "light", "contrast"],
    "orientation": ["public", "landscape", "portrait"],
    "animation": ["off", "on"],
    "language": ["discord", *languages()],
    "turned": ["off", "on"],
}
"""Preferences and their values in existing databases, the default first."""

RECORDS = {"dm_failed": "no", "blocked": "", "zone": "UTC", "locale": "en"}
"""What the bot stores besides, with the default."""

GROUP_NAMES = ["play", "time", "looks", "others"]
"""The groups in the buttons of messages on Discord."""


@pytest.fixture
def preferences(env: MatchFixture) -> Preferences:
    return Preferences(env.database)


async def stored(database: Database) -> dict[int, Any]:
    """Return user → their stored preferences."""
    async with database.read() as connection:
        rows = await connection.execute(select(players.c.user_id, players.c.preferences))
        return {row.user_id: row.preferences for row in rows}


def test_stored_names_and_values_are_those_of_earlier_versions() -> None:
    assert {name: list(preference.values) for name, preference in PREFERENCES.items()} == VALUES
    assert {name: values[0] for name, values in VALUES.items()} | RECORDS == DEFAULTS
    assert set(PreferenceKey) == set(DEFAULTS)
    assert list(GROUPS) == GROUP_NAMES


def test_preferences_and_their_values_have_labels() -> None:
    for preference in PREFERENCES.values():
        assert preference.about
        assert all(preference.values.values())


async def test_a_choice_is_stored_under_its_name(
    preferences: Preferences, env: MatchFixture
) -> None:
    await preferences.set(ADA, "theme", "light")
    await preferences.set_time_zone(ADA, "Europe/Berlin")
    await preferences.set_lesson_step(ADA, "warp6", 3)
    await preferences.remember_card(BO, "wormholes", "clock=3d")
    await preferences.remember_card(BO, "warp6", "clock=")
    assert await stored(env.database) == {
        ADA: {"theme": "light", "zone": "Europe/Berlin", "game": "warp6", "step:warp6": "3"},
        BO: {"game": "warp6", "card:wormholes": "clock=3d", "card:warp6": "clock="},
    }


async def test_last_game_is_the_one_learnt_or_played_last(preferences: Preferences) -> None:
    names = ["wormholes", "warp6", "tomtube"]
    assert not await preferences.last_game(ADA, names)
    await preferences.remember_card(ADA, "warp6", "clock=3d")
    assert await preferences.last_game(ADA, names) == "warp6"
    await preferences.set_lesson_step(ADA, "tomtube", 1)
    assert await preferences.last_game(ADA, names) == "tomtube"
    assert not await preferences.last_game(ADA, names[:2])
    await preferences.remember_game(ADA, "warp6")
    assert await preferences.last_game(ADA, names) == "warp6"


async def test_the_language_on_discord_is_remembered(
    preferences: Preferences, env: MatchFixture
) -> None:
    assert await preferences.language(ADA, "en-GB") == "en"
    assert await preferences.language(ADA, "de", remember=False) == "de"
    assert await preferences.language(ADA) == "en"
    assert not await stored(env.database), "the default is not stored"
    assert await preferences.language(ADA, "de") == "de"
    assert await preferences.language(ADA) == "de"
    assert await preferences.language(BO) == "en"


async def test_a_chosen_language_is_used_instead(preferences: Preferences) -> None:
    assert language_of(await preferences.set(ADA, "language", "de")) == "de"
    assert await preferences.language(ADA, "en-GB") == "de"
    assert language_of(None) == "en"


async def test_private_images_have_the_chosen_style(preferences: Preferences) -> None:
    assert await preferences.style(ADA, None) == Style()
    await preferences.set_all(ADA, {"theme": "light", "orientation": "portrait", "turned": "on"})
    assert await preferences.style(ADA, None) == Style("light", "portrait", own_side=True)
    assert await preferences.style(BO, None) == Style()


async def test_private_images_follow_the_server_unless_chosen(
    preferences: Preferences, env: MatchFixture
) -> None:
    club, other = GuildId(61), GuildId(62)
    await Servers(env.database).choose(club, orientation="portrait")
    await preferences.set(BO, "orientation", "landscape")
    assert [await preferences.style(ADA, guild) for guild in (club, other, None)] == [
        Style(orientation="portrait"),
        Style(),
        Style(),
    ]
    assert await preferences.style(BO, club) == Style()


async def test_the_result_of_a_dm_is_stored_for_players_only(
    preferences: Preferences, env: MatchFixture
) -> None:
    await env.ask()
    for user in (ADA, EVE):
        await preferences.record_dm_result(user, by_dm=False)
    assert await stored(env.database) == {ADA: {"dm_failed": "yes"}}, "Eve has no seat"
    await preferences.record_dm_result(ADA, by_dm=True)
    assert await stored(env.database) == {ADA: {"dm_failed": "no"}}


async def test_players_blocked_at_the_same_time_are_all_blocked(
    env: MatchFixture, preferences: Preferences
) -> None:
    async with env.database.write():
        blocks = [asyncio.create_task(preferences.block(ADA, other)) for other in (BO, EVE)]
        for _ in range(10):
            await asyncio.sleep(0)  # both have begun
    await asyncio.gather(*blocks)
    assert sorted(blocked_by(await preferences.preferences(ADA))) == sorted([BO, EVE])


async def test_who_is_blocked_again_is_named_once_and_last(preferences: Preferences) -> None:
    for other in (BO, EVE, BO):
        await preferences.block(ADA, other)
    assert blocked_by(await preferences.preferences(ADA)) == [EVE, BO]
    assert not blocked_by(await preferences.preferences(BO))
    assert not blocked_by(await preferences.unblock_all(ADA))


def test_reminders_come_after_the_chosen_time() -> None:
    settings = [None, {"remind": "48"}, {"remind": "off"}]
    assert [reminder(setting) for setting in settings] == [24 * HOUR, 48 * HOUR, 0]


def test_a_player_rests_until_the_quiet_hours_end_in_their_zone() -> None:
    quiet, late, morning = {"quiet": "22-8"}, 23 * HOUR, (24 + 8) * HOUR
    assert rests_until(quiet, late) == morning
    assert rests_until(quiet | {"zone": "Asia/Tokyo"}, late) is None
    assert rests_until(None, late) is None
