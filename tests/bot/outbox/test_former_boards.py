"""Boards that are no longer the latest keep what they said."""

from __future__ import annotations

import pytest

from bot.outbox import former_boards
from tests.support.deliveries import CHANNEL, DeliveryFixture, race


async def test_former_board_keeps_a_choice_that_was_taken_back(
    delivery: DeliveryFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The next choice has the same number: a replay would show that one."""
    monkeypatch.setattr(former_boards, "MAX_SHOWN", 1)
    env, match_id = delivery.env, await race(delivery)
    user = await env.on_turn(match_id)
    legal = [str(each)[2:] for each in (await env.queries.view(match_id, user)).view.legal]
    up = next(line for line in legal if line.startswith("up "))
    down = up.replace("up", "down")
    assert (await env.matches.act(next(env.ids), match_id, user, up)).kind == "done"
    await delivery.worker.flush()
    assert "changes from 6 to 7" in delivery.fake.texts(CHANNEL)[-1]
    assert (await env.takebacks.take_back(next(env.ids), match_id, user)).kind == "done"
    assert (await env.matches.act(next(env.ids), match_id, user, down)).kind == "done"
    await delivery.worker.flush()
    *_, taken_back, _before, newest = delivery.fake.texts(CHANNEL)
    assert "changes from 6 to 7" in taken_back
    assert "changes from 6 to 5" in newest
    assert len(delivery.sender._boards._former._shown) == 1, "memory is limited"
