"""Logs tell what they are about, to people and to programs, and never a secret."""

from __future__ import annotations

import asyncio
import io
import json
import logging
from collections.abc import Iterator
from typing import Any

import pytest
from sqlalchemy import insert
from sqlalchemy.exc import SQLAlchemyError

from bot.logs import bind_context, log_context, set_up_logs
from bot.storage.database import Database
from bot.storage.schema import facts
from tests.support.command import TOKEN
from tests.support.harness import SETTLE_TIMEOUT_SECONDS, Stage, play

log = logging.getLogger("bot.test")


class Written(io.StringIO):
    """A stream that collects the log."""

    @property
    def objects(self) -> list[dict[str, Any]]:
        """Each line as an object."""
        return [json.loads(line) for line in self.getvalue().splitlines()]


@pytest.fixture(params=["text", "json"])
def form(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def written(form: str) -> Iterator[Written]:
    """Logs at the chattiest level a host can choose."""
    root, bot_logger = logging.getLogger(), logging.getLogger("bot")
    handlers, level = root.handlers[:], root.level
    stream = Written()
    set_up_logs("DEBUG", form, stream)
    yield stream
    root.handlers[:] = handlers
    root.setLevel(level)
    bot_logger.setLevel(logging.NOTSET)


as_json = pytest.mark.parametrize("form", ["json"])
as_text = pytest.mark.parametrize("form", ["text"])


@pytest.mark.errors_wanted
@as_json
def test_a_line_is_an_object_that_says_what_it_is_about(written: Written) -> None:
    with log_context(interaction=12345678901234567):
        with log_context(match=5):
            log.info("a turn of %s", "Ada")
        log.warning("later")
    log.error("outside")
    first, second, third = written.objects
    assert first.pop("time").endswith("Z")
    assert first == {
        "level": "INFO",
        "logger": "bot.test",
        "message": "a turn of Ada",
        "interaction": 12345678901234567,
        "match": 5,
    }
    assert "match" not in second
    assert second["interaction"] == first["interaction"]
    assert {"interaction", "match"}.isdisjoint(third)


@as_text
def test_for_people_it_stands_in_brackets(written: Written) -> None:
    with log_context(match=5):
        log.warning("two\nlines")
    assert written.getvalue().endswith("WARNING  bot.test: two\n    lines (match 5)\n")


@as_json
async def test_tasks_do_not_mix_up_what_they_are_about(written: Written) -> None:
    async def work(number: int) -> None:
        bind_context(match=number)
        await asyncio.sleep(0)
        log.info("%s", number)

    await asyncio.gather(*map(work, range(5)))
    assert [record["match"] for record in written.objects] == [0, 1, 2, 3, 4]


@pytest.mark.errors_wanted
def test_unexpected_error_is_logged_with_kind_and_places(written: Written) -> None:
    typed = "place S3 d4"
    try:
        try:
            int(typed)
        except ValueError as error:
            raise KeyError(typed) from error
    except KeyError:
        log.exception("it failed")
    text = written.getvalue()
    assert "place S3" not in text
    assert "int(typed)" in text
    assert text.index("ValueError") < text.index("KeyError")


@pytest.mark.errors_wanted
async def test_an_error_of_the_database_says_what_it_is(
    database: Database, written: Written
) -> None:
    typed = "place S3 d4"
    try:
        async with database.read() as connection:
            await connection.execute(insert(facts).values(name="hand", value=typed))
    except SQLAlchemyError:
        log.exception("it failed")
    assert "attempt to write a readonly database" in written.getvalue()
    assert "place S3" not in written.getvalue()


@pytest.mark.parametrize(
    ("text", "secret"),
    [
        (f"Bot {TOKEN} is wrong", TOKEN),
        ("POST https://discord.com/api/v10/interactions/12/aW50ZXJ/callback", "aW50ZXJ"),
        ("PATCH https://discord.com/api/v10/webhooks/12/aW50ZXJ?wait=true", "aW50ZXJ"),
        ("postgresql+asyncpg://starpost:hunter2@db/starpost", "hunter2"),
    ],
)
def test_what_looks_like_a_secret_is_left_out(text: str, secret: str, written: Written) -> None:
    log.warning("%s", text)
    logging.getLogger("discord.http").warning(text)
    assert secret not in written.getvalue()
    assert written.getvalue().count("[…]") == 2


def test_libraries_do_not_say_what_they_send(written: Written) -> None:
    for library in ("discord.http", "discord.gateway", "aiosqlite", "sqlalchemy.engine"):
        logging.getLogger(library).debug("a hand")
    log.debug("a word")
    assert "a hand" not in written.getvalue()
    assert "a word" in written.getvalue()


@pytest.mark.slow
@as_json
@pytest.mark.errors_wanted
async def test_a_click_that_fails_is_logged_with_its_numbers(
    stage: Stage, written: Written, monkeypatch: pytest.MonkeyPatch
) -> None:
    match_id = await stage.begin()

    def fail(*_: object, **__: object) -> None:
        raise ValueError("a secret line")

    monkeypatch.setattr("bot.interactions.boards.inbox.hand", fail)
    await stage.click(stage.ada, stage.last(), "hand:")
    (failed,) = [record for record in written.objects if record["level"] == "ERROR"]
    assert failed["match"] == match_id
    assert failed["interaction"] > 10**15
    assert failed["error"].endswith("ValueError")


@as_json
async def test_what_is_sent_is_not_about_the_click_before(
    stage: Stage, written: Written, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.outbox.worker.BACK_OFF_SECONDS", (2 * SETTLE_TIMEOUT_SECONDS,))
    stage.env.inject_error("POST", "/channels/*/messages", status=503, times=5)
    await play(stage.ada, stage.channel, opponent=stage.bo)
    (late,) = [record for record in written.objects if "postponed" in record["message"]]
    assert late["match"] == 1
    assert "interaction" not in late
