"""Programs of the arena."""

from __future__ import annotations

import json
import shlex
import sys
from pathlib import Path

import pytest

from engine.computer.external import Program as Asked
from engine.record import Record
from tests.support.tomtube.games import random_match
from tests.support.tomtube.positions import GAME
from tools import afterstates, by_hand, sampled_worlds
from tools.serving import Program, by_position

ROOT = Path(__file__).parents[2]


def test_it_answers_until_it_is_told_to_quit() -> None:
    program = Program("First", ("tomtube",), by_position(lambda state, _: GAME.legal(state)[0]))
    state, actions = random_match(5, limit=42)
    record = Record({"Game": "tomtube", "Rules": "standard", "Version": "1"}, actions)
    request = {"do": "choose", "seat": GAME.pending(state), "record": str(record)}
    lines = map(json.dumps, [{"do": "hello"}, request, request, {"do": "quit"}, request])
    hello, *answers = map(json.loads, program.serve(lines))
    assert hello == {"name": "First", "protocol": 1, "games": ["tomtube"]}
    assert answers == [{"line": GAME.legal(state)[0].notation}] * 2


@pytest.mark.parametrize("module", [by_hand, afterstates, sampled_worlds])
def test_programs_are_modules_that_can_be_run(module: object) -> None:
    name = getattr(module, "__name__")  # noqa: B009 - modules have no type for it
    command = shlex.join(["env", "-C", str(ROOT), sys.executable, "-m", name])
    with Asked(command) as program:
        assert program.decisions == 0
