"""Public questions lose their buttons however they end."""

from __future__ import annotations

import pytest

from bot.domain.ids import MatchId, UserId
from bot.domain.outbox import EVERYONE, OutboxKind
from bot.outbox.worker import OutboxWorker
from bot.services.requests import REQUEST_SECONDS
from tests.support.deliveries import CHANNEL, DeliveryFixture, race
from tests.support.matches import ADA, BO, choose, take_back, warp6

AGREE, END = "agree", "abandon"
LATER = 10
"""Seconds between two requests; more would be taken for an outage."""

ANSWERS = {AGREE, END, "accept", "decline"}


async def asked_back(delivery: DeliveryFixture) -> MatchId:
    """A match in which Bo has asked to take a choice back that has shown something."""
    match_id = await warp6(delivery.env, "", setup="secret")
    for user in (ADA, BO):
        await choose(delivery.env, match_id, user)
    assert (await take_back(delivery.env, match_id, BO)).kind == "ask"
    await delivery.worker.flush()
    assert buttons(delivery) == [{AGREE}]
    return match_id


def buttons(delivery: DeliveryFixture) -> list[set[str]]:
    """The beginnings of the buttons of each question in the channel, the oldest first."""
    messages = delivery.fake.channels[CHANNEL]
    return [
        {mark.partition(":")[0] for mark in delivery.fake.marks(CHANNEL, number)} & ANSWERS
        for number in sorted(messages)
        if any(words in str(messages[number]) for words in ("do you agree", "rated series"))
    ]


async def agree(delivery: DeliveryFixture, match_id: MatchId) -> None:
    match = await delivery.env.queries.match(match_id)
    outcome = await delivery.env.takebacks.take_back(
        next(delivery.env.ids),
        match_id,
        ADA,
        requested_version=match.version,
        asking=match.seat_of(BO),
    )
    assert outcome.kind == "done"


async def move(delivery: DeliveryFixture, match_id: MatchId) -> None:
    await choose(delivery.env, match_id, ADA)


async def resign(delivery: DeliveryFixture, match_id: MatchId) -> None:
    outcome = await delivery.env.matches.act(next(delivery.env.ids), match_id, ADA, "resign")
    assert outcome.kind == "done"


@pytest.mark.parametrize("end", [agree, move, resign])
async def test_takeback_request_loses_its_button(delivery: DeliveryFixture, end: object) -> None:
    match_id = await asked_back(delivery)
    assert callable(end)
    await end(delivery, match_id)
    await delivery.worker.flush()
    assert buttons(delivery) == [set()]
    assert " ".join(delivery.fake.texts(CHANNEL)).count("-# No longer open.") == 1
    assert await delivery.left() == []


async def test_request_loses_its_button_after_a_restart(delivery: DeliveryFixture) -> None:
    match_id = await asked_back(delivery)
    await move(delivery, match_id)
    sender = delivery.sender_with()
    await OutboxWorker(delivery.env.database, sender, lambda: delivery.env.now).flush()
    assert buttons(delivery) == [set()]


async def test_request_loses_its_button_after_an_outage(delivery: DeliveryFixture) -> None:
    match_id = await asked_back(delivery)
    request = max(delivery.fake.channels[CHANNEL])
    delivery.fake.edit_refusals[request] = (503, 0)
    await move(delivery, match_id)
    await delivery.worker.flush()
    assert await delivery.left() == [("close_question", "waiting")]
    delivery.fake.edit_refusals.clear()
    delivery.env.now += 60
    await delivery.worker.flush()
    assert buttons(delivery) == [set()]
    assert await delivery.left() == []


@pytest.mark.parametrize("status", [403, 404])
async def test_request_that_cannot_be_edited_is_left(
    delivery: DeliveryFixture, status: int
) -> None:
    match_id = await asked_back(delivery)
    delivery.fake.edit_refusals[max(delivery.fake.channels[CHANNEL])] = (status, 50013)
    await move(delivery, match_id)
    await delivery.worker.flush()
    assert await delivery.left() == []


