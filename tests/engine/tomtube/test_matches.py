"""Whole matches: nothing fails, the end is reached, records replay, counters are conserved."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from functools import partial
from random import Random

import pytest

from engine.game import Action, IllegalActionError
from engine.record import Record
from engine.tomtube.lattice import MODULES
from engine.tomtube.state import State
from engine.tomtube.tables import SOLARS, SUPPLY
from tests.support.tiers import sampled
from tests.support.tomtube.games import (
    CAP,
    Choice,
    Match,
    bare,
    greedy,
    isolating,
    match,
    random_match,
)
from tests.support.tomtube.positions import GAME, after, position

Source = Callable[[int, str, dict[str, str]], Match]

KINDS: dict[str, Source] = {
    "random": random_match,
    "greedy": partial(match, greedy),
    "isolating": partial(match, isolating),
}
"""By name: a source of matches; each takes a seed, the rules, and options."""

EVERY = 7
"""The text of every seventh position is looked at, other ones in each match."""


def setting(seed: int) -> tuple[str, dict[str, str]]:
    """The rules and options of a match: mostly the usual ones."""
    rules = "basic" if seed % 10 == 0 else "standard"
    launch = {"launch_T": str(seed % 7), "launch_D": str(seed // 7 % 7)} if seed % 5 == 0 else {}
    return rules, launch


def check(seed: int, rules: str, options: dict[str, str], played: Match) -> None:
    """The end is reached; the record replays to the same state; positions survive their text."""
    last, actions = played
    assert last.result
    assert len(actions) < CAP
    headers = {"Game": "tomtube", "Rules": rules}
    headers["Options"] = " ".join(f"{name}={value}" for name, value in options.items())
    record = Record.parse(str(Record(headers, actions)))
    state = last
    for number, (_, state) in enumerate(record.positions(), seed):
        check_counters(state)
        if number % EVERY == 0 or state.result:
            copy = GAME.load(GAME.dump(state))
            assert copy == state
            assert hash(copy) == hash(state)
    assert state == last


def check_counters(state: State) -> None:
    """Supply, board and players have together what there is in the box (T2.1)."""
    for kind, total in enumerate(SUPPLY[state.rules]):
        in_hand = sum(state.hands[2 * kind : 2 * kind + 2])
        assert min(state.supply) >= 0
        assert state.supply[kind] + state.put[kind].bit_count() + in_hand == total
    for seat, modules in enumerate(MODULES):
        on_modules = sum(state.solars >> module & 1 for module in modules)
        assert state.solar[seat] + on_modules == SOLARS
    assert min(state.hands + state.tubes + state.blanks) >= 0
    assert state.stack.bit_count() + len(state.rhombs) + (state.drawn >= 0) == 40


@pytest.mark.first(test=1)
@sampled(11, 22, 5000)
@pytest.mark.parametrize("kind", KINDS)
def test_matches_of_each_kind_replay_to_the_same_state(kind: str, samples: int) -> None:
    for seed in range(samples):
        rules, options = setting(seed)
        check(seed, rules, options, KINDS[kind](seed, rules, options))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("choose", "kinds"),
    [
        (greedy, "home steered jumped took"),
        (isolating, "empty passed stranded jumped"),
        (bare, "put took steered exchanged"),
    ],
)
def test_what_random_play_hardly_meets_is_met(choose: Choice, kinds: str) -> None:
    met: Counter[str] = Counter()
    for seed in range(30):
        state = GAME.start("standard", {})
        for action in match(choose, seed)[1]:
            state, events = GAME.apply(state, action)
            met.update(event.kind for event in events)
    for kind in kinds.split():
        assert met[kind], f"{kind} was never met"


WORDS = ("base", "module1", "module2", "0,0", "1,2", "-2,0", "0,0>1,1", "1,1>0,0", "0,0/1,0/0,1")


@pytest.mark.slow
def test_every_listed_action_can_be_done_and_no_other() -> None:
    state = GAME.start("standard", {})
    verbs = [verb for verb in GAME.verbs if verb.parameters]
    random = Random(1)
    for action in match(greedy, 5)[1]:
        legal = set(GAME.legal(state))
        seats = GAME.pending(state).replace("*", "")
        tried = {Action(seat, verb.name, (word,)) for seat in seats for verb in verbs
                 for word in WORDS}  # fmt: skip
        for other in [*tried, *random.sample(sorted(legal), min(3, len(legal)) * bool(seats))]:
            if other in legal:
                GAME.apply(state, other)
            else:
                with pytest.raises(IllegalActionError) as caught:
                    GAME.apply(state, other)
                assert "{" not in str(caught.value)
        state, _ = GAME.apply(state, action)


def test_endings_can_be_done_in_any_decision() -> None:
    _, actions = random_match(3)
    ends: Counter[str] = Counter()
    state = GAME.start("standard", {})
    for action in actions:
        if GAME.pending(state) != "*":
            for line in ("T resign", "D flag", "T draw offer"):
                ends[GAME.result(after(state, line))] += 1
        state, _ = GAME.apply(state, action)
    assert set(ends) == {"D resign", "T time", ""}


def test_states_are_compared_by_what_is_in_them() -> None:
    assert position() == position()
    assert position() != position(seat="D")
    assert len({position(), position(), position("AB/AB@0,0>1,1")}) == 2


@pytest.mark.parametrize(
    ("field", "word"),
    [
        (3, "00"),
        (3, " 0"),
        (5, "FF"),
        (7, "XX/AB@0,0>1,1"),
        (8, "-@0,0/0,1/1,0"),
        (8, "@0,0/1,0/0,1"),
        (12, "01,1,0,0,0,0"),
        (17, "0,0x0,0"),
        (25, ";"),
    ],
)
def test_a_field_that_would_be_printed_in_other_words_is_refused(field: int, word: str) -> None:
    words = GAME.dump(position(fills="-@0,0/1,0/0,1")).split(";")
    assert GAME.load(";".join(words))
    words[field] = word
    with pytest.raises(ValueError, match="not a position"):
        GAME.load(";".join(words))
