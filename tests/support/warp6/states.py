"""Secret set-ups of Warp 6 for property tests."""

from __future__ import annotations

from random import Random

from hypothesis import strategies as st

from engine.warp6.state import State
from tests.support.warp6.positions import (
    GAME,
    after,
    start,
)

SEATS = ("", "B", "Y", "W")


@st.composite
def secret_states(draw: st.DrawFn) -> State:
    """A state of a secret set-up in which some have set their dice, and one may have left."""
    seats = draw(st.sampled_from((2, 3)))
    state = start(seats, "secret")
    random = Random(draw(st.integers(0, 10**6)))
    for seat in draw(st.permutations(GAME.view(state).seats)):
        endings = ("", "", "leave", "draw offer") if seats > 2 else ("", "draw offer", "resign")
        line = draw(st.sampled_from(endings))
        if line and not state.offer and seat in GAME.pending(state):
            state = after(state, f"{seat} {line}")
        for form in GAME.legal(state):
            if form.actor == seat:
                state, _ = GAME.apply(state, GAME.fill(form, random.randrange))
        if draw(st.booleans()):
            break
    return state
