"""A board that must be posted again is posted once, whatever became of its first attempt."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

import pytest

from bot.app.client import RATE_LIMIT_WAIT_SECONDS
from bot.domain.ids import MatchId
from bot.domain.outbox import OutboxKind, OutboxMessage, SentMessage, Target
from bot.domain.terms import Terms
from bot.outbox.sender import DiscordSender
from bot.outbox.transport import SEARCH_AFTER_SECONDS
from bot.outbox.worker import RetryLaterError
from tests.support.deliveries import CHANNEL, DAYS, DeliveryFixture
from tests.support.fake_discord import until
from tests.support.fake_log import CALM, Trouble
from tests.support.fake_objects import dm
from tests.support.harness import SETTLE_TIMEOUT_SECONDS, Stage
from tests.support.interactions import fire, payload
from tests.support.matches import ADA, BO, PLAYERS, RACING

Repeat = Callable[[DeliveryFixture, int], Awaitable[None]]

CONTROLS = ("act:", "pick:", "part:", "menu:", "claim:", "snooze:")
"""Beginnings of custom_ids that only the present board may carry."""

LOST = Trouble(dropped=1.0)
"""Discord stores the message, but the reply is lost."""


async def remind(delivery: DeliveryFixture, match_id: MatchId) -> None:
    seat, version = await _deciding(delivery, match_id)
    await delivery.env.strike("remind", match_id, seat, version)


async def run_out_of_time(delivery: DeliveryFixture, match_id: MatchId) -> None:
    seat, version = await _deciding(delivery, match_id)
    await delivery.env.strike("flag", match_id, seat, version)


async def move_here(delivery: DeliveryFixture, match_id: MatchId) -> None:
    target = (None, CHANNEL)
    outcome = await delivery.env.boards.move(next(delivery.env.ids), match_id, ADA, target)
    assert outcome.kind == "done"


async def take_back_and_choose(delivery: DeliveryFixture, match_id: MatchId) -> None:
    """Replace the last choice by another one: as many lines as before."""
    env, ids = delivery.env, delivery.env.ids
    last = str((await delivery.env.queries.record(match_id)).actions[-1])
    user = (await delivery.env.queries.match(match_id)).players[last[0]].user_id
    assert (await env.takebacks.take_back(next(ids), match_id, user)).kind == "done"
    legal = (await delivery.env.queries.view(match_id, user)).view.legal
    lines = [" ".join((action.verb, *action.args)) for action in legal]
    other = next(line for line in lines if line != last[2:])
    assert (await env.matches.act(next(ids), match_id, user, other)).kind == "done"


async def _deciding(delivery: DeliveryFixture, match_id: MatchId) -> tuple[str, int]:
    match = await delivery.env.queries.match(match_id)
    return next(iter(match.decisions.items()))


async def begin(delivery: DeliveryFixture) -> MatchId:
    """A match with a clock, one move in, its board delivered."""
    clocked = Terms(game="warp6", clock="1d", guild_id=None, channel_id=CHANNEL)
    env = delivery.env
    opened = await env.challenges.challenge(next(env.ids), clocked, PLAYERS, side="B")
    await env.challenges.accept(next(env.ids), opened.match_id, BO)
    await env.race(opened.match_id)
    await delivery.worker.flush()
    await delivery.play(opened.match_id)
    await delivery.worker.flush()
    return opened.match_id


async def check_newest_board_is_live(
    delivery: DeliveryFixture, match_id: MatchId, posted: int
) -> None:
    """So many boards were posted; the newest one has the present controls, the others have none."""
    assert await delivery.left() == []
    assert len(delivery.moments(match_id)) == posted
    version = (await _deciding(delivery, match_id))[1]
    *former, newest = delivery.boards(match_id)
    controls = {mark for mark in newest if mark.startswith(CONTROLS)}
    assert any(mark.startswith(("menu:", f"act:{match_id}:{version}:")) for mark in controls)
    assert not any(mark.startswith(CONTROLS) for marks in former for mark in marks)


REPEATS = [remind, run_out_of_time, move_here, take_back_and_choose]


@pytest.mark.first(test=3)
@pytest.mark.parametrize("repeat", REPEATS)
@pytest.mark.parametrize("seconds", [SEARCH_AFTER_SECONDS + 10, 2 * DAYS])
async def test_repeated_board_after_outage_is_posted(
    delivery: DeliveryFixture, repeat: Repeat, seconds: float
) -> None:
    match_id = await begin(delivery)
    await repeat(delivery, match_id)
    expected = len(delivery.moments(match_id)) + (await delivery.left()).count(
        ("post_board", "waiting")
    )
    delivery.fake.refusals[CHANNEL] = (503, 0)
    await delivery.worker.flush()
    del delivery.fake.refusals[CHANNEL]
    delivery.env.now += seconds
    await delivery.worker.flush()
    await check_newest_board_is_live(delivery, match_id, expected)


async def test_reminder_is_posted_after_a_clock_step_back(delivery: DeliveryFixture) -> None:
    match_id = await begin(delivery)
    before = len(delivery.moments(match_id))
    await remind(delivery, match_id)
    delivery.fake.gates[CHANNEL] = asyncio.Event()
    delivery.env.now += 1
    delivery.worker.wake()
    request_count = delivery.fake.requests
    await until(lambda: delivery.fake.requests > request_count)
    await delivery.worker.stop()
    del delivery.fake.gates[CHANNEL]
    delivery.env.now -= 0.001  # still after the time at which it was due
    await delivery.worker.resume()
    await delivery.worker.flush()
    await check_newest_board_is_live(delivery, match_id, before + 1)


@pytest.mark.first(test=2)
@pytest.mark.parametrize("repeat", REPEATS)
async def test_repeated_board_with_lost_reply_is_posted_once(
    delivery: DeliveryFixture, repeat: Repeat
) -> None:
    match_id = await begin(delivery)
    await repeat(delivery, match_id)
    expected = len(delivery.moments(match_id)) + (await delivery.left()).count(
        ("post_board", "waiting")
    )
    delivery.fake.trouble = LOST
    await delivery.worker.flush()
    delivery.fake.trouble = CALM
    delivery.env.now += 2 * DAYS
    await delivery.worker.flush()
    await check_newest_board_is_live(delivery, match_id, expected)


@pytest.mark.slow
async def test_board_undone_before_its_retry_is_not_the_new_one(delivery: DeliveryFixture) -> None:
    match_id = await begin(delivery)
    await delivery.play(match_id)
    delivery.fake.trouble = LOST
    await delivery.worker.flush()
    delivery.fake.trouble = CALM
    before = len(delivery.moments(match_id))
    await take_back_and_choose(delivery, match_id)
    delivery.env.now += 2 * DAYS
    await delivery.worker.flush()
    await check_newest_board_is_live(delivery, match_id, before + 2)


async def test_second_hand_dm_with_the_same_words_is_sent(delivery: DeliveryFixture) -> None:
    match_id = await delivery.env.begin()
    await delivery.worker.flush()
    await delivery.queue(OutboxKind.PRIVATE_HAND, match_id, Target(ADA))
    count = len(delivery.fake.texts(dm(ADA)))
    delivery.fake.refusals[dm(ADA)] = (503, 0)
    await delivery.worker.flush()
    del delivery.fake.refusals[dm(ADA)]
    delivery.env.now += 2 * DAYS
    await delivery.worker.flush()
    assert len(delivery.fake.texts(dm(ADA))) == count + 1
    await delivery.queue(OutboxKind.PRIVATE_HAND, match_id, Target(ADA))
    delivery.fake.trouble = LOST
    await delivery.worker.flush()
    delivery.fake.trouble = CALM
    delivery.env.now += 2 * DAYS
    await delivery.worker.flush()
    assert len(delivery.fake.texts(dm(ADA))) == count + 2
    assert await delivery.left() == []


@pytest.mark.slow
async def test_move_here_twice_in_two_minutes_posts_two_boards(delivery: DeliveryFixture) -> None:
    match_id = await begin(delivery)
    for seconds in (0, 30, 60):
        delivery.env.now += seconds
        before = len(delivery.moments(match_id))
        await move_here(delivery, match_id)
        await delivery.worker.flush()
        await check_newest_board_is_live(delivery, match_id, before + 1)


@pytest.mark.slow
async def test_sandbox_board_with_lost_reply_is_posted_once(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    match_id = await stage.begin()
    deliver = DiscordSender.deliver

    async def lose(sender: DiscordSender, queued: OutboxMessage) -> SentMessage | None:
        await deliver(sender, queued)
        raise RetryLaterError("the reply is lost")

    with monkeypatch.context() as lossy:
        lossy.setattr(DiscordSender, "deliver", lose)
        lossy.setattr(
            "bot.outbox.worker.BACK_OFF_SECONDS", (2 * SETTLE_TIMEOUT_SECONDS,)
        )  # none to wait for
        await fire(stage, payload(stage, stage.ada, stage.last(), "", f"move:{match_id}"))
        await stage.env.settle()
    boards = len(stage.public())
    stage.clock.now += 2 * DAYS
    await stage.client.runtime.outbox.flush()
    assert len(stage.public()) == boards
    link = (await stage.client.context.queries.match(match_id)).link
    assert link == (stage.channel.id, stage.last().id)


@pytest.mark.slow
@pytest.mark.parametrize("closed", [False, True], ids=["in the channel", "by DM"])
async def test_board_posted_before_a_move_is_found_there(
    delivery: DeliveryFixture, closed: bool
) -> None:
    match_id, channel = await begin(delivery), CHANNEL + 1
    await delivery.play(match_id)
    places = [dm(ADA), dm(BO)] if closed else [CHANNEL]
    delivery.fake.refusals |= {CHANNEL: (403, 50013)} if closed else {}
    delivery.fake.lost_replies |= set(places)
    await delivery.worker.flush()
    delivery.fake.lost_replies.clear()
    before = [len(delivery.moments(match_id, place)) for place in places]
    await delivery.env.boards.move(next(delivery.env.ids), match_id, ADA, (None, channel))
    delivery.env.now += 2.0
    await delivery.worker.flush()
    assert await delivery.left() == []
    assert [len(delivery.moments(match_id, place)) for place in places] == before
    assert delivery.moments(match_id, channel) == [str(RACING + 2)]
    for place in places:
        for number in delivery.fake.channels[place]:
            marks = delivery.fake.marks(place, number)
            assert not any(mark.startswith(CONTROLS) for mark in marks)


async def test_board_in_flight_during_a_move_is_posted_once(delivery: DeliveryFixture) -> None:
    match_id, channel = await begin(delivery), CHANNEL + 1
    await delivery.play(match_id)
    delivery.fake.lost_replies.add(CHANNEL)
    await delivery.worker.flush()
    delivery.fake.lost_replies.clear()
    delivery.env.now += 2.0
    (claimed,), _ = await delivery.worker._record_and_claim()
    await delivery.env.boards.move(next(delivery.env.ids), match_id, ADA, (None, channel))
    await delivery.worker._deliver(claimed)
    await delivery.worker.flush()
    assert await delivery.left() == []
    assert delivery.moments(match_id, channel) == [str(RACING + 2)]


@pytest.mark.slow
@pytest.mark.parametrize("closed", [False, True], ids=["in the channel", "by DM"])
async def test_board_posted_by_a_stale_refresh_is_replaced(
    delivery: DeliveryFixture, closed: bool
) -> None:
    """The board to edit was gone, the new one posted with its reply lost; the match went on."""
    match_id, place = await begin(delivery), dm(ADA) if closed else CHANNEL
    await delivery.env.matches.act(next(delivery.env.ids), match_id, ADA, "draw offer")
    await delivery.worker.flush()
    delivery.fake.channels[CHANNEL].clear()
    delivery.fake.refusals |= {CHANNEL: (403, 50013)} if closed else {}
    await delivery.env.matches.act(next(delivery.env.ids), match_id, BO, "draw decline")
    delivery.fake.lost_replies |= {CHANNEL, dm(ADA), dm(BO)}
    await delivery.worker.flush()
    assert await delivery.left() == [("edit_board", "waiting")]
    delivery.fake.lost_replies.clear()
    posted = len(delivery.moments(match_id, place))
    await delivery.play(match_id)
    delivery.env.now += 2.0
    await delivery.worker.flush()
    assert await delivery.left() == []
    assert len(delivery.moments(match_id, place)) == posted + 1
    boards = [delivery.fake.marks(place, number) for number in delivery.fake.channels[place]]
    live = [board for board in boards if any(mark.startswith(CONTROLS) for mark in board)]
    assert live == [delivery.fake.marks(place, max(delivery.fake.channels[place]))]


@pytest.mark.slow
@pytest.mark.parametrize("pause", [0.01, 600.0])
async def test_message_edited_too_often_is_replaced(
    delivery: DeliveryFixture, pause: float
) -> None:
    """Discord limits the edits of messages that are older than an hour."""
    fake_discord, delivery.client.http.max_ratelimit_timeout = (
        delivery.fake,
        RATE_LIMIT_WAIT_SECONDS,
    )
    match_id, fake_discord.edit_pause = await begin(delivery), pause
    await delivery.env.matches.act(next(delivery.env.ids), match_id, ADA, "draw offer")
    await delivery.worker.flush()
    boards = len(delivery.boards(match_id))
    fake_discord.worn_out |= fake_discord.channels[CHANNEL].keys()
    await delivery.env.matches.act(next(delivery.env.ids), match_id, BO, "draw decline")
    await delivery.worker.flush()
    assert await delivery.left() == []
    assert len(delivery.boards(match_id)) == boards
    assert not any(f"act:{match_id}:-:draw decline" in board for board in delivery.boards(match_id))


async def test_board_of_a_finished_match_is_edited_when_it_may_be(
    delivery: DeliveryFixture,
) -> None:
    env, fake_discord = delivery.env, delivery.fake
    delivery.client.http.max_ratelimit_timeout = RATE_LIMIT_WAIT_SECONDS
    match_id = await begin(delivery)
    await env.matches.act(next(env.ids), match_id, ADA, "resign")
    await delivery.worker.flush()
    boards = len(delivery.boards(match_id))
    fake_discord.edit_pause = 600.0
    fake_discord.worn_out |= fake_discord.channels[CHANNEL].keys()
    outcome = await env.rematches.rematch(next(env.ids), match_id, BO)
    await env.challenges.accept(next(env.ids), outcome.match_id, ADA)
    await delivery.worker.flush()
    assert ("edit_board", "waiting") in await delivery.left()
    assert len(delivery.boards(match_id)) == boards
    fake_discord.worn_out.clear()
    env.now += 600.0
    await delivery.worker.flush()
    assert await delivery.left() == []
