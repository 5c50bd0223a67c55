"""Formats of cups: each pair meets as often as it should, for each possible number of players."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

import pytest

from bot.features.cups.formats import (
    MAX_ENTRANTS,
    MIN_ENTRANTS,
    NO_ONE,
    CupFormat,
    Pairing,
    draw_lots,
    groups,
    knock_out,
    next_place,
    round_robin,
    schedule,
)

LOTS = {
    "seats": [3, 4, 1, 2, 5, 6],
    "ties": [5, 6, 1, 3, 4, 2],
    "2/0": [2, 1, 3, 4, 5, 6],
}
"""Purpose of a draw → the order of the numbers 1 to 6 that follows from the seed 5eed."""

COUNTS = range(MIN_ENTRANTS, MAX_ENTRANTS + 1)


@pytest.mark.parametrize("count", COUNTS)
def test_each_pair_of_a_round_robin_meets_once(count: int) -> None:
    met = Counter(frozenset(pair) for pairs in round_robin(count) for pair in pairs)
    assert met == Counter(map(frozenset, combinations(range(1, count + 1), 2)))


@pytest.mark.parametrize("count", COUNTS)
def test_rounds_of_a_round_robin_are_as_few_as_possible(count: int) -> None:
    rounds = round_robin(count)
    assert len(rounds) == count - 1 + count % 2
    for pairs in rounds:
        players = [player for pair in pairs for player in pair]
        assert len(set(players)) == len(players) == count - count % 2


@pytest.mark.parametrize("count", COUNTS)
def test_first_seats_of_a_round_robin_differ_by_one(count: int) -> None:
    first = Counter(pair[0] for pairs in round_robin(count) for pair in pairs)
    shares = [first[player] for player in range(1, count + 1)]
    assert max(shares) - min(shares) <= 1


@pytest.mark.parametrize("count", COUNTS)
def test_meetings_in_groups_differ_by_one(count: int) -> None:
    every = [group for round_groups in groups(count) for group in round_groups]
    met = Counter(pair for group in every for pair in combinations(sorted(group), 2))
    numbers = [met[pair] for pair in combinations(range(1, count + 1), 2)]
    assert max(numbers) - min(numbers) <= 1
    for seat in range(3):
        assert sorted(group[seat] for group in every) == list(range(1, count + 1))


@pytest.mark.parametrize("count", COUNTS)
def test_groups_of_a_round_share_no_player(count: int) -> None:
    for round_groups in groups(count):
        players = [player for group in round_groups for player in group]
        assert len(set(players)) == len(players)


@pytest.mark.parametrize("count", COUNTS)
def test_knock_out_needs_one_loser_for_each_player(count: int) -> None:
    rounds = knock_out(count)
    first = [player for pairing in rounds[0] for player in pairing]
    assert sorted(first) == list(range(1, count + 1))
    byes = [pairing[0] for pairing in rounds[0] if len(pairing) == 1]
    assert sorted(byes) == list(range(1, len(byes) + 1)), "the lowest numbers have a bye"
    games = sum(len(pairings) for pairings in rounds) - len(byes)
    assert games == count - 1


def test_lowest_numbers_of_a_knock_out_meet_in_the_final() -> None:
    rounds = knock_out(8)
    places = {min(pairing): place for place, pairing in enumerate(rounds[0])}
    while len(places) > 1:
        moved: dict[int, tuple[int, int, int]] = {
            player: next_place(1, place) for player, place in places.items()
        }
        meeting = Counter(place for _round, place, _seat in moved.values())
        assert set(meeting.values()) == {2}
        places = {min(p for p in moved if moved[p][1] == place): place for place in sorted(meeting)}
    assert set(places) == {1}


@pytest.mark.parametrize(
    ("cup_format", "count", "rounds"),
    [
        ("round_robin", 4, [[(1, 4), (2, 3)], [(4, 2), (3, 1)], [(3, 4), (1, 2)]]),
        ("round_robin", 3, [[(2, 3)], [(3, 1)], [(1, 2)]]),
        ("knock_out", 6, [[(1,), (4, 5), (2,), (3, 6)], [(), ()], [()]]),
        ("groups", 3, [[(1, 2, 3)], [(2, 3, 1)], [(3, 1, 2)]]),
        ("groups", 5, [[(1, 2, 4)], [(2, 3, 5)], [(3, 4, 1)], [(4, 5, 2)], [(5, 1, 3)]]),
    ],
)
def test_schedule_follows_from_the_stored_format(
    cup_format: str, count: int, rounds: list[list[Pairing]]
) -> None:
    assert schedule(CupFormat(cup_format), count) == rounds


@pytest.mark.parametrize("cup_format", CupFormat)
def test_players_of_the_largest_cup_have_numbers(cup_format: CupFormat) -> None:
    first = schedule(cup_format, MAX_ENTRANTS)
    numbers = {number for pairings in first for pairing in pairings for number in pairing}
    assert numbers == set(range(1, MAX_ENTRANTS + 1))
    assert NO_ONE not in numbers


@pytest.mark.parametrize("count", [0, 2, 17])
def test_there_is_no_cup_for_other_numbers(count: int) -> None:
    with pytest.raises(ValueError, match=str(count)):
        schedule(CupFormat.ROUND_ROBIN, count)


def test_lots_follow_from_the_seed_alone() -> None:
    assert draw_lots("a", range(9)) == draw_lots("a", reversed(range(9)))
    assert draw_lots("a", range(9)) != draw_lots("b", range(9))
    assert draw_lots("a", range(9)) != draw_lots("a", range(9), "ties")
    assert draw_lots("a", range(1, 5)) == [2, 1, 3, 4], "the same in each version"


@pytest.mark.parametrize(
    ("purpose", "order"),
    [("seats", LOTS["seats"]), ("ties", LOTS["ties"]), ("2/0", LOTS["2/0"])],
)
def test_lots_follow_from_seed_purpose_and_number_alone(purpose: str, order: list[int]) -> None:
    """Published seeds let players draw them again."""
    assert draw_lots("5eed", range(1, 7), purpose) == order
    assert draw_lots("5eed", reversed(range(1, 7)), purpose) == order
    assert draw_lots("5eed", order[1:], purpose) == order[1:]
    assert draw_lots("5ee", range(1, 7), purpose) != order


def test_seats_are_drawn_by_default() -> None:
    assert draw_lots("5eed", range(1, 7)) == LOTS["seats"]
    assert draw_lots("5eed", []) == []
