"""The ladder of computer players."""

from __future__ import annotations

import json
from collections.abc import Sequence
from itertools import islice

import pytest

from engine.computer.arena import ArenaResult, Contest, Standings
from engine.record import Record
from tools import ladder


@pytest.mark.slow
def test_ladder_prints_a_line_for_each_pair(capsys: pytest.CaptureFixture[str]) -> None:
    pairs = ["--pair", "greedy:random", "--pair", "random:greedy"]
    ladder.main(["warp6", "--matches", "2", *pairs])
    heading, first, second = capsys.readouterr().out.splitlines()
    assert heading == ladder.HEADING
    assert first.split()[:4] == ["warp6", "greedy", "random", "1.000"]
    assert second.split()[:4] == ["warp6", "random", "greedy", "0.000"]


@pytest.mark.slow
def test_a_test_ends_when_it_is_decided(capsys: pytest.CaptureFixture[str]) -> None:
    pairs = ["--pair", "greedy:random", "--pair", "random:greedy"]
    ladder.main(["warp6", "--sprt", "--at-least", "1000", *pairs])
    heading, first, second = capsys.readouterr().out.splitlines()
    assert heading == ladder.SPRT_HEADING
    assert first.split()[:10] == ["warp6", "greedy", "random", "accepted", "5", *"00005"]
    assert second.split()[:5] == ["warp6", "random", "greedy", "rejected", "1"]


@pytest.mark.slow
def test_a_test_that_is_not_decided_stops(capsys: pytest.CaptureFixture[str]) -> None:
    ladder.main(["warp6", "--sprt", "--json", "--pair", "greedy:random", "--max-pairs", "2"])
    figures = json.loads(capsys.readouterr().out)
    assert (figures["verdict"], figures["pairs"], figures["matches"]) == ("undecided", 2, 4)
    assert figures["counts"] == [0, 0, 0, 0, 2]


def test_each_round_has_other_dice_and_players(monkeypatch: pytest.MonkeyPatch) -> None:
    seeds: list[tuple[int, bytes, bytes]] = []
    results = [ArenaResult((1.0, 0.0), None, None, Record({}, ()))] * 2

    def run(contest: Contest, players: Sequence[ladder.Timed], matches: int) -> Standings:
        assert matches == 2
        first, second = players
        seeds.append((contest.seed, first.player.seed, second.player.seed))
        return Standings(matches, results)

    monkeypatch.setattr(Contest, "run", run)
    for seed in (1, 2):
        outcomes = ladder.outcomes("warp6", ("greedy", "random"), seed, ladder.Turns())
        assert len(list(islice(outcomes, 5))) == 5
    assert len(seeds) == 6
    assert [len(set(column)) for column in zip(*seeds, strict=True)] == [6, 6, 6]


def test_a_turn_ends_when_the_other_player_decides() -> None:
    turns = ladder.Turns()
    for name, seconds in (("a", 1.0), ("a", 2.0), ("b", 4.0), ("a", 8.0)):
        turns.add(name, seconds)
    assert turns.seconds == {"a": [3.0, 8.0], "b": [4.0]}
    assert turns.p99("a") == 8.0
    assert turns.mean("a") == 11.0 / 3
