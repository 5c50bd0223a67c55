"""Looking ahead in Warp 6: known ends, and the best replies."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from engine.computer.levels import LEVELS
from engine.computer.players import DEFAULT_NODES
from engine.computer.situation import SCALE
from engine.computer.warp6.player import NODE_POSITIONS, REPLY_NODES, rate
from engine.computer.warp6.search import Search, _most_turns, certain_end, is_idle, is_won, value
from engine.computer.warp6.values import score_choices
from engine.game import Action
from engine.warp6.pieces import KITS, SEATS
from engine.warp6.state import OFF, State
from tests.support.reasons import situation
from tests.support.tiers import examples
from tests.support.warp6.games import random_match
from tests.support.warp6.positions import GAME, after, position

DRAW = Random(1).randrange

BLACK_HOME = "b8a1@0 b8b1@0 b6a1@0 b6b1@0 b6c1@0"
YELLOW_HOME = " ".join(f"y{word[1:]}" for word in BLACK_HOME.split())
LAST = f"{BLACK_HOME} {YELLOW_HOME}"
"""Each side needs one more die."""

CROWDED = (
    "b8a1@113 b8b5@109 b6a4@111 b6b1@79 b6c5@28 b4a1@123 b4b2@125 b4c1@121 b4d3@47"
    " y8a4@112 y8b6@118 y6a2@55 y6b3@84 y6c6@51 y4a3@32 y4b2@114 y4c3@110 y4d1@116"
)


def ratings(state: State, nodes: int) -> dict[str, int]:
    """Return the ratings of a player that may evaluate so many positions."""
    return {str(action): worth for worth, action in rate(situation(GAME, state), DRAW, nodes)}


def rolls(state: State) -> list[State]:
    """Return the positions after a reroll; the position itself where none is due."""
    if state.phase != "reroll":
        return [state]
    name = KITS[state.seats].names[state.focus]
    return [after(state, f"* reroll {name} {number + 1}") for number in range(int(name[1]))]


@pytest.mark.parametrize("level", LEVELS)
def test_each_level_rates_a_move_that_wins_as_a_win(level: str) -> None:
    rated = ratings(position(f"{LAST} b4a3@3 b4b4@5 y4a4@2"), LEVELS[level].nodes)
    assert rated.pop("B move b4a") == SCALE
    assert max(rated.values()) < SCALE


@pytest.mark.parametrize("seed", range(3))
def test_admiral_wins_at_once(seed: int) -> None:
    state = position(f"{BLACK_HOME} b4a3@3 b4b4@4")  # nothing else could prevent the win
    choice = LEVELS["admiral"].choose(situation(GAME, state), Random(seed).randrange, DEFAULT_NODES)
    assert after(state, str(choice.action)).result == "B dice"
    assert choice.value == SCALE


@pytest.mark.parametrize(
    ("dice", "best", "blunder"),
    [
        # Yellow's die would land on 3 and warp home: the die there must leave.
        ("b4a1@5 b4c1@3 y4a4@7", "B move b4c", "B up b4a"),
        # The warp makes 4b ready; moving 4a onto 3 would give Yellow the warp home.
        ("b4a2@5 b4b2@9 y4a4@7", "B move b4b", "B move b4a"),
        # Yellow leaves with its next move: only the die that is home at once wins.
        ("b4a1@3 b4b1@1 y4a4@4", "B move b4b", "B up b4a"),
    ],
)
def test_admiral_sees_the_reply_that_wins(dice: str, best: str, blunder: str) -> None:
    rated = ratings(position(f"{LAST} {dice}"), DEFAULT_NODES)
    assert max(rated, key=rated.__getitem__) == best
    assert rated[blunder] == 0


def test_admiral_keeps_the_warp_that_a_reply_would_spoil() -> None:
    state = position(CROWDED, seat="Y")
    deep = ratings(state, REPLY_NODES)
    assert max(deep, key=deep.__getitem__) == "Y move y4d"
    assert deep["Y move y4d"] > 7000
    flat = ratings(state, REPLY_NODES - 1)
    assert max(flat, key=flat.__getitem__) == "Y down y4b"
    assert max(LEVELS[level].nodes for level in LEVELS if level != "admiral") < REPLY_NODES


def test_race_of_three_is_rated_without_replies() -> None:
    state, _ = random_match("3", "rolled", 5, 60)
    assert ratings(state, DEFAULT_NODES) == ratings(state, REPLY_NODES - 1)
    rolled = [rolls(after(state, line)) for line in ratings(state, DEFAULT_NODES)]
    assert list(ratings(state, DEFAULT_NODES).values()) == [
        sum(value(end, state.turn) for end in ends) // len(ends) for ends in rolled
    ]


@pytest.mark.parametrize(
    ("dice", "seat", "end"),
    [
        (f"{LAST} b4a3@3 y4a1@9", "B", (0, 1)),
        (f"{LAST} b4a3@4 y4a1@9", "B", None),  # a space too far
        (f"{LAST} b4a3@3 y4a1@1", "B", (0, 1)),  # both would leave: who is on turn is first
        (f"{LAST} b4a3@3 y4a1@1", "Y", (1, 1)),
        (f"{LAST} b4a3@3 y4a1@9", "Y", None),  # Yellow is first, and may warp
        (f"{YELLOW_HOME} y4a2@2", "B", (1, 1)),  # Black needs two turns at least
        (f"{YELLOW_HOME} b8a1@0 b4a2@2 b4b2@1 y4a2@3", "B", None),
        ("b8a1@0 b8b1@0 b6a1@0 b6b1@0 b4a3@3 b4b4@2", "Y", (0, 2)),
        ("b8a1@0 b8b1@0 b6a1@0 b6b1@0 b4a3@3 b4b4@5", "Y", None),
        ("", "B", None),
    ],
)
def test_x5_1_end_is_certain_if_no_other_seat_can_be_faster(
    dice: str, seat: str, end: tuple[int, int] | None
) -> None:
    assert certain_end(position(dice, seat=seat)) == end


def test_x5_3_seat_that_has_left_is_not_waited_for() -> None:
    home = "w8a1@0 w6a1@0 w6b1@0"
    state = position(f"{home} b8a1@0 b6a1@0 b4a3@3 b4b3@3", seats=3)
    assert certain_end(state) is None  # White needs one turn only
    assert certain_end(after(state, "W leave")) == (0, 2)


@pytest.mark.parametrize(
    ("dice", "seat", "won"),
    [
        (f"{BLACK_HOME} b4a3@9", "B", True),
        (f"{BLACK_HOME} b4a3@9", "Y", True),
        (f"{BLACK_HOME} b4a1@20", "B", False),
        (f"{BLACK_HOME} b4a3@9 y8a1@0 y8b1@0 y6a1@0", "B", True),
        (f"{BLACK_HOME} b4a3@9 y8a1@0 y8b1@0 y6a1@0", "Y", False),
        (f"{LAST} b4a3@3", "B", True),
        (f"{LAST} b4a3@3", "Y", False),
    ],
)
def test_x5_1_seat_has_won_if_it_needs_fewer_turns(dice: str, seat: str, won: bool) -> None:
    assert is_won(position(dice, seat=seat), 0) is won
    assert not is_won(position(dice, seat=seat), 1)


@examples(30, 100, 2000)
@given(seed=st.integers(0, 10**6), seats=st.sampled_from((2, 3)))
def test_seat_that_has_won_wins_by_moves_alone(seed: int, seats: int) -> None:
    random = Random(seed)
    kit = KITS[seats]
    home = kit.target - random.randint(1, 2)
    names = [kit.names[die] for die in kit.own(0)]
    dice = [f"{name}1@0" for name in names[:home]]
    free = random.sample(range(1, 25), len(names) - home)
    dice += [
        f"{name}{random.randint(1, int(name[1]))}@{space}"
        for name, space in zip(names[home:], free, strict=True)
    ]
    state = position(" ".join(dice), seats=seats, seat=random.choice(kit.seats))
    assume(is_won(state, 0))
    while not state.result:
        if state.phase == "reroll":
            state = random.choice(rolls(state))
        elif state.turn:
            state, _ = GAME.apply(state, random.choice(GAME.legal(state)))
        else:
            assert is_won(state, 0)
            turns = {
                die: _most_turns(state.spaces[die], state.numbers[die])
                for die in kit.own(0)
                if state.spaces[die] > OFF
            }
            state, _ = GAME.apply(state, kit.turns[min(turns, key=turns.__getitem__)].move)
    assert is_won(state, 0)
    assert state.result[0] == SEATS[0]


@examples(30, 100, 2000)
@given(seed=st.integers(0, 10**6), seats=st.sampled_from((2, 3)))
def test_certain_winner_wins_whatever_the_others_do(seed: int, seats: int) -> None:
    random = Random(seed)
    kit = KITS[seats]
    dice = []
    for seat in range(seats):
        names = [kit.names[die] for die in kit.own(seat)]
        home = kit.target - random.randint(1, 3)
        dice += [f"{name}1@0" for name in names[:home]]
        free = random.sample(range(1 + 12 * seat, 13 + 12 * seat), len(names) - home)
        dice += [
            f"{name}{random.randint(1, int(name[1]))}@{max(space // random.choice((1, seats)), 1)}"
            for name, space in zip(names[home:], free, strict=True)
        ]
    state = position(" ".join(dice), seats=seats, seat=random.choice(kit.seats))
    end = certain_end(state)
    assume(end is not None)
    assert end is not None
    winner, turns = end
    taken = 0
    while not state.result:
        if state.phase == "reroll":
            state = random.choice(rolls(state))
            continue
        actions = GAME.legal(state)
        if state.turn == winner:
            taken += 1
            assert certain_end(state) == (winner, turns - taken + 1)
            ready = [
                die for die in kit.own(winner) if OFF < state.spaces[die] <= state.numbers[die]
            ]
            action = kit.turns[random.choice(ready)].move
        else:
            action = random.choice(actions)
        state, _ = GAME.apply(state, action)
    assert (state.result[0], taken) == (SEATS[winner], turns)


@examples(10, 40, 400)
@given(seed=st.integers(0, 10**6), seats=st.sampled_from("23"))
def test_each_seat_takes_the_reply_that_is_best_for_itself(seed: int, seats: str) -> None:
    state, _ = random_match(seats, "rolled", seed, 30 + seed % 90)
    assume(state.phase == "play")
    search = Search()
    replies = []
    for action in GAME.legal(state):
        if not is_idle(state, action):
            ends = rolls(after(state, str(action)))
            columns = zip(
                *([value(end, seat) for seat in range(state.seats)] for end in ends), strict=True
            )
            replies.append([sum(column) // len(ends) for column in columns])
    best = max(reply[state.turn] for reply in replies)
    shares = search.shares(state, 1)
    assert shares in replies
    assert shares[state.turn] == best
    assert search.positions >= len(replies)


def test_no_further_action_is_looked_at_after_the_limit() -> None:
    state = position(CROWDED, seat="Y")
    actions = [Action.parse(f"Y move {name}") for name in ("y8a", "y8b", "y6a")]
    one = Search()
    one.after_replies(state, actions[:1])
    for limit, count in ((0, 0), (1, 1), (one.positions, 1), (one.positions + 1, 2)):
        assert len(Search().after_replies(state, actions, limit)) == count
    assert len(Search().after_replies(state, actions)) == len(actions)


def test_positions_of_the_look_ahead_count_a_tenth() -> None:
    decision = situation(GAME, position(f"{LAST} b4a2@5 b4b2@9 y4a4@7"))
    rated = rate(decision, DRAW, DEFAULT_NODES)
    search = Search()
    search.after_replies(decision.sampled_state, [action for _, action in rated])
    assert decision.tally.nodes == len(rated) + search.positions // NODE_POSITIONS


def judged(state: State, choice: str) -> dict[str, int]:
    """Return the scores that an analysis compares."""
    action: Any = Action.parse(choice)
    scores = score_choices(situation(GAME, state), action, DRAW, DEFAULT_NODES)
    return {str(option): score for score, option in scores}


def test_analysis_finds_no_cost_where_all_choices_win() -> None:
    """By which one the match is won sooner does not matter, nor what the network takes it for."""
    state = position(f"{BLACK_HOME} b4a3@9 b4b2@12")
    scores = judged(state, "B move b4b")
    assert len(scores) > 2
    assert {*scores.values()} == {SCALE}


def test_analysis_judges_a_choice_by_the_best_reply_to_it() -> None:
    state = position(CROWDED, seat="Y")
    scores = judged(state, "Y down y6a")
    assert is_idle(state, Action.parse("Y down y6a"))
    assert max(scores, key=scores.__getitem__) == "Y move y4d"
    assert "Y down y6a" in scores
    assert "Y down y6b" not in scores
    assert judged(after(state, "Y move y4d"), "B move b8a")
