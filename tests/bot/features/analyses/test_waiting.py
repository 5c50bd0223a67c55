"""A reply that waits for an analysis ends with it, or with a button that leads to it."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from bot.domain.ids import MatchId, UserId
from bot.features.analyses.commands import WAIT_SECONDS
from bot.features.analyses.service import Analyses, Progress, WaitEnd
from engine.computer.analysis import Analysis
from engine.computer.analyst import analyse
from tests.support.computers import start
from tests.support.fake_discord import until
from tests.support.harness import Stage, ids, words
from tests.support.locales import Locales

pytestmark = pytest.mark.computers

TOKEN_SECONDS = 15 * 60
"""Seconds for which Discord lets a reply be edited."""


@pytest.fixture
def ends(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """The ends of waits to come, the last one first; nothing is analysed."""
    ends = list[Any]()

    async def request(_match_id: MatchId, _user_id: UserId) -> bool:
        return True

    async def wait(
        _match_id: MatchId,
        _user_id: UserId,
        seconds: float,
        report: Callable[[Progress], Awaitable[None]],
    ) -> Analysis | WaitEnd:
        while isinstance(ends[-1], Progress):
            await report(ends.pop())
        assert seconds + 60 < TOKEN_SECONDS, "there is time to say that it takes longer"
        end = ends.pop()
        result: Analysis | WaitEnd = await end() if callable(end) else end
        return result

    service = stage.client.context.of(Analyses)
    monkeypatch.setattr(service, "request", request)
    monkeypatch.setattr(service, "wait", wait)
    return ends


async def finished(stage: Stage) -> MatchId:
    match_id = await stage.begin(game="warp6")
    ada = UserId(stage.ada.id)
    assert (await stage.client.context.matches.act(1, match_id, ada, "resign")).kind == "done"
    await stage.client.runtime.outbox.flush()
    return match_id


async def result(stage: Stage, match_id: MatchId) -> Analysis:
    return analyse(await stage.client.context.queries.record(match_id))


@pytest.mark.first(test=1)
@pytest.mark.parametrize(
    ("end", "sentence", "label"),
    [
        (WaitEnd.UNFINISHED, "longer than usual", "Show it"),
        (WaitEnd.FAILED, "I've given up", "Try again"),
    ],
)
async def test_reply_without_an_analysis_leads_to_it(
    stage: Stage, ends: list[Any], end: WaitEnd, sentence: str, label: str
) -> None:
    match_id = await finished(stage)
    ends[:] = [await result(stage, match_id), end]
    page = await stage.ada.slash(stage.channel, "analyse", match=match_id)
    assert sentence in words(page.response)
    assert label in words(page.response)
    await stage.click(stage.ada, page.response, "analyse:")
    assert "luck and play" in words(page.response), "the same message"
    assert not ends


async def test_older_reply_says_where_the_analysis_comes(stage: Stage, ends: list[Any]) -> None:
    match_id = await finished(stage)
    ends[:] = [WaitEnd.REPLACED]
    page = await stage.ada.slash(stage.channel, "analyse", match=match_id)
    assert "comes where you clicked last" in words(page.response)
    assert not ids(page.response)


async def test_reply_says_that_it_will_be_edited_until_it_is(stage: Stage, ends: list[Any]) -> None:
    match_id, replies = await finished(stage), list[str]()
    analysis = await result(stage, match_id)

    async def look() -> Analysis:
        replies.append(f"{stage.env.http_requests[-1].json}")
        return analysis

    ends[:] = [look]
    page = await stage.ada.slash(stage.channel, "analyse", match=match_id)
    assert "I'll update this message when it's ready" in replies[0]
    assert "`/analyse`" in replies[0], "after a crash, the command leads to it"
    assert f"analyse:{match_id}" not in replies[0], "it comes without a click"
    assert "luck and play" in words(page.response)


async def test_reply_says_how_far_it_is_and_that_it_tries_again(
    stage: Stage, ends: list[Any]
) -> None:
    match_id, replies = await finished(stage), list[str]()

    async def look() -> WaitEnd:
        replies.append(f"{stage.env.http_requests[-1].json}")
        return WaitEnd.FAILED

    ends[:] = [look, Progress(34, 95, attempt=2)]
    page = await stage.ada.slash(stage.channel, "analyse", match=match_id)
    assert "Analysing: 34 of 95 moves" in replies[0]
    assert "I'm trying again" in replies[0]
    assert "I've given up" in words(page.response)


@pytest.mark.slow
async def test_hint_beside_an_analysis_is_in_its_readers_language(
    stage: Stage, ends: list[Any], locales: Locales
) -> None:
    """An analysis that takes minutes and a hint asked meanwhile, each in its reader's language."""
    match_id, played = await finished(stage), await start(stage, game="warp6", level="cadet")
    locales.update({stage.ada.id: "de", stage.bo.id: "fr"})
    analysis, release = await result(stage, match_id), asyncio.Event()

    async def late() -> Analysis:
        await stage.env.external_wait(release.wait(), reason="the analysis takes minutes")
        return analysis

    ends[:] = [late, Progress(3, 9)]
    page = await stage.bo.slash(stage.channel, "analyse", match=match_id)
    assert "3 coups sur 9" in words(page.response)
    hint = await stage.click(stage.ada, stage.board(played), f"hint:{played}")
    assert "Züge" in words(hint.response)
    assert "3 coups sur 9" in words(page.response)
    release.set()
    await until(lambda: "Revoir" in words(page.response))
    assert "Chances (Bo)" in words(page.response)


@pytest.mark.first(test=1)
@pytest.mark.parametrize(("status", "code"), [(404, 10008), (404, 10015), (401, 50027)])
async def test_reply_that_was_deleted_or_has_expired_is_no_error(
    stage: Stage, ends: list[Any], caplog: pytest.LogCaptureFixture, status: int, code: int
) -> None:
    match_id = await finished(stage)
    ends[:] = [await result(stage, match_id)] * 2
    path = "/webhooks/*/*/messages/@original"
    stage.env.inject_error("PATCH", path, status=status, code=code, times=1)
    await stage.ada.slash(stage.channel, "analyse", match=match_id)
    assert not [record for record in caplog.records if record.levelno >= logging.WARNING]
    again = await stage.click(stage.ada, stage.last(), "analyse:")
    assert "luck and play" in words(again.response)
    assert f"replay:{match_id}:0" in ids(again.response)


def test_wait_ends_before_the_reply_can_no_longer_be_edited() -> None:
    assert 60 < TOKEN_SECONDS - WAIT_SECONDS < 300
