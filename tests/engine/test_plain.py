"""Small games, whose position is a dataclass."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

import pytest

from engine.endings import ENDING_EVENTS
from engine.game import Action, IllegalActionError, Verb, View
from engine.plain import PlainGame, PlainState


@dataclass(frozen=True, kw_only=True)
class State(PlainState):
    """The number, and the steps of both players."""

    total: int = 0
    steps: tuple[tuple[str, int], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class CountView(View):
    """The number."""

    total: int


class Count(PlainGame[State, CountView]):
    """Both add one or two in turn; the one who comes to five wins."""

    name, title, version = "count", "Count", 1
    state_class, view_class, turn_rule, end_rule = State, CountView, "C1", "C2"
    sides = {"A": "First", "B": "Second"}  # noqa: RUF012 - read only
    verbs = (Verb("add", "Add to the number", ()), Verb("pass", "Add nothing", ()))
    events = {**ENDING_EVENTS, "added": ("seat",)}  # noqa: RUF012 - read only

    def deciding(self, state: State) -> str:
        return "AB"[len(state.steps) % 2]

    def choices(self, state: State, seat: str) -> Iterable[str]:
        return ("add 1", "add 2") if state.total < 4 else ("add 1",)

    def play(self, state: State, action: Action) -> State:
        step = (action.actor, int(action.args[0]))
        state = replace(state, total=state.total + step[1], steps=(*state.steps, step))
        if state.total == 5:
            state = replace(state, result=f"{action.actor} five")
        turn = 1 + len(state.steps) // 2
        return replace(state, turn=turn).with_event("added", action.actor)


GAME = Count()


def after(*lines: str) -> State:
    state = GAME.start("standard", {})
    for line in lines:
        state, _ = GAME.apply(state, Action.parse(line))
    return state


def test_choices_of_the_deciding_seat_are_legal() -> None:
    assert [str(action) for action in GAME.legal(after("A add 2"))] == ["B add 1", "B add 2"]
    assert GAME.view(after("A add 2"), "B").legal == GAME.legal(after("A add 2"))
    assert GAME.view(after("A add 2"), "A").legal == ()


@pytest.mark.parametrize(
    ("lines", "line", "rule", "reason"),
    [
        ((), "B add 1", "C1", "other player's turn"),
        ((), "* roll 1", "C1", "nothing to roll"),
        ((), "A add 3", "C1", "“add 3” is not possible now."),
        ((), "C resign", "C2", "Only this match's players"),
        (("A resign",), "A add 1", "C2", "is over"),
    ],
)
def test_refusals_have_the_numbers_of_rules(
    lines: tuple[str, ...], line: str, rule: str, reason: str
) -> None:
    state = after(*lines)
    with pytest.raises(IllegalActionError, match=reason) as caught:
        GAME.apply(state, Action.parse(line))
    assert caught.value.rule == rule


def test_other_rule_sets_and_options_are_refused() -> None:
    for rules, options in (("long", {}), ("standard", {"to": "9"})):
        with pytest.raises(IllegalActionError, match="Count has one set of rules"):
            GAME.start(rules, options)


def test_end_is_reported_after_the_last_event() -> None:
    state, events = GAME.apply(after("A add 2", "B add 2"), Action.parse("A add 1"))
    assert [str(event) for event in events] == ["added:A", "ended:A:five"]
    assert (GAME.pending(state), GAME.legal(state), state.result) == ("", (), "A five")


def test_story_of_a_turn_stays_until_the_next_choice() -> None:
    assert [str(event) for event in after("A add 1", "B add 1").story] == ["added:A", "added:B"]
    assert [str(event) for event in after("A add 1", "B add 1", "A add 1").story] == ["added:A"]


def test_offer_is_withdrawn_by_a_choice_of_the_other_player() -> None:
    assert after("A draw offer", "A add 1").offer == "A"
    assert after("A add 1", "A draw offer", "B add 1").offer == ""
    assert after("A draw offer", "B draw accept").result == "- agreed"
    assert [str(e) for e in after("A add 1", "A draw offer", "B draw decline").story] == [
        "added:A",
        "declined:B",
    ]


def test_text_of_a_position_leaves_out_the_beginning() -> None:
    assert GAME.dump(after()) == "{}"
    state = after("A add 1", "B add 2", "A draw offer")
    assert GAME.load(GAME.dump(state)) == state
    assert GAME.load('{"total": 3}') == State(total=3)


@pytest.mark.parametrize("text", ["", "[]", "3", '{"sum": 3}'])
def test_text_that_is_no_position_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"no position|Expecting value"):
        GAME.load(text)
