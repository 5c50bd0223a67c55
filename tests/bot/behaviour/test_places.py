"""Where a match goes on: in its thread, else in the channel above, else by DM."""

from __future__ import annotations

import asyncio

import pytest

from bot.services.matches import Matches
from bot.services.outbox import PostedKind
from bot.services.places import Places
from bot.services.preferences import Preferences
from bot.services.privacy import Privacy
from bot.storage.leases import Leases
from tests.support.deliveries import CHANNEL, Office, accept, ask
from tests.support.fake_discord import GUILD, dm, until
from tests.support.matches import ADA, BO

ELSEWHERE = 77

CLOSED = [
    pytest.param(403, 50013, id="may not write in threads"),
    pytest.param(403, 160005, id="the thread is locked"),
    pytest.param(404, 10003, id="the thread is deleted"),
]


async def begin(office: Office) -> tuple[int, int]:
    """A match in its thread; gives the numbers of both."""
    match_id = await ask(office)
    await accept(office, match_id)
    return match_id, (await office.club.queries.match(match_id)).channel_id


async def place(office: Office, match_id: int) -> tuple[int, int | None]:
    """Where a match is played, and the channel above."""
    match = await office.club.queries.match(match_id)
    return match.channel_id, match.parent_channel_id


def controls(office: Office, channel: int, match_id: int) -> int:
    """How many messages of a channel have controls for a decision of this match."""
    starts = f"act:{match_id}:", f"menu:{match_id}", f"pick:{match_id}:"
    shown = [office.fake.marks(channel, number) for number in office.fake.channels[channel]]
    return sum(any(mark.startswith(starts) for mark in marks) for marks in shown)


async def move(office: Office, match_id: int, parent: int | None = None) -> None:
    """Ada types `/move-here` in another channel."""
    there = (GUILD, ELSEWHERE)
    outcome = await office.club.matches.move(next(office.club.ids), match_id, ADA, there, parent)
    assert outcome.kind == "done"


# The thread


