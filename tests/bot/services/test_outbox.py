"""The names by which Discord and the history of a channel know a delivery."""

from __future__ import annotations

import pytest

from bot.services.outbox import (
    EVERYONE,
    LOWEST_MARK,
    OutboxKind,
    OutboxMessage,
    Priority,
    mark_of,
    outbox_row,
)

MESSAGE = OutboxMessage(
    id=1,
    match_id=1,
    target=EVERYONE,
    kind=OutboxKind.POST_BOARD,
    payload={},
    attempts=1,
    first_attempt_at=1000.0,
    key="delivery",
)


def test_another_version_of_the_bot_repeats_nonce_and_mark() -> None:
    """Otherwise it would post again what was posted just before an update."""
    assert MESSAGE.nonce(5) == "2671bdf415efd95d59b665e0"
    assert MESSAGE.mark == 1117883703


def test_each_channel_and_each_delivery_has_its_own_nonce() -> None:
    other = MESSAGE._replace(key="other")
    nonces = {each.nonce(channel) for each in (MESSAGE, other) for channel in (5, 6)}
    assert len(nonces) == 4
    again = MESSAGE._replace(id=2, attempts=2, first_attempt_at=2000.0)
    assert again.nonce(5) == MESSAGE.nonce(5)


@pytest.mark.parametrize(
    ("kind", "priority"),
    [
        (OutboxKind.POST_BOARD, Priority.AWAITED),
        (OutboxKind.START_THREAD, Priority.AWAITED),
        (OutboxKind.TURN_PING, Priority.BACKGROUND),
        (OutboxKind.UPDATE_HALL, Priority.BACKGROUND),
    ],
)
def test_what_a_player_waits_for_comes_first(kind: OutboxKind, priority: Priority) -> None:
    assert outbox_row(1, kind, EVERYONE, {}, 1000.0)["priority"] == priority


@pytest.mark.parametrize("key", ["", "delivery", "a", "b", "c", "d"])
def test_mark_is_a_large_positive_number_of_32_bits(key: str) -> None:
    assert LOWEST_MARK <= mark_of(key) < 1 << 31
