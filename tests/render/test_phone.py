"""On a phone, 400 pixels wide: what a choice needs is nine pixels high, and nothing hides it."""

from __future__ import annotations

import io
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from itertools import combinations
from math import dist, hypot
from typing import Any

import pytest
from PIL import Image, ImageChops, ImageDraw, ImageFont

import render
from bot.rulebook.lessons import place
from engine import games
from engine.game import Action
from engine.tomtube.drifting import unfinished_knots
from engine.tomtube.knowledge import state_of
from engine.tomtube.lattice import (
    AROUND,
    FORKS,
    MIDDLES,
    PAIRS,
    PLACE_INDEX,
    PLACES,
    TRIANGLES,
)
from engine.tomtube.tables import SEATS, STATIONS
from engine.tomtube.view import Rhomb, TomTubeView
from engine.warp6.board import OUTERMOST
from render import markers, zoom
from render.renderer import DEFAULT_STYLE, ORIENTATIONS, Style
from render.sprites import SCALE, Point, Sprite
from render.text import font
from render.themes import Theme
from render.tomtube import arrows, drawn_rhomb, legend, pieces, sections, tiles
from render.tomtube import background as station
from render.tomtube import ghosts as ghosts_of_tom_tube
from render.tomtube import picture as tomtube
from render.tomtube.areas import pair_of
from render.tomtube.colours import THEMES as TOM_TUBE
from render.tomtube.layout import WORD_SIZE as TOM_TUBE_WORDS
from render.tomtube.layout import Layout
from render.tomtube.layout import layout as tomtube_layout
from render.tomtube.pieces import ASTRONAUT_RADIUS
from render.tomtube.terms import LONG_TURNS
from render.warp6 import background as spiral
from render.warp6 import marks as warp6_marks
from render.warp6 import picture as warp6
from render.warp6 import pieces as warp6_pieces
from render.warp6.colours import THEMES as WARP6
from render.warp6.layout import layout as warp6_layout
from render.wormholes import marks as wormholes_marks
from render.wormholes import picture as wormholes
from render.wormholes import pieces as wormholes_pieces
from render.wormholes.areas import AREA_OF
from render.wormholes.colours import THEMES as WORMHOLES
from render.wormholes.layout import CELL_SIZE
from render.wormholes.layout import layout as wormholes_layout
from tests.support.positions import positions
from tests.support.tiers import sampled
from tests.support.tomtube import positions as tomtube_positions
from tests.support.vision import contrast
from tests.support.warp6 import positions as warp6_positions
from tests.support.wormholes import positions as wormholes_positions

PHONE, WIDTH, READABLE = 400, 1400, 9
"""Pixels to which a phone reduces the width of a picture, that width, and the least height."""

MAX_BYTES = 120_000

ALONE_WIDTH = 948
"""Pixels of a picture that has the board of Tom Tube alone."""

STATION_LAYOUTS = [
    tomtube_layout(Style(orientation=way, own_side=True), seat)
    for way in ORIENTATIONS
    for seat in SEATS
]

NAMES = dict.fromkeys("ODTBYW", "Ada")
DARK = WORMHOLES["dark"]


def height(size: int) -> float:
    """The height of a digit of this size on a phone, in pixels."""
    _, top, _, bottom = font(size).getbbox("2", anchor="ls")
    return (bottom - top) * PHONE / WIDTH


@contextmanager
def puts() -> Iterator[list[tuple[Sprite, Point]]]:
    """The sprites that are put on pages inside the block, and where."""
    seen: list[tuple[Sprite, Point]] = []
    put = Sprite.put

    def watched(sprite: Sprite, page: Image.Image, middle: Point) -> None:
        seen.append((sprite, middle))
        put(sprite, page, middle)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Sprite, "put", watched)
        yield seen


def test_figures_of_choices_are_nine_pixels_high() -> None:
    sizes = (
        markers.CHIP_TEXT_SIZE,
        warp6_pieces.NUMBER,
        *wormholes_pieces.VALUE_SIZES.values(),
        TOM_TUBE_WORDS,
    )
    assert min(map(height, sizes)) >= READABLE


@contextmanager
def texts() -> Iterator[set[tuple[str, float]]]:
    """The texts that are drawn inside the block, and their sizes; no sprite is kept from before."""
    for name, module in list(sys.modules.items()):
        if name.startswith("render.") and name.endswith((".text", ".markers", ".pieces")):
            for cached in vars(module).values():
                getattr(cached, "cache_clear", int)()
    seen: set[tuple[str, float]] = set()
    write = ImageDraw.ImageDraw.text

    def watched(canvas: ImageDraw.ImageDraw, at: Point, text: str, *rest: Any, **more: Any) -> None:
        size = next(part for part in rest if isinstance(part, ImageFont.FreeTypeFont)).size
        seen.add((text, size / (SCALE if canvas.mode == "RGBA" else 1)))
        write(canvas, at, text, *rest, **more)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(ImageDraw.ImageDraw, "text", watched)
        yield seen


BOARD = render.for_game("tomtube")

PAGES: dict[str, Any] = {"wormholes": wormholes.page, "warp6": warp6.page, "tomtube": tomtube.page}


