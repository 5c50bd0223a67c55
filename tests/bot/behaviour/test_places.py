"""A match continues in its thread, or else in the channel above, or else by DM."""

from __future__ import annotations

import asyncio

import pytest

from bot.app.registry import personal_data
from bot.domain.ids import MatchId
from bot.domain.outbox import PostedKind
from bot.features.privacy.service import Privacy
from bot.services.preferences import Preferences
from bot.storage.leases import Leases
from tests.support.deliveries import CHANNEL, DeliveryFixture, accept, ask, posted
from tests.support.fake_discord import until
from tests.support.fake_objects import GUILD, dm
from tests.support.matches import ADA, BO
from tests.support.privacy import export_of

ELSEWHERE = 77

CLOSED = [
    pytest.param(403, 50013, id="may not write in threads"),
    pytest.param(403, 160005, id="the thread is locked"),
    pytest.param(404, 10003, id="the thread is deleted"),
]


async def begin(delivery: DeliveryFixture) -> tuple[MatchId, int]:
    """Start a match in a thread, play its set-up, and return the ids of both."""
    match_id = await ask(delivery, rules="standard", game="warp6")
    await accept(delivery, match_id)
    await delivery.env.race(match_id)
    await delivery.worker.flush()
    return match_id, (await delivery.env.queries.match(match_id)).channel_id


async def place(delivery: DeliveryFixture, match_id: MatchId) -> tuple[int, int | None]:
    """Where a match is played, and the channel above."""
    match = await delivery.env.queries.match(match_id)
    return match.channel_id, match.parent_channel_id


def controls(delivery: DeliveryFixture, channel: int, match_id: MatchId) -> int:
    """How many messages of a channel have controls for a decision of this match."""
    starts = f"act:{match_id}:", f"menu:{match_id}", f"pick:{match_id}:"
    marks_of_messages = [
        delivery.fake.marks(channel, number) for number in delivery.fake.channels[channel]
    ]
    return sum(any(mark.startswith(starts) for mark in marks) for marks in marks_of_messages)


async def move(delivery: DeliveryFixture, match_id: MatchId, parent: int | None = None) -> None:
    """Ada clicks *Move here* in another channel."""
    target = (GUILD, ELSEWHERE)
    outcome = await delivery.env.boards.move(next(delivery.env.ids), match_id, ADA, target, parent)
    assert outcome.kind == "done"


# The thread


