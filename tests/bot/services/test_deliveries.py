"""What deliveries read of a match."""

from __future__ import annotations

import pytest

from bot.services.deliveries import Deliveries
from bot.services.match_rows import NoMatchError
from bot.services.outbox import OutboxKind, OutboxMessage, Target
from tests.support.matches import ADA, MatchFixture


def message(match_id: int, kind: OutboxKind) -> OutboxMessage:
    return OutboxMessage(1, match_id, Target(), kind, {"action_count": 0}, 1, 1000.0, "key")


async def test_no_match_is_no_delivery(env: MatchFixture) -> None:
    deliveries = Deliveries(env.database, env.queries, env.clock)
    for kind in (OutboxKind.POST_CHALLENGE, OutboxKind.POST_BOARD):
        with pytest.raises(NoMatchError, match="999"):
            await deliveries.read(message(999, kind))


async def test_a_challenge_has_no_perspective(env: MatchFixture) -> None:
    deliveries = Deliveries(env.database, env.queries, env.clock)
    asked = await deliveries.read(message(await env.ask(), OutboxKind.POST_CHALLENGE))
    with pytest.raises(NoMatchError):
        asked.perspective()
    begun = await deliveries.read(message(await env.begin(), OutboxKind.POST_BOARD))
    assert begun.perspective(ADA).seat == "O"
