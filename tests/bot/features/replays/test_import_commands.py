"""Records from outside: looked at turn by turn, and never anything else done with them."""

from __future__ import annotations

import asyncio
from random import Random
from types import SimpleNamespace
from typing import Any, cast
from unittest.mock import AsyncMock

import pytest
from sqlalchemy import func, select

from bot.features.replays import import_commands as handlers
from bot.features.replays.import_commands import READING
from bot.features.replays.imports import MAX_RECORD_BYTES, Imports
from bot.interactions.replies import UserError
from bot.services import positions
from bot.storage.schema import METADATA
from engine.record import Record
from tests.support.driver import play_on, silently
from tests.support.harness import Stage, ids, walk, words
from tests.support.interactions import fire, payload, sentence
from tests.support.match_card import open_record
from tests.support.matches import MatchFixture
from tests.support.user_limits import is_running

HEAD = "Game: warp6\nSeat B: Bo\nSeat Y: Ada\n"
ROLL = (
    "* roll b8a8 b8b7 b6a5 b6b2 b6c5 b4a1 b4b3 b4c3 b4d1"
    " y8a6 y8b7 y6a6 y6b5 y6c5 y4a3 y4b4 y4c2 y4d2"
)
SHORT = f"{HEAD}\n{ROLL}\nB place b8a\nY place y8a\nB resign\n"


async def opened(stage: Stage, text: str | bytes, name: str = "old.match") -> Any:
    """Upload a record as Ada."""
    data = text if isinstance(text, bytes) else text.encode()
    return await open_record(stage, stage.ada, name, data)


async def rows(stage: Stage) -> dict[str, int]:
    """The number of rows in each table."""
    async with stage.database.read() as connection:
        return {
            name: (await connection.execute(select(func.count()).select_from(table))).scalar_one()
            for name, table in METADATA.tables.items()
            if name not in ("facts", "leases", "players")
        }


@pytest.mark.slow
async def test_a_record_is_stepped_through(stage: Stage) -> None:
    before = await rows(stage)
    page = await opened(stage, SHORT)
    assert page.ephemeral
    assert "Warp 6" in words(page.response)
    assert ": step 1 of 5" in words(page.response)
    pictures = set()
    for place in range(2, 6):
        result = await stage.ada.click(page.response, label="Next")
        assert result.acknowledged
        assert f": step {place} of 5" in words(page.response)
        (picture,) = [f for f in page.response.attachments if f.filename == "board.png"]
        pictures.add(await picture.read())
    assert len(pictures) == 4
    assert "Ada wins by resignation" in words(page.response)
    assert await rows(stage) == before


@pytest.mark.slow
async def test_a_step_works_after_a_restart(stage: Stage) -> None:
    page = await opened(stage, SHORT)
    await stage.restart()
    await stage.ada.click(page.response, label="Last")
    assert ": step 5 of 5" in words(page.response)


async def test_a_window_takes_the_file_as_well(stage: Stage) -> None:
    nothing = await stage.ada.slash(stage.channel, "replay")
    assert words(nothing.response).startswith("You haven't finished a match yet.")
    question = await stage.click(stage.ada, nothing.response, "open")
    page = await stage.ada.submit_modal(question, {"file": [("a.match", SHORT.encode())]})
    assert page.ephemeral
    assert ": step 1 of 5" in words(page.response)


@pytest.mark.slow
async def test_a_finished_match_is_downloaded_and_opened(stage: Stage) -> None:
    match_id = await stage.begin()
    await play_on(stage, match_id, Random(1), ways=(silently,), limit=40)
    question = await stage.ada.slash(stage.channel, "resign")
    await stage.click(stage.ada, question.response, "resign:")
    attached = next(f for f in stage.last().attachments if f.filename.endswith(".match"))
    page = await stage.click(stage.bo, stage.last(), "replay:")  # the first of two clicks
    sent = await stage.click(stage.bo, page.response, "record:")
    assert sent.ephemeral
    file, pieces = sent.response.attachments
    assert file.filename == f"wormholes-{match_id}.match"
    assert await file.read() == await attached.read()
    assert pieces.filename == f"wormholes-{match_id}.ppn"
    assert (await pieces.read()).decode() == Record.parse((await file.read()).decode()).piecepack()
    reopened = await opened(stage, await file.read())
    total = words(page.response).split(": step 1 of ")[1].split()[0].strip("*")
    assert f": step 1 of {total}" in words(reopened.response)


@pytest.mark.slow
async def test_a_redacted_record_can_be_looked_at(stage: Stage) -> None:
    match_id = await stage.begin()
    await play_on(stage, match_id, Random(1), ways=(silently,), limit=30)
    record = await stage.client.context.queries.record(match_id)
    assert any(action.is_form for action in record.actions)
    assert "still running here" in words((await opened(stage, str(record))).response)
    headers = {key: value for key, value in record.headers.items() if key != "Dice"}
    page = await opened(stage, str(Record(headers, record.actions)))
    assert ": step 1 of " in words(page.response)
    assert "leaves hidden information out" in words(page.response)
    await stage.ada.click(page.response, label="Last")
    perspective = await stage.perspective(match_id)
    for name in perspective.match.names.values():
        assert name


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (b"\xff\xfe", "UTF-8"),
        ("", "record of a match"),
        ("Game: chess\n\n", "chess"),
        ("no header", "record of a match"),
        (f"{HEAD}no header", "header"),
        (f"{HEAD}Version: 9\n\n", "version"),
        (f"{HEAD}Options: seats=9\n\n", "seats"),
        (f"{HEAD}\nB place b8a\n", "Line 5"),
        (f"{HEAD}\n" + "#\n" * 5001, "5000 lines"),
        (f"{HEAD}\n" + "#" * MAX_RECORD_BYTES, "256 kB"),
    ],
)
async def test_what_is_no_record_is_refused(stage: Stage, text: str, reason: str) -> None:
    page = await opened(stage, text)
    assert page.ephemeral
    assert reason in words(page.response)
    assert not ids(page.response)