async def test_thread_that_discord_fails_to_make_holds_up_nothing(
    office: Office, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.outbox.threads.THREAD_TIMEOUT", 0.05)
    match_id = await ask(office)
    office.fake.thread_refusal = (500, 0)
    await accept(office, match_id)
    assert office.moments(match_id) == ["1"]
    assert await office.left() == []
    office.club.now += 200
    await office.delivery.flush()
    assert office.moments(match_id) == ["1"]
    assert office.fake.threads_asked == 1


async def test_thread_that_is_there_already_is_entered(office: Office) -> None:
    match_id = await ask(office)
    (challenge,) = office.fake.channels[CHANNEL]
    office.fake.threads[challenge] = {}
    await accept(office, match_id)
    assert await place(office, match_id) == (challenge, CHANNEL)
    assert office.moments(match_id, challenge) == ["1"]


@pytest.mark.parametrize("there", [ELSEWHERE, CHANNEL])
async def test_move_while_the_thread_is_made_wins(office: Office, there: int) -> None:
    match_id = await ask(office)
    office.fake.thread_gate = asyncio.Event()
    await office.club.matches.accept(next(office.club.ids), match_id, BO)
    office.delivery.wake()
    await until(lambda: bool(office.fake.threads_asked))
    await office.club.matches.move(next(office.club.ids), match_id, ADA, (GUILD, there))
    office.fake.thread_gate.set()
    await office.delivery.flush()
    assert await place(office, match_id) == (there, None)
    assert office.moments(match_id, there)
    assert {each.channel for each in office.fake.posted} == {CHANNEL, there, dm(ADA), dm(BO)}


# Falling back


@pytest.mark.parametrize(("status", "code"), CLOSED)
async def test_board_of_a_closed_thread_goes_to_the_channel_above(
    office: Office, status: int, code: int
) -> None:
    match_id, thread = await begin(office)
    office.fake.refusals[thread] = (status, code)
    office.fake.refusals[dm(ADA)] = office.fake.refusals[dm(BO)] = (403, 50007)
    await office.play(match_id)
    await office.delivery.flush()
    assert office.moments(match_id) == ["2"]
    told = office.fake.texts(CHANNEL)[-1]
    assert f"-# <@{ADA}>, <@{BO}>: I cannot write any more where this match was played" in told
    assert office.fake.pings[-1] == {ADA, BO}
    assert await place(office, match_id) == (CHANNEL, None)
    await office.play(match_id)
    await office.delivery.flush()
    assert office.moments(match_id) == ["2", "3"]
    assert "I cannot write" not in office.fake.texts(CHANNEL)[-1]
    assert await office.left() == []


async def test_board_of_a_locked_and_archived_thread_goes_to_the_channel(office: Office) -> None:
    match_id, thread = await begin(office)
    office.fake.asleep.add(thread)
    office.fake.locked.add(thread)
    await office.club.matches.act(next(office.club.ids), match_id, ADA, "draw offer")
    await office.delivery.flush()
    office.fake.refusals[thread] = (400, 50083)
    await office.play(match_id)
    await office.delivery.flush()
    assert office.moments(match_id)[-1] == "3"
    assert controls(office, CHANNEL, match_id) == 1


async def test_first_board_without_leave_to_write_in_threads_is_in_the_channel(
    office: Office,
) -> None:
    match_id = await ask(office)
    (challenge,) = office.fake.channels[CHANNEL]
    office.fake.refusals[challenge] = (403, 50013)
    await accept(office, match_id)
    assert office.moments(match_id) == ["1"]
    assert office.moments(match_id, dm(ADA)) == []


async def test_a_board_that_may_have_arrived_above_is_found_there(office: Office) -> None:
    match_id, thread = await begin(office)
    office.fake.refusals[thread] = (403, 50013)
    await office.play(match_id)
    office.fake.lost_replies = {CHANNEL}
    await office.delivery.flush()
    assert await office.left() == [("post_board", "waiting")]
    office.fake.lost_replies = set()
    office.club.now += 400
    await office.delivery.flush()
    assert office.moments(match_id) == ["2"]
    assert await place(office, match_id) == (CHANNEL, None)


async def test_board_that_arrived_before_its_thread_was_closed_is_found(office: Office) -> None:
    match_id, thread = await begin(office)
    office.fake.lost_replies = {thread}
    await office.play(match_id)
    await office.delivery.flush()
    assert await office.left() == [("post_board", "waiting")]
    office.fake.lost_replies = set()
    office.fake.silenced.add(thread)
    office.club.now += 2
    await office.delivery.flush()
    assert await office.left() == []
    assert (office.moments(match_id, thread), office.moments(match_id)) == (["1", "2"], [])


# Moving


async def test_players_are_told_where_a_match_goes_on(office: Office) -> None:
    match_id, thread = await begin(office)
    await move(office, match_id)
    await office.delivery.flush()
    assert office.fake.pings[-1] == {ADA, BO}
    assert (
        f"-# <@{ADA}>, <@{BO}>: This match goes on here from now on"
        in office.fake.texts(ELSEWHERE)[-1]
    )
    (board,) = office.fake.channels[ELSEWHERE]
    link = f"https://discord.com/channels/{GUILD}/{ELSEWHERE}/{board}"
    assert link in office.fake.texts(thread)[-1]
    assert controls(office, thread, match_id) == 0
    await office.play(match_id)
    await office.delivery.flush()
    assert "goes on here" not in office.fake.texts(ELSEWHERE)[-1]


# Copies by DM


async def test_every_copy_by_dm_loses_its_controls(office: Office) -> None:
    match_id, thread = await begin(office)
    office.fake.silenced |= {thread, CHANNEL}
    for _ in range(3):
        await office.play(match_id)
        await office.delivery.flush()
    for player in (ADA, BO):
        assert office.moments(match_id, dm(player)) == ["2", "3", "4"]
        assert controls(office, dm(player), match_id) == 1
    assert controls(office, thread, match_id) == 0
    assert "this match goes on in your DMs" in office.fake.texts(thread)[-1]
    office.fake.silenced.clear()
    await office.play(match_id)
    await office.delivery.flush()
    assert controls(office, thread, match_id) == 1
    for player in (ADA, BO):
        assert controls(office, dm(player), match_id) == 0
        assert (
            f"This match goes on here: https://discord.com/channels/{GUILD}/{thread}"
            in (office.fake.texts(dm(player))[-1])
        )


async def test_every_copy_by_dm_is_kept_up_to_date(office: Office) -> None:
    match_id, thread = await begin(office)
    office.fake.silenced |= {thread, CHANNEL}
    await office.play(match_id)
    await office.delivery.flush()
    await office.club.matches.act(next(office.club.ids), match_id, ADA, "draw offer")
    await office.delivery.flush()
    for player in (ADA, BO):
        assert "offers a draw" in office.fake.texts(dm(player))[-1]
        assert controls(office, dm(player), match_id) == 1


async def test_each_player_gets_the_link_to_the_own_copy(office: Office) -> None:
    match_id, thread = await begin(office)
    office.fake.silenced |= {thread, CHANNEL}
    await office.play(match_id)
    await office.delivery.flush()
    for player in (ADA, BO):
        (match,) = await office.club.queries.list_for(player, "running")
        assert match.link == (dm(player), max(office.fake.channels[dm(player)]))
        assert match.linked_by_dm
    assert (await office.club.queries.match(match_id)).link is None


async def test_copies_by_dm_are_in_the_language_of_their_readers(office: Office) -> None:
    match_id, thread = await begin(office)
    await Preferences(office.club.database).set(BO, "language", "de")
    office.fake.silenced |= {thread, CHANNEL}
    for _ in range(2):
        await office.play(match_id)
        await office.delivery.flush()
    former, board = office.fake.texts(dm(BO))[-2:]
    assert "Erster Wurf" in former
    assert "-# Wo diese Partie gespielt wurde" in board
    former, board = office.fake.texts(dm(ADA))[-2:]
    assert "Set-up roll" in former
    assert "-# I cannot write any more" in board


async def test_copies_by_dm_are_exported_and_deleted_with_their_reader(office: Office) -> None:
    match_id, thread = await begin(office)
    office.fake.silenced |= {thread, CHANNEL}
    await office.play(match_id)
    await office.delivery.flush()
    database = office.club.database
    privacy = Privacy(database, Matches(database), Leases(database, "", lambda: office.club.now))
    (copy,) = (await privacy.export(BO))["boards sent by DM"]
    assert copy["channel_id"] == dm(BO)
    await privacy.erase(BO)
    copies, _ = await Places(database).posted(match_id, PostedKind.NOTICE)
    assert [copy.user_id for copy in copies] == [ADA]
