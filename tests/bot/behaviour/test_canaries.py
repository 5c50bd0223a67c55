"""Canaries: a match's secrets turn up nowhere before they are revealed, logs included."""

from __future__ import annotations

import json
import logging
import re
from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

from bot.domain.ids import MatchId, UserId
from bot.features.privacy.exports import Exports
from bot.logs import set_up_logs
from bot.services import queries
from bot.services.plans import Plans
from bot.views import public_boards
from tests.support.driver import by_click, by_command, play_on
from tests.support.harness import SEED, Stage, words
from tests.support.match_card import on_card
from tests.support.privacy import exported
from tests.verification.kills.audit import PLACED

pytestmark = pytest.mark.slow


@pytest.fixture
def chatty(caplog: pytest.LogCaptureFixture) -> Iterator[pytest.LogCaptureFixture]:
    """Everything that is logged, at the chattiest level a host can choose."""
    root, bot_logger = logging.getLogger(), logging.getLogger("bot")
    handlers, level = root.handlers[:], root.level
    set_up_logs("DEBUG")
    yield caplog
    root.handlers[:] = handlers
    root.setLevel(level)
    bot_logger.setLevel(logging.NOTSET)


async def test_the_seed_and_hidden_coins_are_nowhere_before_the_end(
    stage: Stage, chatty: pytest.LogCaptureFixture
) -> None:
    match_id = await stage.begin()
    await play_on(stage, match_id, Random(1), ways=(by_click, by_command), limit=16)
    requests = json.dumps([request.json for request in stage.env.http_requests], default=str)
    assert SEED.hex() not in requests
    public = "\n".join(words(message) for message in stage.public())
    assert not re.search(PLACED, public)
    confirmation = await stage.ada.slash(stage.channel, "resign")
    await stage.click(stage.ada, confirmation.response, "resign:")
    dice = await stage.click(stage.ada, stage.last(), "dice:")
    assert SEED.hex() in words(dice.response)
    assert any(record.levelno == logging.DEBUG for record in chatty.records)
    assert SEED.hex() not in chatty.text
    assert repr(SEED) not in chatty.text
    assert not re.search(PLACED, chatty.text)


PLANNED = "S9j99"
"""A condition that no other text contains: a coin on a space that does not exist."""


async def plan_of_ada(stage: Stage) -> MatchId:
    """A match in which Ada has a plan that waits, then one that has stopped."""
    match_id = await stage.begin(side="OrthogonAliens")
    for _ in range(8):
        if await stage.deciding(match_id) is stage.bo:
            panel = await stage.ada.slash(stage.channel, "plan", match=match_id)
            window = await stage.click(stage.ada, panel.response, f"plan:{match_id}:edit")
            answer = await stage.ada.submit_modal(window, {"orders": f"if {PLANNED}: S4 e9"})
            assert PLANNED in words(answer.response)
        await play_on(stage, match_id, Random(1), ways=(by_click,), limit=1)
        await stage.ping()
    return match_id


async def readers_of_plan(stage: Stage, match_id: MatchId, log: str) -> set[str]:
    """Where others than Ada, or a host who reads the log, can read her plan."""
    context, bo = stage.client.context, stage.bo
    for command in ("board", "plan", "games", "takeback"):
        await bo.slash(stage.channel, command)
    await on_card(stage, bo, stage.channel, "hand:", match_id)
    exports = [await exported(context.of(Exports), reader.id) for reader in (bo, stage.eve)]
    records = [
        await context.queries.record(match_id, UserId(user_id))
        for user_id in (0, bo.id, stage.ada.id)
    ]
    requests = [
        request for request in stage.env.http_requests if not is_for(stage, stage.ada, request)
    ]
    texts = {
        "message": " ".join(words(message) for message in stage.public()),
        "request": json.dumps([request.json for request in requests], default=str),
        "export": str(exports),
        "record": "".join(map(str, records)),
        "log": log,
    }
    return {place for place, text in texts.items() if PLANNED in text}


def is_for(stage: Stage, actor: Any, request: Any) -> bool:
    """Whether a request brings something to a person alone: an answer, or a DM."""
    dm = actor.user.dm_channel
    if dm and f"/{dm.id}/" in request.path:
        return True
    interactions = stage.env.backend.interactions
    return any(
        interaction.user_id == actor.id
        and (f"/{key}/" in request.path or interaction.token in request.path)
        for key, interaction in interactions.items()
    )


async def test_a_plan_is_read_by_its_owner_alone(
    stage: Stage, chatty: pytest.LogCaptureFixture
) -> None:
    match_id = await plan_of_ada(stage)
    export = await exported(stage.client.context.of(Exports), stage.ada.id)
    assert PLANNED in str(export)
    assert chatty.records
    assert await readers_of_plan(stage, match_id, chatty.text) == set()


LEAKS = ("log", "message", "export", "record")


@pytest.mark.parametrize(
    "leaks", [LEAKS, *(pytest.param((p,), marks=pytest.mark.soak) for p in LEAKS)]
)
async def test_a_plan_that_others_could_read_is_found(
    stage: Stage,
    chatty: pytest.LogCaptureFixture,
    monkeypatch: pytest.MonkeyPatch,
    leaks: tuple[str, ...],
) -> None:
    exports, ada = stage.client.context.of(Exports), stage.ada.id
    honest, headers, story = Plans.write, queries._headers, public_boards.story_of

    async def logged(self: Plans, *args: Any, **named: Any) -> Any:
        logging.getLogger("bot.services.plans").debug("written: %s", args)
        return await honest(self, *args, **named)

    careless: dict[str, tuple[Any, str, Any]] = {
        "log": (Plans, "write", logged),
        "message": (public_boards, "story_of", lambda board: f"{story(board)} {PLANNED}"),
        "export": (exports, "files", lambda _, *rest, files=exports.files: files(ada, *rest)),
        "record": (queries, "_headers", lambda *args: headers(*args) | {"Plan": PLANNED}),
    }
    for place in leaks:
        monkeypatch.setattr(*careless[place])
    match_id = await plan_of_ada(stage)
    places = await readers_of_plan(stage, match_id, chatty.text)
    assert places - {"request"} == set(leaks)