async def test_a_large_file_is_not_downloaded(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    requests: list[str] = []
    download = stage.client.http.get_from_cdn

    async def note(url: str) -> bytes:
        requests.append(url)
        return await download(url)

    monkeypatch.setattr(stage.client.http, "get_from_cdn", note)
    await opened(stage, b"#" * (MAX_RECORD_BYTES + 1))
    assert not requests
    await opened(stage, SHORT)
    assert len(requests) == 1


async def test_names_in_a_record_are_only_text(stage: Stage) -> None:
    name = "@everyone <@1> **x** https://evil.example \u202e" + "y" * 500
    text = SHORT.replace("Seat Y: Ada", f"Seat Y: {name}").replace("Seat B: Bo", "Seat B: Join")
    page = await opened(stage, text)
    await stage.ada.click(page.response, label="Last")
    text_on_page = words(page.response)
    assert "\\@everyone" in text_on_page
    assert "<@1>" not in text_on_page
    assert "\u202e" not in text_on_page
    assert "y" * 40 not in text_on_page
    assert "https://" not in text_on_page


async def test_a_replay_that_takes_too_long_is_given_up(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = [0.0]

    def monotonic() -> float:
        now[0] += 2.0
        return now[0]

    monkeypatch.setattr(positions, "monotonic", monotonic)
    assert "too long" in words((await opened(stage, SHORT)).response)


async def test_each_user_has_one_record_read_at_a_time(stage: Stage) -> None:
    limit = stage.client.context.limits.of(READING)
    page = await opened(stage, SHORT)
    with limit.running(stage.ada.id):
        for answer in (
            await opened(stage, SHORT),
            await stage.ada.click(page.response, label="Next"),
        ):
            assert "still reading a record for you" in sentence(answer)
        theirs = await open_record(stage, stage.bo, "b.match", SHORT.encode())
        assert ": step 1 of 5" in words(theirs.response)
    assert ": step 1 of 5" in words((await opened(stage, SHORT)).response)


@pytest.mark.parametrize("name", ["a.match", ""])
async def test_a_record_is_being_read_while_it_arrives(
    stage: Stage, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    """Both after the command and after a click, and not any more after either."""
    limit = stage.client.context.limits.of(READING)
    page, seen = await opened(stage, SHORT), list[bool]()
    download = stage.client.http.get_from_cdn

    async def note(url: str) -> bytes:
        seen.append(is_running(limit, stage.ada.id))
        return await download(url)

    monkeypatch.setattr(stage.client.http, "get_from_cdn", note)
    if name:
        await opened(stage, SHORT, name)
    else:
        await stage.ada.click(page.response, label="Next")
    assert seen == [True]
    assert not is_running(limit, stage.ada.id)


@pytest.mark.slow
async def test_a_step_without_its_record_says_so(stage: Stage) -> None:
    await stage.begin()
    click = payload(stage, stage.ada, stage.last(), "", "import:1:Next")
    assert "no longer have this record" in sentence(await fire(stage, click))


async def test_a_file_that_discord_has_dropped_says_so(stage: Stage) -> None:
    page = await opened(stage, SHORT)
    stage.env.backend.cdn._blobs.clear()
    answer = await stage.ada.click(page.response, label="Next")
    assert "no longer have this record" in words(answer.response)


async def test_a_download_that_hangs_is_given_up(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def hang(_url: str) -> None:
        await asyncio.Event().wait()

    monkeypatch.setattr(handlers, "DOWNLOAD_SECONDS", 0.0)
    monkeypatch.setattr(stage.client.http, "get_from_cdn", hang)
    assert "download" in words((await opened(stage, SHORT)).response)


async def test_buttons_stand_in_rows_of_four_at_most(stage: Stage) -> None:
    page = await opened(stage, SHORT)
    rows = [component for component in walk(page.response.components) if component["type"] == 1]
    assert all(len(row["components"]) <= 4 for row in rows)


async def test_page_after_the_last_turn_shows_the_last_turn(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    turns = ["first", "last"]
    places = list[int]()
    views: Any = SimpleNamespace(
        perspective=lambda _opened, place: turns[place],
        turn=lambda *given: places.append(given[-1]),
    )
    monkeypatch.setattr(handlers, "imports", views)
    context: Any = SimpleNamespace(
        preferences=SimpleNamespace(style=AsyncMock()), images=SimpleNamespace(board=AsyncMock())
    )
    for number in (0, 1, 2, 99):
        interaction = SimpleNamespace(user=SimpleNamespace(id=7), guild_id=None)
        opened = SimpleNamespace(turns=turns)
        await handlers._turn(context, cast("Any", interaction), cast("Any", opened), number)
    assert places == [0, 1, 1, 1]


async def test_refusal_of_a_record_shows_its_text_without_markdown(env: MatchFixture) -> None:
    context: Any = SimpleNamespace(of={Imports: Imports(env.database)}.get)
    with pytest.raises(UserError) as refused:
        await handlers._read(context, b"Game: **chess**\n\n")
    assert r"\*\*chess\*\*" in str(refused.value)
