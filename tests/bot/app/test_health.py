"""Those who watch the bot see that it lives, whether it can play, and how quickly."""

from __future__ import annotations

import asyncio
import logging
import math
import socket
import time
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import aiohttp
import pytest
from prometheus_client.parser import text_string_to_metric_families
from sqlalchemy import insert, text

from bot.app import health
from bot.app.health import health_server
from bot.storage.backup import Backups
from bot.storage.file_lock import HEARTBEAT_MAX_AGE_SECONDS
from bot.storage.schema import outbox, timers
from tests.support.fake_discord import until
from tests.support.harness import Stage

HERE = ("127.0.0.1", 0)


class Watcher:
    """Asks the bot of a stage."""

    def __init__(self, stage: Stage, port: int, session: aiohttp.ClientSession) -> None:
        self.stage = stage
        self.port = port
        self._session = session

    async def ask(self, page: str) -> tuple[int, str]:
        """Status and text of a page."""
        async with self._session.get(f"http://127.0.0.1:{self.port}/{page}") as answer:
            return answer.status, await answer.text()

    async def figures(self) -> dict[str, float]:
        """Every sample, under its name and label values; those of the whole test run."""
        _, text = await self.ask("metrics")
        return {
            " ".join((sample.name, *sample.labels.values())): sample.value
            for family in text_string_to_metric_families(text)
            for sample in family.samples
        }


@pytest.fixture
async def watcher(stage: Stage) -> AsyncIterator[Watcher]:
    async with health_server(stage.client, HERE) as port, aiohttp.ClientSession() as session:
        yield Watcher(stage, port, session)


async def test_a_taken_port_is_retried_until_it_is_free(
    watcher: Watcher, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO, "bot.app.health")
    monkeypatch.setattr(health, "PORT_RETRY_SECONDS", 0.01)
    taken = socket.create_server(("127.0.0.1", 0))
    address = ("127.0.0.1", taken.getsockname()[1])
    async with health_server(watcher.stage.client, address) as port:
        assert port == 0
        taken.close()
        await until(lambda: "is free now" in caplog.text)
        watcher.port = address[1]
        assert await watcher.ask("livez") == (200, "ok\n")
    assert caplog.text.count("METRICS_ADDRESS") == 2


async def test_a_bot_that_plays_is_alive_and_ready(watcher: Watcher) -> None:
    assert await watcher.ask("livez") == (200, "ok\n")
    assert await watcher.ask("readyz") == (200, "ok\n")


async def test_a_heart_that_stands_still_is_noticed(watcher: Watcher) -> None:
    watcher.stage.client.runtime.heartbeat.last = time.perf_counter() - HEARTBEAT_MAX_AGE_SECONDS
    status, text = await watcher.ask("livez")
    assert status == 503
    assert "heartbeat" in text


async def test_who_waits_for_discord_is_alive_but_not_ready(watcher: Watcher) -> None:
    watcher.stage.client.runtime.heartbeat.last = None
    watcher.stage.client._ready.clear()
    assert (await watcher.ask("livez"))[0] == 200
    assert await watcher.ask("readyz") == (503, "not connected to Discord\n")
    watcher.stage.client._ready.set()


async def test_who_is_about_to_end_is_not_ready(watcher: Watcher) -> None:
    watcher.stage.client.stopping = True
    assert await watcher.ask("readyz") == (503, "shutting down\n")
    watcher.stage.client.stopping = False


async def test_without_its_database_it_is_not_ready_but_still_measures(watcher: Watcher) -> None:
    async with watcher.stage.database.write() as connection:
        await connection.execute(text("ALTER TABLE outbox RENAME TO gone"))
    assert await watcher.ask("readyz") == (503, "the database does not answer\n")
    figures = await watcher.figures()
    assert figures["starpost_ready"] == figures["starpost_database_up"] == 0
    assert math.isnan(figures["starpost_running_matches"]), "not the last good value"
    assert "starpost_outbox_messages waiting" not in figures
    async with watcher.stage.database.write() as connection:
        await connection.execute(text("ALTER TABLE gone RENAME TO outbox"))
    figures = await watcher.figures()
    assert figures["starpost_ready"] == figures["starpost_database_up"] == 1