@pytest.mark.first(test=2)
@sampled(4, 40, 200)
@pytest.mark.parametrize("orientation", ORIENTATIONS)
@pytest.mark.parametrize("name", PAGES)
def test_texts_of_choices_are_nine_pixels_high(name: str, orientation: str, samples: int) -> None:
    game, style = games.get(name), Style(orientation=orientation)
    marks: set[tuple[str, float]] = set()
    for view in positions(game, {}, samples):
        with texts() as before:
            page = PAGES[name](view, NAMES, style)
        with texts() as marked:
            PAGES[name](view, NAMES, style, view.legal)
        marks |= marked - before
        low = [mark for mark in marks if height(round(mark[1])) * WIDTH / page.width < READABLE]
        assert not low
    assert marks or name == "wormholes", "its choices have emblems instead"


def test_letters_of_dice_are_nine_pixels_high() -> None:
    for letter in "abcd":
        drawn = warp6_pieces.letter_text(letter)
        _, top, _, bottom = font(warp6_pieces.LETTER).getbbox(drawn, anchor="ls")
        assert (bottom - top) * PHONE / WIDTH >= READABLE, letter


def test_emblems_of_choices_are_nine_pixels_high() -> None:
    assert 2 * wormholes_marks.EMBLEM_SIZE * PHONE / WIDTH >= READABLE
    for suits in ("S", "CA"):
        tag = wormholes_pieces.tag(DARK, suits, wormholes_marks.CORNER_EMBLEM_SIZE)
        _, top, _, bottom = tag.mask.getbbox() or (0, 0, 0, 0)
        assert (bottom - top) * PHONE / WIDTH >= READABLE
        free = wormholes_pieces.origin(DARK, suits, wormholes_marks.EMBLEM_SIZE)
        left, top, right, bottom = free.mask.getbbox() or (0, 0, 0, 0)
        ring = CELL_SIZE - 2 * (3 + markers.RING_WIDTH)
        assert max(right - left, bottom - top) <= ring + 2, suits


# Wormholes


def test_a_coin_beside_a_ship_is_above_it_and_hides_no_emblem() -> None:
    view = wormholes_positions.GAME.view(
        wormholes_positions.position({"S": "f8"}, {"f8": "M4*", "e9": "M4*"}, dice="S1 M1"), "O"
    )
    where = wormholes_layout(DEFAULT_STYLE, "O")
    small, large = (
        wormholes_pieces.coin(DARK, "value", "?", "4", None, small=small) for small in (True, False)
    )
    ship = wormholes_pieces.ship(DARK, "S", wormholes_pieces.SMALL_SHIP)
    with puts() as seen:
        wormholes.page(view, NAMES, DEFAULT_STYLE)
    order = [sprite for sprite, _ in seen]
    assert order.index(small) > order.index(ship) > order.index(large)
    (x, y), (left, top) = (dict(seen)[sprite] for sprite in (small, ship))
    assert hypot(x - left, y - top) >= 1.4 * wormholes_pieces.SMALL_COIN_RADIUS
    middle_x, middle_y = where.space("f8")
    reach = wormholes_pieces.SMALL_COIN_RADIUS
    assert x + reach <= middle_x + CELL_SIZE / 2
    assert y + reach <= middle_y + CELL_SIZE / 2


def test_signs_and_wedges_are_nine_pixels_wide() -> None:
    states = [wormholes_pieces.state(DARK, letter) for letter in "oal"]
    wedges = [wormholes_pieces.wedge(DARK, "S", way) for way in ((1, 0), (0, -1), (1, 1))]
    for sprite in (*states, *wedges):
        left, top, right, bottom = sprite.mask.getbbox() or (0, 0, 0, 0)
        assert max(right - left, bottom - top) * PHONE / WIDTH >= READABLE


@pytest.mark.parametrize("ships", [{"S": "f8"}, {"S": "f8", "C": "f8"}])
@pytest.mark.parametrize("suit", ["S", "M", "C", "A", "?"])
def test_wedges_show_the_axis_of_a_known_coin(ships: dict[str, str], suit: str) -> None:
    name = f"{suit}4*".replace("?", "C")
    view = wormholes_positions.GAME.view(
        wormholes_positions.position(ships, {"f8": name, "e9": name}, dice="S1 M1"), "O"
    )
    coins = tuple(coin._replace(suit=suit) for coin in view.coins)
    where = wormholes_layout(DEFAULT_STYLE, "O")
    with puts() as seen:
        wormholes.page(replace(view, coins=coins), NAMES, DEFAULT_STYLE)
    if suit == "?":
        wedges = [wormholes_pieces.wedge(DARK, "C", way) for way in ((1, 1), (1, -1))]
        assert not [at for sprite, at in seen if sprite in wedges]
        return
    x, y = where.axis(suit)
    middle = where.space("f8")
    for way in ((x, y), (-x, -y)):
        wedge = wormholes_pieces.wedge(DARK, suit, way)
        ((left, top),) = [at for sprite, at in seen if sprite is wedge]
        shift = left - middle[0], top - middle[1]
        assert (sign(shift[0]), sign(shift[1])) == way, "towards the tip, from the coin's space"
        edge = CELL_SIZE / 2
        assert abs(max(shift, key=abs)) <= edge if all(way) else edge <= hypot(*shift) <= edge + 2


