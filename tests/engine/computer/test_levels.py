"""The levels: stronger than a player that looks one action ahead, and how they err."""

from __future__ import annotations

from typing import Any, cast

import pytest

from engine.computer.arena import Contest, EnginePlayer
from engine.computer.games import COMPUTER_SUPPORT
from engine.computer.levels import CLOSE, LEVELS, Level, _draw_by_weight
from engine.computer.players import ComputerPlayer
from engine.computer.reasons import Reason
from engine.computer.situation import MAX_REASONS, SCALE, Situation
from engine.computer.weights import WHOLE
from engine.game import CHANCE, Action, RandomSource
from engine.games import get


@pytest.mark.soak
@pytest.mark.parametrize(
    "game",
    [
        pytest.param("wormholes", marks=pytest.mark.soak),
        "warp6",
        pytest.param("tomtube", marks=pytest.mark.soak),
    ],
)
def test_admiral_beats_greedy(game: str) -> None:
    players = [
        EnginePlayer(ComputerPlayer(name, name.encode()), lambda: 0.0)
        for name in ("admiral", "greedy")
    ]
    report = Contest(get(game), get(game).rules[0], {}, 3).run(players, 6).report()
    assert report["fouls"] == [0, 0]
    assert report["score"] >= 0.6


def test_choice_is_drawn_in_proportion_to_the_weights() -> None:
    limits = []

    def drawn(number: int) -> int:
        def draw(limit: int) -> int:
            limits.append(limit)
            return number

        return _draw_by_weight([1, 0, 2, 1], draw)

    assert [drawn(number) for number in range(4)] == [0, 2, 2, 3]
    assert limits == [4] * 4


@pytest.mark.usefixtures("bids")
@pytest.mark.parametrize(("name", "level"), LEVELS.items())
def test_level_looks_as_far_and_errs_as_much_as_it_should(
    name: str, level: Level, monkeypatch: pytest.MonkeyPatch
) -> None:
    game, looked = get("bids"), list[int]()
    state, _ = game.apply(game.start("plain", {}), Action(CHANCE, "prize", ("1",)))
    legal = tuple(action for action in game.legal(state) if action.actor == "A")

    def rate(_situation: Situation, _draw: object, nodes: int) -> list[tuple[int, Action]]:
        looked.append(nodes)
        return [(SCALE + 20, legal[0]), (-10, legal[1])]

    reasons = [Reason(str(number)) for number in range(MAX_REASONS + 1)]
    temperatures = tuple(2 * (SCALE + 30) if rank == level.rank else 1 for rank in range(4))
    changed = COMPUTER_SUPPORT["bids"]._replace(
        rate=rate, explain=lambda *_: reasons, temperatures=cast("Any", temperatures)
    )
    monkeypatch.setitem(COMPUTER_SUPPORT, "bids", changed)
    situation = Situation(game, "A", legal, state)
    best = level.choose(situation, lambda _limit: 0, level.nodes + 1)
    worst = level.choose(situation, lambda limit: limit - 1, level.nodes - 1)
    assert looked == [level.nodes, level.nodes - 1]
    assert (best.action, best.value) == (legal[0], SCALE)
    assert (worst.action, worst.value) == (legal[1], 0)
    assert best.reasons == worst.reasons == tuple(reasons[:MAX_REASONS])
    assert [*LEVELS].index(name) == level.rank


@pytest.mark.usefixtures("bids")
@pytest.mark.parametrize(("slope", "weight"), [(100, 750), (50, 500), (1, 0)])
def test_a_level_errs_less_where_the_score_is_flat(
    slope: int, weight: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    game, sums = get("bids"), list[int]()
    state, _ = game.apply(game.start("plain", {}), Action(CHANCE, "prize", ("1",)))
    legal = tuple(action for action in game.legal(state) if action.actor == "A")
    changed = COMPUTER_SUPPORT["bids"]._replace(
        rate=lambda *_: [(3000, legal[0]), (2800, legal[1])],
        temperatures=(400, 200, 100, 0),
        slope=lambda value: slope if value == 3000 else 100,
    )
    monkeypatch.setitem(COMPUTER_SUPPORT, "bids", changed)

    def draw(limit: int) -> int:
        sums.append(limit)
        return 0

    LEVELS["cadet"].choose(Situation(game, "A", legal, state), draw, 40)
    assert round(1000 * (sums[0] - WHOLE) / WHOLE) == weight


@pytest.mark.usefixtures("bids")
def test_a_wasteful_action_is_chosen_only_if_none_is_better(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    game = get("bids")
    state, _ = game.apply(game.start("plain", {}), Action(CHANCE, "prize", ("1",)))
    legal = tuple(action for action in game.legal(state) if action.actor == "A")[:3]
    values = (4900, 5000, 5000)
    situation = Situation(game, "A", legal, state)

    def chosen(draw: RandomSource, *wasted: Action) -> Action:
        changed = COMPUTER_SUPPORT["bids"]._replace(
            rate=lambda *_: [*zip(values, legal, strict=True)],
            temperatures=(100, 100, 100, 0),
            wasteful=lambda asked: wasted if asked is situation else (),
        )
        monkeypatch.setitem(COMPUTER_SUPPORT, "bids", changed)
        return LEVELS["cadet"].choose(situation, draw, 40).action

    assert chosen(lambda _: 0) == legal[0]
    assert chosen(lambda _: 0, legal[0]) == legal[1]
    assert chosen(lambda limit: limit - 1, legal[2]) == legal[2]


def test_levels_look_at_more_and_more_positions() -> None:
    assert [level.nodes for level in LEVELS.values()] == [40, 100, 200, 2000]
    assert SCALE // 200 == CLOSE
