"""The Tom Tube board as a picture, made from views only."""

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import combinations, count, groupby, islice
from typing import cast

import pytest
from PIL import Image

import render
from engine.game import CHANCE
from engine.tomtube.lattice import KNOT_NAMES, KNOTS, MIDDLES, TRIANGLE_NAMES
from engine.tomtube.state import State
from engine.tomtube.tables import SEATS
from engine.tomtube.view import TomTubeView
from render.painted import painted
from render.palette import palette
from render.renderer import DEFAULT_STYLE, ORIENTATIONS, Style
from render.sprites import Sprite
from render.text import font, measure
from render.themes import Colour, Theme
from render.tomtube import legend, pieces, tiles
from render.tomtube.background import AXIS_TEXT_SIZE, numbers
from render.tomtube.colours import THEMES
from render.tomtube.layout import EDGE_LENGTH, LONG, SHORT, Layout, layout
from render.tomtube.picture import drawn, page, zoom_box
from render.tomtube.player_panels import (
    ENTRY,
    STOCK_SPACING,
    STOCK_TITLE_WIDTH,
    STOCK_WIDTH,
    TURN_TEXT_SIZE,
    WIDE,
)
from render.tomtube.terms import line_name, place_name, row_name
from tests.support.tiers import sampled
from tests.support.tomtube.games import Choice, any_of, bare, greedy, isolating, match
from tests.support.tomtube.positions import GAME, after, filled, hands, laying, position
from tests.support.vision import EYES, contrast, distance, lab

BOARD = render.for_game("tomtube")
NAMES = {"T": "Ada", "D": "Bo"}
STYLES = [Style(theme, way) for theme in THEMES for way in ORIENTATIONS]
SOURCES = (any_of, greedy, isolating, bare)

MOST_BYTES = 120_000

every_theme = pytest.mark.parametrize("theme", THEMES.values(), ids=list(THEMES))
every_way = pytest.mark.parametrize("way", ORIENTATIONS)


def picture(state: State, seat: str = "", style: Style = DEFAULT_STYLE) -> bytes:
    return BOARD.picture(GAME.view(state, seat), NAMES, style)


def states(choose: Choice, seed: int, every: int = 1) -> Iterator[State]:
    """The start of a match and what it became after each so many actions."""
    state = GAME.start("standard", {})
    yield state
    for number, action in enumerate(match(choose, seed)[1], 1):
        state, _ = GAME.apply(state, action)
        if number % every == 0 or not GAME.pending(state):
            yield state


@pytest.mark.slow
@pytest.mark.parametrize("style", STYLES)
def test_the_picture_is_a_png_of_one_size(style: Style) -> None:
    sizes = set()
    for state in states(greedy, 1, every=40):
        with Image.open(io.BytesIO(picture(state, style=style))) as image:
            assert image.format == "PNG"
            sizes.add(image.size)
    assert len(sizes) == 1


@pytest.mark.slow
@pytest.mark.parametrize("choose", SOURCES)
def test_whole_matches_are_drawn_into_small_files(choose: Choice) -> None:
    for number, state in enumerate(states(choose, 5, every=3)):
        view = GAME.view(state, GAME.pending(state).strip(CHANCE))
        style = STYLES[number % len(STYLES)]
        assert len(picture(state, style=style)) <= MOST_BYTES
        assert len(BOARD.picture(view, NAMES, style, view.legal)) <= MOST_BYTES


@pytest.mark.parametrize("style", STYLES)
def test_first_rhomb_with_its_numbered_places_is_a_small_file(style: Style) -> None:
    view = GAME.view(laying("", "AB/CD+"), "T")
    for actions in (view.legal, *(group.actions for group in BOARD.groups(view, view.legal)[:2])):
        ghosts = BOARD.quick_shortcuts(view, actions, style).ghosts
        assert len(BOARD.picture(view, NAMES, style, ghosts=ghosts)) <= MOST_BYTES


def test_planned_places_are_drawn_while_no_rhomb_is_placed() -> None:
    placings = GAME.view(laying("", "AB/CD+"), "T").legal[:2]
    view = GAME.view(position(), "T")
    assert view.legal
    assert not set(placings) & set(view.legal)
    assert BOARD.picture(view, NAMES, ghosts=placings) != BOARD.picture(view, NAMES)