@pytest.mark.slow
async def test_a_turn_is_measured_from_click_to_picture(watcher: Watcher) -> None:
    before = await watcher.figures()
    await watcher.stage.begin()
    after = await watcher.figures()

    def grown(name: str) -> float:
        return after[name] - before.get(name, 0.0)

    assert grown("starpost_answer_seconds_count application_command") == 1
    assert grown("starpost_answer_seconds_count component") == 2, "the card, and its acceptance"
    assert grown("starpost_render_seconds_count") >= 1
    assert grown("starpost_transaction_seconds_count") >= 4
    assert after["starpost_running_matches"] == 1
    assert after["starpost_outbox_messages waiting"] == 0


@pytest.mark.slow
async def test_the_oldest_message_has_an_age(watcher: Watcher) -> None:
    stage = watcher.stage
    match_id = await stage.begin()
    row: dict[str, Any] = {
        "match_id": match_id,
        "target": "user:7",
        "kind": "private_hand",
        "payload": {},
    }
    row |= {"attempts": 1, "next_attempt_at": stage.clock.now + 60}
    async with stage.database.write() as connection:
        first = stage.clock.now - 90
        await connection.execute(
            insert(outbox).values(**row, status="waiting", first_attempt_at=first)
        )
        await connection.execute(
            insert(outbox).values(**row, status="failed", first_attempt_at=1.0)
        )
    figures = await watcher.figures()
    assert figures["starpost_outbox_age_seconds"] == 90
    assert figures["starpost_outbox_messages waiting"] == 1
    assert figures["starpost_outbox_messages failed"] == 1


@pytest.mark.slow
async def test_a_late_timer_is_noticed(watcher: Watcher) -> None:
    stage = watcher.stage
    match_id = await stage.begin()
    before = await watcher.figures()
    row = {"match_id": match_id, "seat": "O", "kind": "remind", "version": -1}
    async with stage.database.write() as connection:
        await connection.execute(insert(timers).values(**row, due_at=stage.clock.now - 20))
    await stage.client.runtime.timers.fire()
    after = await watcher.figures()
    name = "starpost_timer_lag_seconds_sum"
    assert after[name] - before[name] == 20


@pytest.mark.slow
async def test_an_overdue_timer_is_noticed(watcher: Watcher) -> None:
    stage = watcher.stage
    match_id = await stage.begin()
    row = {"match_id": match_id, "seat": "O", "kind": "remind", "version": -1}
    async with stage.database.write() as connection:
        await connection.execute(insert(timers).values(**row, due_at=stage.clock.now - 90))
    assert (await watcher.figures())["starpost_timers_overdue_seconds"] == 90
    await stage.client.runtime.timers.fire()
    assert (await watcher.figures())["starpost_timers_overdue_seconds"] == 0


async def test_the_age_of_the_last_backup_is_shown(watcher: Watcher) -> None:
    stage = watcher.stage
    now = time.time()
    backups = Backups(Path(stage.database.name), clock=lambda: now)
    async with health_server(stage.client, HERE, backups) as watcher.port:
        assert (await watcher.figures())["starpost_backup_age_seconds"] < 60, "since the start"
        await asyncio.to_thread(backups.make)
        now += 3 * 86_400
        age = (await watcher.figures())["starpost_backup_age_seconds"]
        assert age == pytest.approx(3 * 86_400, abs=2)


async def test_the_event_loop_is_sampled(watcher: Watcher, monkeypatch: pytest.MonkeyPatch) -> None:
    name = "starpost_loop_lag_seconds_count"
    monkeypatch.setattr(health, "SAMPLE_SECONDS", 0.0)
    before = (await watcher.figures())[name]
    async with health_server(watcher.stage.client, HERE):
        for _ in range(5):
            await asyncio.sleep(0)
        assert (await watcher.figures())[name] > before


@pytest.mark.slow
async def test_no_person_can_be_recognised_in_the_figures(watcher: Watcher) -> None:
    await watcher.stage.begin()
    _, text = await watcher.ask("metrics")
    for actor in watcher.stage.people.values():
        assert str(actor.id) not in text
        assert f'"{watcher.stage.guild.id}"' not in text