def sign(number: float) -> int:
    """-1, 0 or 1."""
    return (number > 0) - (number < 0)


@pytest.mark.parametrize("suit", [None, "S", "M", "C", "A"])
def test_sign_of_a_ship_is_above_all_and_leaves_wedges(suit: str | None) -> None:
    """Beside one ship all wedges are in sight, beside two a wedge; their signs are apart."""
    coins = {"f8": f"{suit}4"} if suit else {}
    for ships in ({"S": "f8"}, {"S": "f8", "C": "f8"}):
        view = wormholes_positions.GAME.view(
            wormholes_positions.position(ships, coins, dice="S1 M1"), "O"
        )
        signed = tuple(ship._replace(activated=ship.space == "f8") for ship in view.ships)
        with puts() as seen:
            wormholes.page(replace(view, ships=signed), NAMES, DEFAULT_STYLE)
        used = wormholes_pieces.state(DARK, "a")
        signs = [at for sprite, at in seen if sprite is used]
        assert [sprite for sprite, _ in seen[-len(ships) :]] == [used] * len(ships)
        assert len(signs) == 1 or dist(*signs) >= 2 * wormholes_pieces.STATE_RADIUS
        ways = [(x, y) for x in (-1, 0, 1) for y in (-1, 0, 1) if (x, y) != (0, 0)]
        wedges = [wormholes_pieces.wedge(DARK, suit, way) for way in ways] if suit else []
        ends = [at for sprite, at in seen if sprite in wedges]
        clear = wormholes_pieces.STATE_RADIUS + wormholes_pieces.WEDGE_LENGTH / 2
        free = [at for at in ends if all(dist(at, one) >= clear for one in signs)]
        assert len(free) == len(ends) or (free and len(ships) > 1)
        assert len(ends) == 2 * bool(suit)


def test_both_states_of_a_ship_are_apart() -> None:
    for ships in ({"S": "f8"}, {"S": "f8", "C": "f8"}):
        for coins in ({}, {"f8": "A4"}, {"f8": "C4"}):
            view = wormholes_positions.GAME.view(
                wormholes_positions.position(ships, coins, dice="S1 M1"), "O"
            )
            first, *others = view.ships
            signed = (first._replace(activated=True, landed=True), *others)
            with puts() as seen:
                wormholes.page(replace(view, ships=signed), NAMES, DEFAULT_STYLE)
            at = dict(seen)
            places = [at[wormholes_pieces.state(DARK, letter)] for letter in "al"]
            assert dist(*places) >= 2 * wormholes_pieces.STATE_RADIUS


def test_known_value_of_a_coin_fills_it_whichever_side_is_up() -> None:
    for up, ground in (("suit", DARK.paper), ("value", DARK.metal)):
        plain, numbered = (
            wormholes_pieces.coin(DARK, up, "C", value, (1, 1)).page.tobytes() for value in "?4"
        )
        changed = sum(one != other for one, other in zip(plain, numbered, strict=True))
        assert changed > 400, ground


@pytest.mark.parametrize(("seat", "goals"), [("O", "D"), ("D", "O"), ("", "OD")])
def test_flags_stand_where_the_viewer_has_to_land(seat: str, goals: str) -> None:
    view = wormholes_positions.GAME.view(
        wormholes_positions.position({"S": "f8", "M": "e8", "C": "e9", "A": "f9"}, dice="S1 M1"),
        seat,
    )
    where = wormholes_layout(DEFAULT_STYLE, seat)
    bases = {"O": ("j1", "j2"), "D": ("a17", "a18")}
    flags = [markers.flag(DARK, shade, DARK.tile) for shade in DARK.seats]
    with puts() as seen:
        wormholes.page(view, NAMES, DEFAULT_STYLE)
    drawn = {at for sprite, at in seen if sprite in flags}
    assert drawn == {where.space(space) for side in goals for space in bases[side]}


@pytest.mark.parametrize(("seat", "goals"), [("T", "T"), ("D", "D"), ("", "TD")])
@pytest.mark.parametrize("style", [DEFAULT_STYLE, Style("light", "portrait", own_side=True)])
def test_flags_are_at_the_bases_to_get_home_to(style: Style, seat: str, goals: str) -> None:
    view = tomtube_positions.GAME.view(tomtube_positions.position(), seat)
    where, theme = tomtube_layout(style, seat), TOM_TUBE[style.theme]
    bases = {
        SEATS[station.owner]: where.sign(station, middle, fork)
        for station, middle, fork in zip(STATIONS, MIDDLES, FORKS, strict=True)
        if station.is_base
    }
    ground = theme.space[0]
    flags = {markers.flag(theme, theme.lines["TD".index(side)], ground): side for side in "TD"}
    with puts() as seen:
        tomtube.page(view, NAMES, style)
    drawn = {flags[sprite]: at for sprite, at in seen if sprite in flags}
    assert {*drawn} == {*goals}
    boxes = arrows.pieces_and_stations(view, where)
    for side, (x, y) in drawn.items():
        assert y == bases[side][1]
        assert arrows.HOUSE_SIZE[0] < abs(x - bases[side][0]) < 2 * arrows.HOUSE_SIZE[0] + 1
        assert 1.5 * markers.FLAG_SQUARE < x < where.size[0] - 2 * markers.FLAG_SQUARE
        assert abs(x - where.middle[0]) > abs(bases[side][0] - where.middle[0]), "outside"
        assert any(left < x < right and top < y < bottom for left, top, right, bottom in boxes)


