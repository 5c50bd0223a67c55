"""The Warp 6 board as a picture, made from views only."""

from __future__ import annotations

import io
from dataclasses import replace
from itertools import combinations
from math import ceil, hypot
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image, ImageChops

import render
from bot.i18n import catalogue
from engine.warp6.board import OUTERMOST
from engine.warp6.pieces import KITS
from engine.warp6.state import State
from render import chips, markers, png
from render.i18n import using
from render.renderer import DEFAULT_STYLE, ORIENTATIONS, Style
from render.text import CAPITAL_HEIGHT, font
from render.themes import Theme
from render.warp6 import arrows, marks, pieces
from render.warp6 import picture as drawing
from render.warp6.colours import THEMES
from render.warp6.layout import TURN_TEXT_SIZE, layout
from tests.support.tiers import examples
from tests.support.vision import contrast
from tests.support.warp6.games import random_match
from tests.support.warp6.positions import (
    FORMS,
    GAME,
    HIGH,
    HIGHS,
    LOWS,
    after,
    numbered,
    position,
    rolled,
    start,
)
from tests.support.warp6.states import SEATS, secret_states

BOARD = render.for_game("warp6")
NAMES = {"B": "Ada", "Y": "Bo", "W": "Cy"}
STYLES = [Style(theme, way) for theme in THEMES for way in ORIENTATIONS]


def picture(state: State, seat: str = "", style: Style = DEFAULT_STYLE) -> bytes:
    return BOARD.picture(GAME.view(state, seat), NAMES, style)


@pytest.mark.parametrize("style", STYLES)
def test_the_picture_is_a_png_of_one_size(style: Style) -> None:
    sizes = set()
    for state in (start(), rolled(HIGHS, LOWS, LOWS), random_match("2", "rolled", 1)[0]):
        with Image.open(io.BytesIO(picture(state, style=style))) as image:
            assert image.format == "PNG"
            sizes.add(image.size)
    assert len(sizes) == 1


def test_the_same_view_gives_the_same_bytes() -> None:
    state = random_match("3", "rolled", 4, limit=70)[0]
    assert picture(state) == picture(state)


MOVED = position("b8a5@50")


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (MOVED, position("b8a5@49")),
        (MOVED, position("b8a4@50")),
        (MOVED, position("b8a5@0")),
        (position("b8a5@50 b8b5@40"), position("b8a5@40 b8b5@50")),
        (position("b8a5@50 y8a5@40"), position("b8a5@40 y8a5@50")),
        (position("b8a4@50 b4a4@40"), position("b8a4@40 b4a4@50")),
        (MOVED, position("b8a5@50", seat="Y")),
        (MOVED, position("b8a5@50", number=2)),
        (after(MOVED, "B up b8a"), position("b8a6@50", seat="Y", number=2)),
        (after(MOVED, "B move b8a"), position("b8a5@45", seat="Y", number=2)),
        (position(seats=3), after(position(seats=3), "W leave")),
    ],
)
def test_what_differs_in_the_open_differs_in_the_picture(one: State, other: State) -> None:
    assert picture(one) != picture(other)


def test_space_of_the_next_die_is_marked_for_all() -> None:
    view = GAME.view(rolled(HIGHS, LOWS, LOWS))
    assert BOARD.picture(view, NAMES) != BOARD.picture(replace(view, free=0), NAMES)


def test_choices_are_marked_only_when_asked_for() -> None:
    view = GAME.view(MOVED, "B")
    plain = BOARD.picture(view, NAMES)
    assert plain == BOARD.picture(GAME.view(MOVED), NAMES)
    assert BOARD.picture(view, NAMES, DEFAULT_STYLE, view.legal) != plain


def test_chains_of_warps_are_marked_with_the_choices() -> None:
    """X4.1: the arrows lie on the dotted lines from space to space, down to the last one."""
    far, near = "b8a2@93 y8a1@91", "b8a2@93 y8a1@91 y6a1@61"
    for dice, warps in ((far, {(91, 61)}), (near, {(91, 61), (61, 37)})):
        view = GAME.view(position(dice), "B")
        move = next(action for action in view.legal if str(action) == "B move b8a")
        assert marks.warps(view, [move]) == warps
        assert BOARD.picture(view, NAMES, DEFAULT_STYLE, [move]) != BOARD.picture(view, NAMES)


