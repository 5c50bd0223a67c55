"""Reasons in Warp 6 are true of the dice on the board."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.computer.reasons import Reason
from engine.computer.situation import Situation
from engine.computer.warp6 import reasons
from engine.computer.warp6.features import needed_turns
from engine.game import Action
from engine.warp6.pieces import KITS, SEATS
from engine.warp6.state import State
from tests.support.reasons import explained, rounds_to, situation
from tests.support.tiers import examples
from tests.support.warp6.games import random_match
from tests.support.warp6.positions import GAME, position


@pytest.mark.parametrize(
    ("dice", "line", "expected"),
    [
        ("b8a5@5", "move b8a", "8a leaves the board, your number 1 of 6"),
        ("b8a5@80 y4a1@75", "move b8a", "the warp and its new number save it about 4 turns"),
        ("b8a5@80 b6a4@79", "move b8a", "6a can then warp from 75"),
        ("b8a5@80 y6a4@84", "move b8a", "y6a can no longer warp from 80"),
        ("b8a5@15", "move b8a", "8a then needs only 2 more moves"),
        ("b8a5@80 b6a4@50 y4a1@46", "move b8a", "6a can still warp from 46 later"),
        ("b8a5@80 y4a1@74", "up b8a", "8a can then warp from 74"),
        ("b8a5@80 y4a1@76", "down b8a", "8a can then warp from 76"),
        ("b8a2@80", "up b8a", "8a then needs 27 moves instead of 40"),
    ],
)
def test_action_is_explained_by_what_it_does(dice: str, line: str, expected: str) -> None:
    assert explained(GAME, position(dice), f"B {line}")[0] == expected


def test_change_that_saves_no_turn_has_no_reason() -> None:
    assert explained(GAME, position("b8a8@80"), "B down b8a") == []


def test_fast_die_is_placed_before_slow_ones() -> None:
    spaces = tuple(-1 if die in (0, 1) else 126 - die for die in range(18))
    numbers = tuple(8 if die == 0 else 1 for die in range(18))
    draft = position().draft()
    draft.phase, draft.spaces, draft.numbers = "place", spaces, numbers
    state = draft.freeze()
    fast = ["none of your other dice needs fewer turns from the rim"]
    assert explained(GAME, state, "B place b8a") == fast
    assert explained(GAME, state, "B place b8b") == []


def test_secret_set_up_is_explained_without_naming_a_number() -> None:
    state = GAME.start("standard", {"seats": "2", "setup": "secret"})
    form = GAME.legal(state)[0]
    (reason,) = reasons.explain(Situation(GAME, form.actor, (form,), state), form)
    assert reason.fields == {}


@examples(40, 160, 4000)
@given(seed=st.integers(0, 10**6), seats=st.sampled_from("23"))
def test_warps_and_turns_are_as_is_said(seed: int, seats: str) -> None:
    state, _ = random_match(seats, "rolled", seed, 20 + seed % 90)
    if state.phase != "play":
        return
    decision = situation(GAME, state)
    for action in decision.legal:
        die = KITS[state.seats].index[action.args[0]]
        rolled = _rolled(GAME.apply(state, action)[0])
        for reason in reasons.explain(decision, action):
            nearer = _turns(state, die) - sum(_turns(end, die) for end in rolled) / len(rolled)
            assert rounds_to(reason, reasons._NEARER, nearer, 1), (str(action), str(reason))
            if "can" in reason.template:
                warps = "no longer" not in reason.template
                counts = [_warps(end, action.actor, reason) for end in rolled]
                assert counts == [warps] * len(rolled), str(reason)


def _rolled(state: State) -> list[State]:
    """Return the positions after the reroll that may be due."""
    if state.phase != "reroll":
        return [state]
    (form,) = GAME.legal(state)
    name = form.args[0]
    rolls = (str(number) for number in range(1, int(name[1]) + 1))
    return [GAME.apply(state, form._replace(args=(name, roll)))[0] for roll in rolls]


def _turns(state: State, die: int) -> int:
    faces = KITS[state.seats].faces[die]
    return needed_turns()[faces][state.numbers[die]][max(state.spaces[die], 0)]


def _warps(state: State, seat: str, reason: Reason) -> bool:
    """Return whether the die that a reason names would warp from the space that it names."""
    draft = state.draft()
    name, space = str(reason.fields["die"]), reason.fields["space"]
    if name[0].isdecimal():  # an own die
        name = seat.lower() + name
    draft.turn, draft.phase, draft.result = SEATS.index(name[0].upper()), "play", ""
    _, events = GAME.apply(draft.freeze(), Action(name[0].upper(), "move", (name,)))
    return any(event.kind == "warped" and event.facts[1] == str(space) for event in events)