@pytest.mark.parametrize("orientation", ORIENTATIONS)
def test_the_wormhole_has_a_flag(orientation: str) -> None:
    where, theme = warp6_layout(landscape=orientation == "landscape"), WARP6["dark"]
    page = spiral.background(theme, where, 2).page
    flag = markers.flag(theme, theme.ink, theme.hole)
    (x, y), (wide, high) = where.middle, flag.page.size
    left, top = round(x - wide / 2), round(y - high / 2)
    under = page.crop((left, top, left + wide, top + high))
    over = under.copy()
    over.paste(flag.page, (0, 0), flag.mask)
    assert under.tobytes() == over.tobytes()


@pytest.mark.parametrize("orientation", ORIENTATIONS)
def test_an_area_is_a_square_of_whole_cells_that_fills_it(orientation: str) -> None:
    board = render.for_game("wormholes")
    state = wormholes_positions.GAME.start("0.6", {})
    state = wormholes_positions.after(state, "* rolloff S5 M5 C0 A0", "O first place")
    view = wormholes_positions.GAME.view(state, "O")
    style = Style(orientation=orientation)
    where = wormholes_layout(style, view.seat)
    for group in board.groups(view, view.legal, style):
        box = wormholes.zoom_box(view, group.actions, where)
        assert box
        inside = [
            where.space(space)
            for space in AREA_OF
            if group.name == "-".join(map(str, AREA_OF[space]))
        ]
        assert all(box.left < x < box.right and box.top < y < box.bottom for x, y in inside)
        page = wormholes.page(view, NAMES, style, group.actions)
        area = zoom.natural(page, DARK, box)
        assert min(area.size) >= 0.85 * zoom.NATURAL_SIDE
        assert max(area.size) <= zoom.NATURAL_SIDE
        left, top = where.at(0, 0)
        margin, (width, height) = wormholes.AREA_MARGIN, where.size
        assert (box.top + margin - top) % CELL_SIZE == 0
        for edge, at_edge in (
            (box.left + margin, box.left == 0),
            (box.right - margin, box.right == width),
        ):
            assert at_edge or (edge - left) % CELL_SIZE == 0, "no piece is cut"
        assert box.bottom == height or (box.bottom - margin - top) % CELL_SIZE == 0


# Warp 6


def test_letters_of_dice_are_beside_dice_and_hide_none() -> None:
    dice = "b8a5@100 b6a4@99 b4a3@98 y8a5@71 y6a4@70 y4a3@69"
    view = warp6_positions.GAME.view(warp6_positions.position(dice))
    where, theme = warp6_layout(landscape=True), WARP6["dark"]
    with puts() as seen:
        warp6.page(view, NAMES, DEFAULT_STYLE)
    tabs = [warp6_pieces.tab(theme, seat, "a") for seat in "BY"]
    places = [at for sprite, at in seen if sprite in tabs]
    assert len(places) >= 6
    for die in view.dice:
        if die.where != "board":
            continue
        x, y = where.at(die.space)
        nearest = min(hypot(a - x, b - y) for a, b in places)
        assert nearest >= 32, "no tab is on a number"


@pytest.mark.parametrize("way", ORIENTATIONS)
def test_letters_of_dice_on_the_crowded_rim_are_apart(way: str) -> None:
    """All 18 dice stand side by side at the start, from 109 to 126."""
    where, theme = warp6_layout(landscape=way == "landscape"), WARP6["dark"]
    view = warp6_positions.GAME.view(warp6_positions.position("b8a2@126"))
    dice = [where.at(die.space) for die in view.dice]
    with puts() as seen:
        warp6.page(view, NAMES, Style(orientation=way))
    signs = {warp6_pieces.tab(theme, seat, letter) for seat in "BY" for letter in "abcd"}
    tabs = [at for sprite, at in seen if sprite in signs]
    assert len(tabs) == len(dice) == 18
    half = warp6_pieces.TAB_WIDTH / 2, warp6_pieces.TAB_HEIGHT / 2
    assert all(where.is_free(at, half, 2) for at in tabs)
    assert min(hypot(a - c, b - d) for (a, b), (c, d) in combinations(tabs, 2)) >= 50
    for a, b in tabs:
        assert sorted(hypot(a - x, b - y) for x, y in dice)[1] >= 50, "only its die is near"


