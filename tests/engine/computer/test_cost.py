"""Costs of a worker process at the highest level: CPU time for a turn, and memory."""

from __future__ import annotations

import hashlib
import json
import subprocess
import sys
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from subprocess import PIPE

import pytest

from engine.dice import Dice
from engine.game import CHANCE, Action
from engine.games import get, names
from engine.record import Record
from tests.support.tiers import sampled

MAX_TURN_SECONDS = 1.0
MAX_MEMORY_KB = 64 * 1024
PERCENTILE = 0.99

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not Path("/proc/self/schedstat").exists(), reason="needs Linux's /proc"),
]


class Worker:
    """A process that chooses, and what it has used."""

    def __init__(self) -> None:
        command = [sys.executable, "-m", "engine", "seat", "--level", "admiral"]
        self.process = subprocess.Popen(command, stdin=PIPE, stdout=PIPE, text=True)

    def choose(self, record: Record, seat: str) -> Action:
        assert self.process.stdin
        assert self.process.stdout
        request = {"do": "choose", "seat": seat, "record": str(record)}
        print(json.dumps(request), file=self.process.stdin, flush=True)
        return Action.parse(f"{seat} {json.loads(self.process.stdout.readline())['line']}")

    def seconds(self) -> float:
        return int(self._read("schedstat").split()[0]) / 1e9

    def peak_kb(self) -> int:
        return int(self._read("status").partition("VmHWM:")[2].split()[0])

    def _read(self, name: str) -> str:
        return Path(f"/proc/{self.process.pid}/{name}").read_text("ascii")


@pytest.fixture
def worker() -> Iterator[Worker]:
    started = Worker()
    with started.process:
        yield started
        started.process.kill()


def turns(worker: Worker, name: str, number: int) -> list[float]:
    """Play a match against itself and return the seconds of each turn."""
    game, dice, rolls = get(name), Dice(hashlib.sha256(b"%d" % number).digest(), ""), 0
    state, actions = game.start(game.rules[0], {}), tuple[Action, ...]()
    used: defaultdict[tuple[str, int], float] = defaultdict(float)
    while pending := game.pending(state):
        if pending == CHANCE:
            action, rolls = game.chance(state, dice.draw(rolls)), rolls + 1
        else:
            turn, before = game.view(state).turn or -len(actions), worker.seconds()
            recalled = Record({"Game": name}, game.redact_for_infostate(state, pending, actions))
            action = worker.choose(recalled, pending)
            used[pending, turn] += worker.seconds() - before
        state, _ = game.apply(state, action)
        actions = (*actions, action)
    return list(used.values())


@sampled(1, 1, 20)
def test_a_worker_is_quick_and_small(worker: Worker, samples: int) -> None:
    for name in names():
        used = sorted(second for n in range(samples) for second in turns(worker, name, n))
        assert used[int(PERCENTILE * len(used))] < MAX_TURN_SECONDS, name
    assert worker.peak_kb() < MAX_MEMORY_KB
