"""Ghosts: choices and planned actions, drawn as if they were done."""

from __future__ import annotations

import io
from dataclasses import replace
from math import hypot
from random import Random

import pytest
from PIL import Image, ImageChops

import render
from engine import games
from engine.game import CHANCE, Action, View
from render import markers
from render.palette import palette
from render.renderer import DEFAULT_STYLE
from render.sprites import Board, Point, Sprite
from render.themes import Colour, Theme
from render.warp6.layout import layout as warp6_layout
from render.wormholes.colours import THEMES
from render.wormholes.layout import layout
from render.wormholes.player_panels import in_hand
from tests.support.tiers import sampled
from tests.support.tomtube.positions import GAME as TOM_TUBE
from tests.support.tomtube.positions import laying
from tests.support.warp6 import positions as warp6
from tests.support.wormholes import positions as wormholes

NAMES = dict.fromkeys("ODTBYW", "Ada")


def picture(view: View, ghosts: list[Action]) -> Image.Image:
    """The board with ghosts, in colours."""
    png = render.for_game(view.game).picture(view, NAMES, DEFAULT_STYLE, ghosts=ghosts)
    return Image.open(io.BytesIO(png)).convert("RGB")


def changed(view: View, ghosts: list[Action]) -> tuple[int, int, int, int] | None:
    """The part of the board that ghosts change."""
    return ImageChops.difference(picture(view, []), picture(view, ghosts)).getbbox()


def marked(view: View, ghosts: list[Action]) -> int:
    """The number of pixels in the colour of choices."""
    theme = render.for_game(view.game).themes["dark"]
    mark = palette(theme).colours[palette(theme).index(theme.mark)]
    colours = picture(view, ghosts).getcolors(1 << 16) or []
    return sum(count for count, colour in colours if colour == mark)


FLYING = wormholes.GAME.view(
    wormholes.position({"S": "f8", "M": "e8"}, {"e9": "S4"}, dice="S1 M2"), "O"
)
RACING = warp6.GAME.view(warp6.position("b8a5@100 b6a4@60 b4a1@0 y6a1@95"), "B")
BUILDING = TOM_TUBE.view(laying("", "AB/CD"), "T")


def action(words: str) -> Action:
    actor, verb, *args = words.split()
    return Action(actor, verb, tuple(args))


@pytest.mark.parametrize(
    ("view", "words"),
    [
        (FLYING, "O move S N"),
        (FLYING, "O place S4 d9"),
        (FLYING, "O send C d9"),
        (FLYING, "O jump M E"),
        (RACING, "B move b8a"),
        (RACING, "B up b8a"),
        (RACING, "B down b6a"),
        (BUILDING, str(BUILDING.legal[0])),
        (BUILDING, "T drift 1,1"),
    ],
)
def test_an_action_is_drawn_whether_legal_or_planned(view: View, words: str) -> None:
    assert changed(view, [action(words)])
    assert marked(view, [action(words)]) > 50
    assert not marked(view, [])


@pytest.mark.parametrize(
    ("view", "words"),
    [
        (FLYING, "O first move"),
        (FLYING, "O place S4"),
        (RACING, "B move b4a"),
        (BUILDING, "T build"),
        (BUILDING, "T pass 0,0/1,0/0,1"),
    ],
)
def test_what_shows_nowhere_on_the_board_is_left_out(view: View, words: str) -> None:
    assert not changed(view, [action(words)])


