"""The small map beside an enlarged area: it hides nothing, and shows where the area is."""

from __future__ import annotations

import pytest

from engine.game import Action
from engine.wormholes.board import FREE_FOR_COINS, SPACES
from engine.wormholes.state import State
from render.palette import palette
from render.renderer import ORIENTATIONS, Style
from render.sprites import Board
from render.wormholes import areas, background, picture, small_map
from render.wormholes.colours import THEMES
from render.wormholes.layout import Layout, layout
from tests.support.vision import EYES, contrast, distance, lab
from tests.support.wormholes.positions import GAME, after, position

NAMES = {"O": "Ada", "D": "Bo"}
DARK = THEMES["dark"]
FULL_HANDS = after(GAME.start("0.6", {}), "* rolloff S5 M5 C0 A0", "O first place")
WITH_DICE = position({"S": "e9", "M": "e9"}, {"e9": "C0*"}, dice="S3 M5")
LAYOUTS = [Layout(way == "landscape", turned) for way in ORIENTATIONS for turned in (False, True)]


def in_area(area: tuple[int, int]) -> tuple[Action, ...]:
    """Coins that may be placed on the spaces of an area without bases."""
    spaces = [SPACES[index] for index in FREE_FOR_COINS if areas.AREA_OF[SPACES[index]] == area]
    return tuple(Action("O", "place", ("S3", space)) for space in spaces)


def box_of(where: Layout, area: tuple[int, int]) -> tuple[int, int, int, int]:
    """The part of the page below the map."""
    x, y = where.place(*small_map.PLACES[area])
    width, height = small_map._sprite(DARK, where, area).page.size
    left, top = round(x - width / 2), round(y - height / 2)
    return left, top, left + width, top + height


@pytest.mark.parametrize("where", LAYOUTS)
@pytest.mark.parametrize("state", [FULL_HANDS, WITH_DICE])
def test_map_hides_nothing_and_is_inside_of_the_part(state: State, where: Layout) -> None:
    view = GAME.view(state, "D" if where.turned else "O")
    style = Style(orientation="landscape" if where.landscape else "portrait", own_side=True)
    assert layout(style, view.seat) == where
    page, void = picture.page(view, NAMES, style), background._space(DARK, where)
    for area in areas.AREAS:
        below, part = box_of(where, area), picture.zoom_box(view, in_area(area), where)
        assert page.crop(below).tobytes() == void.crop(below).tobytes()
        assert part
        assert part.left <= below[0] < below[2] <= part.right
        assert part.top <= below[1] < below[3] <= part.bottom


@pytest.mark.parametrize("where", LAYOUTS)
@pytest.mark.parametrize("area", areas.AREAS)
def test_map_shows_the_area_in_the_colour_of_choices(where: Layout, area: tuple[int, int]) -> None:
    board = Board(background._space(DARK, where))
    before = board.page.copy()
    small_map.draw(board, areas.spaces_of(in_area(area)), DARK, where)
    below, mark = board.page.crop(box_of(where, area)), palette(DARK).index(DARK.mark)
    spaces = below.histogram()[mark] / small_map.STEP**2
    assert spaces == pytest.approx(len(in_area(area)), rel=0.1)
    board.page.paste(before.crop(box_of(where, area)), box_of(where, area)[:2])
    assert board.page.tobytes() == before.tobytes(), "nothing else is drawn"


def test_spaces_of_several_areas_have_no_map() -> None:
    where = LAYOUTS[0]
    board = Board(background._space(DARK, where))
    before = board.page.tobytes()
    small_map.draw(board, {"c5", "c9"}, DARK, where)
    assert board.page.tobytes() == before


@pytest.mark.parametrize("name", THEMES)
def test_area_stands_out_on_the_map_for_all_eyes(name: str) -> None:
    theme = THEMES[name]
    plain = small_map.plain(theme)
    assert contrast(theme.mark, plain) >= 2.5
    for eyes in EYES:
        assert distance(lab(theme.mark, eyes), lab(plain, eyes)) >= 25
