"""Matches whose player on turn is pinged, because the decision takes a while."""

from __future__ import annotations

from bot.domain.ids import MatchId, UserId
from bot.services.pings import PING_DELAY_SECONDS
from tests.support.deliveries import DeliveryFixture
from tests.support.matches import opponent_of


async def hand_over(delivery: DeliveryFixture, match_id: MatchId) -> UserId:
    """Play until the other player has to decide; return who that is."""
    first = await delivery.env.on_turn(match_id)
    while await delivery.env.on_turn(match_id) == first:
        await delivery.play(match_id)
    return opponent_of(first)


async def wait(delivery: DeliveryFixture) -> None:
    """Let the time pass after which players are pinged."""
    delivery.env.now += PING_DELAY_SECONDS
    await delivery.env.timers().fire()


async def called(delivery: DeliveryFixture) -> tuple[MatchId, UserId]:
    """A match whose board is posted and whose ping waits; who is to be pinged."""
    match_id = await delivery.env.begin()
    user = await hand_over(delivery, match_id)
    await delivery.worker.flush()
    await wait(delivery)
    assert await delivery.left() == [("turn_ping", "waiting")]
    return match_id, user
