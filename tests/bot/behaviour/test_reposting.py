"""A notice that must be posted again is posted once, whatever became of its first attempt."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

import pytest

from bot.outbox.sender import DiscordSender
from bot.outbox.transport import SEARCH_AFTER_SECONDS
from bot.outbox.worker import RetryLaterError
from bot.services.outbox import OutboxKind, OutboxMessage, PostedMessage, Target
from bot.services.terms import Terms
from tests.support.deliveries import CHANNEL, DAYS, Office
from tests.support.fake_discord import CALM, Trouble, dm, until
from tests.support.harness import Stage
from tests.support.matches import ADA, BO, PLAYERS

Repeat = Callable[[Office, int], Awaitable[None]]

CONTROLS = ("act:", "pick:", "part:", "menu:", "claim:", "snooze:")
"""Beginnings of custom_ids that only the present board may carry."""

LOST = Trouble(dropped=1.0)
"""Discord stores the message, but the reply is lost."""


async def remind(office: Office, match_id: int) -> None:
    seat, version = await _deciding(office, match_id)
    await office.club.strike("remind", match_id, seat, version)


async def run_out_of_time(office: Office, match_id: int) -> None:
    seat, version = await _deciding(office, match_id)
    await office.club.strike("flag", match_id, seat, version)


async def move_here(office: Office, match_id: int) -> None:
    here = (None, CHANNEL)
    outcome = await office.club.matches.move(next(office.club.ids), match_id, ADA, here)
    assert outcome.kind == "done"


async def take_back_and_choose(office: Office, match_id: int) -> None:
    """Replace the last choice by another one: as many lines as before."""
    matches, ids = office.club.matches, office.club.ids
    last = str((await office.club.queries.record(match_id)).actions[-1])
    user = (await office.club.queries.match(match_id)).players[last[0]].user_id
    assert (await matches.take_back(next(ids), match_id, user)).kind == "done"
    legal = (await office.club.queries.view(match_id, user)).view.legal
    lines = [" ".join((action.verb, *action.args)) for action in legal]
    other = next(line for line in lines if line != last[2:])
    assert (await matches.act(next(ids), match_id, user, other)).kind == "done"


async def _deciding(office: Office, match_id: int) -> tuple[str, int]:
    match = await office.club.queries.match(match_id)
    return next(iter(match.decisions.items()))


async def begin(office: Office) -> int:
    """A match with a clock, one move in, its board delivered."""
    clocked = Terms(game="wormholes", clock="1d", guild_id=None, channel_id=CHANNEL)
    club = office.club
    opened = await club.matches.challenge(next(club.ids), clocked, PLAYERS, side="O")
    await club.matches.accept(next(club.ids), opened.match_id, BO)
    await office.delivery.flush()
    await office.play(opened.match_id)
    await office.delivery.flush()
    return opened.match_id


async def check_newest_board_is_live(office: Office, match_id: int, posted: int) -> None:
    """So many boards were posted; the newest one has the present controls, the others have none."""
    assert await office.left() == []
    assert len(office.moments(match_id)) == posted
    version = (await _deciding(office, match_id))[1]
    *former, newest = office.boards(match_id)
    controls = {mark for mark in newest if mark.startswith(CONTROLS)}
    assert any(mark.startswith(("menu:", f"act:{match_id}:{version}:")) for mark in controls)
    assert not any(mark.startswith(CONTROLS) for marks in former for mark in marks)


REPEATS = [remind, run_out_of_time, move_here, take_back_and_choose]


@pytest.mark.parametrize("repeat", REPEATS)
@pytest.mark.parametrize("seconds", [SEARCH_AFTER_SECONDS + 10, 2 * DAYS])
async def test_repeated_notice_after_outage_is_posted(
    office: Office, repeat: Repeat, seconds: float
) -> None:
    match_id = await begin(office)
    await repeat(office, match_id)
    expected = len(office.moments(match_id)) + (await office.left()).count(
        ("post_board", "waiting")
    )
    office.fake.refusals[CHANNEL] = (503, 0)
    await office.delivery.flush()
    del office.fake.refusals[CHANNEL]
    office.club.now += seconds
    await office.delivery.flush()
    await check_newest_board_is_live(office, match_id, expected)


async def test_reminder_is_posted_after_a_clock_step_back(office: Office) -> None:
    match_id = await begin(office)
    before = len(office.moments(match_id))
    await remind(office, match_id)
    office.fake.gates[CHANNEL] = asyncio.Event()
    office.club.now += 1
    office.delivery.wake()
    asked = office.fake.requests
    await until(lambda: office.fake.requests > asked)
    await office.delivery.stop()
    del office.fake.gates[CHANNEL]
    office.club.now -= 0.001  # still after the time at which it was due
    await office.delivery.resume()
    await office.delivery.flush()
    await check_newest_board_is_live(office, match_id, before + 1)


@pytest.mark.parametrize("repeat", REPEATS)
async def test_repeated_notice_with_lost_reply_is_posted_once(
    office: Office, repeat: Repeat
) -> None:
    match_id = await begin(office)
    await repeat(office, match_id)
    expected = len(office.moments(match_id)) + (await office.left()).count(
        ("post_board", "waiting")
    )
    office.fake.trouble = LOST
    await office.delivery.flush()
    office.fake.trouble = CALM
    office.club.now += 2 * DAYS
    await office.delivery.flush()
    await check_newest_board_is_live(office, match_id, expected)


async def test_board_undone_before_its_retry_is_not_the_new_one(office: Office) -> None:
    match_id = await begin(office)
    await office.play(match_id)
    office.fake.trouble = LOST
    await office.delivery.flush()
    office.fake.trouble = CALM
    before = len(office.moments(match_id))
    await take_back_and_choose(office, match_id)
    office.club.now += 2 * DAYS
    await office.delivery.flush()
    await check_newest_board_is_live(office, match_id, before + 2)


async def test_second_hand_dm_with_the_same_words_is_sent(office: Office) -> None:
    match_id = await begin(office)
    await office.queue(OutboxKind.PRIVATE_HAND, match_id, Target(ADA))
    told = len(office.fake.texts(dm(ADA)))
    office.fake.refusals[dm(ADA)] = (503, 0)
    await office.delivery.flush()
    del office.fake.refusals[dm(ADA)]
    office.club.now += 2 * DAYS
    await office.delivery.flush()
    assert len(office.fake.texts(dm(ADA))) == told + 1
    await office.queue(OutboxKind.PRIVATE_HAND, match_id, Target(ADA))
    office.fake.trouble = LOST
    await office.delivery.flush()
    office.fake.trouble = CALM
    office.club.now += 2 * DAYS
    await office.delivery.flush()
    assert len(office.fake.texts(dm(ADA))) == told + 2
    assert await office.left() == []


async def test_move_here_twice_in_two_minutes_posts_two_boards(office: Office) -> None:
    match_id = await begin(office)
    for seconds in (0, 30, 60):
        office.club.now += seconds
        before = len(office.moments(match_id))
        await move_here(office, match_id)
        await office.delivery.flush()
        await check_newest_board_is_live(office, match_id, before + 1)


async def test_sandbox_board_with_lost_reply_is_posted_once(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    match_id = await stage.begin()
    deliver = DiscordSender.deliver

    async def lose(courier: DiscordSender, parcel: OutboxMessage) -> PostedMessage | None:
        await deliver(courier, parcel)
        raise RetryLaterError("the reply is lost")

    with monkeypatch.context() as lossy:
        lossy.setattr(DiscordSender, "deliver", lose)
        await stage.ada.slash(stage.channel, "move-here")
        await stage.env.settle()
    boards = len(stage.public())
    stage.clock.now += 2 * DAYS
    await stage.client.delivery.flush()
    assert len(stage.public()) == boards
    link = (await stage.client.context.queries.match(match_id)).link
    assert link == (stage.channel.id, stage.last().id)


@pytest.mark.parametrize("closed", [False, True], ids=["in the channel", "by DM"])
async def test_board_posted_before_a_move_is_found_there(office: Office, closed: bool) -> None:
    match_id, there = await begin(office), CHANNEL + 1
    await office.play(match_id)
    places = [dm(ADA), dm(BO)] if closed else [CHANNEL]
    office.fake.refusals |= {CHANNEL: (403, 50013)} if closed else {}
    office.fake.lost_replies |= set(places)
    await office.delivery.flush()
    office.fake.lost_replies.clear()
    before = [len(office.moments(match_id, place)) for place in places]
    await office.club.matches.move(next(office.club.ids), match_id, ADA, (None, there))
    office.club.now += 2.0
    await office.delivery.flush()
    assert await office.left() == []
    assert [len(office.moments(match_id, place)) for place in places] == before
    assert office.moments(match_id, there) == [f"{3}"]
    for place in places:
        shown = office.fake.marks(place, max(office.fake.channels[place]))
        assert not any(mark.startswith(CONTROLS) for mark in shown)


async def test_board_in_flight_during_a_move_is_posted_once(office: Office) -> None:
    match_id, there = await begin(office), CHANNEL + 1
    await office.play(match_id)
    office.fake.lost_replies.add(CHANNEL)
    await office.delivery.flush()
    office.fake.lost_replies.clear()
    office.club.now += 2.0
    (claimed,) = await office.delivery._claim(1)
    await office.club.matches.move(next(office.club.ids), match_id, ADA, (None, there))
    await office.delivery._deliver(claimed)
    await office.delivery.flush()
    assert await office.left() == []
    assert office.moments(match_id, there) == ["3"]


@pytest.mark.parametrize("closed", [False, True], ids=["in the channel", "by DM"])
async def test_board_posted_by_a_stale_refresh_is_replaced(office: Office, closed: bool) -> None:
    """The board to edit was gone, the new one posted with its reply lost; the match went on."""
    match_id, place = await begin(office), dm(ADA) if closed else CHANNEL
    await office.club.matches.act(next(office.club.ids), match_id, ADA, "draw offer")
    await office.delivery.flush()
    office.fake.channels[CHANNEL].clear()
    office.fake.refusals |= {CHANNEL: (403, 50013)} if closed else {}
    await office.club.matches.act(next(office.club.ids), match_id, BO, "draw decline")
    office.fake.lost_replies |= {CHANNEL, dm(ADA), dm(BO)}
    await office.delivery.flush()
    assert await office.left() == [("edit_board", "waiting")]
    office.fake.lost_replies.clear()
    posted = len(office.moments(match_id, place))
    await office.play(match_id)
    office.club.now += 2.0
    await office.delivery.flush()
    assert await office.left() == []
    assert len(office.moments(match_id, place)) == posted + 1
    boards = [office.fake.marks(place, each) for each in office.fake.channels[place]]
    live = [each for each in boards if any(mark.startswith(CONTROLS) for mark in each)]
    assert live == [office.fake.marks(place, max(office.fake.channels[place]))]
