"""The Wormholes board: sizes, shapes, axes, marks, and secrets."""

from __future__ import annotations

import io
from collections.abc import Iterable
from itertools import combinations
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image, ImageChops, ImageStat

import render
from bot.i18n import catalogue
from engine.game import Action
from engine.wormholes.board import SPACES
from engine.wormholes.pieces import SEATS
from engine.wormholes.state import State
from engine.wormholes.view import WormholesView
from render import markers
from render.cards import STATUS, card
from render.colour_vision import DEFICIENCIES, simulated
from render.i18n import using
from render.palette import palette
from render.png import encode
from render.renderer import DEFAULT_STYLE, ORIENTATIONS, Style
from render.sprites import Point, Sketch, Sprite
from render.text import measure, text_sprite
from render.themes import Theme
from render.wormholes import (
    areas,
    background,
    layout,
    marks,
    picture,
    pieces,
    player_panels,
    words,
)
from render.wormholes.colours import THEMES
from render.wormholes.emblems import emblem
from render.wormholes.layout import CELL_SIZE, Layout
from tests.support.tiers import examples, sampled
from tests.support.wormholes.games import random_match, wild_match
from tests.support.wormholes.positions import GAME, after, position

BOARD = render.for_game("wormholes")
NAMES = {"O": "Ada", "D": "Bo"}
DARK = THEMES["dark"]
PHONE = 400
"""Pixels to which a phone reduces the width of a picture."""

LEAST_DIFFERENCE = 75
"""How far the middles of a ship and a coin are apart on average, of 255 levels of light."""

STYLES = [Style(theme, orientation) for theme in THEMES for orientation in ORIENTATIONS]
every_style = pytest.mark.parametrize("style", STYLES, ids=str)


def page(view: WormholesView, style: Style = DEFAULT_STYLE) -> bytes:
    """The picture's palette indexes."""
    return picture.page(view, NAMES, style).tobytes()


@sampled(12, 60, 60)
@every_style
def test_a_picture_is_large_and_of_one_size_in_every_position(style: Style, samples: int) -> None:
    _, actions = random_match("0.6", 3, limit=samples)
    state, sizes = GAME.start("0.6", {}), set()
    for action in actions:
        state, _ = GAME.apply(state, action)
        for seat in ("", "O", "D"):
            with Image.open(
                io.BytesIO(BOARD.picture(GAME.view(state, seat), NAMES, style))
            ) as image:
                sizes.add(image.size)
    (size,) = sizes
    assert min(size) >= 900
    assert max(size) >= 1400


@every_style
def test_coordinates_are_readable_on_a_phone(style: Style) -> None:
    where = layout.layout(style, "")
    theme = THEMES[style.theme]
    texts = [(letter, background.LETTER_SIZE) for letter in "abcdefghij"]
    texts += [(str(row), background.NUMBER_SIZE) for row in range(1, 19)]
    for text, size in texts:
        left, top, right, bottom = box(text_sprite(theme, text, size, theme.faint, theme.space[0]))
        assert (bottom - top) * PHONE / where.size[0] >= 9, text
        assert right - left < CELL_SIZE, "it does not run into the next"


def box(sprite: Sprite) -> tuple[int, int, int, int]:
    """The corners of what a sprite shows."""
    bounds = sprite.mask.getbbox()
    assert bounds
    return bounds


def shape(points: Iterable[Point]) -> Image.Image:
    """A filled outline in black and white."""
    sketch = Sketch(64, 64, (0, 0, 0))
    sketch.polygon(points, (255, 255, 255))
    return grey(sketch)


def sign(suit: str, size: float) -> Image.Image:
    """An emblem in black and white."""
    sketch = Sketch(24, 24, (0, 0, 0))
    emblem(sketch, suit, (0, 0), size, ((255, 255, 255), (0, 0, 0)))
    return grey(sketch)


def grey(sketch: Sketch) -> Image.Image:
    """A sketch as it looks without colours."""
    return sketch._image.reduce(4).convert("L")


