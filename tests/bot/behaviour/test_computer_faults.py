"""Workers that die, hang, lie or eat memory: the match goes on, and its record says who chose."""

from __future__ import annotations

import asyncio
import os
import signal
from pathlib import Path

import pytest

from bot.app.client import Starpost
from bot.domain.ids import MatchId
from bot.storage.database import Database
from bot.workers import pool as workers
from bot.workers.pool import LIMITS, WorkerPool
from bot.workers.process import ANSWER_BYTES
from engine.computer.players import VERSION
from tests.support.computers import chosen_by, failing_worker, jobs, start, until_chosen
from tests.support.harness import Stage, actor_bot, words
from tests.support.match_card import on_card

pytestmark = pytest.mark.slow

FAULTS = {
    "dies": ("os._exit(3)", "the worker died: exit code 3"),
    "killed": ("os.kill(os.getpid(), 9)", "the worker died: exit code -9"),
    "raises": ("raise KeyError(line)", "the worker died: KeyError"),
    "eats memory": (f"b' ' * {LIMITS.address_space_bytes}", "the worker died: MemoryError"),
    "text": ("answer = 'secret'", "the worker answered without JSON"),
    "list": ("answer = '[]'", "the worker answered without a JSON object"),
    "long": (f"answer = ' ' * {3 * ANSWER_BYTES}", "the worker answered with more than"),
    "refuses": ("answer = json.dumps({'error': line})", "the worker refused the request"),
    "empty": ("answer = '{}'", "it answers for another player"),
    "false name": (
        f"answer = choose(line, player='admiral/{VERSION}')",
        "it answers for another player",
    ),
    "long name": ("answer = choose(line, player='captain/' + '1' * 99)", "another player"),
    "reasons": ("answer = choose(line, reasons=[1])", "the worker answered without reasons"),
    "numbers": ("answer = choose(line, line=5, player=7)", "it answers for another player"),
    "no action": ("answer = choose(line, line=' ')", "illegal action, see rule"),
    "two lines": ("answer = choose(line, line='a\\nb')", "illegal action, see rule"),
    "half a letter": ("answer = choose(line, line='\\ud800')", "illegal action, see rule"),
    "illegal": ("answer = choose(line, line='place C9 z99')", "illegal action, see rule"),
    "resigns": ("answer = choose(line, line='resign')", "it would end the match"),
    "offers a draw": ("answer = choose(line, line='draw offer')", "it would end the match"),
}


@pytest.fixture
def fifo(tmp_path: Path) -> Path:
    """A named pipe to which a worker writes in the middle of a choice."""
    os.mkfifo(tmp_path / "choosing")
    return tmp_path / "choosing"


@pytest.fixture
def simcord_bot(database: Database, fifo: Path, request: pytest.FixtureRequest) -> Starpost:
    """A bot with one worker, started by the command of the test."""
    command = [part.replace("{fifo}", str(fifo)) for part in request.param]
    return actor_bot(database, workers=WorkerPool(1, command))


def replacements(caplog: pytest.LogCaptureFixture) -> list[str]:
    """Return the lines about players that were replaced, all of them warnings."""
    records = [record for record in caplog.records if "is replaced by" in record.getMessage()]
    assert {record.levelname for record in records} <= {"WARNING"}
    return [record.getMessage() for record in records]


async def check_end(stage: Stage, match_id: MatchId) -> None:
    """End the match; all choices are verified, those of replaced players too."""
    await stage.client.context.matches.act(1, match_id, stage.ada.id, "resign")
    await stage.computers()
    assert not await jobs(stage)
    assert await stage.state(match_id) == await stage.replayed(match_id)
    answer = await on_card(stage, stage.ada, stage.channel, "verify:", match_id)
    assert "of the computer follow" in words(answer.response), words(answer.response)


@pytest.mark.first(check=6)
@pytest.mark.parametrize(
    ("simcord_bot", "reason"),
    [
        pytest.param(failing_worker(fault, "captain"), reason, id=name)
        for name, (fault, reason) in FAULTS.items()
    ],
    indirect=["simcord_bot"],
)
async def test_level_that_fails_is_replaced_by_the_one_below(
    stage: Stage, reason: str, caplog: pytest.LogCaptureFixture
) -> None:
    match_id = await start(stage, level="captain")
    await until_chosen(stage, match_id)
    marks = [mark for _, mark in (await chosen_by(stage)).values() if mark]
    assert marks
    assert set(marks) == {f"navigator/{VERSION}"}
    lines = replacements(caplog)
    assert len(lines) == len(marks), "each of its turns here is one choice"
    for line in lines:
        assert line.startswith("the computer player “captain” is replaced by “navigator”: ")
        assert reason in line
    await check_end(stage, match_id)


@pytest.mark.parametrize(
    "simcord_bot",
    [["/nowhere/python"], failing_worker("os._exit(1)", "captain", "navigator")],
    ids=["no worker starts", "both levels die"],
    indirect=True,
)
async def test_fallback_plays_where_no_level_answers(
    stage: Stage, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(workers, "START_PAUSE_SECONDS", (0.0,))
    match_id = await start(stage, level="captain")
    await until_chosen(stage, match_id)
    marks = [mark for _, mark in (await chosen_by(stage)).values() if mark]
    assert marks
    assert set(marks) == {f"random/{VERSION}"}
    lines = replacements(caplog)
    assert all("“captain” is replaced by “navigator”" in line for line in lines[::2])
    assert all("“navigator” is replaced by “random”" in line for line in lines[1::2])
    assert len(lines) <= 2 * len(marks)


@pytest.mark.parametrize(
    "simcord_bot",
    [failing_worker("os.write(os.open('{fifo}', os.O_WRONLY), b'x'); time.sleep(60)", "captain")],
    indirect=True,
)
async def test_worker_killed_in_the_middle_of_a_choice_is_replaced(
    stage: Stage, fifo: Path, caplog: pytest.LogCaptureFixture
) -> None:
    loop, pool = asyncio.get_running_loop(), stage.client.runtime.computers._workers
    choosing = os.open(fifo, os.O_RDWR | os.O_NONBLOCK)

    def kill() -> None:
        os.read(choosing, 1)
        for worker in pool._workers:
            if worker.is_usable:
                os.kill(worker._process.pid, signal.SIGKILL)

    loop.add_reader(choosing, kill)
    match_id = await start(stage, level="captain")
    await until_chosen(stage, match_id)
    loop.remove_reader(choosing)
    os.close(choosing)
    marks = [mark for _, mark in (await chosen_by(stage)).values() if mark]
    assert set(marks) == {f"navigator/{VERSION}"}
    lines = replacements(caplog)
    assert len(lines) == len(marks)
    assert all("exit code -9" in line for line in lines)
    await check_end(stage, match_id)