def test_the_words_of_a_mark_stand_where_they_hide_least() -> None:
    chip = markers.chip(THEMES["dark"], "8a", THEMES["dark"].mark, THEMES["dark"].mark_text)
    below, above = chips.box((200, 246), 32, 32), chips.box((200, 154), 32, 32)
    taken = dict.fromkeys((below, above), 1.0)
    spot = chips.place_chip((400, 400), (200, 200), arrows.RING_RADIUS, chip, taken)
    assert spot
    left, top, right, bottom = spot.box
    assert left > 200 or right < 200, "aside, as below and above there are dice"
    assert top < 200 < bottom
    assert right < 320


def test_signs_of_two_spaces_are_apart() -> None:
    chip = markers.chip(THEMES["dark"], "◆2", THEMES["dark"].mark, THEMES["dark"].mark_text)
    taken: dict[chips.Box, float] = {}
    spots = []
    for y in (100, 180):
        spot = chips.place_chip((400, 400), (200, y), arrows.RING_RADIUS, chip, taken)
        assert spot
        spots.append(spot.box)
        taken |= spot.taken
    (_, _, right, bottom), (left, top, *_) = spots
    assert left - right >= chips.GAP or top - bottom >= chips.GAP


def test_signs_hide_rather_an_arrow_than_a_die() -> None:
    chip = markers.chip(THEMES["dark"], "◆2", THEMES["dark"].mark, THEMES["dark"].mark_text)
    everywhere, die = chips.box((200, 200), 190, 190), chips.box((200, 270), 32, 32)
    taken = {everywhere: 1, die: arrows.DIE_WEIGHT}
    spot = chips.place_chip((400, 400), (200, 200), arrows.RING_RADIUS, chip, taken)
    assert spot
    left, _, right, bottom = spot.box
    assert bottom <= 238 or left >= 232 or right <= 168


def test_names_of_any_length_and_script_are_drawn() -> None:
    for name in ("W" * 32, "שלום", "🚀🚀", "ÀÉÎ", ""):
        assert BOARD.picture(GAME.view(MOVED), dict.fromkeys("BY", name)).startswith(b"\x89PNG")


@examples(10, 20, 400)
@given(state=secret_states(), seat=st.sampled_from(SEATS), seed=st.integers(0, 10**6))
def test_x2_4_no_byte_reveals_what_others_have_set(state: State, seat: str, seed: int) -> None:
    other = GAME.resample_view(state, seat, Random(seed).randrange)
    assert picture(state, seat) == picture(other, seat)


def test_x2_4_the_own_setting_is_seen_by_its_seat() -> None:
    state = after(start(2, "secret"), numbered(FORMS[2][0], HIGH))
    assert len({picture(state, seat) for seat in ("B", "Y")}) == 2
    assert picture(state) == picture(state, "Y")


def test_a_match_becomes_an_animation_of_its_turns() -> None:
    state = GAME.start("standard", {"seats": "3"})
    views = []
    for action in random_match("3", "rolled", 2, limit=40)[1]:
        state, _ = GAME.apply(state, action)
        views.append(GAME.view(state))
    with Image.open(io.BytesIO(BOARD.animation(views, NAMES))) as image:
        assert image.format == "GIF"
        assert getattr(image, "n_frames", 1) > 20


# Where things lie


@pytest.mark.parametrize("way", ORIENTATIONS)
def test_dice_on_two_spaces_leave_each_other_readable(way: str) -> None:
    where = layout(landscape=way == "landscape")
    places = [where.at(space) for space in range(1, OUTERMOST + 1)]
    nearest = min(hypot(a - c, b - d) for (a, b), (c, d) in combinations(places, 2))
    half = font(pieces.NUMBER).getlength("8") / 2
    assert nearest > arrows.DIE_RADIUS + half, "a die's edge reaches a neighbour's number at most"


@pytest.mark.parametrize(
    ("at", "free"),
    [
        ((18, 880), True),
        ((17, 880), False),
        ((700, 20), True),
        ((700, 19), False),
        ((1382, 880), True),
        ((1383, 880), False),
        ((18, 881), False),
        ((100, 400), False),
        ((244, 400), True),
        ((243, 400), False),
        ((468 + 18, 48), True),
        ((467 + 18, 48), False),
        ((300, 88 + 20), True),
        ((300, 87 + 20), False),
    ],
)
def test_free_places_are_on_the_canvas_beside_lists(at: tuple[int, int], free: bool) -> None:
    assert layout(landscape=True).is_free(at, (18, 20), 2) is free


