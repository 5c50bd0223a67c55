"""Notifications: who gets one, and that one which has become pointless is not sent."""

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
from bot.services.preferences import PreferenceKey, Preferences
from tests.support.deliveries import CHANNEL, DeliveryFixture, race
from tests.support.fake_objects import dm
from tests.support.matches import (
    ADA,
    BO,
    EVE,
    begun,
    choose,
    opponent_of,
    plan,
    take_back,
    warp6,
)


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

        monkeypatch.setattr(self.sender.notifications._destinations, "post", post)
        monkeypatch.setattr(self.sender.notifications, "send_dm", send_dm)

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
        OutboxKind.TAKEBACK_REQUEST: requests.sender.notifications.request_takeback,
        OutboxKind.ABANDON_REQUEST: requests.sender.notifications.request_end,
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
    await requests.sender.notifications.give_notice(queued, replace(read, match=match))
    assert requests.sent == [receiver] * is_noted


async def test_ping_is_stored_with_its_latest_decision(
    requests: Requests, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An older one would be deleted as a ping of a decision that was made."""
    queued, read = await requests.read(OutboxKind.TURN_PING)
    copies = [SentCopy(None, CHANNEL, 900), SentCopy(ADA, dm(ADA), 901)]

    async def post(*_given: Any) -> list[SentCopy]:
        return copies

    monkeypatch.setattr(requests.sender.notifications._pings, "post", post)
    posted = await requests.sender.notifications.post_ping(queued, read)
    latest = max(read.match.decisions.values())
    assert posted == SentMessage(PostedKind.PING, latest, copies)


async def test_turn_dm_of_an_earlier_decision_is_not_sent(delivery: DeliveryFixture) -> None:
    match_id = await race(delivery)
    match = await delivery.env.queries.match(match_id)
    for version in (match.version - 1, match.version):
        payload = {"action_count": 19, "version": version}
        async with delivery.env.database.write() as connection:
            to = Target(ADA)
            await delivery.env.match_store.queue(
                connection, match_id, OutboxKind.TURN_DM, payload, to
            )
        await delivery.worker.flush()
        assert len(delivery.fake.texts(dm(ADA))) == (version == match.version)


@pytest.mark.parametrize("kind", [OutboxKind.TURN_DM, OutboxKind.PRIVATE_HAND])
async def test_user_who_does_not_play_any_more_gets_no_dm(
    delivery: DeliveryFixture, kind: OutboxKind
) -> None:
    match_id = await delivery.env.begin()
    await delivery.worker.flush()
    version = (await delivery.env.queries.match(match_id)).version
    async with delivery.env.database.write() as connection:
        await delivery.env.match_store.queue(
            connection, match_id, kind, {"version": version}, Target(EVE)
        )
    await delivery.worker.flush()
    assert await delivery.left() == []
    assert not delivery.fake.texts(dm(EVE))


async def test_sender_stores_whether_dms_arrive(delivery: DeliveryFixture) -> None:
    preferences = Preferences(delivery.env.database)
    for refusal in (True, False):
        if refusal:
            delivery.fake.refusals[dm(ADA)] = (403, 50007)
        else:
            delivery.fake.refusals.clear()
        await delivery.env.begin()
        await delivery.worker.flush()
        setting = (await preferences.preferences(ADA))[PreferenceKey.DM_FAILED]
        assert setting == ("yes" if refusal else "no")


async def test_request_to_end_a_match_names_only_those_who_agreed(
    delivery: DeliveryFixture,
) -> None:
    env = delivery.env
    match_id = await warp6(env, "", seats="3")
    await env.matches.act(next(env.ids), match_id, EVE, "leave")
    await delivery.worker.flush()
    version = (await env.queries.match(match_id)).version
    await env.abandoning.agree(next(env.ids), match_id, ADA, version)
    await delivery.worker.flush()
    assert f"**Ada** asked to end Warp 6 #{match_id}" in delivery.fake.texts(CHANNEL)[-1]
    assert delivery.fake.pings[-1] == {BO}


async def test_series_is_not_reminded_of_once_it_goes_on(delivery: DeliveryFixture) -> None:
    match_id = await delivery.env.ask()
    await delivery.worker.flush()
    for accepted in (False, True):
        if accepted:
            await delivery.env.challenges.accept(next(delivery.env.ids), match_id, BO)
            await delivery.worker.flush()
        await delivery.queue(OutboxKind.SERIES_REMINDER, match_id, EVERYONE)
        await delivery.worker.flush()
    assert await delivery.left() == []
    (reminder,) = (text for text in delivery.fake.texts(CHANNEL) if "rated series" in text)
    assert f"<@{BO}>: the next match of your rated series" in reminder


async def test_takeback_request_calls_those_who_have_to_agree(delivery: DeliveryFixture) -> None:
    env = delivery.env
    match_id = await warp6(env, "", setup="secret")
    for user in (ADA, BO):
        await choose(env, match_id, user)
    await take_back(env, match_id, BO)
    await delivery.worker.flush()
    assert delivery.fake.pings[-1] == {ADA}
    assert "Bo" in delivery.fake.texts(CHANNEL)[-1]
    assert await delivery.left() == []


async def test_request_to_take_back_an_answer_calls_who_has_answered(
    delivery: DeliveryFixture,
) -> None:
    env = delivery.env
    match_id = await warp6(env, "")
    first = await env.on_turn(match_id)
    other = opponent_of(first)
    seat = (await env.queries.match(match_id)).seat_of(other).lower()
    await plan(env, match_id, other, f"place {seat}8a")
    await choose(env, match_id, first)
    assert (await take_back(env, match_id, first)).kind == "ask"
    await delivery.worker.flush()
    assert delivery.fake.pings[-1] == {other}
    text = delivery.fake.texts(CHANNEL)[-1]
    assert f"**{'Ada' if first == ADA else 'Bo'}** asks to take back their last move" in text
    assert await delivery.left() == []
