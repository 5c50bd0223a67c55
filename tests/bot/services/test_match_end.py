"""The end of a match: what features learn, and when a series goes on."""

from __future__ import annotations

from typing import Any

import pytest

from bot.services.events import MatchEnded, MatchEnding
from tests.support.matches import ADA, BO, PLAYERS, MatchFixture, terms


@pytest.mark.parametrize("rated", [False, True])
@pytest.mark.parametrize("is_handled", [False, True])
async def test_series_goes_on_unless_a_feature_decides_that(
    env: MatchFixture, *, rated: bool, is_handled: bool
) -> None:
    events: list[Any] = []

    async def note(_connection: Any, event: Any) -> bool:
        events.append(event)
        return is_handled

    kinds = (MatchEnding, MatchEnded)
    env.database.hooks.subscribe("test", dict.fromkeys(kinds, note))
    first = await env.challenges.challenge(
        next(env.ids), terms("", "warp6", rated=rated, rounds=3), PLAYERS, side="B"
    )
    await env.challenges.accept(next(env.ids), first.match_id, BO)
    assert not events
    await env.matches.act(next(env.ids), first.match_id, ADA, "resign")
    assert events == [MatchEnding(first.match_id)] * rated + [MatchEnded(first.match_id)]
    challenges = await env.queries.list_for(BO, "challenge")
    assert [match.round for match in challenges] == [2] * (not is_handled)
