"""Names of a delivery at Discord and in a channel's history."""

from __future__ import annotations

import pytest

from bot.domain.ids import ChannelId, GuildId, MatchId, UserId
from bot.domain.outbox import (
    EVERYONE,
    FORMER,
    LOWEST_MARK,
    OutboxKind,
    OutboxMessage,
    PostedKind,
    Priority,
    SentCopy,
    SentMessage,
    Target,
    mark_of,
    outbox_row,
    retirements,
    server_target,
)

MESSAGE = OutboxMessage(
    id=1,
    match_id=MatchId(1),
    target=EVERYONE,
    kind=OutboxKind.POST_BOARD,
    payload={},
    attempts=1,
    first_attempt_at=1000.0,
    key="delivery",
)


def test_another_version_of_the_bot_repeats_nonce_and_mark() -> None:
    """Otherwise it would repeat messages posted just before an update."""
    assert MESSAGE.nonce(ChannelId(5)) == "2671bdf415efd95d59b665e0"
    assert MESSAGE.mark == 1117883703


def test_each_channel_and_each_delivery_has_its_own_nonce() -> None:
    other = MESSAGE._replace(key="other")
    nonces = {
        message.nonce(ChannelId(channel)) for message in (MESSAGE, other) for channel in (5, 6)
    }
    assert len(nonces) == 4
    repeated = MESSAGE._replace(id=2, attempts=2, first_attempt_at=2000.0)
    assert repeated.nonce(ChannelId(5)) == MESSAGE.nonce(ChannelId(5))


@pytest.mark.parametrize(
    ("kind", "priority"),
    [
        (OutboxKind.POST_BOARD, Priority.AWAITED),
        (OutboxKind.START_THREAD, Priority.AWAITED),
        (OutboxKind.TURN_PING, Priority.BACKGROUND),
    ],
)
def test_what_a_player_waits_for_comes_first(kind: OutboxKind, priority: Priority) -> None:
    assert outbox_row(MatchId(1), kind, EVERYONE, {}, 1000.0)["priority"] == priority


@pytest.mark.parametrize("priority", Priority)
def test_feature_chooses_the_priority_of_its_kinds(priority: Priority) -> None:
    assert outbox_row(MatchId(1), "other", EVERYONE, {}, 1000.0)["priority"] == Priority.AWAITED
    row = outbox_row(MatchId(1), "other", EVERYONE, {}, 1000.0, priority=priority)
    assert (row["kind"], row["priority"]) == ("other", priority)


@pytest.mark.parametrize("key", ["", "delivery", "a", "b", "c", "d"])
def test_mark_is_a_large_positive_number_of_32_bits(key: str) -> None:
    assert LOWEST_MARK <= mark_of(key) < 1 << 31


def test_former_board_is_described_for_its_retirement() -> None:
    """A copy by DM is for its receiver: it is forgotten with their data."""
    former = SentMessage(
        PostedKind.BOARD,
        7,
        [SentCopy(UserId(11), ChannelId(5), 60), SentCopy(None, ChannelId(6), 61)],
    )
    rows = retirements(MatchId(3), former, 1000.0)
    assert [(row["match_id"], row["target"], row["payload"]) for row in rows] == [
        (3, "user:11", {"channel": 5, "message": 60, "action_count": 7}),
        (3, str(FORMER), {"channel": 6, "message": 61, "action_count": 7}),
    ]


def test_only_a_target_by_dm_has_a_recipient() -> None:
    assert (Target.parse("user:11").recipient, Target.parse("user:11")) == (11, Target(UserId(11)))
    for everyone in (Target(), FORMER, server_target(GuildId(9))):
        assert Target.parse(str(everyone)) == everyone
        with pytest.raises(ValueError, match=everyone.place):
            _ = everyone.recipient


def test_only_what_a_player_waits_for_is_urgent() -> None:
    later = {kind for kind in OutboxKind if priority_of(kind) == Priority.BACKGROUND}
    assert later == {
        OutboxKind.UPDATE_POST,
        OutboxKind.TURN_PING,
        OutboxKind.TURN_DM,
        OutboxKind.RETIRE_BOARD,
        OutboxKind.CLOSE_QUESTION,
    }


def priority_of(kind: OutboxKind) -> object:
    return outbox_row(MatchId(1), kind, EVERYONE, {}, 0.0)["priority"]