async def test_board_of_the_same_position_closes_no_request(delivery: DeliveryFixture) -> None:
    match_id = await asked_back(delivery)
    match = await delivery.env.queries.match(match_id)
    async with delivery.env.database.write() as connection:
        await delivery.env.match_store.queue_board(
            connection, match_id, match.version, OutboxKind.EDIT_BOARD
        )
    await delivery.worker.flush()
    assert buttons(delivery) == [{AGREE}]


async def consent(delivery: DeliveryFixture, match_id: MatchId, user: UserId) -> str:
    version = (await delivery.env.queries.match(match_id)).version
    outcome = await delivery.env.abandoning.agree(next(delivery.env.ids), match_id, user, version)
    await delivery.worker.flush()
    return outcome.kind


@pytest.mark.parametrize("is_agreed", [False, True])
async def test_request_to_end_a_match_loses_its_button(
    delivery: DeliveryFixture, is_agreed: bool
) -> None:
    match_id = await race(delivery)
    assert await consent(delivery, match_id, ADA) == "ask"
    assert buttons(delivery) == [{END}]
    if is_agreed:
        assert await consent(delivery, match_id, BO) == "done"
    else:
        await delivery.play(match_id)
        await delivery.worker.flush()
    assert buttons(delivery) == [set()]


async def pass_time(delivery: DeliveryFixture, seconds: float) -> None:
    """Fire the timers that are due after some time, and deliver."""
    delivery.env.now += seconds
    await delivery.env.timers().fire()
    await delivery.worker.flush()


async def test_takeback_request_loses_its_button_after_a_week(delivery: DeliveryFixture) -> None:
    await asked_back(delivery)
    await pass_time(delivery, REQUEST_SECONDS - 1)
    assert buttons(delivery) == [{AGREE}]
    await pass_time(delivery, 1)
    assert buttons(delivery) == [set()]
    assert await delivery.left() == []


async def test_request_to_end_is_open_as_long_as_one_holds(delivery: DeliveryFixture) -> None:
    match_id = await warp6(delivery.env, "", seats="3")
    await delivery.worker.flush()
    assert await consent(delivery, match_id, ADA) == "ask"
    delivery.env.now += LATER
    assert await consent(delivery, match_id, BO) == "ask"
    await pass_time(delivery, REQUEST_SECONDS - LATER)
    assert buttons(delivery) == [set(), {END}]
    await pass_time(delivery, LATER)
    assert buttons(delivery) == [set(), set()]


async def test_second_request_to_end_closes_the_first(delivery: DeliveryFixture) -> None:
    match_id = await warp6(delivery.env, "", seats="3")
    await delivery.worker.flush()
    assert await consent(delivery, match_id, ADA) == "ask"
    assert await consent(delivery, match_id, BO) == "ask"
    assert buttons(delivery) == [set(), {END}]


@pytest.mark.parametrize("answer", ["accept", "decline"])
async def test_series_reminder_loses_its_buttons(delivery: DeliveryFixture, answer: str) -> None:
    match_id = await delivery.env.ask()
    await delivery.worker.flush()
    await delivery.queue(OutboxKind.SERIES_REMINDER, match_id, EVERYONE)
    await delivery.worker.flush()
    assert buttons(delivery) == [{"accept", "decline"}]
    await getattr(delivery.env.challenges, answer)(next(delivery.env.ids), match_id, BO)
    await delivery.worker.flush()
    assert buttons(delivery) == [set()]


async def test_request_whose_response_was_lost_is_closed(delivery: DeliveryFixture) -> None:
    """It arrived, and was answered from the list of matches before it was known."""
    match_id = await warp6(delivery.env, "", setup="secret")
    for user in (ADA, BO):
        await choose(delivery.env, match_id, user)
    await delivery.worker.flush()
    await take_back(delivery.env, match_id, BO)
    delivery.fake.lost_replies.add(CHANNEL)
    await delivery.worker.flush()
    assert buttons(delivery) == [{AGREE}]
    delivery.fake.lost_replies.clear()
    await move(delivery, match_id)
    delivery.env.now += 60
    await delivery.worker.flush()
    assert buttons(delivery) == [set()]
    assert await delivery.left() == []
