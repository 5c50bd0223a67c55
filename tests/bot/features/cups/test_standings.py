"""Standings of cups: points, each tie-break, withdrawals."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from itertools import pairwise
from typing import Any

import pytest

from bot.features.cups.formats import CupFormat, draw_lots
from bot.features.cups.standings import (
    CupEntrant,
    Line,
    PairingReason,
    PairingResult,
    TieBreak,
    annulled,
    deciding,
    standings,
    winners_of,
)

SEED = "5eed"


def won(first: int, second: int, **fields: Any) -> PairingResult:
    return PairingResult(1, (first, second), (first,), **fields)


def drew(*numbers: int) -> PairingResult:
    return PairingResult(1, numbers, numbers)


def ranked(
    count: int,
    *results: PairingResult,
    cup_format: CupFormat = CupFormat.ROUND_ROBIN,
    withdrawn: tuple[int, ...] = (),
) -> list[Line]:
    entrants = [CupEntrant(number, number in withdrawn) for number in range(1, count + 1)]
    sizes = dict.fromkeys(range(1, count + 1), count - 1)
    return standings(cup_format, SEED, entrants, results, sizes)


def order(lines: list[Line]) -> list[int]:
    return [line.number for line in lines]


@pytest.mark.parametrize("cup_format", CupFormat)
def test_players_without_results_have_only_noughts(cup_format: CupFormat) -> None:
    lines = sorted(ranked(3, cup_format=cup_format), key=lambda line: line.number)
    noughts = [Line(number, place=0, points=Fraction(0)) for number in (1, 2, 3)]
    assert [replace(line, place=0) for line in lines] == noughts


def test_points_come_first() -> None:
    lines = ranked(3, won(2, 1), won(2, 3), drew(1, 3))
    assert [line.points for line in lines] == [2, Fraction(1, 2), Fraction(1, 2)]
    assert lines[0].number == 2
    tallies = [(line.played, line.wins, line.draws, line.losses) for line in lines]
    assert tallies == [(2, 2, 0, 0), (2, 0, 1, 1), (2, 0, 1, 1)]


def test_direct_comparison_comes_second() -> None:
    lines = ranked(4, won(3, 1), won(1, 2), won(1, 4), won(3, 4), won(2, 3), won(2, 4))
    assert {line.points for line in lines[:3]} == {2}
    decided = ranked(4, won(3, 1), won(1, 2), won(1, 4), won(4, 3))
    assert order(decided)[:2] == [1, 4], "4 is level with 3 and won against 3"
    assert order(decided).index(4) < order(decided).index(3)
    assert {line.number: line.direct for line in decided} == {1: 0, 2: 0, 3: 0, 4: 1}


def test_sonneborn_berger_comes_third() -> None:
    """1 and 2 drew with each other; 1 won against 3, who has more points than 4."""
    lines = ranked(4, drew(1, 2), won(1, 3), won(4, 1), won(2, 4), won(3, 2), won(3, 4))
    two = {line.number: line for line in lines}
    assert two[1].points == two[2].points == Fraction(3, 2)
    assert two[1].direct == two[2].direct
    assert two[1].sonneborn == 2 + Fraction(3, 4), "won against 2 points, half of 1½ points"
    assert two[2].sonneborn == 1 + Fraction(3, 4), "won against 1 point, half of 1½ points"
    assert order(lines).index(1) < order(lines).index(2)


def test_wins_come_fourth() -> None:
    lines = ranked(4, won(1, 4), won(4, 1), drew(2, 3), drew(3, 2))
    by_number = {line.number: line for line in lines}
    assert {line.points for line in lines} == {1}
    assert by_number[1].direct == by_number[2].direct
    assert by_number[1].sonneborn == by_number[2].sonneborn
    assert set(order(lines)[:2]) == {1, 4}


def test_fewer_forfeits_come_fifth() -> None:
    late = won(2, 3, reason=PairingReason.TIME, forfeits=(3,))
    lines = ranked(3, won(1, 2), late, won(3, 1))
    assert {line.points for line in lines} == {1}
    assert order(lines)[-1] == 3
    assert lines[-1].forfeits == 1


def test_the_lot_comes_last_and_is_known_before() -> None:
    lines = ranked(4, drew(1, 2), drew(3, 4))
    assert order(lines) == draw_lots(SEED, [1, 2, 3, 4], "ties")
    assert [line.place for line in lines] == [1, 2, 3, 4]


def test_the_deciding_tie_break_is_named() -> None:
    results = (won(3, 1), won(1, 2), won(1, 4), won(4, 3))
    first, second, third, last = ranked(4, *results)
    assert deciding(first, second) is None, "more points"
    assert deciding(second, third) == TieBreak.DIRECT
    assert deciding(third, last) is None
    one, two, *_rest = ranked(4, drew(1, 2), drew(3, 4))
    assert deciding(one, two) == TieBreak.LOT


def test_a_withdrawal_is_no_tie_break() -> None:
    staying, gone = ranked(2, drew(1, 2), cup_format=CupFormat.GROUPS, withdrawn=(1,))
    assert (staying.number, gone.number) == (2, 1)
    assert staying.points == gone.points
    assert deciding(staying, gone) is None


@pytest.mark.parametrize("cup_format", [CupFormat.ROUND_ROBIN, CupFormat.GROUPS])
def test_withdrawn_players_are_ranked_by_the_same_lot(cup_format: CupFormat) -> None:
    lots = draw_lots(SEED, range(1, 8), "ties")
    withdrawn = (lots[0], lots[2], lots[3], lots[6])
    lines = ranked(7, cup_format=cup_format, withdrawn=withdrawn)
    assert order(lines) == [lots[1], lots[4], lots[5], *withdrawn]
    assert [line.withdrawn for line in lines] == [False] * 3 + [True] * 4
    pairs = list(pairwise(lines))
    assert [deciding(*pair) for pair in pairs] == [TieBreak.LOT] * 2 + [None] + [TieBreak.LOT] * 3


def test_three_players_share_the_point_of_a_draw() -> None:
    lines = ranked(3, drew(1, 2, 3), PairingResult(2, (1, 2, 3), (2,)), cup_format=CupFormat.GROUPS)
    assert [line.points for line in lines] == [Fraction(4, 3), Fraction(1, 3), Fraction(1, 3)]
    tallies = [(line.wins, line.draws, line.losses) for line in lines]
    assert tallies == [(1, 1, 0), (0, 1, 1), (0, 1, 1)]


def test_results_of_an_early_withdrawal_do_not_count() -> None:
    walkover = won(3, 2, reason=PairingReason.WITHDRAWN, forfeits=(2,))
    results = (won(2, 1), walkover, won(1, 3), won(4, 1))
    lines = ranked(4, *results, withdrawn=(2,))
    points = {line.number: line.points for line in lines}
    assert points == {1: 1, 2: 0, 3: 0, 4: 1}
    assert order(lines)[-1] == 2


def test_results_of_a_late_withdrawal_count() -> None:
    walkover = won(3, 2, reason=PairingReason.WITHDRAWN, forfeits=(2,))
    lines = ranked(4, won(2, 1), won(2, 4), walkover, withdrawn=(2,))
    points = {line.number: line.points for line in lines}
    assert points == {1: 0, 2: 2, 3: 1, 4: 0}
    assert order(lines)[-1] == 2, "but the player is listed last"


def test_half_of_the_matches_are_enough_to_count() -> None:
    walkovers = [won(n, 2, reason=PairingReason.WITHDRAWN, forfeits=(2,)) for n in (4, 5)]
    lines = ranked(5, won(2, 1), won(2, 3), *walkovers, withdrawn=(2,))
    points = {line.number: line.points for line in lines}
    assert points == {1: 0, 2: 2, 3: 0, 4: 1, 5: 1}


@pytest.mark.parametrize("reason", PairingReason)
@pytest.mark.parametrize(("size", "needed"), [(4, 2), (5, 3), (2, 1)])
def test_half_of_the_matches_must_have_been_played(
    reason: PairingReason, size: int, needed: int
) -> None:
    """Matches decided without a match are not played ones."""
    entrants = [CupEntrant(1, withdrawn=True), CupEntrant(2)]
    sizes = {1: size, 2: size}
    for count in range(size + 1):
        results = [won(2, 1, reason=reason)] * count
        is_played = reason not in {PairingReason.WITHDRAWN, PairingReason.LATE, PairingReason.VOID}
        out = set() if is_played and count >= needed else {1}
        assert annulled(CupFormat.ROUND_ROBIN, entrants, results, sizes) == out


def test_only_withdrawn_players_are_excluded() -> None:
    entrants = [CupEntrant(1), CupEntrant(2, withdrawn=True), CupEntrant(3, withdrawn=True)]
    sizes = {1: 2, 2: 2, 3: 2}
    assert annulled(CupFormat.ROUND_ROBIN, entrants, [], sizes) == {2, 3}
    assert annulled(CupFormat.ROUND_ROBIN, entrants, [won(3, 1)], sizes) == {2}, "own matches"
    assert annulled(CupFormat.KNOCK_OUT, entrants, [], sizes) == set()


def test_groups_keep_the_results_of_a_withdrawal() -> None:
    entrants = [CupEntrant(1), CupEntrant(2), CupEntrant(3, withdrawn=True)]
    result = PairingResult(1, (1, 2, 3), (1,))
    sizes = {1: 3, 2: 3, 3: 3}
    assert annulled(CupFormat.GROUPS, entrants, [result], sizes) == set()
    assert annulled(CupFormat.ROUND_ROBIN, entrants, [result], sizes) == {3}


def test_a_void_pairing_counts_for_no_player() -> None:
    void = PairingResult(1, (1, 2), (), PairingReason.VOID)
    assert all(line.played == 0 for line in ranked(3, void))


def test_players_of_a_knock_out_share_the_place_of_their_round() -> None:
    results = (
        won(1, 4),
        won(3, 2),
        PairingResult(2, (1, 3), (3,)),
    )
    lines = ranked(4, *results, cup_format=CupFormat.KNOCK_OUT)
    assert [(line.number, line.place) for line in lines] == [(3, 1), (1, 2), (2, 3), (4, 3)]
    assert [line.points for line in lines] == [2, 1, 0, 0], "rounds survived"
    assert winners_of(lines, finished=True) == [3]
    assert not winners_of(lines, finished=False)


def test_a_walkover_of_a_knock_out_is_no_match() -> None:
    results = (won(1, 4), won(2, 3), PairingResult(2, (1, 0), (1,), PairingReason.WITHDRAWN))
    lines = ranked(4, *results, cup_format=CupFormat.KNOCK_OUT)
    assert [(line.number, line.wins, line.losses, line.played) for line in lines] == [
        (1, 1, 0, 1),
        (2, 1, 0, 1),
        (3, 0, 1, 1),
        (4, 0, 1, 1),
    ]


def test_a_cup_that_all_have_left_has_no_winner() -> None:
    lines = ranked(3, won(1, 2), won(1, 3), won(2, 3), withdrawn=(1, 2, 3))
    assert not winners_of(lines, finished=True)


def test_a_final_that_both_have_left_has_no_winner() -> None:
    void = PairingResult(2, (1, 2), (), PairingReason.VOID, forfeits=(1, 2))
    lines = ranked(4, won(1, 4), won(2, 3), void, cup_format=CupFormat.KNOCK_OUT, withdrawn=(1, 2))
    assert [line.place for line in lines] == [1, 1, 3, 3]
    assert not winners_of(lines, finished=True), "3 and 4 have lost before"


def test_a_win_is_no_forfeit() -> None:
    lines = ranked(3, won(1, 2, forfeits=(1, 2)))
    assert {line.number: line.forfeits for line in lines} == {1: 0, 2: 1, 3: 0}


def test_points_of_opponents_count_more_than_wins() -> None:
    """The first has drawn with strong players, the second has beaten weak ones."""
    drawn = [PairingResult(1, (1, number), (1, number)) for number in (3, 4, 5, 6)]
    won = [PairingResult(2, (2, number), (2,)) for number in (7, 8)]
    strong = [PairingResult(3, (number, 9), (number,)) for number in (3, 4)]
    entrants = [CupEntrant(number) for number in range(1, 10)]
    results, sizes = [*drawn, *won, *strong], dict.fromkeys(range(1, 10), 1)
    for seed in ("a", "b", "c", "d"):
        lines = standings(CupFormat.ROUND_ROBIN, seed, entrants, results, sizes)
        first, second = lines[:2]
        assert (first.number, second.number) == (1, 2)
        assert first.points == second.points
        assert second.wins > first.wins
        assert deciding(first, second) == TieBreak.SONNEBORN


@pytest.mark.parametrize(("forfeits", "decides"), [(0, TieBreak.LOT), (1, TieBreak.FORFEITS)])
def test_losses_decide_only_if_they_are_forfeits(forfeits: int, decides: TieBreak) -> None:
    first = Line(1, 1, Fraction(1), losses=1)
    second = Line(2, 2, Fraction(1), losses=2, forfeits=forfeits)
    assert deciding(first, second) == decides
