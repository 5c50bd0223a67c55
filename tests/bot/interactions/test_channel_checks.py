"""Every setting of a channel or a forum works, or is named with what to change."""

from __future__ import annotations

from typing import Any
from unittest.mock import Mock

import discord
import pytest

from bot.features.halls.views import tag_names
from bot.interactions import channel_checks as checks
from bot.interactions.permissions import (
    FORUM_PERMISSIONS,
    HALL_PERMISSIONS,
    PLAY_PERMISSIONS,
    TAG_PERMISSIONS,
    THREAD_PERMISSIONS,
)
from bot.services.servers import ServerSettings
from tests.support.guilds import EVERYTHING, ME, channel, forum, me, tag, without

HALL, ROLE = 6, 77


def hall(place: Any, role: Any = None) -> list[str]:
    settings = ServerSettings(hall=HALL, hall_role=ROLE if role else 0)
    return list(checks.hall_problems(me(place, role), settings))


def problems(place: Any) -> list[str]:
    return list(checks.place_problems(place, me()))


TEXT_SETTINGS: dict[str, dict[str, Any]] = {
    "slow mode": {"slowmode_delay": 21_600},
    "age-restricted": {"nsfw": True},
    "announcements": {"type": discord.ChannelType.news},
    "shortest default of auto-archiving": {"default_auto_archive_duration": 60},
    "slow threads": {"default_thread_slowmode_delay": 21_600},
}


@pytest.mark.parametrize("setting", TEXT_SETTINGS)
def test_settings_of_a_text_channel_prevent_nothing(setting: str) -> None:
    """Discord lets bots post in spite of them; threads ask for an archiving of their own."""
    place = channel(**TEXT_SETTINGS[setting])
    assert problems(place) == []
    assert checks.thread_problem(place, me()) == ""


@pytest.mark.parametrize(("name", "words"), PLAY_PERMISSIONS.items())
def test_each_missing_permission_is_named(name: str, words: str) -> None:
    (problem,) = problems(channel(own=without(name)))
    assert problem == f"#games: matches can't be played here; I need {words}."


def test_hidden_channel_names_only_that() -> None:
    (problem,) = problems(channel(own=discord.Permissions.none()))
    assert problem.endswith("I need View Channel.")


@pytest.mark.parametrize(("name", "words"), THREAD_PERMISSIONS.items())
def test_each_missing_permission_for_threads_is_named(name: str, words: str) -> None:
    place = channel(own=without(name))
    assert problems(place) == []
    assert checks.thread_problem(place, me()).endswith(f"for threads I need {words}.")


@pytest.mark.parametrize("kind", [discord.VoiceChannel, discord.StageChannel])
def test_text_of_a_voice_channel_needs_to_connect(kind: type[Any]) -> None:
    (problem,) = problems(channel(kind, own=without("connect")))
    assert problem.endswith("I need Connect.")
    assert problems(channel(kind)) == []
    assert "threads are for text channels" in checks.thread_problem(channel(kind), me())
    assert problems(channel(own=without("connect"))) == []


@pytest.mark.parametrize("kind", [discord.ForumChannel, discord.Thread])
def test_posts_need_other_permissions_than_channels(kind: type[Any]) -> None:
    place = channel(kind, own=without("send_messages"), locked=False)
    assert problems(place) == []
    place = channel(kind, own=without("send_messages_in_threads"), locked=False)
    assert problems(place)[0].endswith("I need Send Messages in Threads.")


@pytest.mark.parametrize(
    ("locked", "own", "named"),
    [
        (True, without("manage_threads"), True),
        (True, EVERYTHING, False),
        (False, without("manage_threads"), False),
    ],
)
def test_locked_thread_is_named_unless_the_bot_may_write(
    locked: bool, own: discord.Permissions, named: bool
) -> None:
    place = channel(discord.Thread, own=own, locked=locked, parent=channel())
    found = problems(place)
    assert bool(found) == named
    assert all("unlock it, or give me Manage Threads and Posts" in each for each in found)


@pytest.mark.parametrize(
    ("members", "named"),
    [
        (without("use_application_commands"), True),
        (without("use_application_commands", "view_channel"), False),
        (EVERYTHING, False),
    ],
)
def test_channel_without_commands_is_named(members: discord.Permissions, named: bool) -> None:
    for place in (
        channel(members=members),
        channel(discord.Thread, locked=False, parent=channel(members=members)),
    ):
        found = problems(place)
        assert bool(found) == named
        assert all("allow Use Application Commands" in each for each in found)


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
    (problem,) = hall(channel(own=without(name)))
    assert problem == f"#games: there is no list in the hall; I need {words}."


@pytest.mark.parametrize(("name", "words"), FORUM_PERMISSIONS.items())
def test_each_missing_permission_of_a_forum_is_named(name: str, words: str) -> None:
    found = hall(forum(own=without(name)))
    assert f"#games: there is no list in the hall; I need {words}." in found


def test_missing_right_to_manage_posts_is_named() -> None:
    (problem,) = hall(forum(own=without("manage_threads")))
    assert problem.endswith(f"I need {TAG_PERMISSIONS['manage_threads']}.")
    assert hall(channel(own=without("manage_threads"))) == []


@pytest.mark.parametrize(
    ("mentionable", "own", "named"),
    [
        (False, without("mention_everyone"), True),
        (True, without("mention_everyone"), False),
        (False, EVERYTHING, False),
    ],
)
def test_role_that_cannot_be_called_is_named(
    mentionable: bool, own: discord.Permissions, named: bool
) -> None:
    role = Mock(spec=discord.Role, mentionable=mentionable)
    found = hall(channel(own=own), role)
    assert bool(found) == named
    assert all("I can't call the role of the hall" in each for each in found)


def test_deleted_role_and_hall_are_named() -> None:
    settings = ServerSettings(hall=HALL, hall_role=ROLE)
    found = list(checks.hall_problems(me(channel()), settings))
    assert found == ["The role that is called in the hall was deleted."]
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
    own = EVERYTHING if manages else without("manage_threads")
    found = [each for each in hall(forum(own=own, tags=tags)) if "for moderators" in each]
    assert bool(found) == named
    assert all(f"“{tag_names()[0]}”" in each for each in found)
    other = [*(tag(name) for name in tag_names()), tag("news", moderated=True)]
    assert not any("for moderators" in each for each in hall(forum(own=own, tags=other)))


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
    own = EVERYTHING if manages else without("manage_threads")
    found = hall(forum(own=own, tags=tags, required=required))
    assert any("each post needs a tag" in each for each in found) == named
    assert any("each post needs a tag" in each for each in hall(forum(tags=[], required=True)))


@pytest.mark.parametrize(
    ("pinned", "owner", "named"), [(True, ME + 1, True), (True, ME, False), (False, ME + 1, False)]
)
def test_pinned_post_of_another_is_named(pinned: bool, owner: int, named: bool) -> None:
    flags = discord.ChannelFlags(pinned=pinned)
    post = Mock(spec=discord.Thread, flags=flags, owner_id=owner)
    found = hall(forum(posts=[post]))
    assert bool(found) == named
    assert all("another post is pinned" in each for each in found)


def test_channel_of_a_cup_is_checked() -> None:
    assert checks.cup_problem(me(channel()), "Spring", 1) == ""
    assert "“Spring” was deleted, archived, or hidden" in checks.cup_problem(me(None), "Spring", 1)
    problem = checks.cup_problem(me(channel(own=without("attach_files"))), "Spring", 1)
    assert problem.startswith("The cup “Spring” is not kept up to date.")
    assert problem.endswith("I need Attach Files.")
