"""Features deliver kinds of messages, and have places for matches that begin."""

from __future__ import annotations

from typing import Any

import pytest

from bot.domain.ids import MatchId
from bot.domain.outbox import EVERYONE, OutboxKind, OutboxMessage, PostedKind, SentMessage
from bot.feature import Feature
from bot.features.halls.message_kinds import HallKind
from bot.outbox.feature_messages import MessageKinds, MessageKit
from bot.services.deliveries import Deliveries, DeliverySnapshot
from tests.support.deliveries import DeliveryFixture

POSTED = SentMessage(PostedKind.POST, 0, ())


def queued(kind: str, match_id: int = 1) -> OutboxMessage:
    return OutboxMessage(1, MatchId(match_id), EVERYONE, kind, {}, 1, 0.0, "key")


def place(log: list[str], name: str, *, takes: bool) -> Feature:
    """A feature with a place for each match that begins, or for none."""

    async def enter(
        _queued: OutboxMessage, _delivery: DeliverySnapshot
    ) -> tuple[bool, SentMessage | None]:
        log.append(name)
        return (True, POSTED) if takes else (False, None)

    return Feature(name, messages=lambda _kit: MessageKinds({}, enter))


async def test_first_feature_with_a_place_takes_a_match_that_begins(
    delivery: DeliveryFixture,
) -> None:
    log: list[str] = []
    features = [place(log, name, takes=name != "full") for name in ("full", "free", "later")]
    match_id = await delivery.env.ask()
    sender = delivery.sender_with(Feature("without"), *features)
    assert await sender.deliver(queued(OutboxKind.START_THREAD, match_id)) is POSTED
    assert log == ["full", "free"]


async def test_match_stays_if_no_feature_has_a_place(delivery: DeliveryFixture) -> None:
    log: list[str] = []
    match_id = await delivery.env.ask()
    sender = delivery.sender_with(place(log, "full", takes=False))
    assert await sender.deliver(queued(OutboxKind.START_THREAD, match_id)) is None
    assert log == ["full"]


async def test_feature_delivers_its_kinds_of_messages(delivery: DeliveryFixture) -> None:
    log: list[Any] = []

    async def deliver(queued: OutboxMessage) -> SentMessage | None:
        log.append(queued)
        return POSTED

    async def deliver_match(queued: OutboxMessage, read: DeliverySnapshot) -> SentMessage | None:
        log.append((queued, read.match.id))
        return POSTED

    def messages(kit: MessageKit) -> MessageKinds:
        about_match = kit.about_match(deliver_match)
        return MessageKinds({HallKind.UPDATE_LIST: deliver, OutboxKind.START_POST: about_match})

    match_id = await delivery.env.ask()
    sender = delivery.sender_with(Feature("posts", messages=messages))
    alone = queued(HallKind.UPDATE_LIST, match_id)
    about = queued(OutboxKind.START_POST, match_id)
    assert await sender.deliver(alone) is POSTED
    assert await sender.deliver(about) is POSTED
    assert log == [alone, (about, match_id)]


async def test_message_of_a_feature_that_is_left_out_is_dropped(
    delivery: DeliveryFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing is read for it, so it cannot fail."""

    async def read(*_of: object) -> None:
        raise AssertionError

    monkeypatch.setattr(Deliveries, "read", read)
    sender = delivery.sender_with()
    for kind in (HallKind.UPDATE_LIST, OutboxKind.START_POST):
        assert await sender.deliver(queued(kind)) is None
