"""Principles that hold for the boards of all games (docs/ART.md); each game has tests of its own.

Text is large enough: test_labels.py and the games' test_picture.py. Words and figures stand out:
test_themes.py. Marks cover no piece: test_markers.py and test_picture.py. Animations:
test_animation.py.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from random import Random
from typing import Any

import pytest
from PIL import Image

import render
from engine import games
from engine.game import CHANCE, View
from render import markers
from render.painted import ground as painted_ground
from render.palette import palette
from render.renderer import Style
from render.sprites import Sprite
from render.themes import THEMES, Theme
from render.tomtube import picture as tomtube
from render.tomtube import pieces as tomtube_pieces
from render.warp6 import arrows as warp6_arrows
from render.warp6 import picture as warp6
from render.warp6 import pieces as warp6_pieces
from render.wormholes import marks as wormholes_marks
from render.wormholes import picture as wormholes
from render.wormholes import pieces as wormholes_pieces
from tests.support.vision import contrast, lab

PAGES: dict[str, Any] = {"wormholes": wormholes.page, "warp6": warp6.page, "tomtube": tomtube.page}

GROUNDS = {"wormholes": "galaxy", "warp6": "disc", "tomtube": "space"}
"""The name of each game's ground."""

PHONE, WIDTH = 400, 1400
"""Pixels to which a phone reduces the width of a picture, and that width."""

NAMES = dict.fromkeys("ODTBYW", "Ada")

each_game = pytest.mark.parametrize("game", games.names())
each_theme = pytest.mark.parametrize("theme", THEMES)


@cache
def view_of(game: str, turn: int) -> View:
    """The first view of a random match in which a player decides in this turn, or a later one."""
    rules, random = games.get(game), Random(3)
    state = rules.start(rules.rules[0], {})
    while True:
        seat = rules.pending(state)[:1]
        legal = rules.legal(state)
        if seat != CHANCE and rules.view(state, seat).turn >= turn and len(legal) > 1:
            view: View = rules.view(state, seat)
            return view
        action = (
            rules.chance(state, random.randrange)
            if seat == CHANCE
            else rules.fill(random.choice(legal), random.randrange)
        )
        state, _ = rules.apply(state, action)


@cache
def page(game: str, theme: str, *, marked: bool) -> Image.Image:
    """A board in the middle of a match, with the last turn, and choices if it is `marked`."""
    view = view_of(game, 12)
    board: Image.Image = PAGES[game](view, NAMES, Style(theme), view.legal if marked else ())
    return board


def themed(game: str, theme: str) -> Theme:
    """The colours of a game's boards."""
    return render.for_game(game).themes[theme]


def marks(theme: str) -> Iterator[tuple[str, Sprite]]:
    """The sprites of everything that marks something, on boards of all games."""
    colours = themed("wormholes", theme)
    yield "number of a step", markers.badge(colours, 3)
    yield "arrowhead", markers.head(colours, 0, colours.story, colours.story_edge)
    yield "dot of a space", markers.dot(colours, wormholes_marks.DOT_RADIUS)
    yield "ring of a space", wormholes_pieces.ring(colours)
    yield "state of a ship", wormholes_pieces.state(colours, "o")
    yield "emblem", wormholes_pieces.tag(colours, "S", wormholes_marks.CORNER_EMBLEM_SIZE)
    yield "chevron", wormholes_pieces.chevron(colours, 0)
    yield "start of a ship", wormholes_pieces.ghost(colours, "S", "O")
    colours = themed("warp6", theme)
    scale = warp6_arrows.WARP_HEAD_SCALE
    yield "warp", markers.head(colours, 0, colours.story, colours.story_edge, scale)
    yield "goal", warp6_pieces.goal(colours, 88, warp6_arrows.RING_RADIUS)
    yield "start of a die", warp6_pieces.ghost(colours, "B", 6)
    colours = themed("tomtube", theme)
    yield "start of an astronaut", tomtube_pieces.ghost(colours, "T")


@each_theme
def test_marks_are_six_pixels_on_a_phone(theme: str) -> None:
    for name, sprite in marks(theme):
        left, top, right, bottom = sprite.mask.getbbox() or (0, 0, 0, 0)
        assert min(right - left, bottom - top) * PHONE / WIDTH >= 6, name


def test_lines_are_two_pixels_on_a_phone() -> None:
    assert min(markers.LINE_WIDTH, markers.RING_WIDTH) * PHONE / WIDTH >= 2


@each_game
@each_theme
def test_the_last_turn_and_choices_stand_out_from_the_ground(game: str, theme: str) -> None:
    colours = themed(game, theme)
    grounds = (*colours.tiles, colours.space[0], colours.space[1])
    assert min(contrast(colours.mark, ground) for ground in grounds) >= 3
    arrow = [max(contrast(colours.story, g), contrast(colours.story_edge, g)) for g in grounds]
    assert min(arrow) >= 3


@each_game
@each_theme
def test_the_colour_of_choices_is_for_choices_alone(game: str, theme: str) -> None:
    mark = palette(themed(game, theme)).index(themed(game, theme).mark)
    assert page(game, theme, marked=True).histogram()[mark] > 100
    assert not page(game, theme, marked=False).histogram()[mark]


@each_game
@each_theme
def test_the_colour_of_now_is_at_the_head_alone(game: str, theme: str) -> None:
    now = palette(themed(game, theme)).index(themed(game, theme).accent)
    board = page(game, theme, marked=True)
    head = board.crop((0, 0, board.width, 108))
    count = board.histogram()[now]
    assert head.histogram()[now] > 1000
    assert count - head.histogram()[now] < 20, "but for edges of pieces"


@each_game
@each_theme
def test_grounds_are_quiet(game: str, theme: str) -> None:
    """Nine tenths of a ground have a third of the range of lightness of the things on it."""
    colours, flat = themed(game, theme), palette(themed(game, theme)).colours
    counts = painted_ground(game, colours, GROUNDS[game]).histogram()
    shades = sorted((lab(flat[index], "normal")[0], n) for index, n in enumerate(counts) if n)
    total, below, kept = sum(counts), 0, []
    for lightness, count in shades:
        below += count
        if total * 0.05 < below <= total * 0.95 + count:
            kept.append(lightness)
    ink, paper = (lab(colour, "normal")[0] for colour in (colours.ink, colours.paper))
    assert kept
    assert kept[-1] - kept[0] <= (paper - ink) / 3
