"""Numbers of steps: told apart from numbers of the game, and beside the pieces."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from math import hypot
from random import Random
from typing import Any

import pytest

import render
from engine import games
from engine.game import CHANCE, Action, AnyGame
from engine.record import play
from render import markers
from render.renderer import DEFAULT_STYLE
from render.sprites import Board, Point, Sprite
from render.themes import Theme
from render.tomtube import arrows as tomtube
from render.warp6 import arrows as warp6
from render.warp6.background import background as void
from render.warp6.colours import THEMES as WARP6
from render.warp6.layout import layout as warp6_layout
from render.wormholes import arrows as wormholes
from render.wormholes.background import background as galaxy
from render.wormholes.colours import THEMES as WORMHOLES
from render.wormholes.layout import layout as wormholes_layout
from tests.support.tiers import sampled
from tests.support.wormholes.positions import GAME, after, position

READABLE_DISTANCE = 28
"""Pixels from the middle of a piece to that of a number which leaves its value readable."""


def test_freest_point_is_the_first_with_room() -> None:
    taken = [((0.0, 0.0), 10.0), ((20.0, 0.0), 10.0)]
    assert markers.freest([(5, 0), (10, 0), (30, 0)], taken) == (10, 0)


def test_without_room_the_point_that_lacks_least_is_taken() -> None:
    assert markers.freest([(1, 0), (8, 0), (-5, 0)], [((0.0, 0.0), 10.0)]) == (8, 0)


@pytest.mark.parametrize("theme", WORMHOLES.values(), ids=list(WORMHOLES))
def test_places_in_an_order_have_a_shape_of_their_own(theme: Theme) -> None:
    """They are neither round as coins, nor square as dice, nor turned squares or triangles."""
    for value in (3, 12):
        sign = markers.badge(theme, value)
        assert sign is markers.order(theme, value, theme.story, theme.story_edge)
        left, top, right, bottom = sign.mask.getbbox() or (0, 0, 0, 0)
        assert right - left >= 1.4 * (bottom - top)
        middle = (top + bottom) // 2
        corners = [(x, y) for x in (left + 3, right - 3) for y in (top + 3, bottom - 4)]
        filled = [bool(sign.mask.getpixel(at)) for at in (*corners, (right - 3, middle))]
        assert filled == [True, True, False, False, True], "it points to the right"


@sampled(2, 6, 40)
def test_numbers_of_steps_hide_no_value_of_a_coin(samples: int) -> None:
    where, theme = wormholes_layout(DEFAULT_STYLE, ""), WORMHOLES["dark"]
    board, seen = Board(*galaxy(theme, where).copy()), 0
    for view in moves("wormholes", samples):
        numbers = wormholes.draw_heads(board, view, theme, where, ())
        pieces = [where.space(piece.space) for piece in (*view.coins, *view.ships)]
        assert nearest(numbers, pieces) >= READABLE_DISTANCE, view.story
        seen += len(numbers)
    assert seen > 25 * samples


@sampled(2, 6, 40)
def test_numbers_of_steps_are_not_read_with_a_value(samples: int) -> None:
    """Side by side, the 4 of a coin and step 2 would be read as 42."""
    where, theme = wormholes_layout(DEFAULT_STYLE, ""), WORMHOLES["dark"]
    board, near, seen = Board(*galaxy(theme, where).copy()), 0, 0
    for view in moves("wormholes", samples):
        numbers = wormholes.draw_heads(board, view, theme, where, ())
        values = [where.space(coin.space) for coin in view.coins if coin.value != "?"]
        for number in numbers if values else ():
            near += nearest([number], values) < 60
            seen += 1
    assert seen > 25 * samples
    assert near <= seen / 50


def test_number_of_a_step_stands_on_its_arrow_beyond_a_value() -> None:
    """A ship that lands on a coin jumps on: the second step begins on the coin's 4."""
    where, theme = wormholes_layout(DEFAULT_STYLE, ""), WORMHOLES["dark"]
    state = position({"S": "g4", "M": "e8"}, {"g6": "M4"}, dice="S2 M1")
    view = GAME.view(after(state, "O move S N"), "")
    board = Board(*galaxy(theme, where).copy())
    first, second = wormholes.draw_heads(board, view, theme, where, ())
    assert first == where.space("g4")
    (x, y), (end_x, end_y) = where.space("g6"), where.space("c6")
    length = hypot(end_x - x, end_y - y)
    assert second == (x + 66 * (end_x - x) / length, y + 66 * (end_y - y) / length)


