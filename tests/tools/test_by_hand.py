"""The program that plays Warp 6 by hand-made estimates."""

from __future__ import annotations

import json

import pytest

from engine.record import Record
from engine.warp6.state import State
from tests.support.warp6.games import random_match
from tests.support.warp6.positions import GAME, after, position
from tools import by_hand
from tools.by_hand import PROGRAM, WON, choose, lead, lead_after_best_action, turns_needed

BLACK_HOME = "b8a1@0 b8b1@0 b6a1@0 b6b1@0 b6c1@0"
YELLOW_HOME = " ".join(f"y{word[1:]}" for word in BLACK_HOME.split())


def test_lone_die_needs_one_turn_if_it_shows_its_distance() -> None:
    table = turns_needed(4)
    assert table[0] == (0.0,) * 5
    assert [table[space][3] for space in (1, 2, 3)] == [1, 1, 1]
    assert table[4][4] == 1
    assert 1 < table[4][3] <= 2
    assert table[9][1] > table[9][2] > table[9][4]


@pytest.mark.parametrize(
    ("dice", "line"),
    [
        (f"{BLACK_HOME} b4a3@3", "move b4a"),
        # Yellow would warp home from 3.
        (f"{BLACK_HOME} {YELLOW_HOME} b4a1@5 b4c1@3 y4a4@7", "move b4c"),
    ],
)
def test_it_wins_at_once_and_sees_the_reply_that_wins(dice: str, line: str) -> None:
    assert choose(position(dice), "B").notation == line


def test_lead_counts_turns_and_the_end() -> None:
    level = position()
    needs = [by_hand.total_need(level, seat) for seat in (0, 1)]
    assert lead(level, 0) == pytest.approx(needs[1] - needs[0] + by_hand.TEMPO)
    assert lead(level, 1) == pytest.approx(-lead(level, 0))
    ahead = position("b8a1@0")
    assert lead(ahead, 0) > lead(level, 0)
    won = after(position(f"{BLACK_HOME} b4a3@3"), "B move b4a")
    assert (lead(won, 0), lead(won, 1)) == (WON, -WON)


@pytest.mark.parametrize("dice", ["b8a5@80 y4a1@76", "b8a8@20 b4a2@9 y4a1@7", ""])
def test_last_ply_finds_the_best_own_action(dice: str) -> None:
    state = position(dice)

    def own_lead(end: State) -> float:
        return by_hand.total_need(state, 1) - by_hand.total_need(end, 0) - by_hand.TEMPO

    best = max(by_hand.mean_after(state, action, own_lead) for action in GAME.legal(state))
    assert lead_after_best_action(state) == pytest.approx(best)


@pytest.mark.parametrize("count", [1, 26])
def test_it_speaks_the_protocol(count: int) -> None:
    state, actions = random_match("2", "rolled", 3, count)
    record = Record({"Game": "warp6", "Rules": "standard", "Version": "1"}, actions)
    seat = GAME.pending(state)
    requests = [{"do": "hello"}, {"do": "choose", "seat": seat, "record": str(record)}]
    hello, answer = map(json.loads, PROGRAM.serve(map(json.dumps, [*requests, {"do": "quit"}, {}])))
    assert hello["games"] == ["warp6"]
    assert answer["line"] == choose(state, seat).notation
    assert answer["line"] in {action.notation for action in GAME.legal(state)}


def test_x2_4_it_sets_the_highest_numbers() -> None:
    state = GAME.start("standard", {"setup": "secret"})
    assert choose(state, "Y").notation == "set y8a8 y8b8 y6a6 y6b6 y6c6 y4a4 y4b4 y4c4 y4d4"
