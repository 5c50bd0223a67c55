"""Whole matches: nothing fails, records replay, positions survive their text."""

from __future__ import annotations

from collections import Counter
from statistics import median

import pytest

from engine.game import Action, IllegalActionError
from engine.record import Record
from engine.wormholes.pieces import SUIT_UP
from engine.wormholes.state import State
from tests.support.tiers import sampled
from tests.support.wormholes.games import PLACINGS, random_match, wild_match
from tests.support.wormholes.positions import GAME

RULES = ("0.6", "0.6-long", "0.5.2")


def check(rules: str, last: State, actions: tuple[Action, ...], options: str = "") -> None:
    """A record of these actions replays to the same state, each position survives its text."""
    headers = {"Game": "wormholes", "Rules": rules, "Options": options}
    record = Record.parse(str(Record(headers, actions)))
    state = last
    for _, state in record.positions():
        text = GAME.dump(state)
        assert GAME.load(text) == state
        assert hash(GAME.load(text)) == hash(state)
    assert state == last


@sampled(2, 10, 10_000)
@pytest.mark.parametrize("rules", RULES)
def test_random_matches_replay_to_the_same_state(rules: str, samples: int) -> None:
    for seed in range(samples):
        check(rules, *random_match(rules, seed))


@sampled(5, 10, 2_000)
@pytest.mark.parametrize("placing", PLACINGS)
def test_matches_of_each_set_up_replay_to_the_same_state(placing: str, samples: int) -> None:
    for seed in range(samples):
        last, actions = random_match("0.6", seed, ("off", "on")[seed % 2], placing=placing)
        check("0.6", last, actions, f"notes={('off', 'on')[seed % 2]} placing={placing}")
        assert last.result
        assert sorted("".join(last.board).replace(".", "").upper()) == list(SUIT_UP)


@pytest.mark.slow
@pytest.mark.parametrize("rules", RULES)
def test_wild_matches_reach_the_deep_cascades(rules: str) -> None:
    met: Counter[str] = Counter()
    for seed in range(20):
        last, actions = wild_match(rules, seed, limit=600)
        check(rules, last, actions)
        state = GAME.start(rules, {})
        for action in actions:
            state, events = GAME.apply(state, action)
            kinds = [event.kind for event in events]
            met.update(kinds)
            met["sent out of turn"] += action.verb == "send" and action.actor != "OD"[state.turn]
            met["turned twice at once"] += kinds.count("turned") > 1
    for what in ("sent", "kept", "turned", "hole", "jumped", "stuck", "passed", "lapsed",
                 "sent out of turn", "turned twice at once"):  # fmt: skip
        assert met[what], f"{what} was never met"


@pytest.mark.slow
def test_random_play_has_the_expected_length_and_balance() -> None:
    ends = [random_match("0.6", seed)[0] for seed in range(300)]
    assert 70 <= median(state.number for state in ends) <= 100
    assert 110 <= sum(state.result == "O base" for state in ends) <= 190


def test_unknown_rules_and_options_are_refused() -> None:
    with pytest.raises(IllegalActionError):
        GAME.start("0.7", {})
    with pytest.raises(IllegalActionError):
        GAME.start("0.6", {"notes": "maybe"})
    with pytest.raises(IllegalActionError):
        GAME.start("0.6", {"dice": "off"})