def test_the_same_view_gives_the_same_bytes() -> None:
    *_, state = states(greedy, 4)
    assert picture(state) == picture(state)


@pytest.mark.slow
def test_t2_5_all_see_the_same_and_none_the_stack() -> None:
    for state in states(any_of, 2, every=25):
        views = (replace(GAME.view(state, seat), seat="", legal=()) for seat in ("", "T", "D"))
        pictures = {BOARD.picture(view, NAMES) for view in views}
        assert len(pictures) == 1, "but for the flag at the viewer's base"


TILE = "AB/CD@1,0>0,2"


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (position(), position(TILE)),
        (position(TILE), position("AB/CD+@1,0>0,2")),
        (position(TILE), position("AB/CD@0,2>1,0")),
        (position(TILE), position("AB/AD@1,0>0,2")),
        (position(fills="T@0,0/1,0/0,1"), position(fills="D@0,0/1,0/0,1")),
        (position(fills="T@0,0/1,0/0,1"), position(fills="-@0,0/1,0/0,1")),
        (position(tom="1,2"), position(tom="2,1")),
        (position(tom="module1"), position(tom="module2")),
        (position(tom="1,2", dave="2,1"), position(tom="2,1", dave="1,2")),
        (position(put=("1,2", "", "")), position(put=("", "1,2", ""))),
        (position(put=("", "1,2", "")), position(put=("", "", "1,2"))),
        (position(solars=0), position()),
        (position(hands=hands(energy=(2, 1))), position(hands=hands(energy=(1, 2)))),
        (position(hands=hands(alien=(1, 0))), position(hands=hands(control=(1, 0)))),
        (position(tubes=(5, 6)), position(tubes=(6, 5))),
        (position(blanks=(3, 2)), position(blanks=(2, 3))),
        (position(seat="T"), position(seat="D")),
        (position(), position(number=2)),
        (laying("", "AB/CD"), laying("", "AB/CD+")),
        (position(quiet=25), position()),
        (position(faster=0, bonus=2, seat="D"), position(faster=0, bonus=3, seat="D")),
    ],
)
def test_what_differs_in_the_open_differs_in_the_picture(one: State, other: State) -> None:
    assert picture(one) != picture(other)


def test_a_triangle_left_empty_is_crossed_out() -> None:
    hole = "0,0/1,0/0,1"
    fills = filled(hole)
    assert len({picture(position(fills=fills)), picture(position(fills=filled()))}) == 2
    empty = position(fills=fills, left=1 << TRIANGLE_NAMES.index(hole))
    assert picture(empty) != picture(position(fills=fills))


def test_choices_are_marked_only_when_asked_for() -> None:
    view = GAME.view(position(tom="1,2"), "T")
    plain = BOARD.picture(view, NAMES)
    assert plain == BOARD.picture(replace(view, legal=()), NAMES)
    assert BOARD.picture(view, NAMES, DEFAULT_STYLE, view.legal) != plain


@pytest.mark.slow
def test_one_placing_alone_is_shown_as_it_would_lie() -> None:
    view = GAME.view(laying("", "AB/CD"), "T")
    previews = {BOARD.picture(view, NAMES, DEFAULT_STYLE, [action]) for action in view.legal}
    assert len(previews) == len(view.legal)


def test_the_own_base_comes_to_the_left_on_wish() -> None:
    style = Style(own_side=True)
    for seat, turned in (("T", True), ("D", False), ("", False)):
        assert layout(style, seat).turned == turned
    assert picture(position(), "T", style) != picture(position(), "T")
    assert picture(position(), "D", style) == picture(position(), "D")


def test_names_of_any_length_and_script_are_drawn() -> None:
    for name in ("W" * 32, "שלום", "🚀🚀", "ÀÉÎ", ""):
        drawn = BOARD.picture(GAME.view(position()), dict.fromkeys(SEATS, name))
        assert drawn.startswith(b"\x89PNG")


