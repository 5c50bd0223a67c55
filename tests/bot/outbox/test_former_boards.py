"""Boards that are no longer the latest keep what they said."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Any

import discord
import pytest
from sqlalchemy import delete, insert

from bot.domain.ids import ChannelId, MatchId, UserId
from bot.domain.models import Perspective
from bot.domain.outbox import (
    OutboxKind,
    OutboxMessage,
    PostedKind,
    SentCopy,
    SentMessage,
    Target,
    retirements,
)
from bot.outbox import former_boards
from bot.services.deliveries import Deliveries, MessageState
from bot.storage.schema import outbox, posted_messages
from bot.views import public_boards
from bot.views.names import escaped_names
from tests.support.deliveries import CHANNEL, DeliveryFixture, posted, race
from tests.support.fake_objects import dm
from tests.support.matches import ADA, BO


async def test_former_board_keeps_a_choice_that_was_taken_back(
    delivery: DeliveryFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The next choice has the same number: a replay would show that one."""
    monkeypatch.setattr(former_boards, "MAX_SHOWN", 1)
    env, match_id = delivery.env, await race(delivery)
    user = await env.on_turn(match_id)
    legal = [str(action)[2:] for action in (await env.queries.view(match_id, user)).view.legal]
    up = next(line for line in legal if line.startswith("up "))
    down = up.replace("up", "down")
    assert (await env.matches.act(next(env.ids), match_id, user, up)).kind == "done"
    await delivery.worker.flush()
    assert "changed from 6 to 7" in delivery.fake.texts(CHANNEL)[-1]
    assert (await env.takebacks.take_back(next(env.ids), match_id, user)).kind == "done"
    assert (await env.matches.act(next(env.ids), match_id, user, down)).kind == "done"
    await delivery.worker.flush()
    *_, taken_back, _before, newest = delivery.fake.texts(CHANNEL)
    assert "changed from 6 to 7" in taken_back
    assert "changed from 6 to 5" in newest
    assert len(delivery.sender.boards._former._shown) == 1, "memory is limited"


def live(delivery: DeliveryFixture, channel: int = CHANNEL) -> list[bool]:
    """Whether the messages of a channel have controls, the oldest first."""
    fake_discord = delivery.fake
    marks_of_messages = [
        fake_discord.marks(channel, number) for number in sorted(fake_discord.channels[channel])
    ]
    return [
        any(mark.startswith(("act:", "pick:", "form:")) for mark in marks)
        for marks in marks_of_messages
    ]


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
    assert "This match continues [here](" in delivery.fake.texts(dm(ADA))[-1]


async def test_latest_board_keeps_its_controls(delivery: DeliveryFixture) -> None:
    match_id = await race(delivery)
    former = SentMessage(PostedKind.BOARD, 1, (await boards(delivery, match_id)).copies)
    async with delivery.env.database.write() as connection:
        await connection.execute(insert(outbox), retirements(match_id, former, 0.0))
    await delivery.worker.flush()
    assert await delivery.left() == []
    assert live(delivery)[-1]


@pytest.mark.parametrize("user_id", [None, ADA])
async def test_controls_are_removed_from_the_copy_of_its_receiver(
    delivery: DeliveryFixture, monkeypatch: pytest.MonkeyPatch, user_id: UserId | None
) -> None:
    """It shows the actions that it showed before."""
    match_id = await race(delivery)
    service, edits = delivery.sender.boards._former, list[SentCopy]()
    former = SentCopy(user_id, CHANNEL, 900)

    async def edit(copy: SentCopy, _guild_id: int | None, _changes: object) -> None:
        edits.append(copy)

    monkeypatch.setattr(service._transport, "edit", edit)
    counts: list[int] = []
    view = delivery.env.queries.view

    async def noted(match: int, user: UserId | None = None, *, action_count: int) -> Perspective:
        counts.append(action_count)
        return await view(MatchId(match), user, action_count=action_count)

    monkeypatch.setattr(delivery.env.queries, "view", noted)
    (row,) = retirements(match_id, SentMessage(PostedKind.BOARD, 7, [former]), 0.0)
    target, payload = Target.parse(str(row["target"])), {"channel": CHANNEL, "message": 900}
    payload["action_count"] = 7
    kind = OutboxKind.RETIRE_BOARD
    queued = OutboxMessage(1, match_id, target, kind, payload, 1, delivery.env.now, "key")
    assert row["payload"] == payload
    read = await Deliveries(delivery.env.database, delivery.env.queries).read(queued)
    await service.retire_later(queued, read)
    assert edits == [former]
    assert counts == [7]


