"""The strengths of the computer's levels: measured on the scale of ratings."""

from __future__ import annotations

from collections.abc import Sequence
from math import exp, sqrt
from random import Random

import pytest

from bot.domain.ratings import BETA, MU
from engine.computer.arena import Contest, EnginePlayer, Standings
from tools.anchors import REFERENCE, Round, play, read, strengths

KNOWN = {REFERENCE: MU, "weak": 1300.0, "strong": 1900.0}

TABLES = {
    2: (("greedy", "weak"), ("strong", "greedy"), ("strong", "weak")),
    3: (
        ("greedy", "weak", "weak"),
        ("weak", "greedy", "greedy"),
        ("strong", "greedy", "greedy"),
        ("greedy", "strong", "strong"),
    ),
}


def simulated(seats: int, matches: int) -> list[Round]:
    """Return matches of players with known strengths, as Plackett–Luce has it."""
    random, rounds = Random(seats), list[Round]()
    for _ in range(matches):
        for players in TABLES[seats]:
            weights = [exp(KNOWN[player] / (sqrt(seats) * BETA)) for player in players]
            (winner,) = random.choices(range(seats), weights)
            rounds.append(Round("x/2", 1, players, (winner,)))
    return rounds


@pytest.mark.slow
@pytest.mark.parametrize("seats", [2, 3])
def test_strengths_of_known_players_are_found(seats: int) -> None:
    ratings = strengths(simulated(seats, 3000))
    assert ratings[REFERENCE] == MU
    for player, strength in KNOWN.items():
        assert abs(ratings[player] - strength) < 30, ratings


def test_draws_bring_players_together() -> None:
    drawn = [Round("x/2", 1, ("strong", "greedy"), (None,))] * 10
    won = [Round("x/2", 1, ("strong", "greedy"), (0,))] * 10
    assert abs(strengths(drawn)["strong"] - MU) < 1
    between = strengths(drawn + won)["strong"]
    assert MU + 150 < between < MU + 250, "three quarters of the points are 191 Elo"


def test_each_round_has_other_dice_and_players(monkeypatch: pytest.MonkeyPatch) -> None:
    seeds: dict[int, set[tuple[bytes, ...]]] = {}

    def run(contest: Contest, players: Sequence[EnginePlayer], matches: int) -> Standings:
        assert len(players) == matches == 3
        seeds.setdefault(contest.seed, set()).add(tuple(player.player.seed for player in players))
        return Standings(matches, [])

    monkeypatch.setattr(Contest, "run", run)
    for seed in (1, 2):
        assert {match.seed for match in play("warp6/3", 2, seed)} == {seed}
    assert [len(seatings) for seatings in seeds.values()] == [1] * 4, (
        "a round has the same dice and seeds"
    )
    assert (
        len({seed for seatings in seeds.values() for players in seatings for seed in players}) == 12
    )


@pytest.mark.slow
def test_each_player_sits_on_each_seat() -> None:
    first = next(play("warp6/3", 1, 1))
    assert (first.pool, first.players) == ("warp6/3", ("greedy", "cadet", "cadet"))
    assert len(first.winners) == 3
    assert read(['["warp6/3", 1, ["greedy", "cadet", "cadet"], [0, null, 2]]']) == [
        Round("warp6/3", 1, ("greedy", "cadet", "cadet"), (0, None, 2))
    ]
