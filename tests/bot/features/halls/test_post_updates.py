"""Posts in a forum whose match moves away, or cannot be shown any more."""

from __future__ import annotations

import pytest

from bot.domain.ids import ChannelId, GuildId, MatchId
from bot.features.halls.service import LIST_PAUSE_SECONDS, Halls
from engine import games
from tests.support.deliveries import CHANNEL, DeliveryFixture
from tests.support.fake_objects import GUILD, dm
from tests.support.halls import HALL, begin, open_hall, said, settle, the_post
from tests.support.matches import ADA, BO

ELSEWHERE, THERE, FORUM_THERE = 3, 9, ChannelId(10)
"""Another server, with a channel and a forum."""


@pytest.fixture
async def match_id(delivery: DeliveryFixture) -> MatchId:
    """A match that is played in its post."""
    await open_hall(delivery, forum=True)
    match_id = await begin(delivery)
    await settle(delivery)
    await settle(delivery)
    assert (await delivery.env.queries.match(match_id)).channel_id == the_post(delivery)
    assert await delivery.left() == []
    return match_id


def change_rules(monkeypatch: pytest.MonkeyPatch) -> None:
    """Install a program whose game has other rules."""
    game = type(games.get("wormholes"))
    monkeypatch.setattr(game, "version", game.version + 1)


async def test_post_is_renamed_only_when_the_match_begins_or_ends(
    delivery: DeliveryFixture, match_id: MatchId
) -> None:
    """Discord permits few changes of a name."""
    delivery.fake.thread_refusal = (503, 0)
    await delivery.play(match_id)
    await settle(delivery)
    assert await delivery.left() == []


async def test_post_of_a_match_moved_to_a_dm_stays_as_it_is(
    delivery: DeliveryFixture, match_id: MatchId
) -> None:
    post, env = the_post(delivery), delivery.env
    before = said(delivery, post)[0]
    await env.matches.act(next(env.ids), match_id, ADA, "draw offer")
    await env.boards.move(next(env.ids), match_id, ADA, (None, dm(ADA)))
    await settle(delivery)
    assert said(delivery, post)[0] == before
    assert await delivery.left() == []


async def test_post_of_a_match_moved_to_another_server_keeps_its_name(
    delivery: DeliveryFixture, match_id: MatchId
) -> None:
    """That server has a forum with other tags."""
    fake_discord, env, post = delivery.fake, delivery.env, the_post(delivery)
    fake_discord.homes |= {THERE: ELSEWHERE, FORUM_THERE: ELSEWHERE}
    fake_discord.text_channels.add(THERE)
    fake_discord.forums[FORUM_THERE] = {"Finished": 601}
    await Halls(env.database).choose(GuildId(ELSEWHERE), FORUM_THERE, is_forum=True, now=env.now)
    await env.boards.move(next(env.ids), match_id, ADA, (ELSEWHERE, THERE))
    await env.matches.act(next(env.ids), match_id, BO, "resign")
    await settle(delivery)
    assert "This match is played elsewhere." in said(delivery, post)[0]
    assert fake_discord.tags(post) == {"Wormholes"}
    assert await delivery.left() == []


async def test_post_after_a_change_of_rules_stays_as_it_is(
    delivery: DeliveryFixture, match_id: MatchId, monkeypatch: pytest.MonkeyPatch
) -> None:
    post = the_post(delivery)
    before = said(delivery, post)[0]
    await delivery.play(match_id)
    await delivery.worker.flush()
    change_rules(monkeypatch)
    delivery.env.now += LIST_PAUSE_SECONDS
    await delivery.worker.flush()
    assert said(delivery, post)[0] == before
    assert await delivery.left() == []


async def test_match_begun_before_a_change_of_rules_gets_no_post(
    delivery: DeliveryFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    await open_hall(delivery, forum=True)
    match_id = await begin(delivery)
    change_rules(monkeypatch)
    await delivery.worker.flush()
    assert delivery.fake.posts(HALL) == []
    match = await delivery.env.queries.match(match_id)
    assert (match.guild_id, match.parent_channel_id) == (GUILD, CHANNEL)  # a thread
    assert ("start_thread", "waiting") not in await delivery.left()