def unlike(one: Image.Image, other: Image.Image) -> float:
    """How much two shapes differ, as a share of what both together cover, when best aligned."""
    shares = []
    for x, y in ((x, y) for x in (-1, 0, 1) for y in (-1, 0, 1)):
        moved = ImageChops.offset(other, x, y)
        apart = sum(ImageChops.difference(one, moved).tobytes())
        shares.append(apart / sum(ImageChops.lighter(one, moved).tobytes()))
    return min(shares)


@pytest.mark.parametrize("size", [10, 6])
def test_suits_differ_without_colours_at_20_pixels_and_less(size: int) -> None:
    for one, other in combinations("SMCA", 2):
        assert unlike(sign(one, size), sign(other, size)) > 0.3, (one, other)


def test_factions_are_told_apart_without_colours() -> None:
    one, other = (shape(pieces.hull(seat, 20)) for seat in SEATS)
    assert unlike(one, other) > 0.2


@pytest.mark.parametrize("suit", "SMCA")
def test_ships_have_other_outlines_than_coins(suit: str) -> None:
    ship = outline(pieces.ship(DARK, suit, pieces.FULL_SHIP))
    axes = zip("SMCA", ((1, 0), (0, 1), (1, 1), (1, -1)), strict=True)
    coins = [pieces.coin(DARK, "suit", suit_up, "?", axis) for suit_up, axis in axes]
    for coin in (*coins, pieces.coin(DARK, "value", "?", "3", None)):
        assert unlike(ship, outline(coin)) > 0.17


@pytest.mark.parametrize("seen", ["grey", *DEFICIENCIES])
@pytest.mark.parametrize("theme", THEMES.values(), ids=list(THEMES))
@pytest.mark.parametrize("suit", "SMCA")
def test_ships_are_told_from_coins_of_their_suit(suit: str, theme: Theme, seen: str) -> None:
    """By lightness, on a phone and with a deficiency; alone, and both on one space."""
    axis = Layout(landscape=True, turned=False).axis(suit)
    for half, small in ((pieces.FULL_SHIP, False), (pieces.SMALL_SHIP, True)):
        ship = on_phone(pieces.ship(theme, suit, half), theme, seen)
        coin = on_phone(pieces.coin(theme, "suit", suit, "?", axis, small=small), theme, seen)
        apart = (
            ImageStat.Stat(ImageChops.difference(ship, ImageChops.offset(coin, x, y))).mean[0]
            for x in (-1, 0, 1)
            for y in (-1, 0, 1)
        )
        assert min(apart) > LEAST_DIFFERENCE


def on_phone(sprite: Sprite, theme: Theme, seen: str) -> Image.Image:
    """The lightness of the middle of a space with a piece on a phone."""
    page = Image.new("L", (CELL_SIZE, CELL_SIZE), palette(theme).index(theme.tile))
    sprite.put(page, (CELL_SIZE / 2, CELL_SIZE / 2))
    png = encode(page, palette(theme).flat)
    with Image.open(io.BytesIO(png if seen == "grey" else simulated(png, seen))) as image:
        coloured = image.convert("RGB")
    side = round(CELL_SIZE * PHONE / 1400)
    small = coloured.resize((side, side), Image.Resampling.BOX)
    return small.crop((5, 5, side - 5, side - 5)).convert("L")


