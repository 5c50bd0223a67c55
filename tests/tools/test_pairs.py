"""Scores without the luck of the dice."""

from __future__ import annotations

import re
import sys
from itertools import islice

import pytest

from engine.computer.arena import ArenaResult, Contest, Standings
from engine.record import Record
from tools import pairs
from tools.pairs import main, rounds, scored


def test_seeds_have_different_rounds() -> None:
    first, second = (list(islice(rounds(seed), 3)) for seed in (1, 2))
    assert len({*first, *second}) == 6
    assert first == list(islice(rounds(1), 3))


def test_the_luck_of_the_dice_is_taken_from_each_score(monkeypatch: pytest.MonkeyPatch) -> None:
    record = Record({}, ())
    results = [ArenaResult(scores, None, None, record) for scores in ((1.0, 0.0), (0.0, 1.0))]
    lucks = iter([(4000, -4000), (1000, -1000)])
    monkeypatch.setattr(Contest, "run", lambda *_: Standings(2, results))
    monkeypatch.setattr(pairs, "dice_luck", lambda _: next(lucks))
    pair = scored([], 1)
    assert pair.score == 0.5
    assert pair.steady == pytest.approx((1 - 0.4 + 0 + 0.1) / 2), "it sits second in the second one"


@pytest.mark.slow
def test_a_level_is_scored_against_a_program(capsys: pytest.CaptureFixture[str]) -> None:
    program = f"{sys.executable} -m tools.sampled_worlds"
    main(["cadet", program, "--matches", "4", "--seed", "3"])
    words = capsys.readouterr().out
    assert re.fullmatch(
        r"4 matches: \d\.\d{3} ± \d\.\d{3}, without the luck of the dice -?\d\.\d{3} ± \d\.\d{3}\n",
        words,
    )