@pytest.mark.slow
def test_a_match_becomes_an_animation_of_its_turns() -> None:
    views = [GAME.view(state) for state in states(greedy, 2)][:80]
    with Image.open(io.BytesIO(BOARD.animation(views, NAMES))) as image:
        assert image.format == "GIF"
        assert getattr(image, "n_frames", 1) > 20


def test_the_last_turn_is_told_by_arrows() -> None:
    state = position(tom="1,2")
    moved = after(state, "T jump 2,1")
    view = GAME.view(moved)
    assert [event.kind for event in view.story] == ["paid", "jumped"]
    assert BOARD.picture(view, NAMES) != BOARD.picture(replace(view, story=()), NAMES)


@sampled(1, 2, 20)
def test_marks_cover_no_piece(samples: int) -> None:
    half, seen = 14, 0
    where = layout(DEFAULT_STYLE, "")
    for seed in range(samples):
        for number, state in enumerate(states(any_of, seed)):
            view = GAME.view(state, GAME.pending(state).strip(CHANCE))
            if number % 5 or not view.legal:
                continue
            plain = page(view, NAMES, DEFAULT_STYLE)
            marked = page(view, NAMES, DEFAULT_STYLE, view.legal)
            pieces_at = [
                where.node(astronaut.place, astronaut.seat) for astronaut in view.astronauts
            ]
            pieces_at += [where.node(counter.place, counter.seat) for counter in view.counters]
            for at in pieces_at:
                x, y = map(round, at)
                place = (x - half, y - half, x + half, y + half)
                assert marked.crop(place).tobytes() == plain.crop(place).tobytes(), at
                seen += 1
    assert seen > 50


# Colours and shapes


@every_theme
@pytest.mark.parametrize("eyes", EYES)
def test_the_two_colours_of_tubes_are_far_apart_for_all_eyes(theme: Theme, eyes: str) -> None:
    one, other = (lab(colour, eyes) for colour in theme.lines)
    assert distance(one, other) >= 20


@every_theme
def test_a_palette_leaves_an_entry_for_animations(theme: Theme) -> None:
    assert len(palette(theme).colours) < 255


@every_theme
def test_tubes_stand_out_from_tiles(theme: Theme) -> None:
    assert min(contrast(line, theme.tile) for line in theme.lines) >= 3
    assert contrast(theme.text, theme.tile_line) >= 3, "a sphere's ring and cross"
    assert contrast(theme.ink, pieces.colour(theme, "energy", "")) >= 4.5
    assert contrast(theme.paper, theme.ink) >= 4.5, "letters of astronauts and stations"


