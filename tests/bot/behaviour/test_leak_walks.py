"""Random stories are told in two worlds each, and nothing but Ada's own secrets differs.

Stories run side by side, one in each process; `tests.bot.behaviour.test_leaks` has short ones.
"""

from __future__ import annotations

import time
import traceback
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from multiprocessing import get_context
from os import cpu_count
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.verification.leaks.diff import readable
from tests.verification.leaks.story import Story
from tests.verification.leaks.twins import PlannedStory, SecretStory, both, random_walk, secretly

PAIRS = 36

SECRET_EVERY, PLANNED_EVERY = 5, 4
"""One story in so many is about a secret set-up; one about plans."""

ENDS = ("claim", "erase", "agree_on_draw")

ACTS = (
    *("DM refused", "abandon proposed", "nudged", "plan", "record stayed closed"),
    *("agreed", "board by DM", "choice", "claim too late", "claimed"),
    *("click on hand", "click on menu", "click on since", "click on text", "draw accepted"),
    *("draw offered", "erased", "exported", "animation", "moved", "proposals", "reminder"),
    *("notes", "rules shown", "secret taken back", "snoozed", "takeback asked", "taken back"),
    *("thread deleted", "thread locked", "time over", "too late", "turned away"),
    *("two languages", "vacation", "warning", "in the hall"),
)
"""Acts that must occur in some of the stories."""


class Walk(NamedTuple):
    """Result of a story.

    Attributes:
        differences: description of the differences; empty if there are none.
        compared: number of lines of each kind in one of the worlds.
        done: how often each act occurred.
    """

    differences: str
    compared: Counter[str]
    done: Counter[str]


def walk(folder: Path, seed: int) -> Walk:
    """Tell a story in both worlds; an error is a difference, so that the others are told too."""
    try:
        return _walk(folder, seed)
    except Exception:  # noqa: BLE001 - the report tells it
        return Walk(f"story {seed}:\n{traceback.format_exc()}", Counter(), Counter())


def _walk(folder: Path, seed: int) -> Walk:
    if seed % SECRET_EVERY == 0:
        end = ENDS[seed // SECRET_EVERY % len(ENDS)]
        twins = both(folder, partial(secretly, end=end, seed=seed), seed, SecretStory)
    else:
        notes, kind = ("off", "on")[seed % 2], Story if seed % PLANNED_EVERY else PlannedStory
        length = 30 + 10 * (seed % 5)
        story = partial(random_walk, length=length, hall=seed % 3 == 1, notes=notes)
        twins = both(folder, story, seed, kind)
    channels = twins.one._asdict()
    compared = Counter({channel: len(lines) for channel, lines in channels.items()})
    differences = f"story {seed}:\n{readable(twins.found)}" if twins.found else ""
    return Walk(differences, compared, twins.done)


@pytest.mark.soak
@pytest.mark.timeout(3600)
def test_random_stories_read_the_same(tmp_path: Path, say: Callable[[object], None]) -> None:
    start = time.perf_counter()
    with ProcessPoolExecutor(cpu_count(), get_context("spawn")) as processes:
        walks = list(processes.map(partial(walk, tmp_path), range(1, PAIRS + 1)))
    done = sum((story.done for story in walks), Counter[str]())
    compared = sum((story.compared for story in walks), Counter[str]())
    different = [story.differences for story in walks if story.differences]
    say(
        f"{PAIRS} pairs of stories in {time.perf_counter() - start:.0f} s:"
        f" {compared.total()} compared {dict(compared)}, acts {dict(sorted(done.items()))},"
        f" {len(different)} pairs differ"
    )
    assert not different, "\n\n".join(different)
    assert not [act for act in ACTS if not done[act]]
    assert {*done} == {*ACTS}
