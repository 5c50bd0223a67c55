"""Boards that are no longer the latest keep what they said."""

from __future__ import annotations

import pytest
from sqlalchemy import insert

from bot.outbox import former_boards
from bot.services.deliveries import Posted
from bot.services.outbox import PostedKind, PostedMessage, retirements
from bot.storage.schema import outbox
from tests.support.deliveries import CHANNEL, DeliveryFixture, posted, race
from tests.support.fake_objects import dm
from tests.support.matches import ADA


async def test_former_board_keeps_a_choice_that_was_taken_back(
    delivery: DeliveryFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The next choice has the same number: a replay would show that one."""
    monkeypatch.setattr(former_boards, "MAX_SHOWN", 1)
    env, match_id = delivery.env, await race(delivery)
    user = await env.on_turn(match_id)
    legal = [str(each)[2:] for each in (await env.queries.view(match_id, user)).view.legal]
    up = next(line for line in legal if line.startswith("up "))
    down = up.replace("up", "down")
    assert (await env.matches.act(next(env.ids), match_id, user, up)).kind == "done"
    await delivery.worker.flush()
    assert "changes from 6 to 7" in delivery.fake.texts(CHANNEL)[-1]
    assert (await env.takebacks.take_back(next(env.ids), match_id, user)).kind == "done"
    assert (await env.matches.act(next(env.ids), match_id, user, down)).kind == "done"
    await delivery.worker.flush()
    *_, taken_back, _before, newest = delivery.fake.texts(CHANNEL)
    assert "changes from 6 to 7" in taken_back
    assert "changes from 6 to 5" in newest
    assert len(delivery.sender._boards._former._shown) == 1, "memory is limited"


def live(delivery: DeliveryFixture, channel: int = CHANNEL) -> list[bool]:
    """Whether the messages of a channel have controls, the oldest first."""
    fake = delivery.fake
    shown = [fake.marks(channel, number) for number in sorted(fake.channels[channel])]
    return [any(mark.startswith(("act:", "pick:", "form:")) for mark in marks) for marks in shown]


async def test_former_board_loses_its_controls_after_an_outage(delivery: DeliveryFixture) -> None:
    match_id = await race(delivery)
    former = max(delivery.fake.channels[CHANNEL])
    delivery.fake.edit_refusals[former] = (503, 0)
    for _ in range(2):  # the next board does not wait
        await delivery.play(match_id)
        await delivery.worker.flush()
    assert live(delivery)[-3:] == [True, False, True]
    assert await delivery.left() == [("retire_board", "waiting")]
    delivery.fake.edit_refusals.clear()
    delivery.env.now += 60
    await delivery.worker.flush()
    assert live(delivery)[-3:] == [False, False, True]
    assert await delivery.left() == []


@pytest.mark.parametrize(("status", "code"), [(403, 50013), (404, 10008), (400, 50035)])
async def test_former_board_that_cannot_be_edited_is_left(
    delivery: DeliveryFixture, status: int, code: int
) -> None:
    match_id = await race(delivery)
    delivery.fake.edit_refusals[max(delivery.fake.channels[CHANNEL])] = (status, code)
    await delivery.play(match_id)
    await delivery.worker.flush()
    assert await delivery.left() == []
    assert len(delivery.moments(match_id)) == 2


@pytest.mark.parametrize(("status", "code"), [(403, 50013), (404, 10008)])
async def test_former_board_that_is_gone_meanwhile_is_left(
    delivery: DeliveryFixture, status: int, code: int
) -> None:
    match_id = await race(delivery)
    former = max(delivery.fake.channels[CHANNEL])
    delivery.fake.edit_refusals[former] = (503, 0)
    await delivery.play(match_id)
    await delivery.worker.flush()
    delivery.fake.edit_refusals[former] = (status, code)
    delivery.env.now += 60
    await delivery.worker.flush()
    assert await delivery.left() == []


async def test_former_board_by_dm_is_retired_for_its_receiver(delivery: DeliveryFixture) -> None:
    """So the row is deleted with the receiver's data."""
    match_id = await race(delivery)
    delivery.fake.refusals[CHANNEL] = (403, 50013)
    await delivery.play(match_id)
    await delivery.worker.flush()
    assert live(delivery, dm(ADA))[-1]
    delivery.fake.edit_refusals[max(delivery.fake.channels[dm(ADA)])] = (503, 0)
    await delivery.play(match_id)
    delivery.fake.refusals.clear()
    await delivery.env.boards.move(next(delivery.env.ids), match_id, ADA, (None, CHANNEL))
    await delivery.worker.flush()
    (row,) = await delivery.env.queued(match_id=match_id)
    assert (row.kind, row.target) == ("retire_board", f"user:{ADA}")
    delivery.fake.edit_refusals.clear()
    delivery.env.now += 60
    await delivery.worker.flush()
    assert not live(delivery, dm(ADA))[-1]
    assert "This match continues here" in delivery.fake.texts(dm(ADA))[-1]


async def test_latest_board_keeps_its_controls(delivery: DeliveryFixture) -> None:
    match_id = await race(delivery)
    former = PostedMessage(PostedKind.BOARD, 1, (await boards(delivery, match_id)).copies)
    async with delivery.env.database.write() as connection:
        await connection.execute(insert(outbox), retirements(match_id, former, 0.0))
    await delivery.worker.flush()
    assert await delivery.left() == []
    assert live(delivery)[-1]


async def boards(delivery: DeliveryFixture, match_id: int) -> Posted:
    return await posted(delivery.env.database, match_id, PostedKind.BOARD)
