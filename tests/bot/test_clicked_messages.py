"""Clicks are kept as long as their message may be edited by them, and no more of them than that."""

from __future__ import annotations

import asyncio
import gc
import weakref
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from types import SimpleNamespace
from typing import Any

import discord
import pytest

from bot import clicked_messages
from bot.clicked_messages import ClickedMessages

KEPT = 3


class Webhook:
    """Edits with the token of a click; Discord takes no edit of a message in `refused`."""

    def __init__(self) -> None:
        self.edits: list[tuple[int, str]] = []
        self.refused = False

    async def edit_message(self, message_id: int, *, content: str) -> None:
        """Edit a message."""
        if self.refused:
            response: Any = SimpleNamespace(status=401, reason="Unauthorized")
            raise discord.HTTPException(response, {"code": 50027, "message": ""})
        self.edits.append((message_id, content))


class Click:
    """An interaction with a message."""

    def __init__(self, message_id: int | None) -> None:
        self.message = None if message_id is None else SimpleNamespace(id=message_id)
        self.followup = Webhook()


def acknowledge(clicked: ClickedMessages, message_id: int | None) -> Webhook:
    """Acknowledge a click on a message."""
    click: Any = Click(message_id)
    with clicked.acknowledging(click):
        pass
    webhook: Webhook = click.followup
    return webhook


async def edit(clicked: ClickedMessages, message_id: int) -> bool:
    """Edit a message through a click."""
    return await clicked.edit(message_id, lambda: {"content": "new"})


@contextmanager
def failing(clicked: ClickedMessages, click: Any) -> Iterator[None]:
    """Let the acknowledgement of a click fail at the end of the block."""
    with suppress(RuntimeError), clicked.acknowledging(click):
        yield
        raise RuntimeError


@pytest.fixture
def clicked(monkeypatch: pytest.MonkeyPatch) -> ClickedMessages:
    """Return clicks with a small limit."""
    monkeypatch.setattr(clicked_messages, "MAX_CLICKS", KEPT)
    return ClickedMessages()


async def test_a_message_is_edited_by_the_latest_click_on_it(clicked: ClickedMessages) -> None:
    earlier, later = acknowledge(clicked, 1), acknowledge(clicked, 1)
    assert await edit(clicked, 1)
    assert (earlier.edits, later.edits) == ([], [(1, "new")])
    assert not await edit(clicked, 2)
    assert len(clicked) == 1


async def test_the_click_longest_ago_is_dropped_first(clicked: ClickedMessages) -> None:
    for message_id in (1, 2, 3, 1, 4):
        acknowledge(clicked, message_id)
    assert len(clicked) == KEPT
    assert [await edit(clicked, number) for number in (1, 2, 3, 4)] == [True, False, True, True]


async def test_clicks_are_dropped_when_they_expire(
    clicked: ClickedMessages, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = [100.0]
    monkeypatch.setattr(clicked_messages, "monotonic", lambda: now[0])
    acknowledge(clicked, 1)
    now[0] += clicked_messages.KEPT_SECONDS
    assert await edit(clicked, 1)
    acknowledge(clicked, 2)
    assert len(clicked) == 2
    now[0] += 1
    assert not await edit(clicked, 1)
    acknowledge(clicked, 2)
    assert len(clicked) == 1


async def test_an_edit_waits_for_the_acknowledgement(clicked: ClickedMessages) -> None:
    click: Any = Click(1)
    with clicked.acknowledging(click):
        edited = asyncio.create_task(edit(clicked, 1))
        await asyncio.sleep(0)
        assert not click.followup.edits
    assert await edited


async def test_a_click_that_is_not_acknowledged_is_dropped(clicked: ClickedMessages) -> None:
    with failing(clicked, Click(1)):
        edited = asyncio.create_task(edit(clicked, 1))
        await asyncio.sleep(0)
    assert not await edited
    assert not len(clicked)


async def test_a_later_click_is_kept_when_an_earlier_one_fails(clicked: ClickedMessages) -> None:
    with failing(clicked, Click(1)):
        later = acknowledge(clicked, 1)
    assert await edit(clicked, 1)
    later.refused = True
    assert not await edit(clicked, 1)
    assert not len(clicked)


async def test_of_a_click_no_message_is_kept(clicked: ClickedMessages) -> None:
    """Garbage collections would have to look at all of its parts."""
    click: Any = Click(1)
    gone = weakref.ref(click)
    with clicked.acknowledging(click):
        pass
    gc.disable()
    del click
    try:
        assert gone() is None
    finally:
        gc.enable()
    assert len(clicked) == 1
    acknowledge(clicked, None)
    assert len(clicked) == 1
    clicked.clear()
    assert not await edit(clicked, 1)