@pytest.mark.parametrize(
    ("view", "visible", "hidden"),
    [
        (FLYING, ["O move S N", "O place S4 d9"], "O first move"),
        (RACING, ["B move b8a", "B up b6a"], "B move b4a"),
        (BUILDING, [str(BUILDING.legal[0]), str(BUILDING.legal[9])], "T build"),
    ],
)
def test_several_have_the_numbers_of_their_order(
    view: View, visible: list[str], hidden: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    drawn: list[int] = []
    order = markers.order

    def watched(theme: Theme, value: int, ground: Colour, ink: Colour) -> Sprite:
        if ground == theme.mark:
            drawn.append(value)
        return order(theme, value, ground, ink)

    monkeypatch.setattr(markers, "order", watched)
    one, other = map(action, visible)
    picture(view, [one])
    assert not drawn
    picture(view, [one, action(hidden), other])
    assert drawn == [1, 3]


def test_moves_of_one_die_follow_each_other() -> None:
    """From 60 by 4 to 56, and from there to 52."""
    move = action("B move b6a")
    (x, y) = warp6_layout(landscape=True).at(52)
    near = (x - 5, y - 5, x + 5, y + 5)
    one, two = (picture(RACING, [move] * count).crop(near) for count in (1, 2))
    assert ImageChops.difference(one, two).getbbox()


def test_a_die_that_has_warped_has_no_next_move_yet() -> None:
    """From 100 by 5 to 95, where a die is; then its number is rolled again."""
    move, other = action("B move b8a"), action("B up b6a")
    without = picture(RACING, [move, action("B move b4a"), other])
    assert picture(RACING, [move, move, other]).tobytes() == without.tobytes()


def test_only_the_next_die_has_a_place_yet() -> None:
    state = warp6.rolled(warp6.HIGHS, warp6.LOWS, warp6.LOWS)
    seat = warp6.GAME.pending(state)
    first, second, *_ = warp6.GAME.view(state, seat).legal
    view = warp6.GAME.view(state, seat)
    assert changed(view, [first])
    assert picture(view, [first, second]).tobytes() != picture(view, [first]).tobytes(), "a number"
    waiting = warp6.GAME.view(state, next(other for other in view.seats if other != seat))
    assert not changed(waiting, [second._replace(actor=waiting.seat)])


@pytest.mark.slow
@sampled(1, 3, 30)
@pytest.mark.parametrize("name", games.names())
def test_every_choice_can_be_drawn(name: str, samples: int) -> None:
    game = games.get(name)
    for seed in range(samples):
        random, state = Random(seed), game.start(game.rules[0], {})
        for _ in range(120):
            if not (pending := game.pending(state)):
                break
            legal = game.legal(state)
            if pending[0] != CHANCE:
                view = game.view(state, pending[0])
                ghosts = [game.fill(choice, random.randrange) for choice in view.legal[:3]]
                ghosts += game.plannable(state, pending[0])[-2:]
                assert render.for_game(name).picture(view, NAMES, ghosts=ghosts)
            chance = pending == CHANCE
            act = (
                game.chance(state, random.randrange)
                if chance
                else game.fill(random.choice(legal), random.randrange)
            )
            state, _ = game.apply(state, act)


def test_numbers_of_planned_coins_hide_no_coin(monkeypatch: pytest.MonkeyPatch) -> None:
    """Coins side by side, in hand and on the board, with a number of a plan for each."""
    placing = wormholes.GAME.view(wormholes.placed(), "O")
    where = layout(DEFAULT_STYLE, "O")
    view = replace(placing, coins=(), left=(6, 6, 6, 6), hand=())
    spaces = "e5 e6 f5 f6 g3 g4 h3 h4 d5 d6 c5 c6".split()
    ghosts = [Action("O", "place", (f"S{place % 6}", space)) for place, space in enumerate(spaces)]
    numbers: list[Point] = []
    put = Board.put

    def watched(board: Board, sprite: Sprite, middle: Point) -> None:
        if sprite in chips:
            numbers.append(middle)
        put(board, sprite, middle)

    theme = THEMES["dark"]
    chips = [markers.order(theme, n, theme.mark, theme.mark_text) for n in range(1, 13)]
    monkeypatch.setattr(Board, "put", watched)
    picture(view, ghosts)
    coins = [where.space(space) for space in spaces] + [at for *_, at in in_hand(view, where)]
    assert len(numbers) == len(spaces)
    assert len(coins) == len(spaces) + 24
    distances = [min(hypot(x - a, y - b) for a, b in coins) for x, y in numbers]
    assert sum(distance >= 46 for distance in distances) >= 10, distances
    assert min(distances) >= 31, distances