@sampled(2, 6, 40)
def test_numbers_of_steps_hide_no_choice(samples: int) -> None:
    where, theme = wormholes_layout(DEFAULT_STYLE, ""), WORMHOLES["dark"]
    board, moved = Board(*galaxy(theme, where).copy()), 0
    for view in moves("wormholes", samples):
        goals = [event.facts[-2] for event in view.story if event.kind in wormholes.STEP_EVENTS]
        before = wormholes.draw_heads(board, view, theme, where, ())
        numbers = wormholes.draw_heads(board, view, theme, where, goals)
        places = list(map(where.space, goals))
        assert nearest(numbers, places) >= READABLE_DISTANCE, view.story
        moved += nearest(before, places) < READABLE_DISTANCE
    assert moved


STEPS = {
    "wormholes": wormholes.STEP_EVENTS,
    "warp6": ("moved", "warped"),
    "tomtube": (*tomtube.TILES, *tomtube.MOVES),
}
"""Kinds of events that are steps, by game."""


@pytest.mark.first(test=1)
@sampled(1, 2, 10)
@pytest.mark.parametrize("name", STEPS)
def test_steps_have_numbers_where_there_is_an_order(
    name: str, samples: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    numbers: list[int] = []

    def badge(theme: Theme, value: int) -> Sprite:
        numbers.append(value)
        return markers.dot(theme, 5)

    monkeypatch.setattr(markers, "badge", badge)
    monkeypatch.setattr(wormholes, "badge", badge)
    seen = set()
    for view in moves(name, samples):
        numbers.clear()
        render.for_game(name).picture(view, dict.fromkeys(view.seats, "Ada"))
        steps = sum(event.kind in STEPS[name] for event in view.story)
        assert numbers == list(range(1, steps + 1) if steps > 1 else ()), view.story
        seen.add(min(steps, 2))
    assert seen >= {1, 2}


@sampled(2, 6, 40)
def test_words_of_the_last_turn_hide_no_die(samples: int) -> None:
    """Its numbers and the change of a number; where dice are in a heap, one may be touched."""
    where, theme = warp6_layout(landscape=True), WARP6["dark"]
    board, hidden, seen = Board(*void(theme, where, 2).copy()), 0, 0
    for view in moves("warp6", samples):
        pieces = [where.at(die.space) for die in view.dice if die.where == "board"]
        others = warp6.draw_heads(board, replace(view, story=()), theme, where, (), tabs={}).keys()
        taken = warp6.draw_heads(board, view, theme, where, (), tabs={})
        words = [
            ((part[0] + part[2]) / 2, (part[1] + part[3]) / 2) for part in taken.keys() - others
        ]
        changes = warp6.draw_changes(board, view, theme, where, taken)
        assert len(changes) == sum(event.kind == "changed" for event in view.story)
        words += [spot.middle for spot in changes]
        hidden += nearest(words, pieces) < READABLE_DISTANCE
        seen += len(words)
    assert seen > 50 * samples
    assert hidden <= seen * 0.02


def nearest(marks: list[Point], pieces: list[Point]) -> float:
    """The shortest distance between a mark and a piece."""
    distances = [hypot(x - a, y - b) for x, y in marks for a, b in pieces]
    return min(distances, default=READABLE_DISTANCE)


def moves(name: str, matches: int) -> Iterator[Any]:
    """The public views after each move of random matches."""
    game = games.get(name)
    for seed in range(matches):
        state = game.start(game.rules[0], {})
        for action in actions_of(game, state, Random(seed)):
            state, _ = game.apply(state, action)
            view = game.view(state)
            if view.turn and game.pending(state) != CHANCE:
                yield view


def actions_of(game: AnyGame, start: Any, random: Random) -> tuple[Action, ...]:
    """Of a random match."""

    def choose(legal: tuple[Action, ...]) -> Action:
        return game.fill(random.choice(legal), random.randrange)

    return play(game, start, choose, lambda _: random.randrange, 200)[1]
