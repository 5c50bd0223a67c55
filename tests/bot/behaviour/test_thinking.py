"""No computer player thinks in the event loop, whatever the players of Tom Tube look at."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from types import FrameType

import pytest

import engine.computer
from engine.computer.tomtube.placing import whole_turns
from engine.tomtube.rules import legal
from render.tomtube import shortcuts
from tests.support.driver import by_click
from tests.support.harness import Stage
from tests.support.tomtube.positions import laying

COMPUTERS = str(Path(engine.computer.__file__).parent)

CHOICES = 6
"""Enough for two rhombs, each with the boards on the way to its place."""


@contextmanager
def calls_of_this_thread(folder: str) -> Iterator[set[str]]:
    """Collect the names of the functions in a folder that this thread calls, as the loop does."""
    called: set[str] = set()

    def note(frame: FrameType, event: str, _: object) -> None:
        if event == "call" and frame.f_code.co_filename.startswith(folder):
            called.add(frame.f_code.co_qualname)

    sys.setprofile(note)
    try:
        yield called
    finally:
        sys.setprofile(None)


def test_calls_are_noticed() -> None:
    state = laying("", "AB/CD")
    with calls_of_this_thread(COMPUTERS) as called:
        next(iter(whole_turns(state, legal(state))))
    assert "whole_turns" in called


@pytest.mark.slow
async def test_no_computer_player_thinks_in_the_loop(stage: Stage) -> None:
    shortcuts._turns.cache_clear()
    random, laid = Random(1), 0
    match_id = await stage.begin(game="tomtube")
    with calls_of_this_thread(COMPUTERS) as called:
        for _ in range(CHOICES):
            actor = await stage.deciding(match_id)
            choices = (await stage.perspective(match_id, actor)).view.legal
            action = choices[0] if choices[0].verb == "build" else random.choice(choices)
            laid += action.verb == "rhomb"
            await by_click(stage, match_id, actor, action)
    assert laid >= 2
    assert shortcuts._turns.cache_info().misses
    assert called == set()
