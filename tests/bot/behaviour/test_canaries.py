"""Canaries: what is secret in a match turns up nowhere before its time, logs included."""

from __future__ import annotations

import json
import logging
import re
from collections.abc import Iterator
from random import Random

import pytest

from bot.logs import set_up_logs
from tests.support.driver import by_click, by_command, play_on
from tests.support.faults.audit import PLACED
from tests.support.harness import SEED, Stage, words


@pytest.fixture
def chatty(caplog: pytest.LogCaptureFixture) -> Iterator[pytest.LogCaptureFixture]:
    """Everything that is logged, at the chattiest level a host can choose."""
    root, own = logging.getLogger(), logging.getLogger("bot")
    handlers, level = root.handlers[:], root.level
    set_up_logs("DEBUG")
    yield caplog
    root.handlers[:] = handlers
    root.setLevel(level)
    own.setLevel(logging.NOTSET)


async def test_the_seed_and_hidden_coins_are_nowhere_before_the_end(
    stage: Stage, chatty: pytest.LogCaptureFixture
) -> None:
    match_id = await stage.begin()
    await play_on(stage, match_id, Random(1), ways=(by_click, by_command), limit=40)
    sent = json.dumps([request.json for request in stage.env.http_requests], default=str)
    assert SEED.hex() not in sent
    public = "\n".join(words(message) for message in stage.public())
    assert not re.search(PLACED, public)
    asked = await stage.ada.slash(stage.channel, "resign")
    await stage.click(stage.ada, asked.response, "resign:")
    assert SEED.hex() in words(stage.last())
    assert any(record.levelno == logging.DEBUG for record in chatty.records)
    assert SEED.hex() not in chatty.text
    assert repr(SEED) not in chatty.text
    assert not re.search(PLACED, chatty.text)
