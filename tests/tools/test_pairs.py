"""Scores without the luck of the dice."""

from __future__ import annotations

from itertools import islice

import pytest

from engine.computer.arena import ArenaResult, Contest, Standings
from engine.record import Record
from tools import pairs
from tools.pairs import rounds, scored


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
