"""*Export my data*: an answer at once, progress, and a file or a reason in the end."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncGenerator
from typing import Any

import pytest

from bot.interactions import privacy
from bot.services import export_files
from bot.services.export_files import ExportedFile
from bot.services.exports import Exports, Progress
from tests.support.harness import Stage, words
from tests.support.user_limits import is_running


async def export(stage: Stage) -> Any:
    """Ada exports her data."""
    shown = await stage.ada.slash(stage.channel, "privacy")
    return await stage.click(stage.ada, shown.response, "export")


def sent(stage: Stage) -> str:
    """Return all requests to Discord."""
    return str([each.json for each in stage.env.http_requests])


async def test_export_answers_before_the_file_is_there(stage: Stage) -> None:
    answer = await export(stage)
    assert answer.ephemeral
    assert [file.filename for file in answer.response.attachments] == ["starpost.json"]
    assert "This is all the data" in words(answer.response)
    assert "Collecting your data …" in sent(stage)


async def test_each_user_has_one_export_at_a_time(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    limit, seen = stage.client.context.limits.exports, list[bool]()
    files = Exports.files

    async def note(self: Exports, user_id: int, done: Progress) -> AsyncGenerator[ExportedFile]:
        seen.append(is_running(limit, stage.ada.id))
        async for file in files(self, user_id, done):
            yield file

    monkeypatch.setattr(Exports, "files", note)
    with limit.running(stage.ada.id):
        refused = await export(stage)
    assert "still collecting your data" in words(refused.response)
    assert not refused.response.attachments
    assert not seen
    assert (await export(stage)).response.attachments
    assert seen == [True]
    assert not is_running(limit, stage.ada.id)


async def test_failed_export_says_so(
    stage: Stage, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async def broken(*_given: object) -> AsyncGenerator[ExportedFile]:
        await asyncio.sleep(0)
        yield ExportedFile("starpost.json", b"")
        raise ValueError("broken")

    monkeypatch.setattr(Exports, "files", broken)
    answer = await export(stage)
    assert "Something went wrong on my side" in words(answer.response)
    assert "Collecting" not in words(answer.response)
    assert "interaction failed" in caplog.text
    caplog.clear()


async def test_endless_export_is_given_up(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    ended: list[bool] = []

    async def endless(*_given: object) -> AsyncGenerator[ExportedFile]:
        try:
            await asyncio.Event().wait()
        finally:
            ended.append(True)
        yield ExportedFile("starpost.json", b"")

    monkeypatch.setattr(Exports, "files", endless)
    monkeypatch.setattr(privacy, "EXPORT_SECONDS", 0.0)
    answer = await export(stage)
    assert "couldn't collect your data in time" in words(answer.response)
    assert ended == [True]
    assert not is_running(stage.client.context.limits.exports, stage.ada.id)


@pytest.mark.parametrize(
    ("done", "total", "sentence"),
    [
        (0, 0, "Collecting your data …"),
        (0, 9, "Collecting your data: 0 of 9 matches …"),
        (3, 9, "Collecting your data: 3 of 9 matches …"),
    ],
)
def test_progress_of_an_export_in_words(done: int, total: int, sentence: str) -> None:
    progress = Progress()
    progress.done, progress.total = done, total
    assert privacy.progress_sentence(progress) == sentence


def test_export_ends_before_its_reply_expires() -> None:
    assert 60 <= privacy.EXPORT_SECONDS <= 14 * 60


async def test_large_export_is_several_private_replies(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    await stage.begin()
    monkeypatch.setattr(export_files, "FULL_BYTES", 1)
    before = len(stage.public())
    answer = await export(stage)
    (last,) = answer.response.attachments
    names = re.findall(r"'filename': '([^']+)'", sent(stage))
    assert last.filename != "starpost.json"
    assert next(name for name in names if "starpost" in name) == "starpost.json"
    assert len(stage.public()) == before
