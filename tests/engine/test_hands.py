"""Hands that others cannot see."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from random import Random

import pytest

from engine.endings import ENDING_EVENTS
from engine.game import CHANCE, PUBLIC, Action, IllegalActionError, Verb
from engine.hands import HandsGame, HandsState, HandsView

CARDS = "abcde"


@dataclass(frozen=True, kw_only=True)
class State(HandsState):
    """Two rounds, in which each has a card of chance or one of their choice."""

    is_chosen: bool = False


class Cards(HandsGame[State, HandsView]):
    """Cards are dealt, shown, and dealt again; or each player chooses one."""

    name, title, version = "cards", "Cards", 1
    state_class, view_class, turn_rule, end_rule = State, HandsView, "H1", "H2"
    sides = {"A": "First", "B": "Second"}  # noqa: RUF012 - read only
    verbs = (Verb("show", "Show all", ()), Verb("take", "Take a card", (), secret=True))
    events = {**ENDING_EVENTS}  # noqa: RUF012 - read only

    def deciding(self, state: State) -> str:
        waiting = "".join(s for s, hand in zip("AB", state.hands, strict=True) if not hand)
        return (waiting if state.is_chosen else CHANCE) if waiting else "A"

    def choices(self, state: State, seat: str) -> Iterable[str]:
        if seat == CHANCE:
            return ("deal ? ? ?",)
        return (f"take {card}" for card in CARDS) if "" in state.hands else ("show",)

    def pieces(self, dealt: Sequence[str]) -> Sequence[str]:
        return [card for card in CARDS if card not in dealt]

    def play(self, state: State, action: Action) -> State:
        if action.verb == "deal":
            return replace(state, hands=(action.args[0], "".join(action.args[1:])))
        if action.verb == "show":
            return replace(state, hands=("", ""))
        hands = dict(zip("AB", state.hands, strict=True)) | {action.actor: action.args[0]}
        return replace(state, hands=tuple(hands.values()))


GAME = Cards()


def after(*lines: str, is_chosen: bool = False) -> State:
    state = State(is_chosen=is_chosen)
    for line in lines:
        state, _ = GAME.apply(state, Action.parse(line))
    return state


def redacted(state: State, seat: str, *lines: str) -> list[str]:
    return [str(line) for line in GAME.redact(state, seat, [Action.parse(line) for line in lines])]


def test_owner_sees_a_hand_and_after_the_end_all_do() -> None:
    state = after("* deal a b c")
    assert GAME.view(state, "A").hands == ("a", "??")
    assert GAME.view(state, PUBLIC).hands == ("?", "??")
    assert GAME.view(replace(state, result="A won"), PUBLIC).hands == ("a", "bc")


def test_chance_deals_no_piece_twice() -> None:
    random = Random(1)
    deals = [GAME.chance(after(), random.randrange) for _ in range(100)]
    assert all(len(set(deal.args)) == 3 for deal in deals)
    assert len(set(deals)) > 40


@pytest.mark.parametrize("line", ["* deal a a b", "* deal a b", "* deal a b z", "* roll a b c"])
def test_pieces_that_cannot_be_dealt_are_refused(line: str) -> None:
    with pytest.raises(IllegalActionError, match="not possible now") as caught:
        GAME.apply(after(), Action.parse(line))
    assert caught.value.rule == "H1"


def test_worlds_are_all_deals_that_fit() -> None:
    random, state = Random(1), after("* deal a b c")
    worlds = Counter(GAME.resample_view(state, "A", random.randrange).hands for _ in range(2400))
    assert {hands[0] for hands in worlds} == {"a"}
    assert len(worlds) == 12
    assert all(150 < count < 250 for count in worlds.values())


def test_record_hides_hands_only_until_they_are_shown() -> None:
    first = ("* deal a b c", "A show")
    assert redacted(after(*first), "A", *first) == list(first)
    second = (*first, "* deal d e a")
    assert redacted(after(*second), "B", *second) == [*first, "* deal ? e a"]
    assert redacted(after(*second), PUBLIC, *second) == [*first, "* deal ? ? ?"]


def test_record_hides_what_players_chose_in_secret() -> None:
    lines = ("A take a", "B take b", "A show", "B take c")
    state = after(*lines, is_chosen=True)
    assert redacted(state, "A", *lines) == [*lines[:3], "B take ?"]
    assert redacted(state, "B", *lines) == list(lines)


def test_filled_records_have_no_piece_twice() -> None:
    (deal,) = GAME.fill_redacted({}, [Action.parse("* deal ? a ?")])
    assert deal == Action.parse("* deal b a c")