@pytest.mark.parametrize("seats", [2, 3])
@pytest.mark.parametrize("way", ORIENTATIONS)
def test_lists_lie_on_the_canvas_and_beside_the_spiral(way: str, seats: int) -> None:
    where = layout(landscape=way == "landscape")
    width, height = where.size
    spaces = [where.at(space) for space in range(1, OUTERMOST + 1)]
    assert all(40 < x < width - 40 and 36 < y < height - 30 for x, y in spaces)
    for seat in range(seats):
        box = where.box(seats, seat)
        assert len(box.dice) == KITS[seats].dice_per_seat
        for x, y in box.dice:
            listed = where.listed(seats)
            text = listed.letter_width + font(listed.text_size).getlength("126")
            assert x - pieces.SKETCH_SIZE * pieces.LISTED_SCALES[listed.size] / 2 > 0
            assert x + listed.text_offset + text <= width
            assert 24 < y < height - 24
            assert all(abs(x + 60 - a) > 130 or abs(y - b) > 60 for a, b in spaces)


@pytest.mark.parametrize("seats", [2, 3])
@pytest.mark.parametrize("way", ORIENTATIONS)
def test_words_for_dice_off_the_board_take_a_number_s_room(way: str, seats: int) -> None:
    """Spanish *fuera* is wider than *126*, and would lie on the next die."""
    view = GAME.view(position("b8a5@0 y8a5@0", seats=seats), "B")
    pages = []
    for tag in ("en", "es"):
        with using(catalogue(tag)):
            data = BOARD.picture(view, NAMES, Style(orientation=way))
        pages.append(Image.open(io.BytesIO(data)).convert("RGB"))
    where = layout(landscape=way == "landscape")
    listed = where.listed(seats)
    room = font(listed.text_size).getlength("126") + 4
    for x, y in (where.box(seats, seat).dice[0] for seat in range(2)):
        start = int(x + listed.text_offset + listed.letter_width)
        line = (start, int(y) - 20, min(start + 2 * int(room), where.size[0]), int(y) + 20)
        changed = ImageChops.difference(*(page.crop(line) for page in pages)).getbbox()
        assert changed
        assert changed[2] <= room


@pytest.mark.parametrize("theme", THEMES.values(), ids=list(THEMES))
@pytest.mark.parametrize("seat", "BYW")
def test_numbers_stand_out_from_their_dice(theme: Theme, seat: str) -> None:
    fill, _, ink, _ = pieces.look(theme, seat)
    assert contrast(fill, ink) >= 4.5


def test_numbers_are_nine_pixels_high_on_a_telephone() -> None:
    _, top, _, bottom = font(pieces.NUMBER).getbbox("2", anchor="ls")
    assert (bottom - top) * 400 / layout(landscape=True).size[0] >= 9


@pytest.mark.parametrize("theme", THEMES.values(), ids=list(THEMES))
def test_seats_can_be_told_apart_in_grey(theme: Theme) -> None:
    looks = [pieces.look(theme, seat) for seat in "BYW"]
    for one, other in combinations(looks, 2):
        assert one.lined != other.lined or contrast(one.fill, other.fill) > 4.5


@pytest.mark.parametrize("way", [True, False])
def test_tabs_keep_off_what_is_near_and_nothing_else_matters(way: bool) -> None:
    where = layout(landscape=way)
    for space, faces in ((1, 4), (47, 6), (90, 8), (OUTERMOST, 4)):
        tabs = drawing.tab_places(where, space, faces, 2)
        near = drawing.near_spaces(where, space)
        assert 0 < len(near) < OUTERMOST / 3
        for other in set(range(OUTERMOST + 1)) - near - {space}:
            dice, rings = drawing.TAB_ROOM, drawing.GOAL_ROOM
            assert all(
                hypot(x - a, y - b) >= max(dice, rings)
                for x, y in tabs
                for a, b in [where.at(other)]
            )
            others = [
                at
                for side in pieces.SHAPES
                for at in drawing.tab_places(where, max(other, 1), side, 2)
            ]
            assert other == 0 or all(
                hypot(x - a, y - b) >= pieces.TAB_HEIGHT for x, y in tabs for a, b in others
            )


def test_texts_that_change_are_in_two_strips() -> None:
    """A strip that a move changes is compressed again."""
    where = layout(landscape=True)
    places = [(y, where.listed(2).text_size) for seat in (0, 1) for _, y in where.box(2, seat).dice]
    for y, size in [*places, (where.turn[1], TURN_TEXT_SIZE)]:
        half = ceil(size * CAPITAL_HEIGHT / 2)
        rows = range(int(y) - half, int(y) + half)
        assert len({(row - png.FIRST_ROWS) // png.STRIP_ROWS for row in rows}) == 2
