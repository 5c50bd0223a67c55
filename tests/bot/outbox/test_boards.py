"""Boards whose messages get lost, and the requests to Discord for them."""

from __future__ import annotations

import pytest
from sqlalchemy import update

from bot.domain.clocks import DAY
from bot.domain.ids import MatchId, UserId
from bot.domain.outbox import OutboxKind
from bot.domain.waiting import GONE_SECONDS, NOTICE_SECONDS, SILENCE_SECONDS
from bot.services.preferences import Preferences
from bot.services.servers import Servers
from bot.storage.schema import matches
from tests.support.deliveries import CHANNEL, DeliveryFixture, race
from tests.support.fake_objects import GUILD, dm
from tests.support.matches import ADA, BO, EVE, choose, opponent_of, warp6
from tests.support.pings import called

CONTROLS = ("act:", "pick:", "part:", "menu:")
"""Beginnings of custom_ids that only the present board may carry."""


def live(delivery: DeliveryFixture, channel: int) -> list[bool]:
    """Whether each message of a channel has controls for a decision, the oldest first."""
    numbers = sorted(delivery.fake.channels[channel])
    marks = [delivery.fake.marks(channel, number) for number in numbers]
    return [any(mark.startswith(CONTROLS) for mark in message_marks) for message_marks in marks]


async def pinged(delivery: DeliveryFixture) -> tuple[MatchId, int, int]:
    """A match whose players watch the board; its number, its board, and the ping posted later."""
    match_id, _ = await called(delivery)
    await delivery.worker.flush()
    *_, board, ping = delivery.fake.channels[CHANNEL]
    assert live(delivery, CHANNEL)[-2:] == [True, False]
    return match_id, board, ping


