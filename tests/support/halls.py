"""Halls of the server of `DeliveryFixture`."""

from __future__ import annotations

from typing import Any

from bot.domain.ids import ChannelId, MatchId
from bot.domain.models import Player
from bot.domain.terms import Terms
from bot.features.halls.audiences import Audiences
from bot.features.halls.forum_posts import ForumThreads
from bot.features.halls.service import LIST_PAUSE_SECONDS, Halls
from bot.services.challenges import OPEN_SEAT
from bot.services.servers import Servers
from tests.support.deliveries import CHANNEL, DeliveryFixture
from tests.support.fake_objects import GUILD
from tests.support.matches import BO, PLAYERS

HALL, ROLE, FAR = ChannelId(6), 77, ChannelId(8)
TAGS = {"Wormholes": 501, "open seat": 502, "Finished": 503}


async def open_hall(delivery: DeliveryFixture, *, forum: bool = False, **settings: Any) -> None:
    """Make a channel or a forum the hall of the server."""
    delivery.fake.text_channels |= {CHANNEL, FAR} if forum else {CHANNEL, FAR, HALL}
    delivery.fake.forums |= {HALL: TAGS} if forum else {}
    await Servers(delivery.env.database).choose(GUILD, hall_role=ROLE, **settings)
    await choose(delivery, HALL, forum=forum)


async def choose(delivery: DeliveryFixture, channel: int, *, forum: bool = False) -> None:
    await Halls(delivery.env.database).choose(
        GUILD, ChannelId(channel), is_forum=forum, now=delivery.env.now
    )


def posts_of(delivery: DeliveryFixture) -> ForumThreads:
    """Return a `ForumThreads` on the same Discord as the sender."""
    sender = delivery.sender
    return ForumThreads(
        delivery.client,
        Audiences(delivery.client, sender.kit.guilds),
        sender.kit.guilds,
        halls=Halls(delivery.env.database),
        places=sender.kit.places,
        destinations=sender.kit.destinations,
        transport=sender.kit.transport,
    )


async def challenge(
    delivery: DeliveryFixture, rival: Player = OPEN_SEAT, channel: int = CHANNEL
) -> MatchId:
    """Challenge a player, or open a seat, in a channel of the server."""
    terms = Terms(game="wormholes", guild_id=GUILD, channel_id=ChannelId(channel))
    challenged = await delivery.env.challenges.challenge(
        next(delivery.env.ids), terms, [PLAYERS[0], rival], side="O"
    )
    return challenged.match_id


async def join(delivery: DeliveryFixture, match_id: MatchId) -> None:
    await delivery.env.challenges.accept(next(delivery.env.ids), match_id, BO, "Bo")


async def begin(delivery: DeliveryFixture, channel: int = CHANNEL) -> MatchId:
    match_id = await challenge(delivery, PLAYERS[1], channel)
    await join(delivery, match_id)
    return match_id


async def settle(delivery: DeliveryFixture, seconds: float = LIST_PAUSE_SECONDS) -> None:
    """Send the messages due now, and those due after some time."""
    await delivery.worker.flush()
    delivery.env.now += seconds
    await delivery.worker.flush()


def said(delivery: DeliveryFixture, channel: int = HALL) -> list[str]:
    """Return the current texts of a channel's messages."""
    return delivery.fake.texts(channel)


def the_list(delivery: DeliveryFixture) -> int:
    """The post with the list, in a forum."""
    (post,) = (
        p for p in delivery.fake.posts(HALL) if "Matches in progress" in said(delivery, p)[0]
    )
    return post


def the_post(delivery: DeliveryFixture) -> int:
    """The post of the only match, in a forum."""
    (post,) = (p for p in delivery.fake.posts(HALL) if "#1" in delivery.fake.threads[p]["name"])
    return post
