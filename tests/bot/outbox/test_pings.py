"""Pings are posted once, and deleted once their players have decided, whatever Discord does."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import discord
import pytest

from bot.domain.ids import MatchId, UserId
from bot.domain.models import Player
from bot.domain.outbox import (
    EVERYONE,
    PING_PREFIX,
    OutboxKind,
    OutboxMessage,
    PostedKind,
    SentCopy,
    SentMessage,
)
from bot.outbox.pings import Pings, latest_decision, pending_seats, seats_to_ping
from bot.services.deliveries import Deliveries, MessageState
from tests.support.deliveries import CHANNEL, DAYS, DeliveryFixture
from tests.support.fake_log import CALM, Trouble
from tests.support.fake_objects import dm
from tests.support.matches import ADA, BO, EVE, choose, opponent_of, warp6
from tests.support.pings import called, hand_over, wait
from tests.support.stand_ins import agree, leave_for_vacation

BOARD, PING = 900, 950
"""The message of a board, and of a ping."""


async def test_ping_with_lost_reply_is_posted_once(delivery: DeliveryFixture) -> None:
    _, user = await called(delivery)
    before = len(delivery.fake.posted)
    delivery.fake.trouble = Trouble(dropped=1.0)
    await delivery.worker.flush()
    assert await delivery.left() == [("turn_ping", "waiting")]
    delivery.fake.trouble = CALM
    delivery.env.now += 2 * DAYS
    await delivery.worker.flush()
    assert await delivery.left() == []
    assert len(delivery.fake.posted) == before + 1
    assert delivery.fake.pings[-1] == {user}


def test_ping_counts_the_latest_of_its_decisions() -> None:
    payload = {f"{PING_PREFIX}O": 4, f"{PING_PREFIX}D": 6, "version": 9}
    queued = OutboxMessage(1, MatchId(1), EVERYONE, OutboxKind.TURN_PING, payload, 1, 0.0, "key")
    assert latest_decision(queued) == 6


async def test_nudge_pings_all_who_have_to_decide(delivery: DeliveryFixture) -> None:
    env = delivery.env
    match_id = await warp6(env, "", seats="3", setup="secret")
    await choose(env, match_id, EVE)
    await delivery.worker.flush()
    await env.nudges.nudge(next(env.ids), match_id, EVE)
    await delivery.worker.flush()
    assert delivery.fake.pings[-1] == {ADA, BO}
    assert await delivery.left() == []


async def test_ping_during_an_outage_is_asked_for_once(delivery: DeliveryFixture) -> None:
    _, user = await called(delivery)
    before, request_count = len(delivery.fake.posted), delivery.fake.requests
    delivery.fake.refusals[CHANNEL] = (503, 0)
    await delivery.worker.flush()
    assert delivery.fake.requests == request_count + 1
    del delivery.fake.refusals[CHANNEL]
    delivery.env.now += 60
    await delivery.worker.flush()
    assert await delivery.left() == []
    assert len(delivery.fake.posted) == before + 1
    assert delivery.fake.pings[-1] == {user}


async def test_ping_after_the_decision_is_not_posted(delivery: DeliveryFixture) -> None:
    match_id, _ = await called(delivery)
    before = len(delivery.fake.posted)
    await hand_over(delivery, match_id)
    await delivery.worker.flush()
    assert await delivery.left() == []
    assert len(delivery.fake.posted) == before


async def test_ping_with_lost_reply_is_deleted_after_the_decision(
    delivery: DeliveryFixture,
) -> None:
    match_id, _ = await called(delivery)
    (board, *_) = sorted(delivery.fake.channels[CHANNEL], reverse=True)
    delivery.fake.trouble = Trouble(dropped=1.0)
    await delivery.worker.flush()
    delivery.fake.trouble = CALM
    assert max(delivery.fake.channels[CHANNEL]) > board
    await hand_over(delivery, match_id)
    delivery.env.now += 400
    await delivery.worker.flush()
    assert await delivery.left() == []
    assert max(delivery.fake.channels[CHANNEL]) == board


async def test_next_ping_takes_the_place_of_one_that_was_not_deleted(
    delivery: DeliveryFixture,
) -> None:
    match_id, _ = await called(delivery)
    await delivery.worker.flush()
    ping = max(delivery.fake.channels[CHANNEL])
    delivery.fake.edit_refusals[ping] = (503, 0)
    user = await hand_over(delivery, match_id)
    await delivery.worker.flush()
    assert ping in delivery.fake.channels[CHANNEL]
    del delivery.fake.edit_refusals[ping]
    await wait(delivery)
    await delivery.worker.flush()
    assert ping not in delivery.fake.channels[CHANNEL]
    assert delivery.fake.pings[-1] == {user}
    assert await delivery.left() == []


@pytest.mark.parametrize(("status", "code"), [(403, 50013), (404, 10003)])
async def test_ping_of_a_closed_channel_becomes_a_board_by_dm(
    delivery: DeliveryFixture, status: int, code: int
) -> None:
    match_id, _ = await called(delivery)
    delivery.fake.refusals[CHANNEL] = (status, code)
    await delivery.worker.flush()
    assert await delivery.left() == []
    assert len(delivery.moments(match_id, dm(ADA))) == len(delivery.moments(match_id, dm(BO))) == 1


@pytest.mark.slow
async def test_ping_by_dm_goes_only_to_its_player(delivery: DeliveryFixture) -> None:
    match_id, user = await called(delivery)
    delivery.fake.refusals[CHANNEL] = (403, 50013)
    await delivery.worker.flush()
    other = await hand_over(delivery, match_id)
    assert other == opponent_of(user)
    await delivery.worker.flush()
    before = {user: len(delivery.fake.texts(dm(user))) for user in (ADA, BO)}
    await wait(delivery)
    await delivery.worker.flush()
    after = {user: len(delivery.fake.texts(dm(user))) for user in (ADA, BO)}
    assert after == {**before, other: before[other] + 1}
    await hand_over(delivery, match_id)
    await delivery.worker.flush()
    assert {user: len(delivery.fake.texts(dm(user))) for user in (ADA, BO)} == before


@pytest.mark.parametrize(("ping", "seats"), [(BOARD, ""), (BOARD + 1, "BYW")])
async def test_only_a_board_has_pinged_all_who_have_to_decide(
    delivery: DeliveryFixture, ping: int, seats: str
) -> None:
    """A ping that is apart from the board may have been for others."""
    match_id = await warp6(delivery.env, "", seats="3", setup="secret")
    decisions = (await delivery.env.queries.match(match_id)).decisions
    payload = {f"{PING_PREFIX}{seat}": version for seat, version in decisions.items()}
    queued = OutboxMessage(1, match_id, EVERYONE, OutboxKind.TURN_PING, payload, 1, 0.0, "key")
    read = await Deliveries(delivery.env.database, delivery.env.queries).read(queued)
    copies = {PostedKind.BOARD: BOARD, PostedKind.PING: ping}
    posted = {
        kind: MessageState((SentCopy(None, CHANNEL, message),), max(decisions.values()))
        for kind, message in copies.items()
    }
    assert seats_to_ping(queued, replace(read, posted=posted)) == seats


async def test_player_for_whom_the_computer_plays_is_not_pinged(
    delivery: DeliveryFixture,
) -> None:
    match_id, user = await called(delivery)
    before = len(delivery.fake.pings)
    await leave_for_vacation(delivery.env, user)
    assert (await agree(delivery.env, match_id, opponent_of(user), user)).kind == "done"
    await delivery.worker.flush()
    assert user not in set().union(*delivery.fake.pings[before:])
    assert await delivery.left() == []


class Channels:
    """Where pings are posted and deleted, in place of a transport; and the languages of copies."""

    def __init__(self, kept_channels: Sequence[int] = ()) -> None:
        self.kept = kept_channels
        self.posted: list[tuple[int, UserId | None, tuple[Any, ...]]] = []
        self.deleted: list[int] = []
        self.error: Exception | None = None
        self.found: Any = None

    def channel(self, number: int, _guild_id: int | None) -> Any:
        return SimpleNamespace(id=number)

    async def of_copy(self, _copy: SentCopy, _delivery: Any) -> str:
        return "en"

    async def post(
        self, channel: Any, _queued: Any, make: Any, receiver: UserId | None = None
    ) -> Any:
        self.posted.append((channel.id, receiver, make.args[1:]))
        if self.error:
            raise self.error
        return SimpleNamespace(id=PING + (receiver or 0))

    async def find_or_none(self, _channel: Any, _queued: Any) -> Any:
        return self.found

    async def delete(self, copy: SentCopy, _guild_id: int | None) -> bool:
        self.deleted.append(copy.message_id)
        return copy.message_id not in self.kept


def delivery_of(decisions: Mapping[str, int] | None = None, **posted: MessageState) -> Any:
    """Return the delivery of a match of Ada (O) and Bo (D)."""
    people = {"O": Player(ADA, "Ada"), "D": Player(BO, "Bo")}
    match = SimpleNamespace(people=people, guild_id=None, decisions=decisions or {})
    kinds = {kind: posted.get(kind, MessageState()) for kind in PostedKind}
    return SimpleNamespace(match=match, posted=kinds, perspective=lambda: None)


def pings_in(channels: Channels) -> Pings:
    stub: Any = channels
    return Pings(stub, stub)


BY_DM = tuple(SentCopy(user, dm(user), BOARD + user) for user in (ADA, BO))


async def test_ping_by_dm_is_only_for_those_who_decide() -> None:
    """It links to the board of its receiver."""
    channels, queued = (
        Channels(),
        OutboxMessage(1, MatchId(1), EVERYONE, OutboxKind.TURN_PING, {}, 1, 0, ""),
    )
    copies = await pings_in(channels).post(queued, delivery_of(board=MessageState(BY_DM)), "D")
    assert copies == [SentCopy(BO, dm(BO), PING + BO)]
    assert channels.posted == [(dm(BO), BO, ("D", (dm(BO), BOARD + BO)))]


@pytest.mark.parametrize("kept_channels", [[], [PING], [PING + 1], [PING, PING + 1]])
async def test_ping_is_gone_when_all_its_copies_are(kept_channels: list[int]) -> None:
    channels = Channels(kept_channels)
    ping = MessageState((SentCopy(ADA, dm(ADA), PING), SentCopy(BO, dm(BO), PING + 1)))
    is_gone = await pings_in(channels).delete(delivery_of(ping=ping))
    assert is_gone is not bool(kept_channels)
    assert channels.deleted == [PING, PING + 1]


@pytest.mark.parametrize(
    ("decisions", "is_old"),
    [({}, True), ({"O": 5}, False), ({"O": 6}, True), ({"O": 5, "D": 6}, False)],
)
async def test_ping_is_old_once_none_of_its_decisions_is_pending(
    decisions: dict[str, int], is_old: bool
) -> None:
    channels = Channels()
    delivery = delivery_of(decisions, ping=MessageState((SentCopy(None, CHANNEL, PING),), 5))
    none_left = await pings_in(channels).delete_old(delivery)
    assert channels.deleted == [PING] * is_old
    assert none_left == (SentMessage(PostedKind.PING, 0, ()) if is_old else None)


@pytest.mark.parametrize("status", [403, 404, 503])
@pytest.mark.parametrize("has_arrived", [False, True])
async def test_refused_ping_may_have_arrived_before(status: int, has_arrived: bool) -> None:
    channels = Channels()
    response: Any = SimpleNamespace(status=status, reason="no")
    channels.error = discord.HTTPException(response, None)
    channels.found = SimpleNamespace(id=PING) if has_arrived else None
    queued = OutboxMessage(1, MatchId(1), EVERYONE, OutboxKind.TURN_PING, {}, 2, 0, "")
    delivery = delivery_of(board=MessageState((SentCopy(None, CHANNEL, BOARD),)))
    if status == 503:
        with pytest.raises(discord.HTTPException):
            await pings_in(channels).post(queued, delivery, "D")
    else:
        copies = await pings_in(channels).post(queued, delivery, "D")
        assert copies == [SentCopy(None, CHANNEL, PING)] * has_arrived


@pytest.mark.parametrize(
    ("decisions", "acting", "seats"),
    [
        ({"O": 4, "D": 6}, "OD", "OD"),
        ({"O": 4, "D": 6}, "D", "D"),
        ({"O": 5, "D": 6}, "OD", "D"),
        ({"O": 3}, "OD", ""),
        ({}, "OD", ""),
    ],
)
def test_only_who_has_yet_to_make_that_decision_is_pinged(
    decisions: dict[str, int], acting: str, seats: str
) -> None:
    """Not one who has made it, or for whom the computer plays now."""
    payload = {f"{PING_PREFIX}O": 4, f"{PING_PREFIX}D": 6}
    queued = OutboxMessage(1, MatchId(1), EVERYONE, OutboxKind.TURN_PING, payload, 1, 0, "")
    delivery = delivery_of(decisions)
    delivery.match.acting_people = acting
    assert pending_seats(queued, delivery) == seats
