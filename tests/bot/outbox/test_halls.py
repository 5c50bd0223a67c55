"""Halls on a Discord that forgets and fails: their lists, the posts of matches, the role."""

from __future__ import annotations

import logging
from typing import Any

import pytest

from bot.services.challenges import OPEN_SEAT
from bot.services.halls import CALL_PAUSE_SECONDS, LIST_PAUSE_SECONDS, Halls
from bot.services.models import Player
from bot.services.servers import Servers
from bot.services.terms import Terms
from tests.support.deliveries import CHANNEL, DeliveryFixture
from tests.support.fake_log import CALM, Trouble
from tests.support.fake_objects import GUILD
from tests.support.matches import ADA, BO, PLAYERS
from tests.support.privacy import privacy_of

HALL, ROLE, FAR = 6, 77, 8
TAGS = {"Wormholes": 501, "open seat": 502, "Finished": 503}


async def hall(delivery: DeliveryFixture, *, forum: bool = False, **settings: Any) -> None:
    """Make a channel or a forum the hall of the server."""
    delivery.fake.text_channels |= {CHANNEL, FAR} if forum else {CHANNEL, FAR, HALL}
    delivery.fake.forums |= {HALL: TAGS} if forum else {}
    await Servers(delivery.env.database).choose(GUILD, hall_role=ROLE, **settings)
    await choose(delivery, HALL, forum=forum)


async def choose(delivery: DeliveryFixture, channel: int, *, forum: bool = False) -> None:
    await Halls(delivery.env.database).choose(GUILD, channel, is_forum=forum, now=delivery.env.now)


async def challenge(
    delivery: DeliveryFixture, rival: Player = OPEN_SEAT, channel: int = CHANNEL
) -> int:
    """Challenge a player, or open a seat, in a channel of the server."""
    terms = Terms(game="wormholes", guild_id=GUILD, channel_id=channel)
    asked = await delivery.env.challenges.challenge(
        next(delivery.env.ids), terms, [PLAYERS[0], rival], side="O"
    )
    return asked.match_id


async def join(delivery: DeliveryFixture, match_id: int) -> None:
    await delivery.env.challenges.accept(next(delivery.env.ids), match_id, BO, "Bo")


async def begin(delivery: DeliveryFixture, channel: int = CHANNEL) -> int:
    match_id = await challenge(delivery, PLAYERS[1], channel)
    await join(delivery, match_id)
    return match_id


async def settle(delivery: DeliveryFixture, seconds: float = LIST_PAUSE_SECONDS) -> None:
    """Send what is due now, and what is due after some time."""
    await delivery.worker.flush()
    delivery.env.now += seconds
    await delivery.worker.flush()


def said(delivery: DeliveryFixture, channel: int = HALL) -> list[str]:
    """What the messages of a channel say now."""
    return delivery.fake.texts(channel)


def the_list(delivery: DeliveryFixture) -> int:
    """The post with the list, in a forum."""
    (post,) = (p for p in delivery.fake.posts(HALL) if "Running matches" in said(delivery, p)[0])
    return post


def the_post(delivery: DeliveryFixture) -> int:
    """The post of the only match, in a forum."""
    (post,) = (p for p in delivery.fake.posts(HALL) if "#1" in delivery.fake.threads[p]["name"])
    return post


async def test_list_is_edited_in_place_once_in_a_while(delivery: DeliveryFixture) -> None:
    await hall(delivery)
    await begin(delivery)
    for _ in range(3):
        await begin(delivery)
    await settle(delivery)
    (first,) = said(delivery)
    assert all(f"Wormholes #{number}]" in first for number in (1, 2, 3, 4))
    assert first.count("Turn: ") == first.count(" (<t:1000:R>)") == 4
    before, edits = delivery.fake.requests, []
    for _ in range(5):
        await delivery.play(1)
        await delivery.worker.flush()
        edits += said(delivery)
    assert set(edits) == {first}
    assert delivery.fake.requests > before
    await settle(delivery)
    (after,) = said(delivery)
    assert after != first
    assert len([p for p in delivery.fake.posted if p.channel == HALL]) == 1
    assert await delivery.left() == []


async def test_list_whose_reply_was_lost_is_not_posted_again(delivery: DeliveryFixture) -> None:
    await hall(delivery)
    await begin(delivery)
    await delivery.worker.flush()
    delivery.env.now += LIST_PAUSE_SECONDS
    delivery.fake.trouble = Trouble(dropped=1.0)
    await delivery.worker.flush()
    delivery.fake.trouble = CALM
    await begin(delivery)
    await settle(delivery, 3600.0)
    (shown,) = said(delivery)
    assert "#2" in shown


