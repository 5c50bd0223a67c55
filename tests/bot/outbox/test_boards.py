"""Boards whose messages get lost, and what is asked of Discord for them."""

from __future__ import annotations

import pytest
from sqlalchemy import update

from bot.services.servers import Servers
from bot.storage.schema import matches
from tests.support.deliveries import CHANNEL, DeliveryFixture, race
from tests.support.fake_objects import GUILD
from tests.support.matches import ADA, BO, EVE, warp6
from tests.support.pings import called

CONTROLS = ("act:", "pick:", "part:", "menu:")
"""Beginnings of custom_ids that only the present board may carry."""


def live(delivery: DeliveryFixture, channel: int) -> list[bool]:
    """Whether each message of a channel has controls for a decision, the oldest first."""
    here = sorted(delivery.fake.channels[channel])
    marks = [delivery.fake.marks(channel, each) for each in here]
    return [any(mark.startswith(CONTROLS) for mark in each) for each in marks]


async def pinged(delivery: DeliveryFixture) -> tuple[int, int, int]:
    """A match whose players watch the board; its number, its board, and the ping posted later."""
    match_id, _ = await called(delivery)
    await delivery.worker.flush()
    *_, board, ping = delivery.fake.channels[CHANNEL]
    assert live(delivery, CHANNEL)[-2:] == [True, False]
    return match_id, board, ping


async def replace_unconfirmed(delivery: DeliveryFixture, match_id: int, board: int) -> None:
    """Replace a board that cannot be edited; the reply is lost, and the match goes on."""
    delivery.fake.edit_refusals[board] = (400, 50035)
    delivery.fake.lost_replies.add(CHANNEL)
    await delivery.play(match_id)
    await delivery.worker.flush()
    assert await delivery.left() == [("edit_board", "waiting")]
    delivery.fake.edit_refusals.clear()
    delivery.fake.lost_replies.clear()
    await delivery.play(match_id)
    delivery.env.now += 2.0
    await delivery.worker.flush()
    assert await delivery.left() == []


@pytest.mark.slow
async def test_new_board_replaces_the_ping(delivery: DeliveryFixture) -> None:
    env, (match_id, board, ping) = delivery.env, await pinged(delivery)
    await env.boards.move(next(env.ids), match_id, ADA, (None, CHANNEL))
    await delivery.worker.flush()
    assert ping not in delivery.fake.channels[CHANNEL]
    assert board in delivery.fake.channels[CHANNEL]
    assert live(delivery, CHANNEL)[-2:] == [False, True]


@pytest.mark.slow
async def test_board_with_lost_reply_loses_its_controls_later(
    delivery: DeliveryFixture,
) -> None:
    """The board was gone, the new one posted with its reply lost; the match went on."""
    match_id = await race(delivery)
    delivery.fake.channels[CHANNEL].clear()
    await delivery.env.boards.ensure(match_id)
    delivery.fake.lost_replies.add(CHANNEL)
    await delivery.worker.flush()
    assert await delivery.left() == [("ensure_board", "waiting")]
    delivery.fake.lost_replies.clear()
    await delivery.play(match_id)
    delivery.env.now += 2.0
    await delivery.worker.flush()
    assert await delivery.left() == []
    assert live(delivery, CHANNEL) == [False, True]


async def test_first_board_that_was_given_up_is_posted_later(
    delivery: DeliveryFixture,
) -> None:
    """It shows a match in which no action has been made, not even a roll."""
    match_id = await warp6(delivery.env, "", setup="secret")
    delivery.fake.refusals[CHANNEL] = (400, 50035)
    await delivery.worker.flush()
    del delivery.fake.refusals[CHANNEL]
    assert ("post_board", "failed") in await delivery.left()
    for _ in range(2):
        await delivery.env.boards.ensure(match_id)
        await delivery.worker.flush()
        assert delivery.moments(match_id) == ["0"]


async def test_check_of_an_outdated_board_reads_no_history(delivery: DeliveryFixture) -> None:
    match_id = await race(delivery)
    await delivery.env.boards.ensure(match_id)
    await delivery.play(match_id)
    await delivery.worker.flush()
    assert [each for each in delivery.fake.asked if not each.nonce] == []
    assert await delivery.left() == []
    assert live(delivery, CHANNEL)[-2:] == [False, True]


async def test_board_that_cannot_be_edited_loses_its_controls(
    delivery: DeliveryFixture,
) -> None:
    match_id, board, _ping = await pinged(delivery)
    await replace_unconfirmed(delivery, match_id, board)
    assert board in delivery.fake.channels[CHANNEL]
    assert live(delivery, CHANNEL)[-2:] == [False, True]


async def test_board_says_who_has_left_when_players_wait_for_them(
    delivery: DeliveryFixture,
) -> None:
    """Discord is asked only then: each player takes a request."""
    env, fake = delivery.env, delivery.fake
    await Servers(env.database).choose(GUILD, threads="off")
    match_id = await warp6(env, "", seats="3", setup="secret")
    async with env.database.write() as connection:
        there = update(matches).where(matches.c.id == match_id)
        await connection.execute(there.values(guild_id=GUILD))
    fake.left |= {ADA, BO}
    await delivery.worker.flush()
    assert "has left this server" not in fake.texts(CHANNEL)[-1]
    match = await env.queries.match(match_id)
    seat = match.seat_of(ADA)
    await env.strike("remind", match_id, seat, match.decisions[seat])
    await delivery.worker.flush()
    assert "Ada has left this server" in fake.texts(CHANNEL)[-1]
    await env.stand_ins.agree(next(env.ids), match_id, EVE, seat, has_left=True)
    await delivery.worker.flush()
    said = fake.texts(CHANNEL)[-1]
    assert [f"{name} has left this server" in said for name in ("Ada", "Bo", "Eve")] == [
        True,
        True,
        False,
    ]
    assert await delivery.left() == []


async def test_board_that_cannot_be_edited_is_not_deleted(
    delivery: DeliveryFixture,
) -> None:
    """It is the latest ping as well, because it was posted."""
    match_id = await delivery.env.begin()
    await delivery.worker.flush()
    board = max(delivery.fake.channels[CHANNEL])
    await replace_unconfirmed(delivery, match_id, board)
    assert board in delivery.fake.channels[CHANNEL]
    assert live(delivery, CHANNEL)[-2:] == [False, True]
