"""Whole matches: nothing fails, records replay, positions survive their text."""

from __future__ import annotations

from collections import Counter

import pytest

from engine.game import Action, IllegalActionError
from engine.record import Record
from engine.warp6.state import State
from tests.support.tiers import sampled
from tests.support.warp6.games import CAP, SETUPS, match_with_endings, random_match
from tests.support.warp6.positions import GAME, position

EVERY = 5
"""The text of every fifth position is looked at, another fifth in each match."""


def check(seats: str, setup: str, last: State, actions: tuple[Action, ...], seed: int) -> None:
    """A record of these actions replays to the same state, positions survive their text."""
    headers = {"Game": "warp6", "Options": f"seats={seats} setup={setup}"}
    record = Record.parse(str(Record(headers, actions)))
    state = last
    for number, (_, state) in enumerate(record.positions(), seed):
        if number % EVERY == 0 or state.result:
            copy = GAME.load(GAME.dump(state))
            assert copy == state
            assert hash(copy) == hash(state)
    assert state == last
    assert state.result
    assert len(actions) < CAP


@sampled(10, 15, 10_000)
@pytest.mark.parametrize(("seats", "setup"), SETUPS)
def test_random_matches_replay_to_the_same_state(seats: str, setup: str, samples: int) -> None:
    for seed in range(samples):
        check(seats, setup, *random_match(seats, setup, seed), seed)


@sampled(10, 15, 10_000)
@pytest.mark.parametrize(("seats", "setup"), SETUPS)
def test_matches_with_endings_replay_to_same_state(seats: str, setup: str, samples: int) -> None:
    ends: Counter[str] = Counter()
    for seed in range(samples):
        last, actions = match_with_endings(seats, setup, seed)
        check(seats, setup, last, actions, seed)
        ends[last.result.partition(" ")[2]] += 1
    assert {"time", "agreed", "resign" if seats == "2" else "left"} <= set(ends)


def test_every_listed_action_can_be_done_and_no_other() -> None:
    state = GAME.start("standard", {})
    _, actions = random_match("2", "rolled", 11)
    verbs = ("move", "up", "down", "place")
    for action in actions[:300]:
        legal = set(GAME.legal(state))
        tried = [] if action.actor == "*" else [
            Action(action.actor, verb, (name,)) for verb in verbs for name in ("b8a", "b4d", "y6b")
        ]  # fmt: skip
        for other in tried:
            if other in legal:
                GAME.apply(state, other)
            else:
                with pytest.raises(IllegalActionError):
                    GAME.apply(state, other)
        state, _ = GAME.apply(state, action)


@pytest.mark.slow
def test_every_seat_wins_some_random_matches() -> None:
    winners = Counter(random_match("3", "rolled", seed)[0].result for seed in range(100))
    assert set(winners) == {"B dice", "Y dice", "W dice"}
    assert min(winners.values()) > 15


def test_states_are_compared_by_what_is_in_them() -> None:
    assert position() == position()
    assert position() != position(seat="Y")
    assert len({position(), position(), position("b8a3@126")}) == 2


@pytest.mark.parametrize(
    ("rules", "options", "rule"),
    [
        ("long", {}, "X2"),
        ("standard", {"seats": "4"}, "X2.1"),
        ("standard", {"setup": "open"}, "X2.4"),
        ("standard", {"dice": "off"}, "X2.1"),
    ],
)
def test_unknown_rules_and_options_are_refused(
    rules: str, options: dict[str, str], rule: str
) -> None:
    with pytest.raises(IllegalActionError) as caught:
        GAME.start(rules, options)
    assert caught.value.rule == rule
