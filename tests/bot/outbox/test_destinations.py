"""Where boards are posted: notes about a new place, and boards that are edited later."""

from __future__ import annotations

import pytest

from tests.support.deliveries import CHANNEL, DeliveryFixture, race
from tests.support.fake_objects import dm
from tests.support.matches import ADA, BO

HERE = "From now on, this match continues here."
STRANDED = "I can no longer post where this match was played"


async def test_move_before_the_first_board_is_told(delivery: DeliveryFixture) -> None:
    """The other player is not there."""
    env, there = delivery.env, CHANNEL + 1
    match_id = await env.begin()
    await env.boards.move(next(env.ids), match_id, ADA, (None, there))
    await delivery.worker.flush()
    assert HERE in delivery.fake.texts(there)[-1]
    assert {ADA, BO} in delivery.fake.pings


async def test_board_in_a_channel_that_is_open_again_says_so(delivery: DeliveryFixture) -> None:
    match_id = await race(delivery)
    delivery.fake.refusals[CHANNEL] = (403, 50013)
    await delivery.play(match_id)
    await delivery.worker.flush()
    assert delivery.moments(match_id, dm(ADA)) == ["20"]
    del delivery.fake.refusals[CHANNEL]
    notes = []
    for _ in range(2):
        await delivery.play(match_id)
        await delivery.worker.flush()
        notes.append(HERE in delivery.fake.texts(CHANNEL)[-1])
    assert notes == [True, False]


async def test_board_in_one_dm_is_completed_by_dm(delivery: DeliveryFixture) -> None:
    """The channel is open again, but one player has the board already."""
    match_id = await race(delivery)
    refusals, before = delivery.fake.refusals, delivery.moments(match_id)
    refusals |= {CHANNEL: (403, 50013), dm(BO): (503, 0)}
    await delivery.play(match_id)
    await delivery.worker.flush()
    assert await delivery.left() == [("post_board", "waiting")]
    refusals.clear()
    delivery.env.now += 60.0
    await delivery.worker.flush()
    assert await delivery.left() == []
    assert [delivery.moments(match_id, dm(each)) for each in (ADA, BO)] == [["20"], ["20"]]
    assert delivery.moments(match_id) == before


async def test_board_above_a_thread_that_is_open_again_is_found(delivery: DeliveryFixture) -> None:
    env, thread = delivery.env, CHANNEL + 1
    match_id = await race(delivery)
    await env.boards.move(next(env.ids), match_id, ADA, (None, thread), CHANNEL)
    await delivery.worker.flush()
    before = delivery.moments(match_id, thread)
    delivery.fake.refusals[thread] = (403, 50013)
    delivery.fake.lost_replies.add(CHANNEL)
    await delivery.play(match_id)
    await delivery.worker.flush()
    assert await delivery.left() == [("post_board", "waiting")]
    delivery.fake.refusals.clear()
    delivery.fake.lost_replies.clear()
    env.now += 60.0
    await delivery.worker.flush()
    assert await delivery.left() == []
    assert delivery.moments(match_id)[-1:] == ["20"]
    assert delivery.moments(match_id, thread) == before
    assert (await env.queries.match(match_id)).channel_id == CHANNEL


async def test_board_is_edited_after_an_outage(delivery: DeliveryFixture) -> None:
    match_id = await delivery.env.begin()
    await delivery.worker.flush()
    board = max(delivery.fake.channels[CHANNEL])
    before = delivery.fake.marks(CHANNEL, board)
    delivery.fake.edit_refusals[board] = (503, 0)
    await delivery.play(match_id)
    await delivery.worker.flush()
    assert await delivery.left() == [("edit_board", "waiting")]
    delivery.fake.edit_refusals.clear()
    delivery.env.now += 60.0
    await delivery.worker.flush()
    assert await delivery.left() == []
    assert max(delivery.fake.channels[CHANNEL]) == board
    assert delivery.fake.marks(CHANNEL, board) != before


@pytest.mark.watched
async def test_copies_by_dm_keep_their_note_when_edited(delivery: DeliveryFixture) -> None:
    match_id = await race(delivery)
    delivery.fake.refusals[CHANNEL] = (403, 50013)
    shown = []
    for _ in range(3):
        await delivery.play(match_id)
        await delivery.worker.flush()
        shown.append(delivery.fake.texts(dm(ADA)))
    assert [len(texts) for texts in shown[1:]] == [len(shown[0])] * 2, "they are edited"
    assert len({texts[-1] for texts in shown}) == 3
    assert all(STRANDED in texts[-1] for texts in shown)


async def test_board_in_its_channel_has_no_note_when_edited(delivery: DeliveryFixture) -> None:
    match_id = await race(delivery)
    await delivery.play(match_id)
    await delivery.worker.flush()
    assert not any(STRANDED in text for text in delivery.fake.texts(CHANNEL))