@pytest.mark.parametrize("way", ORIENTATIONS)
def test_letters_of_dice_keep_clear_of_rings(way: str) -> None:
    where, theme = warp6_layout(landscape=way == "landscape"), WARP6["dark"]
    view = warp6_positions.GAME.view(warp6_positions.position("b8a2@126"), "B")
    signs = {warp6_pieces.tab(theme, seat, letter) for seat in "BY" for letter in "abcd"}
    with puts() as seen:
        warp6.page(view, NAMES, Style(orientation=way), view.legal)
    tabs = [at for sprite, at in seen if sprite in signs]
    rings = [where.at(space) for space in warp6_marks.ends_of(view, view.legal)]
    assert rings
    assert min(hypot(a - x, b - y) for a, b in tabs for x, y in rings) >= 44


def test_numbers_of_spaces_are_above_the_way_of_a_die() -> None:
    state = warp6_positions.after(warp6_positions.position("b8a8@113"), "B move b8a")
    view = warp6_positions.GAME.view(state)
    where, theme = warp6_layout(landscape=True), WARP6["dark"]
    passed = [space for space in spiral.NUMBERED_SPACES if 105 < space < 113]
    assert passed
    warp6.page(view, NAMES, DEFAULT_STYLE)  # draws the background, with all numbers, once
    with puts() as seen:
        warp6.page(view, NAMES, DEFAULT_STYLE)
    lines = [
        place
        for place, (sprite, _) in enumerate(seen)
        if any(
            sprite is warp6_pieces.stretch(theme, where, space, edge=False)
            for space in range(106, 114)
        )
    ]
    for space in passed:
        last = max(place for place, (_, at) in enumerate(seen) if at == where.at(space))
        assert last > max(lines), space
    assert where.at(OUTERMOST) not in [at for _, at in seen], "it was not passed"


# Tom Tube


def test_house_is_beside_the_astronaut_that_starts_there() -> None:
    for turned in (False, True):
        where = tomtube_layout(Style(own_side=turned), "T")
        for at, middle, fork in zip(STATIONS, MIDDLES, FORKS, strict=True):
            x, y = where.knot(middle)
            sign = where.sign(at, middle, fork)
            far = hypot(sign[0] - x, sign[1] - y)
            assert far >= ASTRONAUT_RADIUS + 15 if at.is_base else far == 0


@pytest.mark.parametrize("seat", ["D", ""])
def test_the_last_turn_is_seen_until_a_drawn_rhomb_is_placed(seat: str) -> None:
    state = tomtube_positions.after(
        tomtube_positions.position(), "T drift 1,2", "D build", "* draw AB/AB"
    )
    view, where = tomtube_positions.GAME.view(state, seat), tomtube_layout(DEFAULT_STYLE, seat)
    start = pieces.ghost(TOM_TUBE["dark"], "T"), where.node("base", "T")
    with puts() as seen:
        tomtube.page(view, NAMES, DEFAULT_STYLE, view.legal)
    assert start in seen
    after = tomtube_positions.GAME.view(tomtube_positions.after(state, "D rhomb 0,0>1,1"), seat)
    with puts() as seen:
        tomtube.page(after, NAMES, DEFAULT_STYLE, after.legal)
    assert start not in seen


def test_counters_leave_their_knots_in_sight() -> None:
    state = tomtube_positions.position(put=("0,0", "1,0", "0,1"))
    view = tomtube_positions.GAME.view(state)
    theme, where = TOM_TUBE["dark"], tomtube_layout(DEFAULT_STYLE, "")
    with puts() as seen:
        tomtube.page(view, NAMES, DEFAULT_STYLE)
    assert {piece.kind for piece in view.counters} == {"energy", "control", "alien", "solar"}
    for piece in view.counters:
        sprite = pieces.counter(theme, piece.kind, piece.seat)
        x, y = where.node(piece.place, piece.seat)
        lift = 0 if piece.kind == "solar" else arrows.COUNTER_LIFT
        assert (x, y - lift) in [at for drawn, at in seen if drawn is sprite]
    assert arrows.COUNTER_LIFT * PHONE / WIDTH > 4


@pytest.mark.parametrize("turn", [0, LONG_TURNS, LONG_TURNS + 1, 99])
@pytest.mark.parametrize("style", [DEFAULT_STYLE, Style("light", "portrait")])
def test_legend_has_signs_of_stops_late_in_a_match_too(style: Style, turn: int) -> None:
    """It is shorter after the first turns: without each side's tubes and solar counters."""
    where, theme = tomtube_layout(style, ""), TOM_TUBE[style.theme]
    view = replace(tomtube_positions.GAME.view(tomtube_positions.position()), turn=turn)
    is_long = turn <= LONG_TURNS
    ground = station.background(theme, where, is_long=is_long).page
    (left, top), (right, bottom) = where.legend, where.size
    part = (round(left), round(top) - 20, right, bottom)
    assert tomtube.page(view, NAMES, style).crop(part).tobytes() == ground.crop(part).tobytes()
    words = legend.words(is_long=is_long)
    with puts() as seen:
        legend.draw(ground.copy(), theme, where, words)
    sprites = dict(seen)
    stops = (
        *(tiles.sphere(theme, energy=energy) for energy in (False, True)),
        tiles.joint(theme),
        tiles.unfinished(theme),
        tiles.socket(theme),
    )
    assert {"stop", "E sphere", "no stop", "unfinished"} < {*words}
    assert {*stops} <= {*sprites}
    assert len(words) == (8 if is_long else 5)
    assert len(seen) == 2 * len(words) + 1, "an unfinished knot has two signs"
    (half_ring, y), (sign, line) = (sprites[tiles.socket(theme)], sprites[tiles.unfinished(theme)])
    assert abs(y - line) < legend.LEGEND_SPACING / 2
    assert half_ring + tiles.UNFINISHED_RADIUS <= sign - tiles.UNFINISHED_RADIUS
    assert max(y for _, y in sprites.values()) == top + 7 * legend.LEGEND_SPACING


