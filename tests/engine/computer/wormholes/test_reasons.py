"""Reasons in Wormholes are true by what the seat knows."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from engine.computer.wormholes import reasons
from engine.computer.wormholes.race import TURN, coins_known_to, lengths_of
from engine.game import Action, Event
from engine.wormholes.board import INDEX
from engine.wormholes.pieces import SUIT_UP, SUITS
from engine.wormholes.state import State
from tests.support.reasons import explained, rounds_to, situation
from tests.support.tiers import examples
from tests.support.wormholes.games import random_match
from tests.support.wormholes.positions import GAME, after, position

SEEN_C0 = 1 << 12
"""The black hole of the Crowns has been turned over."""


@pytest.mark.parametrize(
    ("coins", "seen", "line", "expected"),
    [
        ({}, 0, "move S NE", ["Suns come about 4 turns nearer the goal"]),
        ({}, 0, "move S NW", ["Suns come about one turn nearer the goal"]),
        ({}, 0, "move S N", []),
        (
            {"f13": "S3"}, 0, "move S NW",
            [
                "Suns come about 2 turns nearer the goal",
                "it avoids the coin on f13, which leads away from the goal",
            ],
        ),
        (
            {"f13": "C1"}, 0, "move S NE",
            [
                "Suns come about 4 turns nearer the goal",
                "your opponent's coin on f13 is a black hole in only one case of 6",
            ],
        ),
        (
            {"f13": "C1"}, SEEN_C0, "move S NE",
            [
                "Suns come about 4 turns nearer the goal",
                "your opponent's coin on f13 cannot be a black hole",
            ],
        ),
    ],
)  # fmt: skip
def test_move_is_explained_by_its_end_and_the_coins(
    coins: dict[str, str], seen: int, line: str, expected: list[str]
) -> None:
    state = position({"S": "e12"}, coins, "S1 M-", seen=seen)
    reasons_of_move = explained(GAME, state, f"O {line}")
    assert reasons_of_move[: len(expected)] == expected
    assert bool(reasons_of_move) == bool(expected)


def test_jump_onto_the_own_other_ship_is_not_counted() -> None:
    free = position({"S": "e12", "M": "j2"}, {"e13": "M1"}, "S1 M-")
    blocked = position({"S": "e12", "M": "f13"}, {"e13": "M1"}, "S1 M-")
    first_reasons = [explained(GAME, state, "O move S N")[0] for state in (free, blocked)]
    assert first_reasons == [
        "Suns come about 3 turns nearer the goal",
        "Suns come about one turn nearer the goal",
    ]


def test_w7_5_reasons_count_a_goal_as_home_only_after_landing() -> None:
    state = position({"S": "c15", "C": "c16", "A": "h1"}, None, "C1 A-", "D")
    landed = after(state, "D move C S")
    assert explained(GAME, landed, "D send S j1") == [
        "Suns are then about 4 turns farther from the goal"
    ]
    assert explained(GAME, landed, "D send S a18") == []
    sent = reasons.KnownPosition(position({"S": "a18", "M": "a17"}, landed=0b0010), 1)
    assert sent.length_now(0) == sent.length_if_sent(0, INDEX["a18"]) > 7 * TURN
    assert sent.length_now(1) == sent.length(1, INDEX["a17"]) == 0
    assert sent.length_if_sent(2, INDEX["a18"]) == sent.length(2, INDEX["a18"])


def test_w7_5_progress_is_counted_from_being_sent_onto_a_goal() -> None:
    state = position({"S": "a18"}, None, "S1 M-")
    outlook = reasons.KnownPosition(state, 0)
    progress = outlook.length_now(0) - outlook.length(0, INDEX["b17"])
    assert progress < TURN // 4
    assert explained(GAME, state, "O move S SE") == []


def test_null_is_explained_by_the_coin_under_the_ship() -> None:
    state = position({"S": "e12"}, {"e12": "S2"}, "S0 M-")
    assert explained(GAME, state, "O null S") == [
        "Suns come about 2 turns nearer the goal",
        "the coin on e12 jumps towards the goal",
    ]


def test_move_onto_a_base_needs_no_other_reason() -> None:
    state = position({"S": "b18"}, None, "S1 M-")
    assert explained(GAME, state, "O move S W") == ["Suns land on an opposing base"]


def test_landing_on_a_ship_and_sending_it_away_are_explained() -> None:
    state = position({"S": "e12", "C": "f13"}, None, "S1 M-")
    assert explained(GAME, state, "O move S NE")[0] == "you may send Crowns away"
    landed = after(state, "O move S NE")
    assert explained(GAME, landed, "O send C e16") == [
        "Crowns are then about one turn farther from the goal"
    ]
    assert explained(GAME, landed, "O send C f3") == []


def test_black_hole_nearer_the_goal_is_avoided() -> None:
    state = position({"S": "e12"}, {"e14": "M0"}, "S2 M-")
    assert "it avoids the black hole on e14" in explained(GAME, state, "O move S E")


def test_landing_on_a_known_black_hole_is_named() -> None:
    state = position({"S": "e12"}, {"e14": "M0"}, "S2 M-")
    moves = explained(GAME, state, "O move S NE"), explained(GAME, state, "O move S N")
    [named] = [reasons for reasons in moves if any("costs a turn" in words for words in reasons)]
    assert "the black hole on e14 costs a turn, but every other choice is worse" in named


def test_ship_in_the_worst_place_is_left_there() -> None:
    state = position({"S": "b17", "C": "a17", "A": "c5"}, None, "S1 M-", rules="0.6-long")
    kept = explained(GAME, after(state, "O move S W"), "O keep C")
    assert kept == ["no other space is worse for Crowns"]


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("M1 b17", ["it throws your ships onto a17, an opposing base"]),
        ("S0 c8", ["your opponent's ships pass c8 more often than yours"]),
        (
            "S5 a8",
            ["hardly any ship comes to a8, so your opponent can hardly use this coin there"],
        ),
        (
            "S0 a8",
            ["your ships hardly ever come to a8, so this black hole is no danger to them"],
        ),
    ],
)
def test_placing_is_explained_by_the_ships_that_pass(line: str, expected: list[str]) -> None:
    draft = position(hand=(1 << 24) - 1, number=0).draft()
    draft.phase = "place"
    assert explained(GAME, draft.freeze(), f"O place {line}") == expected


def test_first_move_and_a_ship_on_a_base_are_explained() -> None:
    first = after(GAME.start("0.6", {}), "* rolloff S5 M5 C0 A0")
    assert explained(GAME, first, "O first move") == [
        "the player who moves first places the last coin"
    ]
    assert explained(GAME, first, "O first place") == []
    draft = position({"S": "a17"}, None, rules="0.6-long", landed=1, focus=0).draft()
    draft.phase = "declare"
    home = ["Suns are on an opposing base already"]
    assert explained(GAME, draft.freeze(), "O skips S") == home


@examples(4, 40, 4000)
@given(seed=st.integers(0, 10**6))
@example(seed=17885)
def test_ships_come_as_much_nearer_as_is_said(seed: int) -> None:
    """By the rules, in each world that differs in the coin that the ship meets."""
    state, _ = random_match("0.6", seed, "off", 30 + seed % 80)
    if state.phase not in ("act", "jump"):
        return
    decision, seat = situation(GAME, state), state.turn
    coins = coins_known_to(state, seat)
    lengths = lengths_of(seat, coins)
    for action in decision.legal:
        ship = SUITS.index(action.args[0])
        if ship >> 1 != seat:
            continue
        ends = [_length_after(world, ship, action, lengths) for world in _worlds(state, coins)]
        nearer = lengths[state.ships[ship]] - sum(ends) / len(ends)
        for reason in reasons.explain(decision, action):
            assert rounds_to(reason, reasons._NEARER, nearer, TURN), (str(action), str(reason))


def _worlds(state: State, coins: tuple[tuple[int, ...], ...]) -> list[State]:
    """Return positions in which each coin of each space takes its turn: 60 divides evenly."""
    worlds = []
    for turn in range(60):
        board = list(state.board)
        for suit in range(4):
            hidden = [space for space, identities in enumerate(coins) if len(identities) > 1
                      and identities[0] // 6 == suit]  # fmt: skip
            if hidden:
                coin_identities = coins[hidden[0]]
                for place, space in enumerate(hidden):
                    board[space] = SUIT_UP[coin_identities[(place + turn) % len(coin_identities)]]
        draft = state.draft()
        draft.board = "".join(board)
        worlds.append(draft.freeze())
    return worlds


def _length_after(state: State, ship: int, action: Action, lengths: tuple[int, ...]) -> int:
    """Return the length of a ship's race after an action and the best jump that follows it.

    A black hole is counted by its event: where the opponent loses a turn too, the turn that it
    costs may be over already.
    """
    state, events = GAME.apply(state, action)
    if state.phase == "send" and state.focus == ship:
        keep = next(action for action in GAME.legal(state) if action.verb == "keep")
        return _length_after(state, ship, keep, lengths)
    if state.phase == "jump" and state.focus == ship:
        return min(
            _length_after(state, ship, next_action, lengths) for next_action in GAME.legal(state)
        )
    return lengths[state.ships[ship]] + TURN * (Event("hole", (SUITS[ship],)) in events)
