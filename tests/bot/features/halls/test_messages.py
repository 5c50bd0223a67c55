"""The messages of halls: their order, and processes without halls."""

from __future__ import annotations

from contextlib import suppress
from types import SimpleNamespace
from typing import Any

import pytest

from bot.domain.ids import ChannelId, MatchId
from bot.domain.models import Match, MatchStatus
from bot.domain.outbox import (
    EVERYONE,
    FORUM_POST,
    OutboxKind,
    OutboxMessage,
    PostedKind,
    SentCopy,
    SentMessage,
    Target,
)
from bot.features.halls.message_kinds import COALESCED, HallKind, hall_call, hall_list
from bot.features.halls.messages import _named
from bot.features.halls.service import LIST_PAUSE_SECONDS, Halls
from bot.outbox.worker import RetryLaterError
from bot.services.deliveries import Deliveries, DeliverySnapshot, MessageState
from tests.support.deliveries import DeliveryFixture
from tests.support.fake_objects import GUILD
from tests.support.halls import HALL, begin, challenge, join, open_hall, settle
from tests.support.matches import ADA

THREAD = ChannelId(900)

TARGETS = {
    HallKind.UPDATE_LIST: hall_list(GUILD),
    HallKind.CALL_ROLE: hall_call(GUILD),
    OutboxKind.UPDATE_POST: FORUM_POST,
    OutboxKind.START_POST: EVERYONE,
}


@pytest.mark.parametrize("is_collected", [False, True])
@pytest.mark.parametrize(("kind", "target"), TARGETS.items())
async def test_update_that_waits_for_another_one_sends_nothing(
    delivery: DeliveryFixture,
    monkeypatch: pytest.MonkeyPatch,
    kind: OutboxKind,
    target: Target,
    is_collected: bool,
) -> None:
    """It reads only afterwards what it shows."""
    log: list[str] = []

    async def collect(_halls: Halls, _queued: OutboxMessage, now: float) -> bool:
        assert now == delivery.env.now
        log.append("collect")
        return is_collected

    async def read(*_of: object) -> None:
        log.append("read")
        raise TimeoutError

    monkeypatch.setattr(Halls, "collect", collect)
    monkeypatch.setattr(Halls, "read", read)
    monkeypatch.setattr(Deliveries, "read", read)
    queued = OutboxMessage(1, MatchId(1), target, kind, {}, 1, 0.0, "key")
    with suppress(RetryLaterError):
        assert await delivery.sender.deliver(queued) is None
    if kind in COALESCED:
        assert log == ["collect", *["read"] * is_collected]
    else:
        assert log == ["read"]


@pytest.mark.parametrize("result", [None, SentMessage(PostedKind.POST, 1, ())])
async def test_post_is_named_when_it_has_been_updated(result: SentMessage | None) -> None:
    log: list[Any] = []

    async def update(_queued: OutboxMessage, _delivery: DeliverySnapshot) -> SentMessage | None:
        log.append("update")
        return result

    async def name(_match: Match, thread_id: int) -> None:
        log.append(thread_id)

    names: Any = SimpleNamespace(update=name)
    read: Any = SimpleNamespace(
        match=None, posted={PostedKind.POST: MessageState((SentCopy(None, THREAD, THREAD),))}
    )
    queued = OutboxMessage(1, MatchId(1), FORUM_POST, OutboxKind.UPDATE_POST, {}, 1, 0.0, "key")
    assert await _named(update, names)(queued, read) is result
    assert log == ["update", THREAD]


@pytest.mark.parametrize("forum", [False, True])
async def test_match_is_played_to_its_end_without_halls(
    delivery: DeliveryFixture, forum: bool
) -> None:
    """Messages queued earlier are dropped, and the hall's rows stay."""
    await open_hall(delivery, forum=forum)
    match_id = await challenge(delivery)
    assert {kind for kind, _status in await delivery.left()} > {HallKind.CALL_ROLE}
    delivery.leave_out("halls")
    await join(delivery, match_id)
    await settle(delivery)
    await delivery.play(match_id)
    await delivery.env.matches.act(next(delivery.env.ids), match_id, ADA, "resign")
    await settle(delivery, LIST_PAUSE_SECONDS + 3600.0)
    match = await delivery.env.queries.match(match_id)
    assert match.status == MatchStatus.FINISHED
    assert await delivery.left() == []
    assert not delivery.fake.texts(HALL)
    assert not [post for post in delivery.fake.posted if post.channel == HALL]
    hall = await Halls(delivery.env.database).read(GUILD)
    assert hall
    assert hall.server.stored["hall"] == HALL


async def test_match_in_a_post_goes_on_without_halls(delivery: DeliveryFixture) -> None:
    await open_hall(delivery, forum=True)
    match_id = await begin(delivery)
    await settle(delivery)
    (post,) = {await channel_of(delivery, match_id)} & {*delivery.fake.posts(HALL)}
    delivery.leave_out("halls")
    boards = len(delivery.fake.texts(post))
    await delivery.play(match_id)
    await delivery.env.matches.act(next(delivery.env.ids), match_id, ADA, "resign")
    await settle(delivery)
    assert await delivery.left() == []
    assert len(delivery.fake.texts(post)) > boards


async def channel_of(delivery: DeliveryFixture, match_id: MatchId) -> int:
    return (await delivery.env.queries.match(match_id)).channel_id
