"""Coins are placed for their values, after the opponent's best answer; setups differ."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from engine.computer.situation import SCALE
from engine.computer.wormholes import placement
from engine.computer.wormholes.placement import MIN_PLACINGS, PLACING_NODES
from engine.computer.wormholes.player import rate
from engine.computer.wormholes.race import ONE, Outlook, coins_known_to_all, race
from engine.computer.wormholes.reading import coins_read_by, hand_read_from, shares_of
from engine.computer.wormholes.ways import Ways
from engine.game import Action, RandomSource
from engine.wormholes.board import INDEX
from engine.wormholes.pieces import COINS
from engine.wormholes.state import State
from tests.support.reasons import situation
from tests.support.wormholes.positions import GAME

BY_TURNS, BY_CHANCE = MIN_PLACINGS * PLACING_NODES - 1, MIN_PLACINGS * PLACING_NODES
"""Nodes with which placings are rated by turns, or the best of them by the chance of winning."""

PLACED = {"O": ("S4 g4", "M2 d7", "S0 f9", "M5 c8"), "D": ("C5 e6", "A1 f13", "C2 d15", "A4 g12")}


def placing(count: int) -> State:
    """Return a position in which D places after both have placed a number of coins."""
    state = GAME.start("0.6", {})
    lines = ["* rolloff S0 M0 C5 A5", "D first place"]
    lines += [f"{seat} place {PLACED[seat][number]}" for number in range(count) for seat in "DO"]
    for line in lines:
        state, _ = GAME.apply(state, Action.parse(line))
    return state


def rated(state: State, draw: RandomSource, nodes: int = 400) -> list[tuple[int, Action]]:
    return rate(situation(GAME, state), draw, nodes)


def test_a_coin_of_each_suit_is_drawn_from_the_hand() -> None:
    state, draws = placing(2), Counter[str]()
    samples = 30
    for seed in range(samples):
        coins = {action.args[0] for _, action in rated(state, Random(seed).randrange, BY_TURNS)}
        assert len(coins) == len({coin[0] for coin in coins}) == 2
        draws.update(coins)
    hand = {name for coin, name in enumerate(COINS) if coin >= 12 and state.hand >> coin & 1}
    assert draws.keys() == hand
    assert max(draws.values()) < samples // 2, "each of five coins is as likely"


def test_few_nodes_rate_placings_by_the_turns_they_win() -> None:
    state = placing(1)
    gains = placement.known_ways(situation(GAME, state)).gains(situation(GAME, state).legal)
    scores = {action: score for score, action in rated(state, Random(1).randrange, BY_TURNS)}
    best = max(scores.values())
    for action, score in scores.items():
        expected = SCALE // 2 + gains[action] * placement.TURN_SCORE // 1000
        assert score == expected or (score == best and best - expected < placement.CLOSE)


@pytest.mark.slow
def test_the_most_promising_placings_are_compared() -> None:
    nodes = BY_CHANCE + PLACING_NODES - 1
    placings = [action for _, action in rated(placing(1), Random(1).randrange, nodes)]
    assert len(placings) == len(set(placings)) == MIN_PLACINGS
    assert max(Counter(action.args[1] for action in placings).values()) == placement.COINS_A_SPACE
    assert len({action.args[0] for action in placings}) > 1, "of all coins in the hand"
    state = situation(GAME, placing(1)).sampled_state
    common = coins_known_to_all(state)
    expected_coins = coins_read_by(state, 1, shares_of(state, 1, common))
    gains = Ways(1, expected_coins, common).gains(situation(GAME, placing(1)).legal)
    assert gains[placings[0]] == max(gains.values())
    assert sorted(placings, key=lambda action: -gains[action]) == placings


@pytest.mark.parametrize(("count", "close"), [(0, placement.CLOSE_AT_FIRST), (1, placement.CLOSE)])
def test_scores_that_are_close_are_equal(
    monkeypatch: pytest.MonkeyPatch, count: int, close: int
) -> None:
    scores = iter([7000, 7000 - close + 1, 7000 - close, *[100] * 17, 7000])
    monkeypatch.setattr(placement.Table, "_score", lambda *_args, **_more: next(scores))
    candidates = rated(placing(count), Random(1).randrange, 400)
    assert [score for score, _ in candidates[:4]] == [7000, 7000, 7000 - close, 100]


@pytest.mark.slow
def test_a_score_is_the_chance_after_the_best_answer() -> None:
    """All is calculated here: the answer that wins most turns, then both races."""
    state = placing(0)
    for line in ("D place C5 e6", "O place S4 g4"):
        state, _ = GAME.apply(state, Action.parse(line))
    decision = situation(GAME, state)
    common = coins_known_to_all(state)
    shares = shares_of(state, 1, common)
    expected_coins = coins_read_by(state, 1, shares)
    hand = hand_read_from(1, shares, 11)
    scores = placement.Table(decision).rate(2)
    chances: list[int] = []
    alone: list[int] = []
    for _, action in scores:
        after = [list(expected_coins), list(common)]
        coin, space = COINS.index(action.args[0]), INDEX[action.args[1]]
        after[0][space] = (coin,)
        after[1][space] = tuple(range(coin // 6 * 6, coin // 6 * 6 + 6))
        alone.append(_chance(state, after))
        answers = Ways(0, tuple(after[1]), tuple(after[0])).gains(
            Action("O", "place", (COINS[coin], other.args[1]))
            for coin in hand
            for other in decision.legal
            if not after[0][INDEX[other.args[1]]]
        )
        answer = max(answers, key=answers.__getitem__)
        for coins in after:
            coins[INDEX[answer.args[1]]] = (COINS.index(answer.args[0]),)
        chances.append(_chance(state, after))
    best = max(range(len(chances)), key=chances.__getitem__)
    regained = (alone[best] - chances[best]) // 2
    assert regained > 0
    for (score, _), chance in zip(scores, chances, strict=True):
        assert abs(score - regained - chance) < placement.CLOSE


def _chance(state: State, coins: list[list[tuple[int, ...]]]) -> int:
    expected_coins, common = (tuple(board) for board in coins)
    races = race(0, common, expected_coins), race(1, expected_coins, expected_coins)
    return Outlook("0.6", races).winning(state, 1, 0) * SCALE // ONE


@pytest.mark.slow
def test_the_last_coin_is_not_answered() -> None:
    state, random = placing(0), Random(3)
    while state.hand.bit_count() > 1:
        actions = GAME.legal(state)
        state, _ = GAME.apply(state, random.choice(actions))
    decision = situation(GAME, state)
    scores = rated(state, random.randrange, BY_CHANCE)
    shares = shares_of(state, 0, coins_known_to_all(state))
    assert hand_read_from(0, shares, 0) == []
    expected_coins = coins_read_by(state, 0, shares)
    for score, action in scores[:2]:
        board = list(expected_coins)
        board[INDEX[action.args[1]]] = (COINS.index(action.args[0]),)
        mine = race(0, tuple(board), tuple(board))
        common = list(coins_known_to_all(state))
        first = COINS.index(action.args[0]) // 6 * 6
        common[INDEX[action.args[1]]] = tuple(range(first, first + 6))
        theirs = race(1, tuple(common), tuple(board))
        chance = Outlook("0.6", (mine, theirs)).winning(state, 0, 0) * SCALE // ONE
        assert abs(score - chance) < 2 * placement.CLOSE
    assert decision.seat == "O"


@pytest.mark.parametrize("option", ["one", "three"])
def test_w3_2_who_places_last_moves_first(option: str) -> None:
    random = Random(1)
    state = GAME.start("0.6", {"placing": option})
    for line in ("* rolloff S0 M0 C5 A5", "D first place"):
        state, _ = GAME.apply(state, Action.parse(line))
    while state.phase == "place":
        assert placement.first_to_move(state) == 0
        state, _ = GAME.apply(state, random.choice(GAME.legal(state)))
    assert state.turn == 0
    assert placement.first_to_move(state) is None


def test_the_score_after_a_placing_is_the_chance_of_winning() -> None:
    decision = situation(GAME, placing(0))
    good, bad = (Action("D", "place", args) for args in (("C5", "e6"), ("C5", "f13")))
    assert placement.score_after(decision, good) > placement.score_after(decision, bad) + 1000


def test_the_winner_of_the_roll_moves_first() -> None:
    state, _ = GAME.apply(GAME.start("0.6", {}), Action.parse("* rolloff S0 M0 C5 A5"))
    scores = {action.args: score for score, action in rated(state, Random(1).randrange)}
    assert scores["move",] > scores["place",]