def test_signs_mark_unfinished_knots_where_tubes_end() -> None:
    """A knot on the rim has none: it cannot be completed (T1.7)."""
    # Tom's tube joins the gate 1,2 and 1,1; Dave's ends at 1,1 and the gate 2,1.
    # The second rhomb joins the rim with a knot inside.
    state = tomtube_positions.position("AC/AD@1,2>2,0 AB/CD@4,-1>2,0")
    view, where = tomtube_positions.GAME.view(state), tomtube_layout(DEFAULT_STYLE, "")
    sign = tiles.unfinished(TOM_TUBE["dark"])
    tomtube.page(view, NAMES, DEFAULT_STYLE)  # draws the legend, which has the sign too
    with puts() as seen:
        tomtube.page(view, NAMES, DEFAULT_STYLE)
    marked = {at for sprite, at in seen if sprite is sign}
    ends = {knot for rhomb in view.rhombs for knot in tube_ends(rhomb)}
    inside = {knot for knot in ends if knot in AROUND}
    assert inside < ends
    assert marked == {where.knot(knot) for knot in inside}


def tube_ends(rhomb: Rhomb) -> set[int]:
    """The knots at the corners of a rhomb where its tubes end."""
    corners = zip("ABCD", PLACES[PLACE_INDEX[rhomb.place]], strict=True)
    return {corner.knot for letter, corner in corners if letter in rhomb.tile}


@sampled(2, 8, 40)
def test_free_drifts_would_end_at_signs_of_unfinished_knots(samples: int) -> None:
    """The engine's list for the player on turn is a part of what the picture marks."""
    where, sign, named = tomtube_layout(DEFAULT_STYLE, ""), tiles.unfinished(TOM_TUBE["dark"]), 0
    for view in positions(games.get("tomtube"), {}, 10 * samples):
        assert isinstance(view, TomTubeView)
        if view.phase != "turn" or not view.seat:
            continue
        with puts() as seen:
            tomtube.page(view, NAMES, DEFAULT_STYLE)
        marked = {at for sprite, at in seen if sprite is sign}
        knots = unfinished_knots(state_of(view), view.seat)
        assert {where.node(knot, "") for knot in knots} <= marked
        assert not {where.node(knot, "") for knot in view.complete} & marked
        named += len(knots)
    assert named


@sampled(2, 8, 40)
@pytest.mark.parametrize("orientation", ORIENTATIONS)
def test_nothing_hides_signs_of_unfinished_knots(orientation: str, samples: int) -> None:
    """Neither counters nor names of places; an astronaut is never there."""
    style, sign = Style(orientation=orientation), tiles.unfinished(TOM_TUBE["dark"])
    pixels, hidden, signs = sign.mask.histogram()[255], 0, 0
    for view in positions(games.get("tomtube"), {}, 10 * samples):
        assert isinstance(view, TomTubeView)
        if view.phase != "turn":
            continue
        with puts() as seen:
            page = tomtube.page(view, NAMES, style, view.legal)
        for x, y in [at for sprite, at in seen if sprite is sign]:
            wide, high = sign.page.size
            left, top = round(x - wide / 2), round(y - high / 2)
            part = page.crop((left, top, left + wide, top + high))
            other = ImageChops.difference(part, sign.page).point(lambda value: 255 * (value > 0))
            covered = ImageChops.multiply(other, sign.mask.convert("L")).histogram()[255]
            hidden, signs = hidden + (covered > pixels / 3), signs + 1
    assert signs
    assert hidden <= signs / 50


@pytest.mark.parametrize("theme", TOM_TUBE.values(), ids=list(TOM_TUBE))
def test_sign_of_an_unfinished_knot_is_seen_without_colours(theme: Theme) -> None:
    """Nine pixels wide, two shades far apart, and dark where a sphere is bright."""
    left, top, right, bottom = tiles.unfinished(theme).mask.getbbox() or (0, 0, 0, 0)
    assert min(right - left, bottom - top) * PHONE / WIDTH >= READABLE
    assert contrast(theme.text, theme.tile) >= 4.5
    assert 2 * tiles.UNFINISHED_RADIUS * PHONE / WIDTH >= READABLE