def outline(sprite: Sprite) -> Image.Image:
    """What a sprite covers, in a picture 400 pixels wide."""
    image, mask = Image.new("L", (120, 120)), sprite.mask.convert("L")
    image.paste(mask, ((120 - mask.width) // 2, (120 - mask.height) // 2))
    return image.resize((34, 34), Image.Resampling.BOX)


def test_the_sides_of_a_coin_are_told_apart_without_colours() -> None:
    suit, value, hole = (
        coin_face(*face)
        for face in (
            ("suit", "S", "?", (1, 0)),
            ("value", "?", "3", None),
            ("value", "?", "0", None),
        )
    )
    for one, other in combinations((suit, value, hole), 2):
        change = ImageChops.difference(one, other)
        assert sum(change.histogram()[60:]) > 300


def coin_face(up: str, suit: str, value: str, axis: pieces.Axis) -> Image.Image:
    """A coin without colours, and without its points."""
    sprite = pieces.coin(DARK, up, suit, value, axis)
    image = Image.new("L", (40, 40))
    sprite.put(image, (image.width / 2, image.height / 2))
    image.putpalette(palette(DARK).flat)
    return image.convert("RGB").convert("L")


@pytest.mark.parametrize("orientation", ORIENTATIONS)
@pytest.mark.parametrize("turned", [False, True])
def test_a_coin_is_longest_along_its_axis_as_the_picture_lies(
    orientation: str, turned: bool
) -> None:
    where = Layout(orientation == "landscape", turned)
    for suit, start, end in (
        ("S", "f8", "f9"),
        ("M", "e8", "f8"),
        ("C", "e9", "d10"),
        ("A", "e9", "f10"),
    ):
        (x1, y1), (x2, y2) = where.space(start), where.space(end)
        way = (x2 - x1, y2 - y1)
        mask = pieces.coin(DARK, "suit", suit, "?", where.axis(suit)).mask
        x, y = mask.width / 2, mask.height / 2
        reach = {
            step: min(
                max(
                    k
                    for k in range(1, 99)
                    if inside(mask, x + side * k * step[0] / 2, y + side * k * step[1] / 2)
                )
                for side in (1, -1)  # on one of them is the shadow
            )
            for step in (
                (way[0] / CELL_SIZE, way[1] / CELL_SIZE),
                (-way[1] / CELL_SIZE, way[0] / CELL_SIZE),
            )
        }
        along, across = reach.values()
        assert along > 1.2 * across, suit


def inside(mask: Image.Image, x: float, y: float) -> bool:
    """Whether a mask covers a point."""
    if not (0 <= x < mask.width and 0 <= y < mask.height):
        return False
    return bool(mask.getpixel((int(x), int(y))))


def test_own_side_is_left_or_at_the_bottom_when_chosen() -> None:
    for orientation in ORIENTATIONS:
        style = Style(orientation=orientation, own_side=True)
        for seat, base, other in (("O", "j1", "a18"), ("D", "a18", "j1")):
            where = layout.layout(style, seat)
            (x1, y1), (x2, y2) = where.space(base), where.space(other)
            assert x1 < x2 if where.landscape else y1 > y2
    public = layout.layout(Style(own_side=True), "")
    assert public == layout.layout(Style(), "D"), "all others see the same picture"


@every_style
def test_spaces_lie_on_the_canvas_off_coordinates_and_cards(style: Style) -> None:
    for seat in SEATS:
        where = layout.layout(Style(style.theme, style.orientation, own_side=True), seat)
        width, height = where.size
        left, _ = where.corner
        for x in (1, 10):
            for y in (1, 18):
                across, down = where.place(x, y)
                assert left <= across - CELL_SIZE / 2 < across + CELL_SIZE / 2 <= width - left
                assert (
                    layout.HEADER_HEIGHT
                    <= down - CELL_SIZE / 2
                    < down + CELL_SIZE / 2
                    <= height - 72
                )


names = st.text(max_size=120)


@examples(8, 12, 250)
@given(one=names, other=names)
def test_names_of_any_length_and_script_stay_on_their_cards(one: str, other: str) -> None:
    view = GAME.view(position())
    for style in (Style(), Style(orientation="portrait")):
        where = layout.layout(style, "")
        usual = picture.page(view, NAMES, style)
        change = ImageChops.difference(usual, picture.page(view, {"O": one, "D": other}, style))
        header = change.crop((0, 0, usual.width, layout.HEADER_HEIGHT))
        box = header.getbbox()
        if box:
            left, top, right, bottom = box
            assert left > 12
            assert top > 8
            assert right < usual.width - 12
            assert bottom < layout.HEADER_HEIGHT - 8
        for x, y in map(where.space, SPACES):
            half = CELL_SIZE // 2
            place = (round(x) - half, round(y) - half, round(x) + half, round(y) + half)
            assert not change.crop(place).getbbox(), "names of bases are beside the board"


def test_a_long_name_leaves_what_is_to_do_alone() -> None:
    view = GAME.view(position(dice="S1 M1"))
    short, long = (
        card(DARK, name, player_panels.SIDES["O"], player_panels._status(view, "O"), 426).page
        for name in ("A", "W" * 40)
    )
    box = ImageChops.difference(short, long).getbbox()
    assert box
    assert box[2] < 426 - 14 - 32 - measure("to move", STATUS)


@pytest.mark.parametrize("language", ["de", "fr", "pl"])
def test_long_word_for_the_setup_stays_beside_letters_of_rows(language: str) -> None:
    view = GAME.view(after(GAME.start("0.6", {}), "* rolloff S3 M0 C5 A2"), "O")
    letters = (0, 100, 52, 800)
    english = picture.page(view, NAMES, DEFAULT_STYLE).crop(letters)
    with using(catalogue(language)):
        words = picture.page(view, NAMES, DEFAULT_STYLE).crop(letters)
    assert not ImageChops.difference(words, english).getbbox()


@pytest.mark.parametrize("number", [0, 9, 99, 1000, 12345])
def test_a_match_of_any_length_can_be_drawn(number: int) -> None:
    view = GAME.view(position(number=number, dice="S5 M5"))
    for style in STYLES:
        assert BOARD.picture(view, {"O": "W" * 80, "D": "\u202e" * 80}, style)


def test_the_turn_does_not_reach_the_board() -> None:
    one, other = (
        picture.page(GAME.view(position(number=number)), NAMES, Style()) for number in (1, 99999)
    )
    box = ImageChops.difference(one, other).getbbox()
    assert box
    tile = layout.layout(Style(), "").space("a7")[0] - CELL_SIZE / 2
    assert box[2] < tile


def test_a_story_of_many_steps_numbers_each_of_them() -> None:
    state = busiest()
    view = GAME.view(state)
    drawn: list[Point] = []
    put = Sprite.put

    def watched(sprite: Sprite, board: Image.Image, middle: Point) -> None:
        if any(sprite is markers.badge(DARK, value) for value in range(1, 20)):
            drawn.append(middle)
        put(sprite, board, middle)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Sprite, "put", watched)
        picture.page(view, NAMES, Style())
    steps = [event for event in view.story if event.kind in ("moved", "jumped", "sent")]
    assert len(drawn) == len(steps) > 5
    for (x1, y1), (x2, y2) in combinations(drawn, 2):
        assert abs(x1 - x2) + abs(y1 - y2) >= 2 * markers.BADGE_HEIGHT, "no number hides another"


def busiest() -> State:
    """The position of a random match with the longest story."""
    state, best = GAME.start("0.6", {}), GAME.start("0.6", {})
    for action in wild_match("0.6", 29, limit=578)[1]:
        state, _ = GAME.apply(state, action)
        if len(state.story) > len(best.story):
            best = state
    return best


# Marks


@pytest.mark.slow
def test_marks_name_where_the_buttons_lead() -> None:
    for seed in range(12):
        state = GAME.start("0.6", {})
        for action in wild_match("0.6", seed, limit=110)[1]:
            state, _ = GAME.apply(state, action)
            view = GAME.view(state, GAME.pending(state).strip("*"))
            for choice in view.legal:
                if choice.verb == "move":
                    assert words.label(view, choice).endswith(words.end_of(view, choice))
                if choice.verb == "jump":
                    event = after(state, str(choice)).story[len(state.story)]
                    assert event.facts[2] == words.end_of(view, choice)


def test_only_given_actions_are_marked() -> None:
    view = GAME.view(position({"S": "f8", "M": "e8"}, dice="S1 M1"), "O")
    north = Action("O", "move", ("S", "N"))
    plain = BOARD.picture(view, NAMES)
    some = BOARD.picture(view, NAMES, Style(), [north])
    everything = BOARD.picture(view, NAMES, Style(), view.legal)
    assert len({plain, some, everything}) == 3
    assert north in view.legal


@sampled(1, 12, 60)
def test_marks_cover_no_piece(samples: int) -> None:
    half = 14
    seen = 0
    for seed in range(samples):
        state = GAME.start("0.6", {})
        for action in wild_match("0.6", seed, limit=80)[1]:
            state, _ = GAME.apply(state, action)
            view = GAME.view(state, GAME.pending(state).strip("*"))
            if state.number % 3 or not view.legal or named(view):
                continue
            where = layout.layout(DEFAULT_STYLE, view.seat)
            plain = picture.page(view, NAMES, DEFAULT_STYLE)
            marked = picture.page(view, NAMES, DEFAULT_STYLE, view.legal)
            spaces = {coin.space for coin in view.coins} | {ship.space for ship in view.ships}
            for space in spaces:
                x, y = map(round, where.space(space))
                place = (x - half, y - half, x + half, y + half)
                assert marked.crop(place).tobytes() == plain.crop(place).tobytes(), space
                seen += 1
    assert seen > 100


def named(view: WormholesView) -> bool:
    """Whether spaces have names, so that the pieces on them are small and above those."""
    return bool(areas.spaces_of(view.legal)) and not areas.groups(view, view.legal)


@examples(10, 20, 400)
@given(seed=st.integers(0, 10**6), length=st.integers(1, 120))
def test_w9_1_marks_tell_nothing_hidden(seed: int, length: int) -> None:
    state, _ = (wild_match if seed % 2 else random_match)("0.6", seed, limit=length)
    seat = GAME.pending(state).strip("*")
    other = GAME.resample_view(state, seat, Random(seed).randrange)
    one, alternative = (GAME.view(position, seat) for position in (state, other))
    style = Style(own_side=True)
    assert BOARD.picture(one, NAMES, style, one.legal) == BOARD.picture(
        alternative, NAMES, style, alternative.legal
    )


def test_name_on_a_base_has_a_plain_ground() -> None:
    """A flag or an emblem would show through."""
    state = position(ships={"C": "e9", "A": "f9"})
    where = layout.layout(DEFAULT_STYLE, "")
    sends = [Action("O", "send", ("S", space)) for space in ("a17", "a18", "j1")]
    first, second = (
        picture.page(GAME.view(state, seat), NAMES, DEFAULT_STYLE, sends) for seat in "OD"
    )
    assert first.tobytes() != second.tobytes(), "one has flags at a17 and a18, one at j1 and j2"
    half = marks.PLATE_HEIGHT // 2
    for x, y in (where.space(space) for space in ("a17", "j1")):
        middle = round(y) + marks.NAME_ROOM + 6
        part = (round(x) - 20, middle - half + 1, round(x) + 20, middle + half - 1)
        assert first.crop(part).tobytes() == second.crop(part).tobytes()


# What a coin may show


def test_w2_3_a_hidden_side_is_not_drawn() -> None:
    suit_up, other_value = (position(coins={"e9": coin}) for coin in ("S1", "S4"))
    assert page(GAME.view(suit_up)) == page(GAME.view(other_value))
    value_up, other_suit = (position(coins={"e9": coin}) for coin in ("S3*", "A3*"))
    assert page(GAME.view(value_up)) == page(GAME.view(other_suit))


def test_w9_2_at_the_end_both_sides_are_drawn() -> None:
    ends = [after(position(coins={"e9": coin}, dice="S1 M1"), "O resign") for coin in ("S1", "S4")]
    first, second = (page(GAME.view(state)) for state in ends)
    assert first != second


def test_an_animation_shows_each_turn_once() -> None:
    state, views = GAME.start("0.6", {}), []
    for action in random_match("0.6", 17)[1]:
        state, _ = GAME.apply(state, action)
        views.append(GAME.view(state))
    data = BOARD.animation(iter(views), NAMES)
    with Image.open(io.BytesIO(data)) as image:
        assert image.size == (467, 300)
        turns = sum(not view.turn for view in views) + state.number + 1
        assert getattr(image, "n_frames", 0) == turns
    first = BOARD.animation(views[:1], NAMES)
    assert (len(data) - len(first)) / (turns - 1) < 3072
