"""*Export my data*: an answer at once, progress, and a file or a reason in the end."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncGenerator
from functools import partial
from types import SimpleNamespace
from typing import Any

import pytest

from bot.domain.ids import UserId
from bot.features.privacy import commands as privacy
from bot.features.privacy import export_files
from bot.features.privacy.export_files import ExportedFile
from bot.features.privacy.exports import Exports, Progress
from bot.interactions.context import Context
from bot.interactions.user_limits import UserLimits
from bot.views.custom_ids import AskEraseId, EraseId
from tests.support.harness import Stage, words
from tests.support.matches import ADA
from tests.support.user_limits import is_running


async def export(stage: Stage) -> Any:
    """Ada exports her data."""
    panel = await stage.ada.slash(stage.channel, "privacy")
    return await stage.click(stage.ada, panel.response, "export")


def sent(stage: Stage) -> str:
    """Return all requests to Discord."""
    return str([request.json for request in stage.env.http_requests])


async def test_export_answers_before_the_file_is_there(stage: Stage) -> None:
    answer = await export(stage)
    assert answer.ephemeral
    assert [file.filename for file in answer.response.attachments] == ["starpost.json"]
    assert "This is all the data" in words(answer.response)
    assert "Collecting your data …" in sent(stage)


async def test_each_user_has_one_export_at_a_time(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    limit, seen = stage.client.context.limits.of(privacy.EXPORTING), list[bool]()
    files = Exports.files

    async def note(self: Exports, user_id: UserId, done: Progress) -> AsyncGenerator[ExportedFile]:
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
    assert not is_running(stage.client.context.limits.of(privacy.EXPORTING), stage.ada.id)


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


@pytest.mark.parametrize("more", [0, 1])
async def test_deletion_is_answered_when_no_name_is_left_in_memory(
    monkeypatch: pytest.MonkeyPatch, more: int
) -> None:
    """If it takes long, the click is answered first."""
    limits, log = UserLimits(), list[object]()

    async def running_count(user_id: UserId) -> int:
        log.append(user_id)
        return privacy.MATCHES_ERASED_QUICKLY + more

    async def erase(user_id: UserId) -> None:
        log.append(("erase", user_id, is_running(limits.of(privacy.ERASING), user_id)))

    async def answer(name: str, _interaction: Any, _message: Any) -> None:
        log.append(name)

    for name in ("edit_pending", "edit_reply", "edit_original"):
        monkeypatch.setattr(privacy, name, partial(answer, name))
    context: Any = SimpleNamespace(
        limits=limits,
        queries=SimpleNamespace(running_count=running_count),
        of=lambda _service: SimpleNamespace(erase=erase),
        clear_caches=partial(log.append, "clear"),
    )
    interaction: Any = SimpleNamespace(user=SimpleNamespace(id=ADA))
    await privacy._erase(context, interaction, EraseId())
    done = [ADA, *["edit_pending"] * more, ("erase", ADA, True), "clear"]
    assert log == [*done, "edit_original" if more else "edit_reply"]


async def test_question_counts_the_own_running_matches(monkeypatch: pytest.MonkeyPatch) -> None:
    messages: list[str] = []

    async def running_count(user_id: UserId) -> int:
        return 7 if user_id == ADA else 0

    async def answer(_interaction: Any, message: Any) -> None:
        messages.append(str(message.layout.to_components()))

    monkeypatch.setattr(privacy, "edit_reply", answer)
    context: Any = SimpleNamespace(queries=SimpleNamespace(running_count=running_count))
    interaction: Any = SimpleNamespace(user=SimpleNamespace(id=ADA))
    await privacy._ask_erase(context, interaction, AskEraseId())
    assert "resign 7 matches" in messages[0]


def test_each_cache_with_names_is_cleared() -> None:
    cleared: list[str] = []
    caches = ("names", "images", "queries")
    context: Any = SimpleNamespace(
        clicked=SimpleNamespace(clear=partial(cleared.append, "clicked")),
        cards=SimpleNamespace(clear=partial(cleared.append, "cards")),
        cache_clearers=[partial(cleared.append, "animations")],
        **{name: SimpleNamespace(clear_cache=partial(cleared.append, name)) for name in caches},
    )
    Context.clear_caches(context)
    assert sorted(cleared) == sorted((*caches, "animations", "cards", "clicked"))