def runs(theme: Theme, sprite: Sprite, *, along: bool) -> int:
    """How many pieces of one colour there are on a line through the middle of a tube."""
    width, height = sprite.page.size
    across = [(width // 2, y) for y in range(height)]
    line = [(x, height // 2) for x in range(width)] if along else across
    return sum(1 for side, _ in groupby(side_of(theme, sprite, at) for at in line) if side)


def side_of(theme: Theme, sprite: Sprite, at: tuple[int, int]) -> str:
    """Whose colour a pixel of a tube has, as far as its contrast with tiles can be seen."""
    if not sprite.mask.getpixel(at):
        return ""
    colour = palette(theme).colours[cast("int", sprite.page.getpixel(at))]
    if max(colour) - min(colour) < 60:
        return ""
    seen = lab(colour, "normal")
    return min(
        SEATS, key=lambda seat: distance(seen, lab(theme.lines[SEATS.index(seat)], "normal"))
    )


@every_theme
def test_tubes_are_told_apart_without_colours(theme: Theme) -> None:
    toms, daves, both = (
        tiles.tube(theme, tiles.Arm(0, "long", users)) for users in ("T", "D", SEATS)
    )
    assert runs(theme, toms, along=False) == 1
    assert runs(theme, daves, along=False) == 2, "Dave's are two pipes"
    assert runs(theme, toms, along=True) == 1
    assert runs(theme, both, along=True) > 4, "a neutral one is striped"


@pytest.mark.slow
@every_theme
def test_painted_things_stand_out_from_what_they_lie_on(theme: Theme) -> None:
    """The mean of the light of each, on its pixels: tubes, decks' rims, stations, spheres."""
    for users, seat in (("T", "T"), ("D", "D"), (SEATS, "T"), (SEATS, "D")):
        sprite = tiles.tube(theme, tiles.Arm(0, "long", users))
        width, height = sprite.page.size
        pixels = [(x, y) for x in range(width) for y in range(height)]
        side = [at for at in pixels if side_of(theme, sprite, at) == seat]
        assert contrast(mean(theme, sprite, side), theme.tile) >= 3
    for name in ("base-T", "base-D", "module-T-0", "module-D-0", "dock-T-0", "dock-D-0"):
        sprite, seat = painted(tiles.GAME, theme, name), name.split("-")[1]
        width, height = sprite.page.size
        pixels = [(x, y) for x in range(width) for y in range(height)]
        side = [at for at in pixels if side_of(theme, sprite, at) == seat]
        assert contrast(mean(theme, sprite, side), theme.space[1]) >= 3, name


def mean(theme: Theme, sprite: Sprite, pixels: Sequence[tuple[int, int]]) -> Colour:
    """The mean colour of pixels of a sprite."""
    colours = [palette(theme).colours[cast("int", sprite.page.getpixel(at))] for at in pixels]
    red, green, blue = (round(sum(part) / len(colours)) for part in zip(*colours, strict=True))
    return red, green, blue


@every_theme
def test_pipes_and_gaps_are_seen_on_a_telephone(theme: Theme) -> None:
    """Each of Dave's pipes has two pixels there, and there is a gap between them."""
    sprite = tiles.tube(theme, tiles.Arm(0, "long", "D"))
    x = sprite.page.width // 2
    sides = [side_of(theme, sprite, (x, y)) for y in range(sprite.page.height)]
    lengths = [len(list(run)) for side, run in groupby(sides) if side]
    assert min(lengths) * 400 / 960 >= 2


def test_counters_have_shapes_of_their_own() -> None:
    corners = {kind: len(outline) for kind, outline in pieces.OUTLINES.items()}
    assert len(set(corners.values())) == len(corners)


# Where things lie


def box(text: str, at: tuple[float, float]) -> tuple[float, float, float, float]:
    """Left, top, right, bottom of a number beside the board."""
    half = measure(text, AXIS_TEXT_SIZE) / 2
    return at[0] - half, at[1] - AXIS_TEXT_SIZE * 0.36, at[0] + half, at[1] + AXIS_TEXT_SIZE * 0.45


def apart(one: tuple[float, ...], other: tuple[float, ...]) -> bool:
    return one[2] <= other[0] or other[2] <= one[0] or one[3] <= other[1] or other[3] <= one[1]


LAYOUTS = [
    layout(Style(orientation=way, own_side=True), seat) for way in ORIENTATIONS for seat in SEATS
]


@pytest.mark.parametrize("where", LAYOUTS, ids=str)
def test_numbers_lie_on_the_canvas_and_touch_nothing(where: Layout) -> None:
    width, height = where.size
    boxes = [box(*number) for number in numbers(where)]
    assert all(x >= 0 and y >= 0 and a <= width and b <= height for x, y, a, b in boxes)
    assert all(apart(one, other) for one, other in combinations(boxes, 2))
    for seat in range(len(SEATS)):
        place = where.box(seat)
        (x, y), half = place.card, place.width / 2
        card = (x - half, y - 39, x + half, y + 39)
        (left, first), (_, second) = place.rows
        counters = (left, first - 24, left + WIDE + 3 * ENTRY, first + 24)
        triangles = (left, second - 24, left + 2 * ENTRY + 150, second + 24)
        for thing in (card, counters, triangles):
            assert all(apart(thing, number) for number in boxes)
    x, y = where.turn
    turn = (x, y - 20, x + measure("Turn 1000 (29/30)", TURN_TEXT_SIZE), y + 20)
    left, top = where.stock
    stock = (left, top - 28, left + STOCK_WIDTH, top + 3 * STOCK_SPACING + 28)
    title_y = top - STOCK_SPACING
    title = (left, title_y - 20, left + STOCK_TITLE_WIDTH, title_y + 20)
    (across, down), tall = where.drawn, LONG + 26 + 15
    drawn = (across - SHORT, down - tall, across + SHORT, down + tall)
    left, top = where.legend
    signs = (left, top - 24, width, top + 7 * legend.LEGEND_SPACING + 20)
    for thing in (turn, stock, title, drawn, signs):
        assert thing[3] <= height
        assert all(apart(thing, number) for number in boxes)
    assert apart(turn, stock)
    assert apart(turn, drawn)
    for x, y in (where.knot(middle) for middle in MIDDLES):
        assert all(apart((x - 31, y - 33, x + 31, y + 31), number) for number in boxes)


@pytest.mark.parametrize("where", LAYOUTS, ids=str)
def test_the_numbers_of_its_two_lines_spell_a_knot(where: Layout) -> None:
    texts = {text for text, _ in numbers(where)}
    for name, (q, r) in zip(KNOT_NAMES, KNOTS, strict=True):
        assert {row_name(r), line_name(q)} <= texts
        assert row_name(r) + line_name(q) == place_name(name)


@every_way
def test_numbers_are_nine_pixels_high_on_a_telephone(way: str) -> None:
    _, top, _, bottom = font(AXIS_TEXT_SIZE).getbbox("2", anchor="ls")
    assert (bottom - top) * 400 / layout(Style(orientation=way), "").size[0] >= 9


def test_pieces_on_two_knots_leave_each_other_readable() -> None:
    assert 2 * pieces.ASTRONAUT_RADIUS < EDGE_LENGTH
    assert 2 * pieces.COUNTER_RADIUS * 1.24 < LONG


def test_triangle_to_fill_covers_no_astronaut() -> None:
    row = ("0,0/1,0/0,1", "0,0/0,1/-1,1", "0,0/-1,1/-1,0", "0,0/-1,0/0,-1")
    state = laying("", "AB/AB", fills=filled(*row), dave="0,1")
    view = GAME.view(after(state, "T rhomb 0,1>-1,0"), "T")
    where = layout(DEFAULT_STYLE, view.seat)
    assert "0,1" in " ".join(view.isolated)
    x, y = map(round, where.node("0,1", "D"))
    half = round(pieces.ASTRONAUT_RADIUS * 0.8)
    token = (x - half, y - half, x + half, y + half)
    plain = page(view, NAMES, DEFAULT_STYLE).crop(token).tobytes()
    assert page(view, NAMES, DEFAULT_STYLE, view.legal).crop(token).tobytes() == plain
    for filling in view.legal:
        board = drawn(view, NAMES, DEFAULT_STYLE, ghosts=[filling])
        assert board.page.crop(token).tobytes() == plain


@pytest.mark.slow
@sampled(160, 240, 5000)
def test_triangles_to_fill_are_large_on_a_phone(samples: int) -> None:
    """A triangle, with its letter, is more than twice as wide as on the whole board."""
    seen = set[int]()
    for view in islice(fillings(), 0, samples, 40):
        triangles = {action.args[0] for action in view.legal}
        for style in (DEFAULT_STYLE, Style(orientation="portrait", own_side=True)):
            where = layout(style, view.seat)
            part = zoom_box(view.legal, where)
            assert part, "triangles that a build cuts off are near each other"
            for name in triangles:
                x, y = where.triangle(name)
                margin = EDGE_LENGTH / 2
                assert part.left + margin < x < part.right - margin
                assert part.top + margin < y < part.bottom - margin
        with Image.open(io.BytesIO(BOARD.picture(view, NAMES, actions=view.legal))) as image:
            where = layout(DEFAULT_STYLE, view.seat)
            cut = zoom_box(view.legal, where)
            assert cut
            width = cut.cut(Image.new("L", where.size)).width
            assert image.width < where.size[0]
            assert where.size[0] >= 2.3 * width
        seen.add(len(triangles))
    assert len(seen) > 1
    assert zoom_box(view.legal[:1], where) is None, "a single filling is shown as it would lie"


def fillings() -> Iterator[TomTubeView]:
    """Views in which a player fills triangles."""
    for seed in count():
        for state in states(isolating, seed):
            seat = GAME.pending(state)
            view = GAME.view(state, seat) if seat in SEATS else None
            if view and {action.verb for action in view.legal} >= {"tube", "blank"}:
                yield view
