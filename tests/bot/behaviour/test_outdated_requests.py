"""Requests to players are sent only while their answer is still possible."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from bot.domain.ids import UserId
from bot.domain.outbox import (
    EVERYONE,
    PING_PREFIX,
    OutboxKind,
    OutboxMessage,
    PostedKind,
    SentCopy,
    SentMessage,
    Target,
)
from bot.services.deliveries import Deliveries, DeliverySnapshot
from tests.support.deliveries import CHANNEL, DeliveryFixture
from tests.support.fake_objects import dm
from tests.support.matches import ADA, BO, begun


class Requests:
    """A match between Ada (O) and Bo (D), and where requests about it are sent."""

    def __init__(self, delivery: DeliveryFixture, monkeypatch: pytest.MonkeyPatch) -> None:
        self.env, self.sender = delivery.env, delivery.sender
        self.sent: list[int] = []

        async def post(*_given: Any) -> list[SentCopy]:
            self.sent.append(0)
            return []

        async def send_dm(queued: OutboxMessage, _make: Any) -> None:
            self.sent.append(queued.target.recipient)

        monkeypatch.setattr(self.sender._destinations, "post", post)
        monkeypatch.setattr(self.sender, "_send_dm", send_dm)

    async def read(
        self, kind: OutboxKind, *, later: int = 0, target: Target = EVERYONE
    ) -> tuple[OutboxMessage, DeliverySnapshot]:
        """Return a delivery about the decision of now, or of an earlier or later one."""
        match_id = await begun(self.env, "3d")
        match = await self.env.queries.match(match_id)
        payload = {"version": match.version + later, "action_count": 1}
        payload |= {f"{PING_PREFIX}{seat}": at for seat, at in match.decisions.items()}
        queued = OutboxMessage(1, match_id, target, kind, payload, 1, self.env.now, "key")
        return queued, await Deliveries(self.env.database, self.env.queries).read(queued)


@pytest.fixture
def requests(delivery: DeliveryFixture, monkeypatch: pytest.MonkeyPatch) -> Requests:
    return Requests(delivery, monkeypatch)


@pytest.mark.parametrize("later", [-1, 0, 1])
async def test_request_about_another_position_is_not_sent(requests: Requests, later: int) -> None:
    for kind, send in {
        OutboxKind.TAKEBACK_REQUEST: requests.sender._request_takeback,
        OutboxKind.ABANDON_REQUEST: requests.sender._request_end,
    }.items():
        requests.sent.clear()
        await send(*(await requests.read(kind, later=later)))
        assert requests.sent == [0] * (not later), kind


@pytest.mark.parametrize("receiver", [0, ADA, BO])
@pytest.mark.parametrize("is_noted", [False, True])
async def test_notice_that_was_answered_is_not_sent(
    requests: Requests, receiver: UserId, is_noted: bool
) -> None:
    """A player who has decided, or come back, has no notice any more."""
    queued, read = await requests.read(OutboxKind.NOTICE, target=Target(receiver))
    notices = dict.fromkeys(read.match.decisions, requests.env.now) if is_noted else {}
    match = replace(read.match, notices=notices)
    await requests.sender._give_notice(queued, replace(read, match=match))
    assert requests.sent == [receiver] * is_noted


async def test_ping_is_stored_with_its_latest_decision(
    requests: Requests, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An older one would be deleted as a ping of a decision that was made."""
    queued, read = await requests.read(OutboxKind.TURN_PING)
    copies = [SentCopy(None, CHANNEL, 900), SentCopy(ADA, dm(ADA), 901)]

    async def post(*_given: Any) -> list[SentCopy]:
        return copies

    monkeypatch.setattr(requests.sender._pings, "post", post)
    posted = await requests.sender._post_ping(queued, read)
    latest = max(read.match.decisions.values())
    assert posted == SentMessage(PostedKind.PING, latest, copies)
