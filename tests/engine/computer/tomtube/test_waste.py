"""Moves of Tom Tube that waste something: jumps where a drift leads, and ways back for nothing."""

from __future__ import annotations

from typing import Any

import pytest

from engine.computer.situation import Situation
from engine.computer.tomtube.waste import wasteful
from engine.tomtube.state import State
from tests.support.tomtube.positions import GAME, around, hands, position

KNOTS = ("0,0", "1,0", "0,1", "-1,0", "0,-1", "-1,1", "1,-1")

TUBE = "0,0/1,0/0,1"
"""Tom drifts between these knots, and jumps to the others."""


def at(tom: str, number: int, **fields: Any) -> State:
    """Return the position at the beginning of a turn of Tom's."""
    return position(fills=around(*KNOTS, tubes=TUBE), tom=tom, number=number, **fields)


def wasted(*states: State) -> list[str]:
    """Return the wasteful actions in the last of these positions, which follow one another."""
    *earlier, state = states
    situation = Situation(GAME, "T", GAME.legal(state), state, earlier=tuple(earlier))
    return sorted(action.notation for action in wasteful(situation))


def test_a_jump_to_the_end_of_a_free_drift_is_wasteful() -> None:
    state = at("0,0", 1)
    assert {"jump 0,1", "jump 0,-1", "drift 0,1"} <= {
        action.notation for action in GAME.legal(state)
    }
    assert wasted(state) == ["jump 0,1", "jump 1,0"]
    assert wasted(at("0,0", 1, hands=hands((0, 1)))) == []


def test_nothing_is_wasteful_but_moves() -> None:
    assert wasted(at("0,0", 1, phase="rhomb", drawn=0)) == []


def test_the_way_back_is_wasteful_if_nothing_was_gained() -> None:
    no_energy = hands((0, 1))
    before, now = at("1,0", 1, hands=no_energy), at("0,0", 3, hands=no_energy)
    assert wasted(before, now) == ["drift 1,0"]
    assert wasted(before, at("0,0", 2, hands=no_energy, seat="D"), now) == ["drift 1,0"]
    assert wasted(before, at("0,0", 3, hands=hands((1, 1)))) == ["jump 0,1", "jump 1,0"]


def test_the_way_back_by_a_jump_is_wasteful_too() -> None:
    assert wasted(at("-1,0", 1), at("0,0", 3)) == ["jump -1,0", "jump 0,1", "jump 1,0"]


@pytest.mark.parametrize("put", [("1,0", "", ""), ("", "1,0", ""), ("", "", "1,0")])
def test_the_way_back_to_a_counter_is_not_wasteful(put: tuple[str, str, str]) -> None:
    no_energy = hands((0, 1))
    before, now = at("1,0", 1, hands=no_energy), at("0,0", 3, hands=no_energy, put=put)
    assert wasted(before, now) == []


def test_the_way_back_after_two_turns_is_wasteful() -> None:
    no_energy = hands((0, 1))
    states = [at(tom, 1 + 2 * turn, hands=no_energy) for turn, tom in enumerate(("1,0", "0,1"))]
    assert wasted(*states, at("0,0", 5, hands=no_energy)) == ["drift 0,1", "drift 1,0"]
    longer = (at("1,0", 1, hands=no_energy), at("0,1", 3, hands=no_energy))
    after_three = (*longer, at("-1,0", 5, hands=no_energy), at("0,0", 7, hands=no_energy))
    assert wasted(*after_three) == ["drift 0,1"]


def test_the_way_back_after_building_is_not_wasteful() -> None:
    no_energy = hands((0, 1))
    built = (at("1,0", 1, hands=no_energy), at("0,0", 3, hands=no_energy))
    drawing = at("0,0", 3, hands=no_energy, phase="rhomb")
    assert wasted(*built, drawing, at("0,0", 5, hands=no_energy)) == []


def test_a_gain_is_counted_from_the_exchange_on() -> None:
    """It costs a point, so that the counter taken after it would not seem a gain."""
    alien, energy = hands((0, 1), alien=(1, 0)), hands((2, 1), control=(1, 0))
    began, exchanged = at("1,0", 1, hands=alien), at("1,0", 1, hands=energy)
    took = at("0,0", 3, hands=hands((3, 1), control=(1, 0)))
    assert "drift 1,0" not in wasted(began, exchanged, took)
    assert "drift 1,0" in wasted(began, exchanged, at("0,0", 3, hands=energy))
