"""An unreachable PostgreSQL server: one sentence, no change, automatic recovery."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

import pytest

from bot.app.run import open_database
from bot.domain.outcomes import Outcome
from bot.storage.database import Database
from tests.support.harness import Stage, words
from tests.support.postgres import TEMPLATE, Outside, Server
from tests.support.write_failures import choose

pytestmark = pytest.mark.slow


@pytest.fixture
async def database(own_server: Server) -> AsyncIterator[Database]:
    async with open_database(own_server.url(TEMPLATE)) as database:
        yield database


async def test_unreachable_server_is_reported_until_it_is_back(
    stage: Stage, own_server: Server
) -> None:
    match_id = await stage.begin()
    before, actor = await stage.state(match_id), await stage.deciding(match_id)
    own_server.stop()
    answer = await actor.slash(stage.channel, "do", action="first place")
    assert "database is unavailable" in words(answer.response)
    await stage.env.advance_time(60)
    own_server.start()
    assert await stage.state(match_id) == before
    assert "Done" in await choose(stage, match_id)
    await stage.env.advance_time(60)
    perspective = await stage.perspective(match_id)
    assert perspective.match.link
    assert stage.last().id == perspective.match.link[1]


async def test_what_another_program_has_locked_is_said_in_time(
    stage: Stage, own_server: Server
) -> None:
    match_id = await stage.begin()
    before = await stage.state(match_id)
    with Outside(own_server.url(TEMPLATE)) as other:
        other.execute("BEGIN; SELECT * FROM matches FOR UPDATE")
        assert "busy right now" in await choose(stage, match_id)
        assert await stage.state(match_id) == before
        other.execute("ROLLBACK")
    assert "Done" in await choose(stage, match_id)


@pytest.mark.simcord(settle_timeout=10)  # the outbox looks for the server each second
async def test_committed_move_is_not_denied_when_the_server_stops(
    stage: Stage, own_server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    match_id = await stage.begin()
    actor, act = await stage.deciding(match_id), stage.client.context.matches.act

    async def act_and_vanish(*arguments: Any, **options: Any) -> Outcome:
        outcome = await act(*arguments, **options)
        own_server.stop()
        return outcome

    monkeypatch.setattr(stage.client.context.matches, "act", act_and_vanish)
    answer = await actor.slash(stage.channel, "do", action="first place")
    assert "nothing has changed" not in words(answer.response)
    own_server.start()
    assert (await stage.state(match_id)).phase != "first"