@pytest.mark.parametrize("orientation", ORIENTATIONS)
@pytest.mark.parametrize("part", ["board", "area"])
def test_numbered_places_are_on_the_board_alone(orientation: str, part: str) -> None:
    board = render.for_game("tomtube")
    view = tomtube_positions.GAME.view(tomtube_positions.laying("", "AB/CD"), "T")
    style = Style(orientation=orientation)
    actions = view.legal if part == "board" else board.groups(view, view.legal)[0].actions
    ghosts = board.shortcuts(view, actions, style).ghosts
    png = board.picture(view, NAMES, style, ghosts=ghosts)
    assert len(png) <= MAX_BYTES
    with Image.open(io.BytesIO(png)) as picture:
        assert picture.width == ALONE_WIDTH
        scale = WIDTH / picture.width
    assert height(ghosts_of_tom_tube.PLACE_NUMBER_SIZE) * scale >= READABLE


@pytest.mark.parametrize(("tile", "letters"), [("AB/CD+", "ABCDEF"), ("AC/BD", "ABC")])
@pytest.mark.parametrize("style", [DEFAULT_STYLE, Style("light", "portrait", own_side=True)])
def test_drawn_rhomb_is_below_the_board_in_each_way(style: Style, tile: str, letters: str) -> None:
    view = tomtube_positions.GAME.view(tomtube_positions.laying("", tile), "T")
    theme, where = TOM_TUBE[style.theme], tomtube_layout(style, "T")
    signs = {letter: letter_sign(theme, letter) for letter in "ABCDEF"}
    groups = BOARD.groups(view, view.legal, style)
    for group in (groups[0]._replace(actions=view.legal), *groups):
        ghosts = BOARD.quick_shortcuts(view, group.actions, style).ghosts
        marked = replace(view, legal=group.actions)
        with puts() as seen:
            png = BOARD.picture(marked, NAMES, style, ghosts=ghosts)
        assert len(png) <= MAX_BYTES
        placed = [letter for sprite, _ in seen for letter, sign in signs.items() if sprite is sign]
        is_all = group.actions == view.legal
        assert "".join(placed) == (letters if is_all else ""), "if not all lie alike"
        for letter, direction in sections.ways(tile, where):
            rhomb = drawn_rhomb._enlarged_way(theme, tile, direction)
            assert any(sprite is rhomb for sprite, _ in seen) == (letter in placed)
        (lying,) = {where.direction_of(ghost.args[0]) for ghost in ghosts} if not is_all else {0}
        assert is_all or (group.label[0], lying) in sections.ways(tile, where)
        if is_all:  # the last thing above the buttons with these letters
            ways = drawn_rhomb.ways_page(ALONE_WIDTH, view, theme, where)
            with Image.open(io.BytesIO(png)) as picture:
                assert ways
                edge = picture.height - ways.height
                lowest = picture.crop((0, edge, picture.width, picture.height))
                assert lowest.tobytes() == ways.tobytes()


def letter_sign(theme: Theme, letter: str) -> Sprite:
    """The sign of a way in which a rhomb lies."""
    return markers.chip(theme, letter, theme.mark_text, theme.mark, drawn_rhomb.LETTER_SIZE)


def test_rhombs_below_the_board_hide_nothing() -> None:
    view = tomtube_positions.GAME.view(tomtube_positions.laying("", "AB/CD+"), "T")
    theme, where = TOM_TUBE["dark"], tomtube_layout(DEFAULT_STYLE, "T")
    drawn_rhomb.ways_page(ALONE_WIDTH, view, theme, where)  # makes the sprites
    with puts() as seen:
        page = drawn_rhomb.ways_page(ALONE_WIDTH, view, theme, where)
    assert page
    assert len(seen) == 2 * len("ABCDEF")
    covered = Image.new("1", page.size)
    for sprite, (x, y) in seen:
        mask = Image.new("1", page.size)
        wide, high = sprite.page.size
        left, top = round(x - wide / 2), round(y - high / 2)
        assert left >= 0 <= top
        assert left + wide <= page.width
        assert top + high <= page.height
        mask.paste(1, (left, top), sprite.mask)
        assert not ImageChops.logical_and(mask, covered).getbbox()
        covered.paste(1, (left, top), sprite.mask)


def test_tubes_of_rhombs_below_the_board_are_nine_pixels_wide() -> None:
    assert tiles.TUBE_WIDTH * drawn_rhomb.WAY_SCALE * PHONE / ALONE_WIDTH >= READABLE


@pytest.mark.parametrize("where", STATION_LAYOUTS, ids=str)
def test_names_of_lines_are_beside_numbered_places(where: Layout) -> None:
    """A place can be found that is called by its tips."""
    theme = TOM_TUBE["dark"]
    at = dict(station.numbers(where, station.NEAR_AXIS_DISTANCE))
    assert {*at} == {*"abcdefghi123456789"}
    _, top, _, bottom = font(station.NEAR_AXIS_TEXT_SIZE).getbbox("2", anchor="ls")
    assert (bottom - top) * PHONE / ALONE_WIDTH >= READABLE
    page = Image.new("L", where.size)
    with puts() as seen:
        station.draw_near_numbers(page, theme, where)
    half = max(max(sprite.page.size) for sprite, _ in seen) / 2
    hexagon = tomtube.around_board(where)
    for x, y in at.values():
        assert hexagon.left <= x - half / 2
        assert x + half / 2 <= hexagon.right
        assert hexagon.top <= y - half / 2
        assert y + half / 2 <= hexagon.bottom
        assert all(dist((x, y), where.knot(middle)) >= 32 + half / 2 for middle in MIDDLES)


