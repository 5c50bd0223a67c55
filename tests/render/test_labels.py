"""Labels to be read are never smaller than the other text beside them, in any picture."""

from __future__ import annotations

import io
from random import Random
from typing import Any

import pytest
from PIL import Image

import render
from engine import games
from engine.game import CHANCE, Action, AnyGame, View
from engine.wormholes.board import SPACES
from render import markers, zoom
from render.renderer import ORIENTATIONS, Style
from render.text import font
from render.tomtube import ghosts as tomtube_ghosts
from render.tomtube import pieces as tomtube_pieces
from render.tomtube import stations
from render.tomtube.layout import layout as tomtube_layout
from render.warp6 import background as warp6_background
from render.warp6 import pieces as warp6_pieces
from render.wormholes import marks as wormholes_marks
from render.wormholes import picture as wormholes_picture
from render.wormholes.layout import CELL_SIZE
from render.wormholes.layout import layout as wormholes_layout

PHONE = 400
"""Pixels to which a phone reduces the width of a picture."""

READABLE = 9
"""Height of digits in pixels that can be read."""

NAMES = dict.fromkeys("ODTBYW", "Ada")


@pytest.mark.parametrize(
    ("label", "others"),
    [
        pytest.param(
            tomtube_ghosts.PLACE_NUMBER_SIZE,
            (tomtube_pieces.LETTER_SIZE, tomtube_pieces.SEAT_TEXT_SIZE, stations.SIGN_TEXT_SIZE),
            id="tomtube",
        ),
        pytest.param(
            markers.CHIP_TEXT_SIZE,
            (warp6_background.NUMBER_SIZE, warp6_pieces.GOAL_TEXT_SIZE, warp6_pieces.LETTER),
            id="warp6",
        ),
    ],
)
def test_labels_are_as_large_as_other_text(label: int, others: tuple[int, ...]) -> None:
    assert label >= max(others)


def choosing(game: AnyGame, verb: str) -> View:
    """The first view in a random match in which one of many spaces is to be chosen."""
    random, state = Random(4), game.start(game.rules[0], {})
    while pending := game.pending(state):
        legal = game.legal(state)
        if pending != CHANCE and any(action.verb == verb for action in legal):
            view: View = game.view(state, pending)
            return view
        builds = [action for action in legal if action.verb == "build"]
        chance = pending == CHANCE
        action = game.chance(state, random.randrange) if chance else random.choice(builds or legal)
        state, _ = game.apply(state, action)
    raise AssertionError(f"nothing to {verb}")


def test_names_of_spaces_are_inside_their_rings() -> None:
    inside = CELL_SIZE - 2 * (2 + 1 + wormholes_marks.NAMED_RING_WIDTH)
    for space in SPACES:
        is_long = len(space) > len("a1")
        size = wormholes_marks.LONG_NAME_SIZE if is_long else wormholes_marks.NAME_SIZE
        assert font(size).getlength(space) <= inside, space


@pytest.mark.parametrize("orientation", ORIENTATIONS)
@pytest.mark.parametrize(
    ("name", "verb", "size"),
    [
        ("wormholes", "place", wormholes_marks.LONG_NAME_SIZE),
    ],
)
def test_names_in_an_area_can_be_read_on_a_phone(
    name: str, verb: str, size: int, orientation: str
) -> None:
    board, view = render.for_game(name), choosing(games.get(name), verb)
    style = Style(orientation=orientation)
    most = zoom.MAX_SIDE if name == "tomtube" else zoom.NATURAL_SIDE
    _, top, _, bottom = font(size).getbbox("2", anchor="ls")
    groups = board.groups(view, view.legal, style)
    assert len(groups) == 6
    for group in groups:
        with Image.open(io.BytesIO(board.picture(view, NAMES, style, group.actions))) as image:
            assert max(image.size) <= most
            factor = enlargement(name, view, style, group.actions)
            assert (bottom - top) * factor * PHONE / image.width >= READABLE, group.name


def enlargement(name: str, view: Any, style: Style, actions: tuple[Action, ...]) -> float:
    """Return the picture's enlargement of these actions' area, as a factor."""
    page = Image.new("L", where_size(name, style))
    box = wormholes_picture.zoom_box(view, actions, wormholes_layout(style, view.seat))
    assert box
    return min(1, zoom.NATURAL_SIDE / max(box.cut(page).size))


def where_size(name: str, style: Style) -> tuple[int, int]:
    """The size of a whole picture."""
    layout = tomtube_layout if name == "tomtube" else wormholes_layout
    return layout(style, "").size