async def replace_unconfirmed(delivery: DeliveryFixture, match_id: MatchId, board: int) -> None:
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
    delivery.refuse(400, 50035, users=[ADA, BO])
    await delivery.worker.flush()
    delivery.fake.refusals.clear()
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
    assert [request for request in delivery.fake.asked if not request.nonce] == []
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
    env, fake_discord = delivery.env, delivery.fake
    await Servers(env.database).choose(GUILD, threads="off")
    match_id = await warp6(env, "", seats="3", setup="secret")
    async with env.database.write() as connection:
        statement = update(matches).where(matches.c.id == match_id)
        await connection.execute(statement.values(guild_id=GUILD))
    fake_discord.left |= {ADA, BO}
    await delivery.worker.flush()
    assert "has left this server" not in fake_discord.texts(CHANNEL)[-1]
    match = await env.queries.match(match_id)
    seat = match.seat_of(ADA)
    await env.strike("remind", match_id, seat, match.decisions[seat])
    await delivery.worker.flush()
    assert "Ada has left this server" in fake_discord.texts(CHANNEL)[-1]
    env.now += GONE_SECONDS
    agreed = await env.stand_ins.agree(next(env.ids), match_id, EVE, seat, is_gone=True)
    assert agreed.kind == "done"
    await delivery.worker.flush()
    text = fake_discord.texts(CHANNEL)[-1]
    assert [f"{name} has left this server" in text for name in ("Ada", "Bo", "Eve")] == [
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


async def on_a_server(delivery: DeliveryFixture) -> tuple[MatchId, int, int]:
    """A match on a server: its number, who waits, and who has to decide; its board is posted."""
    env = delivery.env
    await Servers(env.database).choose(GUILD, threads="off")
    match_id = await warp6(env, "")
    async with env.database.write() as connection:
        statement = update(matches).where(matches.c.id == match_id)
        await connection.execute(statement.values(guild_id=GUILD))
    await delivery.worker.flush()
    late = await env.on_turn(match_id)
    return match_id, opponent_of(late), late


@pytest.mark.first(test=4)
@pytest.mark.parametrize("is_away", [False, True])
@pytest.mark.parametrize("remind", ["24", "off"])
@pytest.mark.parametrize("has_left", [False, True])
async def test_others_are_pinged_once_a_silent_player_is_gone(
    delivery: DeliveryFixture, remind: str, *, has_left: bool, is_away: bool
) -> None:
    """Unless a reminder has told them."""
    env, fake_discord = delivery.env, delivery.fake
    match_id, patient, late = await on_a_server(delivery)
    await Preferences(env.database).set(UserId(late), "remind", remind)
    if is_away:
        await env.vacations.begin(UserId(late), env.now + 9 * DAY)
        await delivery.worker.flush()
    posted = has_left and (is_away or remind == "off")
    fake_discord.left |= {late} if has_left else set()
    fake_discord.pings.clear()
    posts = len(fake_discord.channels[CHANNEL])
    env.now += GONE_SECONDS
    seat, version = next(iter((await env.queries.match(match_id)).decisions.items()))
    await env.strike("gone", match_id, seat, version)
    await delivery.worker.flush()
    assert len(fake_discord.channels[CHANNEL]) == posts + posted
    assert ({patient} in fake_discord.pings) is posted
    text = fake_discord.texts(CHANNEL)[-1]
    assert ("has left this server" in text) is has_left
    assert ("The others can end this match" in text) is has_left
    marks = fake_discord.marks(CHANNEL, max(fake_discord.channels[CHANNEL]))
    assert (f"abandon:{match_id}" in marks) is has_left
    assert await delivery.left() == []


async def test_board_tells_of_silence_and_of_the_notice(delivery: DeliveryFixture) -> None:
    env, fake_discord = delivery.env, delivery.fake
    match_id, patient, late = await on_a_server(delivery)
    match = await env.queries.match(match_id)
    seat, version = next(iter(match.decisions.items()))
    name = match.players[seat].name
    env.now += SILENCE_SECONDS
    await env.strike("silent", match_id, seat, version)
    fake_discord.pings.clear()
    await delivery.worker.flush()
    assert fake_discord.pings == [{patient}], "a player may want no reminders"
    assert f"{name} hasn't moved since <t:{int(match.waits_since[seat])}:D>" in "".join(
        fake_discord.texts(CHANNEL)[-1]
    )
    outcome = await env.silence.give_notice(
        next(env.ids), match_id, UserId(patient), seat, version=match.version, is_gone=False
    )
    assert outcome.kind == "done"
    await delivery.worker.flush()
    until = f"<t:{int(env.now + NOTICE_SECONDS)}:f>"
    sentence = f"Unless {name} moves by {until}, this match ends without a result."
    board, notice = fake_discord.texts(CHANNEL)[-2:]
    assert sentence in board
    assert "The others can end this match" not in board
    assert sentence in notice
    assert {patient, late} in fake_discord.pings
    assert sentence in fake_discord.texts(dm(late))[-1]
    assert await delivery.left() == []


async def test_void_notice_is_announced_while_the_match_goes_on(delivery: DeliveryFixture) -> None:
    env, fake_discord = delivery.env, delivery.fake
    match_id, patient, late = await on_a_server(delivery)
    match = await env.queries.match(match_id)
    (seat,) = match.decisions
    env.now += SILENCE_SECONDS
    give = env.silence.give_notice
    version = match.version
    await give(next(env.ids), match_id, UserId(patient), seat, version=version, is_gone=False)
    await delivery.worker.flush()
    await choose(env, match_id, UserId(late))
    fake_discord.pings.clear()
    await delivery.worker.flush()
    void = f"goes on: the last notice to {match.players[seat].name} is void."
    assert sum(void in text for text in fake_discord.texts(CHANNEL)) == 1
    assert not any(void in text for text in fake_discord.texts(dm(late)))
    row = {f"void:{seat}": 1}
    async with env.database.write() as connection:
        await env.match_store.queue(connection, match_id, OutboxKind.NOTICE, row)
    await env.matches.act(next(env.ids), match_id, UserId(late), "resign")
    await delivery.worker.flush()
    assert sum(void in text for text in fake_discord.texts(CHANNEL)) == 1, "it is over"
    assert await delivery.left() == []


async def test_notice_of_a_decision_that_was_made_is_not_sent(delivery: DeliveryFixture) -> None:
    env, fake_discord = delivery.env, delivery.fake
    match_id, patient, late = await on_a_server(delivery)
    env.now += SILENCE_SECONDS
    match = await env.queries.match(match_id)
    (seat,) = match.decisions
    await env.silence.give_notice(
        next(env.ids), match_id, UserId(patient), seat, version=match.version, is_gone=False
    )
    await choose(env, match_id, UserId(late))
    await delivery.worker.flush()
    assert not any(
        "Unless" in text for text in fake_discord.texts(CHANNEL) + fake_discord.texts(dm(late))
    )
    assert await delivery.left() == []


async def test_player_whose_dms_are_closed_is_gone_from_a_dm_match(
    delivery: DeliveryFixture,
) -> None:
    env, fake_discord = delivery.env, delivery.fake
    match_id = await warp6(env, "")
    late = await env.on_turn(match_id)
    fake_discord.refusals |= {CHANNEL: (403, 50001), dm(late): (403, 50007)}
    await delivery.worker.flush()
    match = await env.queries.match(match_id)
    (seat,) = match.decisions
    assert match.unreachable == seat
    env.now += GONE_SECONDS
    await env.strike("gone", match_id, seat, match.decisions[seat])
    await delivery.worker.flush()
    patient = opponent_of(late)
    text = fake_discord.texts(dm(patient))[-1]
    assert f"I can't reach {match.players[seat].name} by DM any more." in text
    del fake_discord.refusals[dm(late)]
    await env.boards.move(next(env.ids), match_id, patient, (None, CHANNEL))
    await delivery.worker.flush()
    assert (await env.queries.match(match_id)).unreachable == ""