async def test_thread_that_discord_fails_to_make_holds_up_nothing(
    delivery: DeliveryFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.outbox.threads.THREAD_TIMEOUT_SECONDS", 0.05)
    match_id = await ask(delivery)
    delivery.fake.thread_refusal = (500, 0)
    await accept(delivery, match_id)
    assert delivery.moments(match_id) == ["1"]
    assert await delivery.left() == []
    delivery.env.now += 200
    await delivery.worker.flush()
    assert delivery.moments(match_id) == ["1"]
    assert delivery.fake.threads_asked == 1


async def test_thread_that_is_there_already_is_entered(delivery: DeliveryFixture) -> None:
    match_id = await ask(delivery)
    (challenge,) = delivery.fake.channels[CHANNEL]
    delivery.fake.threads[challenge] = {}
    await accept(delivery, match_id)
    assert await place(delivery, match_id) == (challenge, CHANNEL)
    assert delivery.moments(match_id, challenge) == ["1"]


@pytest.mark.parametrize("there", [ELSEWHERE, CHANNEL])
async def test_move_while_the_thread_is_made_wins(delivery: DeliveryFixture, there: int) -> None:
    match_id = await ask(delivery)
    delivery.fake.thread_gate = asyncio.Event()
    await delivery.env.challenges.accept(next(delivery.env.ids), match_id, BO)
    delivery.worker.wake()
    await until(lambda: bool(delivery.fake.threads_asked))
    await delivery.env.boards.move(next(delivery.env.ids), match_id, ADA, (GUILD, there))
    delivery.fake.thread_gate.set()
    await delivery.worker.flush()
    assert await place(delivery, match_id) == (there, None)
    assert delivery.moments(match_id, there)
    assert {message.channel for message in delivery.fake.posted} == {
        CHANNEL,
        there,
        dm(ADA),
        dm(BO),
    }


# Falling back


@pytest.mark.slow
@pytest.mark.parametrize(("status", "code"), CLOSED)
async def test_board_of_a_closed_thread_goes_to_the_channel_above(
    delivery: DeliveryFixture, status: int, code: int
) -> None:
    match_id, thread = await begin(delivery)
    delivery.fake.refusals[thread] = (status, code)
    delivery.fake.refusals[dm(ADA)] = delivery.fake.refusals[dm(BO)] = (403, 50007)
    await delivery.play(match_id)
    await delivery.worker.flush()
    assert delivery.moments(match_id) == ["20"]
    text = delivery.fake.texts(CHANNEL)[-1]
    assert f"-# <@{ADA}> and <@{BO}>: I can no longer post where this match was played" in text
    assert delivery.fake.pings[-1] == {ADA, BO}
    assert await place(delivery, match_id) == (CHANNEL, None)
    await delivery.play(match_id)
    await delivery.worker.flush()
    assert delivery.moments(match_id) == ["20", "21"]
    assert "I can no longer post" not in delivery.fake.texts(CHANNEL)[-1]
    assert await delivery.left() == []


async def test_board_of_a_locked_archived_thread_goes_to_the_channel(
    delivery: DeliveryFixture,
) -> None:
    match_id, thread = await begin(delivery)
    delivery.fake.asleep.add(thread)
    delivery.fake.locked.add(thread)
    await delivery.env.matches.act(next(delivery.env.ids), match_id, ADA, "draw offer")
    await delivery.worker.flush()
    delivery.fake.refusals[thread] = (400, 50083)
    await delivery.play(match_id)
    await delivery.worker.flush()
    assert delivery.moments(match_id)[-1] == "21"
    assert controls(delivery, CHANNEL, match_id) == 1


async def test_first_board_without_thread_permission_is_in_the_channel(
    delivery: DeliveryFixture,
) -> None:
    match_id = await ask(delivery)
    (challenge,) = delivery.fake.channels[CHANNEL]
    delivery.fake.refusals[challenge] = (403, 50013)
    await accept(delivery, match_id)
    assert delivery.moments(match_id) == ["1"]
    assert delivery.moments(match_id, dm(ADA)) == []


async def test_a_board_that_may_have_arrived_above_is_found_there(
    delivery: DeliveryFixture,
) -> None:
    match_id, thread = await begin(delivery)
    delivery.fake.refusals[thread] = (403, 50013)
    await delivery.play(match_id)
    delivery.fake.lost_replies = {CHANNEL}
    await delivery.worker.flush()
    assert await delivery.left() == [("post_board", "waiting")]
    delivery.fake.lost_replies = set()
    delivery.env.now += 400
    await delivery.worker.flush()
    assert delivery.moments(match_id) == ["20"]
    assert await place(delivery, match_id) == (CHANNEL, None)


async def test_board_posted_before_its_thread_was_closed_is_found(
    delivery: DeliveryFixture,
) -> None:
    match_id, thread = await begin(delivery)
    delivery.fake.lost_replies = {thread}
    await delivery.play(match_id)
    await delivery.worker.flush()
    assert await delivery.left() == [("post_board", "waiting")]
    delivery.fake.lost_replies = set()
    delivery.fake.silenced.add(thread)
    delivery.env.now += 2
    await delivery.worker.flush()
    assert await delivery.left() == []
    assert (delivery.moments(match_id, thread), delivery.moments(match_id)) == (["1", "20"], [])


# Moving


async def test_players_read_where_a_match_continues(delivery: DeliveryFixture) -> None:
    match_id, thread = await begin(delivery)
    await move(delivery, match_id)
    await delivery.worker.flush()
    assert delivery.fake.pings[-1] == {ADA, BO}
    assert (
        f"-# <@{ADA}> and <@{BO}>: From now on, this match continues here"
        in delivery.fake.texts(ELSEWHERE)[-1]
    )
    (board,) = delivery.fake.channels[ELSEWHERE]
    link = f"https://discord.com/channels/{GUILD}/{ELSEWHERE}/{board}"
    assert link in delivery.fake.texts(thread)[-1]
    assert controls(delivery, thread, match_id) == 0
    await delivery.play(match_id)
    await delivery.worker.flush()
    assert "continues here" not in delivery.fake.texts(ELSEWHERE)[-1]


# Copies by DM


@pytest.mark.slow
async def test_every_copy_by_dm_loses_its_controls(delivery: DeliveryFixture) -> None:
    match_id, thread = await begin(delivery)
    delivery.fake.silenced |= {thread, CHANNEL}
    for _ in range(3):
        await delivery.play(match_id)
        await delivery.worker.flush()
    for player in (ADA, BO):
        assert delivery.moments(match_id, dm(player)) == ["20", "21", "22"]
        assert controls(delivery, dm(player), match_id) == 1
    assert controls(delivery, thread, match_id) == 0
    assert "this match continues in your DMs" in delivery.fake.texts(thread)[-1]
    delivery.fake.silenced.clear()
    await delivery.play(match_id)
    await delivery.worker.flush()
    assert controls(delivery, thread, match_id) == 1
    for player in (ADA, BO):
        assert controls(delivery, dm(player), match_id) == 0
        assert (
            f"This match continues [here](https://discord.com/channels/{GUILD}/{thread}"
            in (delivery.fake.texts(dm(player))[-1])
        )


@pytest.mark.slow
async def test_every_copy_by_dm_is_kept_up_to_date(delivery: DeliveryFixture) -> None:
    match_id, thread = await begin(delivery)
    delivery.fake.silenced |= {thread, CHANNEL}
    await delivery.play(match_id)
    await delivery.worker.flush()
    await delivery.env.matches.act(next(delivery.env.ids), match_id, ADA, "draw offer")
    await delivery.worker.flush()
    for player in (ADA, BO):
        assert "offers a draw" in delivery.fake.texts(dm(player))[-1]
        assert controls(delivery, dm(player), match_id) == 1
    boards = len(delivery.fake.channels[dm(ADA)])
    await delivery.env.matches.act(next(delivery.env.ids), match_id, BO, "draw decline")
    await delivery.worker.flush()
    for player in (ADA, BO):
        texts = delivery.fake.texts(dm(player))
        assert len(texts) == boards
        assert "offers a draw" not in texts[-1]
        assert "-# I can no longer post where" in texts[-1]


async def test_each_player_gets_the_link_to_the_own_copy(delivery: DeliveryFixture) -> None:
    match_id, thread = await begin(delivery)
    delivery.fake.silenced |= {thread, CHANNEL}
    await delivery.play(match_id)
    await delivery.worker.flush()
    for player in (ADA, BO):
        (match,) = await delivery.env.queries.list_for(player, "running")
        assert match.link == (dm(player), max(delivery.fake.channels[dm(player)]))
        assert match.linked_by_dm
    assert (await delivery.env.queries.match(match_id)).link is None


async def test_copies_by_dm_are_in_the_language_of_their_readers(delivery: DeliveryFixture) -> None:
    match_id, thread = await begin(delivery)
    await Preferences(delivery.env.database).set(BO, "language", "de")
    delivery.fake.silenced |= {thread, CHANNEL}
    for _ in range(2):
        await delivery.play(match_id)
        await delivery.worker.flush()
    former, board = delivery.fake.texts(dm(BO))[-2:]
    assert "geändert" in former
    assert "-# Wo diese Partie gespielt wurde" in board
    former, board = delivery.fake.texts(dm(ADA))[-2:]
    assert "changed" in former
    assert "-# I can no longer post" in board


@pytest.mark.slow
async def test_copies_by_dm_are_exported_and_deleted_with_their_reader(
    delivery: DeliveryFixture,
) -> None:
    match_id, thread = await begin(delivery)
    delivery.fake.silenced |= {thread, CHANNEL}
    await delivery.play(match_id)
    await delivery.worker.flush()
    database = delivery.env.database
    privacy = Privacy(
        database,
        delivery.env.matches,
        Leases(database, "", lambda: delivery.env.now),
        personal_data(),
    )
    copies = (await export_of(database, BO))["boards sent by DM"]
    assert {copy["channel_id"] for copy in copies} == {dm(BO)}
    await privacy.erase(BO)
    copies = (await posted(database, match_id, PostedKind.BOARD)).copies
    assert [copy.user_id for copy in copies] == [ADA]
