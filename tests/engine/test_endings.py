"""Effects of the verbs that all games share on positions and secrets."""

from __future__ import annotations

from random import Random

import pytest

from engine.endings import ABANDONED
from engine.game import CHANCE, PUBLIC, Action, IllegalActionError
from engine.record import Record
from engine.testing.matches import Played, played
from tests.support.any_game import NAMES
from tests.support.tiers import sampled

pytestmark = pytest.mark.usefixtures("bids")


def undecided(name: str, seed: int) -> Played:
    """Return a random match in which a player has to decide, after at most 60 actions or so."""
    random = Random(seed)
    match = played(name, random, 60)
    while match.game.pending(match.state) == CHANCE:
        match = match.after(match.any_action(random))
    return undecided(name, seed + 1000) if match.is_over else match


@pytest.mark.parametrize("name", NAMES)
@sampled(8, 40, 1000)
def test_a_declined_draw_is_in_the_story_and_an_offer_is_not(name: str, samples: int) -> None:
    for seed in range(samples):
        match = undecided(name, seed)
        offering, declining, *_ = tuple(match.seats)
        story = match.state.story
        match = match.after(Action(offering, "draw", ("offer",)))
        assert "offered" not in {event.kind for event in match.state.story}
        assert {*match.state.story} <= {*story}
        match = match.after(Action(declining, "draw", ("decline",)))
        assert str(match.state.story[-1]) == f"declined:{declining}"


@pytest.mark.parametrize("name", NAMES)
@sampled(8, 40, 1000)
def test_after_each_ending_everything_is_public(name: str, samples: int) -> None:
    for seed in range(samples):
        match, random = undecided(name, seed), Random(seed)
        for _ in range(1000):
            if match.is_over:
                break
            try:
                match = match.after(match.any_ending(random))
            except IllegalActionError:
                continue
        assert match.game.redact(match.state, PUBLIC, match.actions) == match.actions
        assert (
            Record(match.headers | {"Seed": "00"}, match.actions).redact().headers["Seed"] == "00"
        )


@pytest.mark.parametrize("name", NAMES)
def test_abandoned_match_is_public_and_has_no_winner(name: str) -> None:
    match = undecided(name, 5)
    match = match.after(Action(match.seats[0], "abandon"))
    assert match.game.result(match.state) == ABANDONED
    assert match.game.redact(match.state, PUBLIC, match.actions) == match.actions
