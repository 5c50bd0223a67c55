"""Every setting of a hall works, or is named with what to change."""

from __future__ import annotations

from typing import Any
from unittest.mock import AsyncMock, Mock

import discord
import pytest

from bot.domain.ids import ChannelId
from bot.features.halls import checks
from bot.features.halls.checks import FORUM_PERMISSIONS, HALL_PERMISSIONS, check_hall
from bot.features.halls.views import tag_names
from bot.interactions.permissions import TAG_PERMISSIONS
from bot.interactions.server_options import Finding
from bot.services.servers import ServerSettings
from tests.support.guilds import EVERYTHING, ME, channel, forum, me, tag, without

HALL, ROLE = ChannelId(6), 77


def hall(place: Any, role: Any = None) -> list[str]:
    settings = ServerSettings.of({"hall": HALL, "hall_role": ROLE if role else 0})
    return list(checks.hall_problems(me(place, role), settings))


FORUM_SETTINGS: dict[str, dict[str, Any]] = {
    "order": {"default_sort_order": discord.ForumOrderType.creation_date},
    "layout": {"default_layout": discord.ForumLayoutType.gallery_view},
    "slow mode": {"slowmode_delay": 21_600},
    "slow posts": {"default_thread_slowmode_delay": 21_600},
    "shortest default of auto-archiving": {"default_auto_archive_duration": 60},
    "reaction": {"default_reaction_emoji": discord.PartialEmoji(name="x")},
    "age-restricted": {"nsfw": True},
    "guidelines": {"topic": "Be nice"},
}


@pytest.mark.parametrize("setting", FORUM_SETTINGS)
def test_settings_of_a_forum_prevent_nothing(setting: str) -> None:
    place = forum()
    place.configure_mock(**FORUM_SETTINGS[setting])
    assert hall(place) == []


@pytest.mark.parametrize(("name", "words"), HALL_PERMISSIONS.items())
def test_each_missing_permission_of_a_hall_is_named(name: str, words: str) -> None:
    (problem,) = hall(channel(bot=without(name)))
    assert problem == f"#games: there is no list in the hall; I need {words}."


@pytest.mark.parametrize(("name", "words"), FORUM_PERMISSIONS.items())
def test_each_missing_permission_of_a_forum_is_named(name: str, words: str) -> None:
    problems = hall(forum(bot=without(name)))
    assert f"#games: there is no list in the hall; I need {words}." in problems


def test_missing_right_to_manage_posts_is_named() -> None:
    (problem,) = hall(forum(bot=without("manage_threads")))
    assert problem.endswith(f"I need {TAG_PERMISSIONS['manage_threads']}.")
    assert hall(channel(bot=without("manage_threads"))) == []


@pytest.mark.parametrize(
    ("mentionable", "permissions", "named"),
    [
        (False, without("mention_everyone"), True),
        (True, without("mention_everyone"), False),
        (False, EVERYTHING, False),
    ],
)
def test_role_that_cannot_be_called_is_named(
    mentionable: bool, permissions: discord.Permissions, named: bool
) -> None:
    role = Mock(spec=discord.Role, mentionable=mentionable)
    problems = hall(channel(bot=permissions), role)
    assert bool(problems) == named
    assert all("I can't ping the hall's role" in problem for problem in problems)


def test_deleted_role_and_hall_are_named() -> None:
    settings = ServerSettings.of({"hall": HALL, "hall_role": ROLE})
    problems = list(checks.hall_problems(me(channel()), settings))
    assert problems == ["The role that I ping in the hall was deleted."]
    (problem,) = checks.hall_problems(me(None), settings)
    assert "choose another one with `/server`" in problem
    (problem,) = checks.hall_problems(me(channel(discord.VoiceChannel)), settings)
    assert "choose another one with `/server`" in problem


def test_media_channel_is_no_forum() -> None:
    (problem,) = hall(forum(media=True))
    assert "it is a media channel" in problem


def test_missing_tags_are_named_and_room_for_them() -> None:
    missing = len(tag_names())
    room = checks.MAX_TAGS - missing
    for others, full in ((room, False), (room + 1, True)):
        (problem,) = hall(forum(tags=[tag(f"t{number}") for number in range(others)]))
        assert "for tags on the posts of matches" in problem
        assert ("delete some tags" in problem) == full


@pytest.mark.parametrize(
    ("moderated", "manages", "named"),
    [(True, False, True), (True, True, False), (False, False, False)],
)
def test_tags_for_moderators_are_named(moderated: bool, manages: bool, named: bool) -> None:
    tags = [tag(name, moderated=moderated and place == 0) for place, name in enumerate(tag_names())]
    permissions = EVERYTHING if manages else without("manage_threads")
    problems = [
        problem
        for problem in hall(forum(bot=permissions, tags=tags))
        if "for moderators" in problem
    ]
    assert bool(problems) == named
    assert all(f"“{tag_names()[0]}”" in problem for problem in problems)
    other = [*(tag(name) for name in tag_names()), tag("news", moderated=True)]
    assert not any(
        "for moderators" in problem for problem in hall(forum(bot=permissions, tags=other))
    )


@pytest.mark.parametrize(
    ("required", "moderated", "manages", "named"),
    [
        (True, True, False, True),
        (True, True, True, False),
        (True, False, False, False),
        (False, True, False, False),
    ],
)
def test_forum_that_requires_a_tag_needs_one_for_the_bot(
    required: bool, moderated: bool, manages: bool, named: bool
) -> None:
    tags = [tag(name, moderated=moderated) for name in tag_names()]
    permissions = EVERYTHING if manages else without("manage_threads")
    problems = hall(forum(bot=permissions, tags=tags, required=required))
    assert any("each post needs a tag" in problem for problem in problems) == named
    assert any(
        "each post needs a tag" in problem for problem in hall(forum(tags=[], required=True))
    )


@pytest.mark.parametrize(
    ("pinned", "owner", "named"), [(True, ME + 1, True), (True, ME, False), (False, ME + 1, False)]
)
def test_pinned_post_of_another_is_named(pinned: bool, owner: int, named: bool) -> None:
    flags = discord.ChannelFlags(pinned=pinned)
    post = Mock(spec=discord.Thread, flags=flags, owner_id=owner)
    problems = hall(forum(posts=[post]))
    assert bool(problems) == named
    assert all("another post is pinned" in problem for problem in problems)


def context_with(settings: dict[str, Any]) -> Any:
    """Return services that know the settings of a server."""
    context = Mock()
    context.servers.settings = AsyncMock(return_value=ServerSettings.of(settings))
    return context


@pytest.mark.parametrize(
    ("channel_id", "is_checked"), [(None, True), (HALL, True), (ChannelId(HALL + 1), False)]
)
async def test_doctor_asked_about_another_channel_checks_no_hall(
    channel_id: ChannelId | None, is_checked: bool
) -> None:
    works = [Finding("#games: the hall works.", problem=False)]
    problems = await check_hall(context_with({"hall": HALL}), me(channel()), channel_id)
    assert list(problems) == works * is_checked
    closed = me(channel(bot=without("send_messages")))
    problems = await check_hall(context_with({"hall": HALL}), closed, channel_id)
    assert [finding.problem for finding in problems] == [True] * is_checked
    assert not any(finding.fatal for finding in problems)


async def test_server_without_a_hall_has_no_findings() -> None:
    assert not await check_hall(context_with({"hall_role": ROLE}), me(channel()), None)
