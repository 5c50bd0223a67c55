"""Coins are placed so that where they lie does not tell their values."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from engine.computer.wormholes import placement
from engine.computer.wormholes.player import rate
from engine.game import Action, RandomSource
from engine.wormholes.pieces import COINS, EMPTY, SEATS, SUIT_UP
from engine.wormholes.state import State
from tests.support.reasons import situation
from tests.support.wormholes.positions import GAME

PLACED = {"O": ("S4 g4", "M2 d7", "S0 f9", "M5 c8"), "D": ("C5 e6", "A1 f13", "C2 d15", "A4 g12")}

Rated = dict[tuple[str, str], int]
"""Suit and space → score."""


def placing(count: int) -> State:
    """Return a position in which D places after both have placed a number of coins."""
    state = GAME.start("0.6", {})
    lines = ["* rolloff S0 M0 C5 A5", "D first place"]
    lines += [f"{seat} place {PLACED[seat][number]}" for number in range(count) for seat in "DO"]
    for line in lines:
        state, _ = GAME.apply(state, Action.parse(line))
    return state


def exchanged(state: State, seat: str, random: Random) -> State:
    """Return a position in which a seat has placed other values of the same suits."""
    draft = state.draft()
    board = list(draft.board)
    for suit in range(4):
        if SEATS[suit // 2] != seat:
            continue
        coins = list(range(6 * suit, 6 * suit + 6))
        random.shuffle(coins)
        for space, at in enumerate(board):
            if at != EMPTY and SUIT_UP.index(at) // 6 == suit:
                board[space] = SUIT_UP[coins.pop()]
        draft.hand &= ~(63 << 6 * suit)
        draft.hand |= sum(1 << coin for coin in coins)
    draft.board = "".join(board)
    return draft.freeze()


def rated(state: State, draw: RandomSource, nodes: int = 400) -> list[tuple[int, Action]]:
    return rate(situation(GAME, state), draw, nodes)


def by_space(actions: list[tuple[int, Action]]) -> Rated:
    return {(action.args[0][0], action.args[1]): score for score, action in actions}


@pytest.mark.parametrize("count", [2, 4])
def test_spaces_do_not_depend_on_the_own_values(count: int) -> None:
    state, random = placing(count), Random(count)
    expected = by_space(rated(state, random.randrange))
    assert len(set(expected.values())) > 5
    for _ in range(3):
        twin = exchanged(state, "D", random)
        assert twin != state
        assert by_space(rated(twin, random.randrange)) == expected


def test_a_coin_of_each_suit_is_drawn_from_the_hand() -> None:
    state, draws = placing(2), Counter[str]()
    samples = 30
    for seed in range(samples):
        coins = {action.args[0] for _, action in rated(state, Random(seed).randrange)}
        assert len(coins) == len({coin[0] for coin in coins}) == 2
        draws.update(coins)
    hand = {name for coin, name in enumerate(COINS) if coin >= 12 and state.hand >> coin & 1}
    assert draws.keys() == hand
    assert max(draws.values()) < samples // 2, "each of five coins is as likely"


@pytest.mark.parametrize(
    ("count", "nodes", "candidates"),
    [(0, 200, 20), (1, 200, 20), (1, 199, 19), (1, 9, 1), (2, 200, 0)],
)
def test_the_first_coins_are_placed_for_their_values(
    count: int, nodes: int, candidates: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    scored: list[Action] = []

    def score_after(_situation: object, action: Action, _near: object) -> int:
        scored.append(action)
        return len(scored) * placement.CLOSE

    monkeypatch.setattr(placement, "score_after", score_after)
    scores = rated(placing(count), Random(1).randrange, nodes)
    assert len(scored) == candidates
    assert [action for _, action in scores] == scored or not candidates
    gains = placement.known_ways(situation(GAME, placing(count))).gains(
        situation(GAME, placing(count)).legal
    )
    best = sorted(gains.values(), reverse=True)[: len(scored)]
    assert [gains[action] for action in scored] == best


def test_scores_that_are_close_are_equal(monkeypatch: pytest.MonkeyPatch) -> None:
    close = placement.CLOSE
    scores = iter([7000, 7000 - close + 1, 7000 - close, *[100] * 17])
    monkeypatch.setattr(placement, "score_after", lambda *_: next(scores))
    candidates = rated(placing(0), Random(1).randrange, 200)
    assert [score for score, _ in candidates[:4]] == [7000, 7000, 7000 - close, 100]


def test_the_score_after_a_placing_is_the_chance_of_winning() -> None:
    decision = situation(GAME, placing(0))
    good, bad = (Action("D", "place", args) for args in (("C5", "e6"), ("C5", "f13")))
    near = placement.known_ways(decision).lengths
    assert placement.score_after(decision, good) > placement.score_after(decision, bad) + 1000
    for action in (good, bad):
        precise = placement.score_after(decision, action)
        assert abs(placement.score_after(decision, action, near) - precise) < placement.CLOSE