async def test_match_in_a_hidden_channel_is_not_listed(delivery: DeliveryFixture) -> None:
    await hall(delivery)
    delivery.fake.hidden[FAR] = {333}
    await begin(delivery, FAR)
    await challenge(delivery, channel=FAR)
    await begin(delivery)
    await settle(delivery, CALL_PAUSE_SECONDS)
    (shown,) = said(delivery)
    assert "#3" in shown
    assert "#1" not in shown
    assert "#2" not in shown


async def test_hall_that_is_hidden_as_well_lists_the_match(delivery: DeliveryFixture) -> None:
    await hall(delivery)
    delivery.fake.hidden[FAR] = delivery.fake.hidden[HALL] = {333}
    await begin(delivery, FAR)
    await settle(delivery)
    (shown,) = said(delivery)
    assert "#1" in shown


async def test_role_is_called_once_an_hour_for_open_seats(delivery: DeliveryFixture) -> None:
    await hall(delivery)
    await begin(delivery)
    first = await challenge(delivery)
    await settle(delivery)
    await challenge(delivery)
    assert delivery.fake.role_pings.count({ROLE}) == 1
    assert sum(f"<@&{ROLE}>" in each for each in said(delivery)) == 1
    await settle(delivery, CALL_PAUSE_SECONDS - LIST_PAUSE_SECONDS - 1)
    assert len([p for p in delivery.fake.posted if p.channel == HALL]) == 2
    assert delivery.fake.role_pings.count({ROLE}) == 1
    await settle(delivery, 2)
    assert delivery.fake.role_pings.count({ROLE}) == 2
    assert sum(f"<@&{ROLE}>" in each for each in said(delivery)) == 1  # the former one is deleted
    await join(delivery, first)
    await delivery.env.challenges.withdraw(next(delivery.env.ids), first + 1, ADA)
    await settle(delivery)
    assert not any(f"<@&{ROLE}>" in each for each in said(delivery))
    await settle(delivery, 2 * CALL_PAUSE_SECONDS)
    assert delivery.fake.role_pings.count({ROLE}) == 2


async def test_call_whose_reply_was_lost_is_not_repeated(delivery: DeliveryFixture) -> None:
    await hall(delivery)
    await begin(delivery)
    await settle(delivery)
    await challenge(delivery)
    delivery.fake.lost_replies.add(HALL)
    await delivery.worker.flush()
    delivery.fake.lost_replies.clear()
    await settle(delivery, 300.0)
    assert delivery.fake.role_pings.count({ROLE}) == 1
    assert sum(f"<@&{ROLE}>" in each for each in said(delivery)) == 1


async def test_deleted_list_is_posted_again(delivery: DeliveryFixture) -> None:
    await hall(delivery)
    await begin(delivery)
    await settle(delivery)
    delivery.fake.channels[HALL].clear()
    await delivery.play(1)
    await settle(delivery)
    assert len(said(delivery)) == 1


@pytest.mark.parametrize("forum", [False, True])
async def test_closed_hall_is_logged_once_and_matches_go_on(
    delivery: DeliveryFixture, caplog: pytest.LogCaptureFixture, forum: bool
) -> None:
    await hall(delivery, forum=forum)
    delivery.fake.silenced.add(HALL)
    with caplog.at_level(logging.WARNING):
        match_id = await begin(delivery)
        for _ in range(3):
            await settle(delivery)
            await delivery.play(match_id)
        await settle(delivery)
    warnings = [each for each in caplog.messages if "hall" in each]
    assert len(warnings) == 1
    assert await delivery.left() == []
    delivery.fake.silenced.clear()
    await delivery.play(match_id)
    await settle(delivery)
    assert "#1" in said(delivery, the_list(delivery) if forum else HALL)[0]


async def test_list_follows_the_hall_and_goes_with_it(delivery: DeliveryFixture) -> None:
    await hall(delivery)
    await begin(delivery)
    await settle(delivery)
    await choose(delivery, FAR)
    await settle(delivery)
    assert not said(delivery)
    assert len(said(delivery, FAR)) == 1
    await choose(delivery, 0)
    await settle(delivery)
    assert not said(delivery, FAR)
    await delivery.play(1)
    await delivery.worker.flush()
    assert await delivery.left() == []


async def test_open_seat_gets_a_post_in_which_the_match_is_played(
    delivery: DeliveryFixture,
) -> None:
    fake = delivery.fake
    await hall(delivery, forum=True)
    match_id = await challenge(delivery)
    await delivery.worker.flush()
    post = the_post(delivery)
    assert fake.tags(post) == {"Wormholes", "open seat"}
    assert "Looking for players" in said(delivery, post)[0]
    assert f"accept:{match_id}" in fake.marks(post, post)
    await join(delivery, match_id)
    await settle(delivery)
    match = await delivery.env.queries.match(match_id)
    assert (match.channel_id, match.parent_channel_id) == (post, CHANNEL)
    assert f"<#{post}>" in said(delivery, CHANNEL)[0]
    assert fake.tags(post) == {"Wormholes"}
    assert fake.threads[post]["name"].endswith(": Ada – Bo")
    assert "Turn: Ada" in said(delivery, post)[0]
    assert delivery.moments(match_id, post) == ["1"]
    assert (
        f"[Wormholes #{match_id}](https://discord.com/channels/{GUILD}/{post}/"
        in (said(delivery, the_list(delivery))[0])
    )
    await delivery.env.matches.act(next(delivery.env.ids), match_id, BO, "resign")
    await settle(delivery)
    assert fake.tags(post) == {"Wormholes", "Finished"}
    assert "The match is over." in said(delivery, post)[0]
    await settle(delivery, 60)
    assert await delivery.left() == []


