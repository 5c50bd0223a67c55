"""Long work runs once at a time for each user, and users take turns."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any

import pytest

from bot.app.client import Starpost
from bot.domain.ids import MatchId, UserId
from bot.features.analyses.service import Analyses
from bot.features.replays.commands import DRAWING, VERIFYING
from bot.interactions.computers import THINKING
from bot.interactions.user_limits import OnePerUser
from bot.storage.database import Database
from bot.workers.pool import WorkerPool
from engine.computer.players import ComputerPlayer
from engine.computer.protocol import serve
from tests.support.computers import start
from tests.support.harness import Stage, actor_bot, words
from tests.support.match_card import on_card
from tests.support.user_limits import is_running


class Local(WorkerPool):
    """Answers at once, in the process of the test.

    Attributes:
        asked: called before each request.
    """

    def __init__(self) -> None:
        super().__init__(1)
        self.asked: Callable[[str], None] = lambda _do: None

    def of_one(self) -> WorkerPool:
        """See `WorkerPool`."""
        return self

    async def ask(
        self, request: Mapping[str, Any], timeout_seconds: float, **terms: Any
    ) -> dict[str, Any]:
        """See `WorkerPool`."""
        del timeout_seconds, terms
        self.asked(request["do"])
        *_reports, answer = serve([json.dumps(request)], ComputerPlayer("random", bytes(32)))
        return dict(json.loads(answer))


@pytest.fixture
def pool() -> Local:
    return Local()


@pytest.fixture
def simcord_bot(database: Database, pool: Local) -> Starpost:
    return actor_bot(database, workers=pool)


async def running(stage: Stage) -> MatchId:
    """Begin a match of Ada against the computer in which Ada has to act."""
    match_id = await start(stage, game="warp6", level="cadet")
    await stage.computers()
    return match_id


async def finished(stage: Stage) -> MatchId:
    match_id, context = await running(stage), stage.client.context
    view = (await context.queries.view(match_id, stage.ada.id)).view
    for number, line in enumerate((view.legal[0].notation, "resign"), 1):
        assert (await context.matches.act(number, match_id, stage.ada.id, line)).kind == "done"
        await stage.computers()
    await stage.client.runtime.outbox.flush()
    return match_id


async def hint(stage: Stage, match_id: MatchId) -> Any:
    return await stage.click(stage.ada, stage.last(), f"hint:{match_id}")


async def suggest(stage: Stage, match_id: MatchId) -> Any:
    panel = await stage.ada.slash(stage.channel, "plan", match=match_id)
    return await stage.click(stage.ada, panel.response, f"plan:{match_id}:suggest")


async def verify(stage: Stage, match_id: MatchId) -> Any:
    return await on_card(stage, stage.ada, stage.channel, "verify:", match_id)


async def analyse(stage: Stage, match_id: MatchId) -> Any:
    return await stage.ada.slash(stage.channel, "analyse", match=match_id)


async def film(stage: Stage, match_id: MatchId) -> Any:
    replay = await stage.ada.slash(stage.channel, "replay", match=match_id)
    return await stage.click(stage.ada, replay.response, f"film:{match_id}")


WAYS = {
    "hint": (hint, running, "advice", "choose", "as good as any"),
    "suggest": (suggest, running, "advice", "choose", "That's what I'd do"),
    "verify": (verify, finished, "verifications", "audit", "of the computer follow"),
    "film": (film, finished, "animations", "", ""),
}


REFUSALS = {
    "advice": THINKING,
    "verifications": VERIFYING,
    "animations": DRAWING,
}


def limit_of(stage: Stage, name: str) -> OnePerUser:
    return stage.client.context.limits.of(REFUSALS[name])


@pytest.mark.first(test=1)
@pytest.mark.parametrize("way", ["hint", "suggest", "verify"])
async def test_request_runs_until_the_computer_has_answered(
    stage: Stage, pool: Local, way: str
) -> None:
    ask, prepared, name, do, words_of_answer = WAYS[way]
    match_id, limit = await prepared(stage), limit_of(stage, name)
    seen: list[tuple[bool, bool]] = []

    def note(request: str) -> None:
        if request == do:
            seen.append((is_running(limit, stage.ada.id), is_running(limit, stage.bo.id)))

    pool.asked = note
    answer = await ask(stage, match_id)
    assert words_of_answer in words(answer.response)
    assert set(seen) == {(True, False)}
    assert not is_running(limit, stage.ada.id)


@pytest.mark.first(test=1)
@pytest.mark.parametrize("way", WAYS)
async def test_second_request_of_a_user_is_refused(stage: Stage, pool: Local, way: str) -> None:
    ask, prepared, name, *_ = WAYS[way]
    match_id, limit = await prepared(stage), limit_of(stage, name)
    requests: list[str] = []
    pool.asked = requests.append
    with limit.running(stage.ada.id):
        refusal = await ask(stage, match_id)
        assert "I'm still" in words(refusal.response)
    assert not requests
    with limit.running(stage.bo.id):
        assert "I'm still" not in words((await ask(stage, match_id)).response)


async def test_analysis_of_another_match_is_refused_in_words(
    stage: Stage, pool: Local, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def refuse(match_id: MatchId, user_id: UserId) -> bool:
        assert user_id == stage.ada.id
        return not match_id

    match_id, requests = await finished(stage), list[str]()
    pool.asked = requests.append
    monkeypatch.setattr(stage.client.context.of(Analyses), "request", refuse)
    refusal = await analyse(stage, match_id)
    assert "still analysing another match for you" in words(refusal.response)
    assert not requests
