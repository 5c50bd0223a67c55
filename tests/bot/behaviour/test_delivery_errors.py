"""Deliveries that fail are repeated after a pause, or given up."""

from __future__ import annotations

from contextlib import nullcontext
from types import SimpleNamespace
from typing import Any

import aiohttp
import discord
import pytest

from bot.domain.ids import MatchId, UserId
from bot.domain.outbox import EVERYONE, OutboxKind, OutboxMessage, Target
from bot.outbox.transport import UNAUTHORIZED_PAUSE_SECONDS
from bot.outbox.worker import RetryLaterError, UndeliverableError
from bot.services.match_repository import OutdatedMatchError
from bot.views.images import NO_EMOJIS
from bot.views.message import note
from tests.support.deliveries import DeliveryFixture
from tests.support.fake_objects import dm
from tests.support.matches import ADA

EMOJI_GONE = 50035
"""Discord's code for an invalid form, such as one with an emoji that was deleted."""


def http_error(status: int, code: int = 0, retry_after: str = "") -> discord.HTTPException:
    headers = {"Retry-After": retry_after} if retry_after else {}
    response: Any = SimpleNamespace(status=status, reason="no", headers=headers)
    return discord.HTTPException(response, {"code": code, "message": "no"})


def board(kind: OutboxKind = OutboxKind.POST_BOARD) -> OutboxMessage:
    return OutboxMessage(1, MatchId(1), EVERYONE, kind, {}, 1, 0.0, "key")


@pytest.fixture
def failing(delivery: DeliveryFixture, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Let each delivery raise an error."""

    def fail(error: BaseException) -> Any:
        async def read(_queued: OutboxMessage) -> Any:
            raise error

        monkeypatch.setattr(delivery.sender._deliveries, "read", read)
        return delivery.sender

    return fail


@pytest.mark.parametrize(
    ("error", "seconds"),
    [
        (discord.RateLimited(61.0), 61.0),
        (http_error(503), 0.0),
        (http_error(500), 0.0),
        (http_error(408), 0.0),
        (http_error(429, retry_after="7"), 7.0),
        (http_error(401), UNAUTHORIZED_PAUSE_SECONDS),
        (TimeoutError(), 0.0),
        (aiohttp.ClientError(), 0.0),
        (aiohttp.ServerDisconnectedError(), 0.0),
        (OSError(), 0.0),
    ],
)
async def test_error_that_may_pass_is_tried_again_after_a_pause(
    failing: Any, error: Exception, seconds: float
) -> None:
    with pytest.raises(RetryLaterError) as later:
        await failing(error).deliver(board())
    assert later.value.after == seconds


@pytest.mark.parametrize(
    "error",
    [http_error(400), http_error(403), http_error(404), http_error(499), OutdatedMatchError("x")],
)
async def test_refused_message_is_given_up(failing: Any, error: Exception) -> None:
    with pytest.raises(UndeliverableError):
        await failing(error).deliver(board())


async def test_message_is_sent_again_without_emojis_that_are_gone(
    failing: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    sender = failing(http_error(400, EMOJI_GONE))
    sender._images.emojis = object()
    monkeypatch.setattr(sender._images, "needs_no_emojis", lambda _error: True)
    with pytest.raises(RetryLaterError):
        await sender.deliver(board())
    assert sender._images.emojis is NO_EMOJIS


@pytest.mark.parametrize(
    ("error", "result"),
    [(None, True), (http_error(403, 50007), False), (http_error(503), None)],
)
@pytest.mark.parametrize("is_emoji", [False, True])
async def test_dm_is_sent_to_its_receiver_and_its_result_stored(
    delivery: DeliveryFixture,
    monkeypatch: pytest.MonkeyPatch,
    error: Exception | None,
    result: bool | None,
    is_emoji: bool,
) -> None:
    """Whether it was refused is unknown if it may arrive later, or without emojis."""
    sender, sent, results = delivery.sender, list[Any](), list[Any]()

    async def post(
        channel: Any, _queued: OutboxMessage, _make: Any, receiver: UserId | None = None
    ) -> None:
        sent.append((channel.id, receiver))
        if error:
            raise error

    async def record(user_id: UserId, *, by_dm: bool) -> None:
        results.append((user_id, by_dm))

    monkeypatch.setattr(sender.notifications._transport, "post", post)
    monkeypatch.setattr(sender.notifications._preferences, "record_dm_result", record)
    monkeypatch.setattr(sender._images, "needs_no_emojis", lambda _error: is_emoji)
    queued = board()._replace(target=Target(ADA))
    is_known = error is None or (result is not None and not is_emoji)
    with nullcontext() if is_known else pytest.raises(discord.HTTPException):
        await sender.notifications.send_dm(queued, lambda: note("-"))
    assert sent == [(dm(ADA), ADA)]
    assert results == ([(ADA, result)] if is_known else [])