@pytest.mark.parametrize("archived", [False, True])
async def test_post_whose_reply_was_lost_is_found_again(
    delivery: DeliveryFixture, archived: bool
) -> None:
    """The match goes on before that: what was posted is brought up to date."""
    await hall(delivery, forum=True)
    match_id = await challenge(delivery)
    delivery.fake.lost_replies.add(HALL)
    await delivery.worker.flush()
    delivery.fake.lost_replies.clear()
    (post,) = delivery.fake.posts(HALL)
    delivery.fake.asleep |= {post} if archived else set()
    await join(delivery, match_id)
    await delivery.env.matches.act(next(delivery.env.ids), match_id, BO, "resign")
    await settle(delivery, 300.0)
    await settle(delivery)
    assert (await delivery.env.queries.match(match_id)).channel_id == post
    assert the_post(delivery) == post
    assert delivery.fake.tags(post) == {"Wormholes", "Finished"}
    assert "The match is over." in said(delivery, post)[0]
    assert await delivery.left() == []


async def test_missing_tags_and_rights_leave_posts_without_tags(delivery: DeliveryFixture) -> None:
    await hall(delivery, forum=True)
    delivery.fake.may_manage = False
    delivery.fake.forums[HALL] = {"Wormholes": 501}
    match_id = await challenge(delivery)
    await delivery.worker.flush()
    assert delivery.fake.tags(the_post(delivery)) == {"Wormholes"}
    await join(delivery, match_id)
    await settle(delivery, 60)
    assert "Turn: " in said(delivery, the_post(delivery))[0]
    assert await delivery.left() == []


async def test_match_of_players_who_miss_the_forum_stays(delivery: DeliveryFixture) -> None:
    await hall(delivery, forum=True)
    delivery.fake.hidden[HALL] = {BO}
    match_id = await begin(delivery)
    await settle(delivery)
    assert (await delivery.env.queries.match(match_id)).parent_channel_id == CHANNEL  # a thread
    assert the_list(delivery)
    assert len(delivery.fake.posts(HALL)) == 1


async def test_match_that_moves_out_of_sight_leaves_its_post(delivery: DeliveryFixture) -> None:
    await hall(delivery, forum=True)
    match_id = await begin(delivery)
    await settle(delivery)
    post = the_post(delivery)
    delivery.fake.hidden[FAR] = {333}
    await delivery.env.boards.move(next(delivery.env.ids), match_id, ADA, (GUILD, FAR))
    await settle(delivery)
    assert "This match is played elsewhere." in said(delivery, post)[0]
    assert "#1" not in said(delivery, the_list(delivery))[0]
    await delivery.play(match_id)
    await settle(delivery)
    assert "Turn" not in said(delivery, post)[0]


async def test_hall_without_threads_only_links_to_the_match(delivery: DeliveryFixture) -> None:
    await hall(delivery, forum=True, threads="off")
    match_id = await challenge(delivery)
    await join(delivery, match_id)
    await settle(delivery)
    assert (await delivery.env.queries.match(match_id)).channel_id == CHANNEL
    (card,) = said(delivery, the_post(delivery))
    assert f"[Board](https://discord.com/channels/{GUILD}/{CHANNEL}/" in card


async def test_archived_list_is_woken(delivery: DeliveryFixture) -> None:
    await hall(delivery, forum=True)
    await begin(delivery)
    await settle(delivery)
    delivery.fake.asleep.add(the_list(delivery))
    before = said(delivery, the_list(delivery))
    await delivery.play(1)
    await settle(delivery)
    assert said(delivery, the_list(delivery)) != before
    assert not delivery.fake.asleep


async def test_hall_speaks_the_language_of_the_server(delivery: DeliveryFixture) -> None:
    delivery.fake.locales[GUILD] = "de"
    await hall(delivery)
    await begin(delivery)
    await settle(delivery)
    assert "Am Zug: " in said(delivery)[0]


async def test_name_of_a_deleted_player_leaves_the_hall(delivery: DeliveryFixture) -> None:
    await hall(delivery, forum=True)
    match_id = await begin(delivery)
    await settle(delivery)
    await privacy_of(delivery.env).erase(ADA)
    await settle(delivery)
    for post in (the_list(delivery), the_post(delivery)):
        assert "Ada" not in said(delivery, post)[0]
    assert match_id
