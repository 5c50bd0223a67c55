"""Reasons in Tom Tube are true of the points and ways of both sides."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.computer.tomtube import reasons
from engine.computer.tomtube.outlook import side_of
from engine.computer.tomtube.ways import NO_WAY, TURN
from engine.game import Action
from engine.tomtube.lattice import members
from engine.tomtube.state import State
from engine.tomtube.tables import SEATS
from tests.support.reasons import explained, rounds_to, situation
from tests.support.tiers import examples
from tests.support.tomtube.games import (
    Choice,
    any_of,
    bare,
    greedy,
    isolating,
    match,
    random_match,
)
from tests.support.tomtube.positions import GAME, after, bits, position

SHORTER = "your way to your modules and home gets about one turn shorter"


def test_drift_towards_the_modules_is_explained() -> None:
    assert explained(GAME, position(), "T drift 2,1") == [SHORTER]


def test_counter_on_the_way_is_worth_points() -> None:
    state = position(tom="2,1", put=("1,2", "", ""))
    assert explained(GAME, state, "T drift 1,2") == ["it is worth one point at once"]
    state = position(tom="2,1", put=("", "", "1,2"))
    assert explained(GAME, state, "T drift 1,2")[0] == "it is worth 5 points at once"


def test_building_is_explained_by_what_a_rhomb_can_change() -> None:
    (shorter,) = explained(GAME, position(), "T build")
    assert re.fullmatch(
        r"a rhomb, for example at \S+, can make your way about (one turn|\d turns) shorter", shorter
    )


@pytest.mark.parametrize(
    ("helps", "harms", "words"),
    [
        ([TURN, 3 * TURN, 2 * TURN], [0, 0, 0], "b, can make your way about 2 turns shorter"),
        ([TURN, 0, 0], [9 * TURN] * 3, "a, can make your way a little shorter"),
        ([NO_WAY, 0, 0], [0, 0, 0], "a, can make your way about one turn shorter"),
        (
            [-TURN, -TURN, 0],
            [0, TURN, 2 * TURN],
            "c, can make your opponent's way about one turn longer",
        ),
    ],
)
def test_rhombs_are_judged_by_their_mean(helps: list[int], harms: list[int], words: str) -> None:
    """One that opens a way counts for four turns."""
    shorter, longer = (list(zip(changes, "abc", strict=True)) for changes in (helps, harms))
    (reason,) = reasons._may(reasons._MAY_SHORTEN, shorter) or reasons._may(
        reasons._MAY_HINDER, longer
    )
    assert str(reason) == f"a rhomb, for example at {words}"


def test_building_that_changes_no_way_has_a_reason_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reasons, "_prospect", lambda *_: [])
    better = "no move gets you closer, but a rhomb might"
    assert explained(GAME, position(tom="2,1"), "T build") == [better]
    spheres = "20 of the 40 rhombs left bring an energy counter"
    assert explained(GAME, position(), "T build") == [spheres]


def test_sampled_rhombs_are_spread_over_those_left() -> None:
    state = position()
    drawn = [draw.drawn for draw in reasons._sampled_draws(state, 0)]
    assert drawn == [6, 20, 33]
    assert {draw.phase for draw in reasons._sampled_draws(state, 0)} == {"rhomb"}


def test_module_and_home_are_explained() -> None:
    state = position(solar=(1, 0), solars=bits("module1"), tom="-3,1")
    assert explained(GAME, state, "T drift module1")[0] == "it takes your solar counter"
    state = position(solar=(2, 0), solars=0, tom="1,2")
    assert explained(GAME, state, "T drift base") == [
        "the match ends, and you have more points",
        "you are home with both solar counters",
    ]


def test_exchange_is_explained_by_missing_energy() -> None:
    state = position(hands=(0, 1, 0, 0, 1, 0))
    assert explained(GAME, state, "T exchange") == ["you have no energy counter left"]
    state = position(hands=(1, 1, 0, 0, 1, 0))
    assert explained(GAME, state, "T exchange") == []


def test_rhomb_is_explained_by_the_ways_of_both_sides() -> None:
    state = after(position(), "T build", "* draw AC/AD")
    assert explained(GAME, state, "T rhomb 2,-2>3,-1") == [
        "your way to your modules and home gets about 2 turns shorter",
        "it helps you more than your opponent",
    ]
    state, _ = random_match(27, limit=141)
    longer = ["your opponent's way gets about 3 turns longer"]
    assert explained(GAME, state, "D rhomb -3,1>-2,2") == longer


def test_counter_is_named_where_no_way_gets_shorter() -> None:
    state, _ = next(
        (state, action)
        for state, action in unexplained("drift")
        if "gets about" in explained(GAME, state, str(action))[0]
    )
    assert state.put != (0, 0, 0)


def test_new_counter_is_named_where_no_way_gets_shorter() -> None:
    for state, action in unexplained("rhomb"):
        (words,) = explained(GAME, state, str(action))
        if clause := re.fullmatch(r"a new counter comes to (\S+), about .* away from you", words):
            after_it, _ = GAME.apply(state, action)
            new = [put & ~before for put, before in zip(after_it.put, state.put, strict=True)]
            nodes = [node for kind in new for node in members(kind)]
            seat = SEATS.index(action.actor)
            assert clause[1] in {after_it.board.name(node, seat) for node in nodes}
            return
    raise AssertionError("no such rhomb")


def unexplained(verb: str) -> Iterator[tuple[State, Action]]:
    """Positions with an action that has reasons, but none about points or ways."""
    for seed in range(40):
        state, _ = random_match(seed, limit=10 + 3 * seed)
        seat = GAME.pending(state)
        for action in GAME.legal(state) if seat in SEATS else ():
            if action.verb == verb and explained(GAME, state, str(action)):
                after_it, _ = GAME.apply(state, action)
                number = SEATS.index(seat)
                gains = reasons._reaching(state, after_it, number)
                if not gains + reasons._ways(state, after_it, number):
                    yield state, action


def test_fillings_that_change_no_way_have_reasons() -> None:
    blank, tube = reasons._FILLINGS["blank"], reasons._FILLINGS["tube"]
    assert str(blank) == "you keep your triangles with tubes for later"
    assert str(tube) == "your tubes join its three corners"
    state, kinds = GAME.start("standard", {}), set()
    for action in match(isolating, 1)[1]:
        if state.phase == "fill":
            (first, *_more) = explained(GAME, state, str(action))
            kinds.add((action.verb, first))
        state, _ = GAME.apply(state, action)
    assert {("blank", str(blank)), ("tube", str(tube))} <= kinds


@pytest.mark.parametrize("phase", ["turn", "rhomb", "fill"])
@examples(10, 30, 1500)
@given(seed=st.integers(0, 10**6))
def test_points_and_turns_are_as_is_said(phase: str, seed: int) -> None:
    state, _ = random_match(seed, limit=10 + seed % 200)
    if state.phase != phase:
        return
    decision = situation(GAME, state)
    player, other = SEATS.index(decision.seat), 1 - SEATS.index(decision.seat)
    for action in decision.legal:
        if action.verb in ("build", "exchange"):
            continue
        end, _ = GAME.apply(state, action)
        nearer = side_of(state, player).total - side_of(end, player).total
        longer = side_of(end, other).total - side_of(state, other).total
        gained = _points(end, player) - _points(state, player)
        for reason in reasons.explain(decision, action):
            assert rounds_to(reason, reasons._HOME, nearer, TURN), str(reason)
            assert rounds_to(reason, reasons._MODULES, nearer, TURN), str(reason)
            assert rounds_to(reason, reasons._HINDERS, longer, TURN), str(reason)
            if reason.template == "it helps you more than your opponent":
                assert nearer > -longer >= TURN // 2
            if reason.template in reasons._POINTS:
                assert reason.fields.get("count", 1) == gained


STRANDS = "your opponent can't get home any more, so the match ends"
AHEAD = "the match ends, and you have more points"
LEVEL = "the match ends with equal points"
HOME = "you are home with both solar counters"


@pytest.mark.parametrize(
    ("play", "seed", "line", "words"),
    [
        (greedy, 6, "drift base", [STRANDS, AHEAD, HOME]),
        (greedy, 17, "rhomb -3,2>-4,4", [STRANDS, LEVEL]),
        (greedy, 14, "drift base", [AHEAD, HOME]),
        (any_of, 1, "drift base", [LEVEL]),
        (any_of, 9, "jump 2,0", [AHEAD]),
    ],
)
def test_end_of_the_match_is_explained(
    play: Choice, seed: int, line: str, words: list[str]
) -> None:
    """T5.2, T5.3: the opponent is stranded, or the match ends on points."""
    explanations = [
        explained(GAME, state, str(action))
        for state in late(play, seed)
        for action in GAME.legal(state)
        if action.notation == line
    ]
    assert words in explanations


@pytest.mark.slow
@examples(6, 20, 500)
@given(play=st.sampled_from([any_of, greedy, isolating, bare]), seed=st.integers(0, 10**6))
def test_reasons_about_the_end_are_true(play: Choice, seed: int) -> None:
    """They are given for the ends that do not lose, and for no other action."""
    for state in late(play, seed):
        seat = GAME.pending(state)
        if seat not in SEATS:
            continue
        decision, number = situation(GAME, state), SEATS.index(seat)
        for action in decision.legal:
            if action.verb in ("build", "exchange"):
                continue
            end, events = GAME.apply(state, action)
            words = {*map(str, reasons.explain(decision, action))}
            lead = _points(end, number) - _points(end, 1 - number) if end.result else -1
            assert (AHEAD in words) == (lead > 0)
            assert (LEVEL in words) == (lead == 0)
            lost = [event.facts for event in events if event.kind == "stranded"]
            assert (STRANDS in words) == ((SEATS[1 - number],) in lost and lead >= 0)
            if AHEAD in words:
                assert end.result.split()[0] == seat


def late(play: Choice, seed: int) -> list[State]:
    """The last positions of a match."""
    state, states = GAME.start("standard", {}), list[State]()
    for action in match(play, seed)[1]:
        states.append(state)
        state, _ = GAME.apply(state, action)
    return states[-12:]


def _points(state: object, seat: int) -> int:
    return int(GAME.view(state, SEATS[seat]).astronauts[seat].points)  # type: ignore[arg-type]
