"""Places of boards: notes about a new place, and boards that are edited later."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import discord
import pytest

from bot.domain.ids import ChannelId, MatchId, UserId
from bot.domain.outbox import EVERYONE, OutboxKind, OutboxMessage, PostedKind, SentCopy
from bot.outbox.destinations import Destinations
from bot.services.deliveries import Deliveries, DeliverySnapshot, MessageState
from bot.views.message import note
from render import i18n
from tests.support.deliveries import CHANNEL, DeliveryFixture, race
from tests.support.fake_objects import dm
from tests.support.matches import ADA, BO, MatchFixture

HERE = "From now on, this match continues here."
STRANDED = "I can no longer post where this match was played"


FORMER, PARENT, MESSAGE = ChannelId(8), ChannelId(9), 900
"""A former channel of a match, the parent of its thread, and a message."""


class Discord:
    """Channels in which an earlier attempt may have arrived, in place of a client and transport."""

    def __init__(self, *arrived: int) -> None:
        self.there = arrived
        self.sent: list[tuple[int, UserId | None]] = []
        self.left: list[tuple[int, int]] = []

    async def create_dm(self, user: Any) -> Any:
        return SimpleNamespace(id=dm(user.id))

    def channel(self, number: int, _guild_id: int | None) -> Any:
        return SimpleNamespace(id=number)

    async def find_or_none(self, channel: Any, _queued: OutboxMessage) -> Any:
        return SimpleNamespace(id=MESSAGE) if channel.id in self.there else None

    async def post(
        self, channel: Any, _queued: OutboxMessage, make: Any, user: UserId | None = None
    ) -> Any:
        make()
        self.sent.append((channel.id, user))
        return SimpleNamespace(id=MESSAGE + 1)

    async def leave_thread(self, match_id: MatchId, thread_id: int) -> None:
        self.left.append((match_id, thread_id))

    async def record_dm_result(self, _user: UserId, *, by_dm: bool) -> None:
        assert by_dm


def destinations(discord: Discord) -> Destinations:
    stub: Any = discord
    images: Any = SimpleNamespace(needs_no_emojis=lambda _error: False)
    return Destinations(stub, stub, stub, stub, preferences=stub, images=images)


async def moved_match(
    env: MatchFixture, *former: ChannelId, parent: ChannelId | None = None
) -> tuple[OutboxMessage, DeliverySnapshot]:
    """Return the second attempt to post a board, and its match, which has left some channels."""
    match_id = await env.begin()
    kind, payload = OutboxKind.POST_BOARD, {"version": 1, "action_count": 1}
    queued = OutboxMessage(1, match_id, EVERYONE, kind, payload, 1, env.now, "key")
    read = await Deliveries(env.database, env.queries).read(queued)
    match = replace(read.match, parent_channel_id=parent)
    return queued, replace(read, match=match, former_channels=former)


def refusal(status: int) -> discord.HTTPException:
    response: Any = SimpleNamespace(status=status, reason="")
    return discord.HTTPException(response, "")


BY_DM = [SentCopy(ADA, dm(ADA), MESSAGE), SentCopy(BO, dm(BO), MESSAGE)]


@pytest.mark.parametrize(
    ("arrived", "copies"),
    [
        ([FORMER], [SentCopy(None, FORMER, MESSAGE)]),
        ([FORMER, dm(ADA)], [SentCopy(None, FORMER, MESSAGE)]),
        ([dm(ADA), dm(BO)], BY_DM),
        ([dm(BO)], BY_DM[1:]),
        ([], []),
    ],
)
async def test_copies_of_an_earlier_attempt_are_found(
    env: MatchFixture, arrived: list[int], copies: list[SentCopy]
) -> None:
    queued, read = await moved_match(env, FORMER)
    result = await destinations(Discord(*arrived)).arrived_in(queued, read.match, [FORMER])
    assert result == copies


@pytest.mark.parametrize("is_moved", [False, True])
async def test_both_players_get_a_board_by_dm_unless_the_match_moved(
    env: MatchFixture, is_moved: bool
) -> None:
    queued, read = await moved_match(env, FORMER if is_moved else CHANNEL)
    discord = Discord(dm(ADA))
    copies = await destinations(discord).post(queued, read, lambda: note("board"))
    assert [copy.user_id for copy in copies] == ([ADA] if is_moved else [ADA, BO])
    assert discord.sent == ([] if is_moved else [(dm(ADA), ADA), (dm(BO), BO)])


@pytest.mark.parametrize("channel", [FORMER, PARENT])
async def test_match_leaves_its_thread_only_for_the_channel_above(
    env: MatchFixture, channel: ChannelId
) -> None:
    """What an earlier attempt posted elsewhere does not move it."""
    queued, read = await moved_match(env, channel, parent=PARENT)
    discord = Discord(channel)
    copies = await destinations(discord).post(queued, read, lambda: note("board"))
    assert copies == [SentCopy(None, ChannelId(channel), MESSAGE)]
    assert discord.left == ([(queued.match_id, CHANNEL)] if channel == PARENT else [])
    assert not discord.sent


@pytest.mark.parametrize(
    ("channel", "former", "is_moved", "words"),
    [
        (CHANNEL, [], False, ""),
        (CHANNEL, [CHANNEL], False, ""),
        (CHANNEL, [FORMER], False, HERE),
        (CHANNEL, [FORMER, CHANNEL], False, ""),
        (CHANNEL, [CHANNEL], True, HERE),
        (PARENT, [], False, STRANDED),
        (PARENT, [PARENT], True, STRANDED),
    ],
)
async def test_note_says_that_a_match_continues_elsewhere(
    env: MatchFixture, channel: int, former: list[int], is_moved: bool, words: str
) -> None:
    queued, read = await moved_match(env, parent=PARENT)
    queued = queued._replace(payload={"moved": 1} if is_moved else {})
    copies = [SentCopy(None, ChannelId(channel), MESSAGE) for channel in former]
    make = Destinations._with_place_note(
        queued, read.match, lambda: note("-"), ChannelId(channel), copies
    )
    layout: Any = make().layout
    text = str(layout.to_components())
    assert [sentence for sentence in (HERE, STRANDED) if sentence in text] == [words] * bool(words)


async def test_move_before_the_first_board_is_told(delivery: DeliveryFixture) -> None:
    """The other player is not there."""
    env, channel = delivery.env, CHANNEL + 1
    match_id = await env.begin()
    await env.boards.move(next(env.ids), match_id, ADA, (None, channel))
    await delivery.worker.flush()
    assert HERE in delivery.fake.texts(channel)[-1]
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
    assert [delivery.moments(match_id, dm(user)) for user in (ADA, BO)] == [["20"], ["20"]]
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
    versions = []
    for _ in range(3):
        await delivery.play(match_id)
        await delivery.worker.flush()
        versions.append(delivery.fake.texts(dm(ADA)))
    assert [len(texts) for texts in versions[1:]] == [len(versions[0])] * 2, "they are edited"
    assert len({texts[-1] for texts in versions}) == 3
    assert all(STRANDED in texts[-1] for texts in versions)


async def test_board_in_its_channel_has_no_note_when_edited(delivery: DeliveryFixture) -> None:
    match_id = await race(delivery)
    await delivery.play(match_id)
    await delivery.worker.flush()
    assert not any(STRANDED in text for text in delivery.fake.texts(CHANNEL))


@pytest.mark.parametrize(
    ("replaced", "error", "deleted"),
    [
        (True, discord.RateLimited(600.0), [ADA, BO]),
        (False, discord.RateLimited(600.0), None),
        (True, refusal(404), []),
        (False, refusal(403), []),
        (True, refusal(503), None),
    ],
)
async def test_all_copies_of_a_message_edited_too_often_are_deleted(
    env: MatchFixture, replaced: bool, error: Exception, deleted: list[int] | None
) -> None:
    """If a new one is posted then; one that was refused stays, and an outage is waited for."""
    _queued, read = await moved_match(env)
    read = replace(read, posted={**read.posted, PostedKind.BOARD: MessageState(tuple(BY_DM), 1)})
    stub: Any = Discord()
    user_ids: list[UserId | None] = []

    async def fail(*_given: Any) -> None:
        raise error

    async def delete(copy: SentCopy, _guild_id: int | None) -> bool:
        user_ids.append(copy.user_id)
        return True

    async def of_copy(_copy: SentCopy, _delivery: Any) -> str:
        return "en"

    stub.replace, stub.delete, stub.of_copy = fail, delete, of_copy
    edit = destinations(stub).edit(read, PostedKind.BOARD, lambda: note("board"), replaced=replaced)
    if deleted is None:
        with pytest.raises(type(error)):
            await edit
        assert not user_ids
    else:
        assert await edit == []
        assert user_ids == deleted


async def test_each_copy_is_edited_in_the_language_of_its_reader(env: MatchFixture) -> None:
    """Only a copy by DM says that the match continues there."""
    _queued, read = await moved_match(env)
    copies = [BY_DM[0], SentCopy(None, CHANNEL, MESSAGE)]
    read = replace(read, posted={**read.posted, PostedKind.BOARD: MessageState(tuple(copies), 1)})
    stub: Any = Discord()
    texts: list[tuple[UserId | None, str]] = []

    async def edit(copy: SentCopy, _guild_id: int | None, make: Any) -> None:
        texts.append((copy.user_id, str(make().layout.to_components())))

    async def of_copy(copy: SentCopy, _delivery: Any) -> str:
        return "de" if copy.user_id else "en"

    stub.replace, stub.of_copy = edit, of_copy
    await destinations(stub).edit(read, PostedKind.BOARD, lambda: note(i18n._("Finished")))
    (ada, dm_text), (public, text) = texts
    assert (ada, public) == (ADA, None)
    assert "Beendet" in dm_text
    assert "Finished" in text
    assert "*Hierher verlegen*" in dm_text
    assert "*Move here*" not in text
