"""What the verbs that all games share leave in a position."""

from __future__ import annotations

import pytest

from engine import games
from engine.game import Action
from tests.support.tomtube.positions import position as tomtube
from tests.support.warp6.positions import position as warp6
from tests.support.wormholes.positions import position as wormholes

POSITIONS = {
    "tomtube": tomtube("AB/CD@0,0>1,1"),
    "warp6": warp6(),
    "wormholes": wormholes(dice="S3 M2"),
}


@pytest.mark.parametrize("name", games.names())
def test_a_declined_draw_is_in_the_story_and_an_offer_is_not(name: str) -> None:
    game, state = games.get(name), POSITIONS[name]
    offering, declining, *_ = tuple(game.seats({}))
    state, _ = game.apply(state, Action(offering, "draw", ("offer",)))
    before = state.story
    state, _ = game.apply(state, Action(declining, "draw", ("decline",)))
    assert [str(event) for event in before] == []
    assert [str(event) for event in state.story] == [f"declined:{declining}"]
