"""Forums with every setting of tags and names that a server can make."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import discord
import pytest

from bot.features.halls.forum_tags import ForumTags
from tests.support.deliveries import CHANNEL, DeliveryFixture
from tests.support.halls import (
    HALL,
    TAGS,
    begin,
    challenge,
    join,
    open_hall,
    settle,
    the_list,
    the_post,
)
from tests.support.matches import BO


def forum(*, may_moderate: bool | None, required: bool = False) -> Any:
    """A forum with a tag for all and one for moderators; None: the bot's rights are unknown."""
    tags = [
        SimpleNamespace(name="Staff", id=1, moderated=True),
        SimpleNamespace(name="Open Seat", id=2, moderated=False),
    ]
    allowed = discord.Permissions(manage_threads=bool(may_moderate))
    return SimpleNamespace(
        guild=SimpleNamespace(me=None if may_moderate is None else object()),
        permissions_for=lambda _me: allowed,
        available_tags=tags,
        flags=SimpleNamespace(require_tag=required),
    )


@pytest.mark.parametrize(
    ("may_moderate", "names"),
    [(True, {"staff", "open seat"}), (False, {"open seat"}), (None, {"staff", "open seat"})],
)
def test_tags_for_moderators_are_for_bots_that_are(may_moderate: bool, names: set[str]) -> None:
    assert ForumTags.of(forum(may_moderate=may_moderate)).by_name.keys() == names


@pytest.mark.parametrize(
    ("required", "selected", "applied"),
    [(False, [], []), (True, [], [2]), (True, [9], [9]), (False, [9], [9])],
)
def test_first_tag_is_applied_only_if_one_is_required(
    required: bool, selected: list[int], applied: list[int]
) -> None:
    tags = ForumTags.of(forum(may_moderate=False, required=required))
    assert tags.applied(lambda _names: selected) == applied


def test_forum_that_requires_a_tag_may_have_none() -> None:
    assert ForumTags({}, required=True).applied(lambda _names: []) == []


async def test_posts_of_a_forum_that_requires_tags_have_one(delivery: DeliveryFixture) -> None:
    """The list, and a match that is running, have no tag of their own in this forum."""
    await open_hall(delivery, forum=True)
    delivery.fake.forums[HALL] = {"open seat": 502, "news": 504}
    delivery.fake.tags_required.add(HALL)
    match_id = await challenge(delivery)
    await settle(delivery)
    assert delivery.fake.tags(the_list(delivery)) == {"open seat"}
    assert delivery.fake.tags(the_post(delivery)) == {"open seat"}
    await join(delivery, match_id)
    await settle(delivery, 60)
    assert delivery.fake.threads[the_post(delivery)]["name"].endswith(": Ada – Bo")
    assert (await delivery.env.queries.match(match_id)).channel_id == the_post(delivery)


async def test_tags_for_moderators_leave_the_post_without(delivery: DeliveryFixture) -> None:
    await open_hall(delivery, forum=True)
    delivery.fake.moderated |= set(TAGS.values())
    delivery.fake.may_manage = False
    match_id = await begin(delivery)
    await settle(delivery)
    assert delivery.fake.tags(the_post(delivery)) == set()
    assert (await delivery.env.queries.match(match_id)).channel_id == the_post(delivery)


async def test_post_has_the_tags_of_today_not_of_the_cache(delivery: DeliveryFixture) -> None:
    await open_hall(delivery, forum=True)
    delivery.fake.stale[HALL] = TAGS
    delivery.fake.forums[HALL] = {"Wormholes": 601, "open seat": 602, "Finished": 603}
    match_id = await challenge(delivery)
    await settle(delivery)
    assert delivery.fake.tags(the_post(delivery)) == {"Wormholes", "open seat"}
    await join(delivery, match_id)
    await settle(delivery, 60)
    assert delivery.fake.tags(the_post(delivery)) == {"Wormholes"}


async def test_post_is_renamed_although_its_tags_are_refused(delivery: DeliveryFixture) -> None:
    await open_hall(delivery, forum=True)
    match_id = await challenge(delivery)
    await settle(delivery)
    delivery.fake.stale[HALL] = TAGS
    delivery.fake.forums[HALL] = {"Finished": 603}
    await join(delivery, match_id)
    await settle(delivery, 60)
    post = the_post(delivery)
    assert delivery.fake.threads[post]["name"].endswith(": Ada – Bo")
    assert delivery.fake.threads[post]["applied_tags"] == []
    await delivery.env.matches.act(next(delivery.env.ids), match_id, BO, "resign")
    await settle(delivery, 60)
    assert delivery.fake.tags(post) == {"Finished"}
    assert await delivery.left() == []


async def test_name_that_is_blocked_gives_way_to_a_plain_one(delivery: DeliveryFixture) -> None:
    await open_hall(delivery, forum=True)
    delivery.fake.blocked_words.add("Ada")
    match_id = await begin(delivery)
    await settle(delivery)
    post = the_post(delivery)
    assert delivery.fake.threads[post]["name"] == f"Wormholes #{match_id}"
    assert delivery.fake.tags(post) == {"Wormholes"}
    assert (await delivery.env.queries.match(match_id)).channel_id == post


async def test_blocked_new_name_changes_to_a_plain_one(delivery: DeliveryFixture) -> None:
    await open_hall(delivery, forum=True)
    match_id = await challenge(delivery)
    await settle(delivery)
    delivery.fake.blocked_words.add("Bo")
    await join(delivery, match_id)
    await settle(delivery, 60)
    post = the_post(delivery)
    assert delivery.fake.threads[post]["name"] == f"Wormholes #{match_id}"
    assert delivery.fake.tags(post) == {"Wormholes"}


async def test_server_full_of_threads_plays_in_the_channel(delivery: DeliveryFixture) -> None:
    await open_hall(delivery, forum=True)
    delivery.fake.full.add(HALL)
    delivery.fake.thread_refusal = (400, 160006)
    match_id = await begin(delivery)
    await settle(delivery)
    assert (await delivery.env.queries.match(match_id)).channel_id == CHANNEL
    assert delivery.moments(match_id) == ["1"]
    assert await delivery.left() == []
