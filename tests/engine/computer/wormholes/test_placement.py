"""Coins are placed so that where they lie does not tell their values."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from engine.computer.situation import SCALE
from engine.computer.wormholes import placement
from engine.computer.wormholes.player import rate
from engine.computer.wormholes.race import (
    ONE,
    Coins,
    Lengths,
    Outlook,
    Race,
    coins_known_to_all,
    lengths_of,
    race,
)
from engine.game import Action, RandomSource
from engine.wormholes.board import FREE_FOR_COINS, INDEX, SPACES
from engine.wormholes.pieces import COINS, EMPTY, SEATS, SUIT_UP
from engine.wormholes.state import State
from tests.support.reasons import situation
from tests.support.wormholes.positions import GAME

BY_TURNS, BY_CHANCE = 2 * placement.BLUFF_NODES - 1, 3 * placement.BLUFF_NODES
"""Nodes with which bluffs are rated by turns, or the best three by the chance of winning."""

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
@pytest.mark.parametrize(("nodes", "candidates"), [(BY_TURNS, 160), (BY_CHANCE, 3)])
def test_spaces_do_not_depend_on_the_own_values(count: int, nodes: int, candidates: int) -> None:
    state, random = placing(count), Random(count)
    expected = by_space(rated(state, random.randrange, nodes))
    assert len(expected) >= candidates
    for _ in range(3):
        twin = exchanged(state, "D", random)
        assert twin != state
        assert by_space(rated(twin, random.randrange, nodes)) == expected


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


@pytest.mark.parametrize("count", [1, 2, 3])
def test_the_best_bluffs_are_compared_by_the_chance_of_winning(
    count: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    by_turns = rated(placing(2), Random(1).randrange, BY_TURNS)
    scored: list[Action] = []

    def score_of_suit(_state: object, action: Action, _near: object) -> int:
        scored.append(action)
        return len(scored) * placement.CLOSE

    monkeypatch.setattr(placement, "score_of_suit", score_of_suit)
    for nodes in (count * placement.BLUFF_NODES, (count + 1) * placement.BLUFF_NODES - 1):
        scored.clear()
        scores = rated(placing(2), Random(1).randrange, nodes)
        if count == 1:
            assert scores == by_turns
            assert not scored
            continue
        assert [score for score, _ in scores] == [n * placement.CLOSE for n in range(1, count + 1)]
        assert [action for _, action in scores] == scored
        raw = _turns_won(placing(2))
        best = sorted((raw[by_suit(action)] for _, action in by_turns), reverse=True)[:count]
        assert [raw[by_suit(action)] for action in scored] == best


def by_suit(action: Action) -> tuple[str, str]:
    return action.args[0][0], action.args[1]


def _turns_won(state: State) -> dict[tuple[str, str], int]:
    """Return suit and space → turns that the suit's six coins win there together, for D."""
    common = coins_known_to_all(state)
    ways = placement.Ways(1, common, common)
    return {
        (suit, space): sum(ways.gain(COINS.index(f"{suit}{n}"), INDEX[space]) for n in range(6))
        for suit in "CA"
        for space in (SPACES[number] for number in FREE_FOR_COINS)
    }


@pytest.mark.parametrize("line", ["C3 d17", "A3 h11"])
def test_the_score_of_a_suit_is_the_mean_over_its_coins(line: str) -> None:
    state, action = placing(2), Action("D", "place", tuple(line.split()))
    common = list(coins_known_to_all(state))
    near = lengths_of(0, tuple(common)), lengths_of(1, tuple(common))
    score = placement.score_of_suit(state, action, near)
    space, coins = INDEX[action.args[1]], [COINS.index(f"{line[0]}{n}") for n in range(6)]
    common[space] = tuple(coins)
    theirs = race(0, tuple(common), tuple(common))
    chances = []
    for coin in coins:
        common[space] = (coin,)
        ours = race(1, tuple(common), tuple(common))
        chances.append(placement.before_play(state, Outlook("0.6", (theirs, ours)), 1))
    expected = sum(chances) * SCALE // (ONE * len(coins))
    assert abs(score - expected) < placement.CLOSE, "coins that do not help are avoided"
    repeated = {
        placement.score_of_suit(
            state, Action("D", "place", (f"{line[0]}{n}", *line.split()[1:])), near
        )
        for n in range(6)
    }
    assert repeated == {score}


def test_a_coin_that_helps_no_one_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    boards: list[tuple[int, ...]] = []
    state = placing(2)
    space = INDEX["i2"]

    def spy(seat: int, believed: Coins, actual: Coins, near: Lengths = ()) -> Race:
        boards.append((seat, *believed[space]))
        assert believed == actual
        return race(seat, believed, actual, near)

    monkeypatch.setattr(placement, "race", spy)
    common = coins_known_to_all(state)
    near = lengths_of(0, common), lengths_of(1, common)
    placement.score_of_suit(state, Action.parse("D place C4 i2"), near)
    helpful = [coin for coin in range(12, 18) if placement.gain(coin, space, near[1]) > 0]
    assert 0 < len(helpful) < 6
    assert boards == [(1,), (0, *range(12, 18)), *((1, coin) for coin in helpful)]


def test_the_winner_of_the_roll_moves_first() -> None:
    state, _ = GAME.apply(GAME.start("0.6", {}), Action.parse("* rolloff S0 M0 C5 A5"))
    scores = {action.args: score for score, action in rated(state, Random(1).randrange)}
    assert scores["move",] > scores["place",]
