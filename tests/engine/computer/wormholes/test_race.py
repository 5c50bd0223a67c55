"""The race of a lone ship, against the same sums written out step by step."""

from __future__ import annotations

from random import Random

import pytest

from engine.computer.situation import SCALE
from engine.computer.wormholes import race
from engine.computer.wormholes.race import COUNT, FACES, JUMPS, MAX_TURNS, ONE, TURN, WAYS, Coins
from engine.computer.wormholes.values import expected_scores
from engine.wormholes.board import BASES, FREE_FOR_COINS, INDEX, STARTS
from engine.wormholes.pieces import SUITS
from tests.support.wormholes.positions import position


def boards(seed: int) -> tuple[Coins, Coins]:
    """Return the coins that a seat expects on a board, and the real ones."""
    random = Random(seed)
    expected: list[tuple[int, ...]] = [()] * COUNT
    for space in random.sample(FREE_FOR_COINS, 24):
        expected[space] = tuple(random.sample(range(24), random.choice((1, 2, 3, 6))))
    met = tuple((random.choice(coins),) if coins else () for coins in expected)
    return tuple(expected), met


def rolled(space: int, lengths: tuple[int, ...], met: tuple[int, ...]) -> int:
    """Return the mean length after the best way for each face."""
    total = met[space]
    for value in range(1, FACES):
        ends = WAYS[value][space]
        total += min(met[end] for end in ends) if ends else lengths[space]
    return total // FACES


@pytest.mark.parametrize("seat", [0, 1])
def test_lengths_are_those_of_the_best_way_for_each_face(seat: int) -> None:
    expected, _ = boards(seat)
    lengths = race.lengths_of(seat, expected)
    met = [
        sum(
            lengths[space] + TURN
            if coin % 6 == 0
            else min((lengths[end] for end in JUMPS[coin][space]), default=lengths[space])
            for coin in coins
        )
        // len(coins)
        if coins
        else lengths[space]
        for space, coins in enumerate(expected)
    ]
    goals = BASES[1 - seat]
    assert not any(lengths[space] for space in goals)
    others = [space for space in range(COUNT) if space not in goals]
    changes = [TURN + rolled(space, lengths, tuple(met)) - lengths[space] for space in others]
    assert max(changes) - min(changes) <= 2 * race.CLOSE


def test_a_value_that_leads_nowhere_leaves_the_ship_where_it_is() -> None:
    stuck = [space for space in range(COUNT) if any(not ends[space] for ends in WAYS[1:])]
    assert stuck
    lengths = tuple(Random(1).randrange(20 * TURN) for _ in range(COUNT))
    met = tuple(length + 500 for length in lengths)
    for space in stuck:
        assert race._rolled(space, lengths, met) == rolled(space, lengths, met)


@pytest.mark.parametrize("seat", [0, 1])
def test_curves_add_up_all_that_a_turn_leads_to(seat: int) -> None:
    expected, met = boards(seat + 2)
    lengths, curves = race.race(seat, expected, met)
    goals = BASES[1 - seat]
    steps = race._steps(goals, lengths, expected, met)
    assert len(steps) == COUNT + len(goals)
    assert any(lost for there in steps.values() for _, _, lost in there)
    curve = [tuple(ONE * (place in goals) for place in range(len(steps)))] * 2
    for turns in range(1, MAX_TURNS + 1):
        after = tuple(
            ONE
            if place in goals
            else sum(part * curve[-1 - lost][end] for part, end, lost in steps[place])
            // (FACES * race.PARTS)
            for place in range(len(steps))
        )
        assert curves[turns] == after
        curve.append(after)


@pytest.mark.parametrize("seat", [0, 1])
def test_curves_from_some_places_are_those_from_all(seat: int) -> None:
    expected, met = boards(seat + 6)
    starts = STARTS[2 * seat : 2 * seat + 2]
    of_all = race.race(seat, expected, met).curves
    of_some = race.race(seat, expected, met, starts=starts).curves
    for start in starts:
        assert [curve[start] for curve in of_some] == [curve[start] for curve in of_all]
    assert sum(map(bool, of_some[-1])) < sum(map(bool, of_all[-1]))


@pytest.mark.parametrize("seat", [0, 1])
def test_w7_5_ship_sent_onto_its_goal_must_leave_it_and_land(seat: int) -> None:
    expected, met = boards(seat + 4)
    lengths = race.lengths_of(seat, expected)
    steps = race._steps(BASES[1 - seat], lengths, expected, met)
    on_spaces = race._met_on(expected, lengths)
    for space in BASES[1 - seat]:
        place = race.SENT[space]
        others = [WAYS[value][space] for value in range(1, FACES)]
        after = [min(map(on_spaces.__getitem__, ends)) for ends in others if ends]
        stays = FACES - len(after)  # with a null, too
        mean = (FACES * TURN + sum(after) + stays * lengths[place]) / FACES
        assert lengths[space] == 0
        assert abs(lengths[place] - mean) < 1
        staying = (race.PARTS, place, 0)
        assert steps[place].count(staying) == stays
        landed = (race.PARTS, space, 0)
        assert [landed if step == staying else step for step in steps[place]] == steps[space]


@pytest.mark.parametrize(
    ("ship", "space", "landed", "place"),
    [
        (0, "a18", 0b0001, "a18"),
        (0, "a18", 0b0010, "sent"),
        (1, "a17", 0b0001, "sent"),
        (3, "j2", 0b0000, "sent"),
        (3, "j2", 0b1000, "j2"),
        (0, "j1", 0b0000, "j1"),
        (2, "a17", 0b0000, "a17"),
        (0, "e12", 0b0000, "e12"),
    ],
)
def test_w7_5_goal_is_home_only_to_a_ship_that_has_landed_there(
    ship: int, space: str, landed: int, place: str
) -> None:
    number = INDEX[space]
    state = position({SUITS[ship]: space}, rules="0.6-long", landed=landed)
    assert race.place_of(state, ship) == (race.SENT[number] if place == "sent" else number)


@pytest.mark.parametrize("rules", ["0.6", "0.6-long"])
def test_w7_5_being_sent_onto_a_goal_does_not_win(rules: str) -> None:
    ships = {"S": "a18", "M": "a17", "C": "c10", "A": "d10"}
    sent = expected_scores(position(ships, rules=rules))
    assert 0 < sent[0] < SCALE
    home = expected_scores(position(ships, rules=rules, landed=0b0011))
    assert home[0] == SCALE


def test_w7_5_landed_and_sent_ships_differ_in_one_outlook() -> None:
    ships = {"S": "a18", "M": "c16", "C": "c10", "A": "j1"}
    sent, home = (position(ships, rules="0.6-long", landed=bits) for bits in (0, 1))
    outlook = race.Outlook.true(sent)
    assert outlook.winning(sent, 0, 0) < outlook.winning(home, 0, 0)