async def test_only_copies_that_keep_their_controls_are_tried_again(
    delivery: DeliveryFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    match_id = await race(delivery)
    service = delivery.sender.boards._former
    old = [
        SentCopy(ADA, dm(ADA), 900),
        SentCopy(BO, dm(BO), 901),
        SentCopy(None, CHANNEL, 902),
    ]

    async def edit(copy: SentCopy, _guild_id: int | None, _changes: object) -> None:
        if copy.message_id in {901, 902}:
            raise discord.RateLimited(60.0)

    monkeypatch.setattr(service._transport, "edit", edit)
    kind, payload = OutboxKind.POST_BOARD, {"version": 1, "action_count": 1}
    queued = OutboxMessage(1, match_id, Target(), kind, payload, 1, delivery.env.now, "key")
    read = await Deliveries(delivery.env.database, delivery.env.queries).read(queued)
    read = replace(read, posted={**read.posted, PostedKind.BOARD: MessageState(tuple(old), 1)})
    assert await service.retire(read, old[2:]) == SentMessage(PostedKind.BOARD, 1, old[1:2])


async def test_remembered_board_has_the_names_of_today(delivery: DeliveryFixture) -> None:
    match_id = await race(delivery)
    service = delivery.sender.boards._former
    ((message_id, count),) = [key for key in service._shown if key[1] > 1]
    kind, payload = OutboxKind.POST_BOARD, {"version": 1, "action_count": 1}
    queued = OutboxMessage(1, match_id, Target(), kind, payload, 1, delivery.env.now, "key")
    read = await Deliveries(delivery.env.database, delivery.env.queries).read(queued)
    read = replace(read, match=replace(read.match, channel_id=ChannelId(CHANNEL + 1)))
    make: Any = await service._factory(read, message_id, count)
    assert make.args[0].match is read.match


async def test_board_by_dm_is_remembered_by_its_first_copy(delivery: DeliveryFixture) -> None:
    match_id = await race(delivery)
    delivery.fake.refusals[CHANNEL] = (403, 50013)
    await delivery.play(match_id)
    await delivery.worker.flush()
    copies = (await boards(delivery, match_id)).copies
    assert len(copies) == 2
    remembered = {message for message, _count in delivery.sender.boards._former._shown}
    assert copies[0].message_id in remembered
    assert copies[1].message_id not in remembered


@pytest.mark.parametrize(
    ("copy", "new", "words"),
    [
        (
            SentCopy(None, CHANNEL, 900),
            SentCopy(None, CHANNEL, 901),
            ["To the board", f"https://discord.com/channels/@me/{CHANNEL}/901"],
        ),
        (
            SentCopy(ADA, dm(ADA), 900),
            SentCopy(ADA, dm(ADA), 901),
            ["To the board", f"https://discord.com/channels/@me/{dm(ADA)}/901"],
        ),
        (
            SentCopy(None, CHANNEL, 900),
            SentCopy(None, ChannelId(CHANNEL + 1), 901),
            [f"/{CHANNEL + 1}/901"],
        ),
        (SentCopy(ADA, dm(ADA), 900), SentCopy(None, CHANNEL, 901), [f"/{CHANNEL}/901"]),
        (SentCopy(None, CHANNEL, 900), SentCopy(ADA, dm(ADA), 901), ["continues in your DMs"]),
    ],
)
async def test_former_board_links_to_the_place_of_the_new_one(
    delivery: DeliveryFixture, copy: SentCopy, new: SentCopy, words: list[str]
) -> None:
    """Not to the DM of a player."""
    match_id = await race(delivery)
    perspective = await delivery.env.queries.view(match_id)
    make = partial(public_boards.former_board, perspective, 3)
    layout: Any = former_boards._former(make, perspective.match, copy, [new]).layout
    text = str(layout.to_components())
    is_near = copy.channel_id == new.channel_id
    assert ("To the board" in text) == is_near
    assert ("your DMs" in text) == (bool(new.user_id) and not is_near)
    assert all(part in text for part in words)


async def test_former_board_has_only_a_link_to_click(delivery: DeliveryFixture) -> None:
    """Its position is still named, for the menu of a message."""
    match_id = await race(delivery)
    perspective = await delivery.env.queries.view(match_id)
    message = public_boards.former_board(perspective, 3, "https://discord.com/x")
    buttons = [
        item for item in message.layout.walk_children() if isinstance(item, discord.ui.Button)
    ]
    assert [button.custom_id for button in buttons if button.disabled] == [f"text:{match_id}:3"]
    assert [button.url for button in buttons if not button.disabled] == ["https://discord.com/x"]
    layout: Any = message.layout
    text = str(layout.to_components())
    assert "**" not in text, "it calls no player"
    assert escaped_names(perspective.match)["B"] in text


async def test_board_of_a_match_without_another_one_is_left(delivery: DeliveryFixture) -> None:
    """Its message was stored no more before the controls could be removed."""
    match_id = await race(delivery)
    before = live(delivery)
    former = SentMessage(PostedKind.BOARD, 1, [SentCopy(None, ChannelId(CHANNEL + 1), 900)])
    async with delivery.env.database.write() as connection:
        await connection.execute(delete(posted_messages))
        await connection.execute(insert(outbox), retirements(match_id, former, 0.0))
    await delivery.worker.flush()
    assert await delivery.left() == []
    assert live(delivery) == before


async def boards(delivery: DeliveryFixture, match_id: MatchId) -> MessageState:
    return await posted(delivery.env.database, match_id, PostedKind.BOARD)
