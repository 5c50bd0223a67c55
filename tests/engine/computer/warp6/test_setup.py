"""The set-up of the computer player of Warp 6."""

from __future__ import annotations

from random import Random

import pytest

from engine.computer.players import ComputerPlayer
from engine.computer.warp6.player import rate
from engine.computer.warp6.setup import RANK_LOSS, SETTINGS
from engine.game import Action
from engine.record import Record
from engine.warp6.pieces import KITS
from engine.warp6.state import IN_HAND, State
from tests.support.reasons import situation
from tests.support.warp6.positions import GAME


def placing(numbers: str) -> State:
    """Return a position in which black, which starts, has rolled these numbers."""
    state = GAME.start("standard", {})
    kit = KITS[2]
    args = [f"{name}{number}" for name, number in zip(kit.names, numbers + "1" * 9, strict=True)]
    state, _ = GAME.apply(state, Action("*", "roll", tuple(args)))
    assert state.phase == "place"
    assert set(state.spaces) == {IN_HAND}
    return state


def scores(state: State) -> dict[str, int]:
    """Return the score of each die to place."""
    rated = rate(situation(GAME, state), Random(1).randrange, 400)
    return {action.args[0][1:]: score for score, action in rated}


def test_x2_3_high_numbers_are_placed_first_then_many_faces() -> None:
    rated = scores(placing("836444324"))
    order = sorted(rated, key=lambda die: -rated[die])
    assert order == ["8a", "6a", "6b", "6c", "4a", "4d", "8b", "4b", "4c"]
    assert rated["6b"] == rated["6c"] == rated["6a"] - RANK_LOSS
    assert rated["8a"] - rated["4c"] == 6 * RANK_LOSS


@pytest.mark.parametrize("numbers", SETTINGS[2])
def test_x2_4_known_settings_fit_the_dice(numbers: tuple[int, ...]) -> None:
    faces = KITS[2].faces[:9]
    assert all(1 <= number <= most for number, most in zip(numbers, faces, strict=True))


@pytest.mark.parametrize("seats", ["2", "3"])
def test_x2_4_a_setting_is_not_the_same_in_each_match(seats: str) -> None:
    options = {"setup": "secret", "seats": seats}
    headers = {"Game": "warp6", "Rules": "standard", "Options": f"seats={seats} setup=secret"}
    seen = set()
    for number in range(60):
        player = ComputerPlayer("admiral", bytes([number]) * 32)
        action = player.choose(Record({**headers, "Version": "1"}, ()), "B").action
        GAME.apply(GAME.start("standard", options), action)
        seen.add(tuple(arg[-1] for arg in action.args))
    if seats == "2":
        assert seen == {tuple(map(str, numbers)) for numbers in SETTINGS[2]}
    else:
        assert len(seen) > 50