@pytest.mark.parametrize("tile", ["AB/AB", "AC/BD+", "BD/AD", "AB/CD"])
def test_numbers_of_places_leave_the_middle_of_a_rhomb_in_sight(tile: str) -> None:
    """There its tubes join; where a tip has no tube, the number is there."""
    view = tomtube_positions.GAME.view(tomtube_positions.laying("", tile), "T")
    where, theme = tomtube_layout(DEFAULT_STYLE, "T"), TOM_TUBE["dark"]
    group = BOARD.groups(view, view.legal)[0]
    with puts() as seen:
        tomtube.drawn(view, NAMES, DEFAULT_STYLE, ghosts=group.actions, alone=True)
    size = ghosts_of_tom_tube.PLACE_NUMBER_SIZE
    for number, action in enumerate(group.actions, 1):
        chip = markers.chip(theme, str(number), theme.mark, theme.mark_text, size)
        ((x, y),) = [at for sprite, at in seen if sprite is chip]
        middle = where.place(action.args[0])
        assert dist((x, y), middle) >= 40
        tips = dict(zip("ABCD", arrows.corners(action.args[0]), strict=True))
        nearest = min(tips, key=lambda tip: dist(where.knot(tips[tip]), (x, y)))
        free = {"A", "C"} - {*tile}
        assert nearest in (free or {"A", "C"}) or pieces_near(view, where, action)


def pieces_near(view: TomTubeView, where: Layout, action: Action) -> bool:
    """Whether an astronaut is at a corner of a place."""
    knots = [where.knot(knot) for knot in arrows.corners(action.args[0])]
    return any(where.node(one.place, one.seat) in knots for one in view.astronauts)


def test_places_to_choose_from_have_the_only_numbers() -> None:
    """The steps of the last turn have none beside them."""
    state = tomtube_positions.after(
        tomtube_positions.position(), "T drift 1,2", "D build", "* draw AB/AB"
    )
    view = tomtube_positions.GAME.view(state, "D")
    events = (*view.story, *view.story)
    assert len([event for event in events if event.kind in arrows.MOVES]) > 1
    badges = [markers.badge(TOM_TUBE["dark"], number) for number in (1, 2)]
    for is_alone in (False, True):
        with puts() as seen:
            tomtube.drawn(replace(view, story=events), NAMES, DEFAULT_STYLE, alone=is_alone)
        assert any(sprite in badges for sprite, _ in seen) != is_alone


def test_numbers_of_steps_hide_no_letter_and_no_piece() -> None:
    """In the lesson's step about triangles that a rhomb cuts off (T3.2)."""
    view = place("tomtube", 4).view
    assert isinstance(view, TomTubeView)
    where = tomtube_layout(DEFAULT_STYLE, view.seat)
    with puts() as seen:
        tomtube.page(view, NAMES, DEFAULT_STYLE, view.legal)
    badges = [markers.badge(TOM_TUBE["dark"], number) for number in (1, 2)]
    spots = [at for sprite, at in seen if sprite in badges]
    hidden = [where.triangle(name) for name in view.isolated]
    hidden += [where.node(one.place, one.seat) for one in view.astronauts]
    assert len(spots) == len(badges)
    assert min(dist(spot, at) for spot in spots for at in hidden) >= 50


def test_the_first_of_two_places_hides_a_part_of_the_second() -> None:
    view = tomtube_positions.GAME.view(tomtube_positions.laying("", "AB/CD"), "T")
    first, second = next(
        (one, other)
        for one in view.legal
        for other in view.legal
        if len({*PAIRS[pair_of(one)]} & {*PAIRS[pair_of(other)]}) == 1
    )
    with puts() as seen:
        tomtube.drawn(view, NAMES, DEFAULT_STYLE, ghosts=(first, second))
    where = tomtube_layout(DEFAULT_STYLE, "T")
    order = [at for _, at in seen]
    upper, lower = (where.place(action.args[0]) for action in (first, second))
    assert order.index(lower) < order.index(upper)
    chip = markers.chip(
        TOM_TUBE["dark"],
        "2",
        TOM_TUBE["dark"].mark,
        TOM_TUBE["dark"].mark_text,
        ghosts_of_tom_tube.PLACE_NUMBER_SIZE,
    )
    (at,) = [at for sprite, at in seen if sprite is chip]
    (free,) = {*PAIRS[pair_of(second)]} - {*PAIRS[pair_of(first)]}
    assert at == where.mean(TRIANGLES[free])


def test_neutral_tubes_are_thinner_than_each_sides() -> None:
    widths = {
        users: mask_width(tiles.tube(TOM_TUBE["dark"], tiles.Arm(0, "long", users)))
        for users in ("T", "D", "TD")
    }
    assert widths["TD"] <= min(widths["T"], widths["D"]) - 3


def mask_width(sprite: Sprite) -> int:
    """The height of what a sprite covers."""
    _, top, _, bottom = sprite.mask.getbbox() or (0, 0, 0, 0)
    return bottom - top
