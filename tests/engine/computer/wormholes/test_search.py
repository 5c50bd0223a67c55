"""The search of a turn in Wormholes."""

from __future__ import annotations

from random import Random

import pytest

from engine.computer.wormholes import search
from engine.computer.wormholes.player import rate
from engine.computer.wormholes.race import COUNT, TURN, Outlook, Race
from engine.computer.wormholes.values import score_choices
from engine.game import Action
from engine.wormholes.board import BASES, INDEX
from engine.wormholes.state import State
from tests.support.reasons import situation
from tests.support.wormholes.positions import GAME, after, position


@pytest.mark.parametrize("suns", ["b17", "b18"])
def test_match_that_can_be_won_is_won_at_once(suns: str) -> None:
    state = position({"S": suns, "M": "e12", "C": "j2", "A": "j1"}, dice="S1 M3")
    rated = rate(situation(GAME, state), Random(1).randrange, 400)
    best = max(value for value, _ in rated)
    best_actions = [action for value, action in rated if value == best]
    assert all(after(state, str(action)).result == "O base" for action in best_actions)


def landing_on_suns() -> State:
    """Crowns land on Suns, which they may send away."""
    state = position({"S": "c15", "C": "c16", "A": "h1"}, dice="C1 A-", seat="D")
    return after(state, "D move C S")


def test_w7_5_goal_is_no_home_to_a_ship_sent_there() -> None:
    state = landing_on_suns()
    lengths = [TURN] * COUNT + [2 * TURN] * len(BASES[1])
    for goal in BASES[1]:
        lengths[goal] = 0
    race = Race(tuple(lengths), ())
    actions = search.worth_trying(state, Outlook("0.6", (race, race)))
    sends = [INDEX[action.args[1]] for action in actions if action.verb == "send"]
    assert len(sends) == search.MAX_SPACES_TO_SEND
    assert set(sends) > BASES[1]


def test_w7_5_sending_a_ship_onto_its_goal_is_no_loss() -> None:
    state = landing_on_suns()
    action = Action.parse("D send S a18")
    rated = score_choices(situation(GAME, state), action, Random(1).randrange, 400)
    values = {str(option): value for value, option in rated}
    assert 0 < values.pop("D send S a18") < max(values.values())
