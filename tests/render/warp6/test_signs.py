"""Signs on the Warp 6 board: the way of a possible warp, the die that acted, dice that left."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from math import hypot
from typing import Any

import pytest
from PIL import Image

from engine.game import CHANCE, Action
from engine.warp6.board import CENTRE, WARP
from engine.warp6.pieces import KITS
from engine.warp6.view import Die, Warp6View
from render import chips, markers
from render.chips import Box, Lead, Spot, along, box
from render.renderer import DEFAULT_STYLE, ORIENTATIONS, Style
from render.sprites import Board, Point, Sprite
from render.themes import Theme
from render.warp6 import arrows, marks, picture, pieces, words
from render.warp6.arrows import RING_RADIUS
from render.warp6.colours import THEMES
from render.warp6.layout import Layout, layout
from tests.support.tiers import sampled
from tests.support.warp6.games import random_match
from tests.support.warp6.positions import GAME, after, position

NAMES = {"B": "Ada", "Y": "Bo", "W": "Cy"}
DARK, WHERE = THEMES["dark"], layout(landscape=True)


class Noted(Board):
    """A board that notes which sprites are put where."""

    def __init__(self) -> None:
        super().__init__(Image.new("L", WHERE.size))
        self.put_at: list[tuple[Sprite, Point]] = []

    def put(self, sprite: Sprite, middle: Point) -> None:
        """Note it."""
        self.put_at.append((sprite, middle))


def test_each_warp_that_a_die_would_take_has_an_arrowhead() -> None:
    view = GAME.view(position("b8a2@93 y8a1@91 y6a1@61"), "B")
    move = next(action for action in view.legal if str(action) == "B move b8a")
    board = Noted()
    marks.draw(board, view, [move], DARK, WHERE, taken={})
    places = {at for _, at in board.put_at}
    for start in (91, WARP[91]):
        (x1, y1), (x2, y2) = WHERE.at(start), WHERE.at(WARP[start])
        assert ((x1 + x2) / 2, (y1 + y2) / 2) in places


def test_warp_hides_no_number_of_the_die_above_it() -> None:
    view = GAME.view(position("b8a2@104 y4a4@102"), "B")
    move = next(action for action in view.legal if str(action) == "B move b8a")
    die = next(die for die in view.dice if die.name == "y4a")
    left, top, right, bottom = map(round, number_box(WHERE, die))
    marked, plain = (
        picture.page(view, NAMES, DEFAULT_STYLE, actions).crop((left, top, right, bottom))
        for actions in ([move], [])
    )
    assert marked.tobytes() == plain.tobytes()


@pytest.mark.parametrize(
    ("choosing", "lettered"),
    [
        ([], {"b8a", "y8a", "y6a", "w8a"}),
        (["Y"], {"y8a", "y6a", "b8a"}),
        (["B"], {"b8a"}),
        (["W"], {"w8a", "b8a"}),
    ],
)
def test_dice_that_can_be_chosen_have_letters(choosing: list[str], lettered: set[str]) -> None:
    """As has the last that acted: 18 letters at the rim were not told apart on a phone."""
    state = after(position("b8a5@50 y8a1@80 y6a1@30 w8a2@70", seats=3), "B move b8a")
    actions = [Action(seat, "move", (f"{seat.lower()}8a",)) for seat in choosing]
    names = picture._lettered(GAME.view(state), actions)
    assert names & {"b8a", "y8a", "y6a", "w8a"} == lettered


def test_die_that_acted_is_on_top_of_its_neighbours() -> None:
    """Dice on neighbouring rings can touch: the number of the last one is never hidden."""
    moved = GAME.view(after(position("b6a2@78 y6a1@49"), "B move b6a"))
    assert arrows.acted(moved) == {"b6a"}
    (x1, y1), (x2, y2) = WHERE.at(76), WHERE.at(49)
    between = (round((x1 + x2) / 2), round((y1 + y2) / 2))
    pixel_between = picture.page(moved, NAMES, DEFAULT_STYLE).getpixel(between)
    assert pixel_between == pixel(pieces.die(DARK, "B", 6, "2"), WHERE.at(76), between)
    assert pixel_between != pixel(pieces.die(DARK, "Y", 6, "1"), WHERE.at(49), between)


def pixel(sprite: Sprite, middle: Point, at: tuple[int, int]) -> object:
    """The pixel of a sprite at a point of the board."""
    left, top = (
        round(value - length / 2) for value, length in zip(middle, sprite.page.size, strict=True)
    )
    place = (at[0] - left, at[1] - top)
    assert sprite.mask.getpixel(place)
    return sprite.page.getpixel(place)


def test_entry_of_a_die_that_has_just_left_is_underlined() -> None:
    left = GAME.view(after(position("b8a8@3"), "B move b8a"))
    earlier = replace(left, story=())
    assert next(die.where for die in left.dice if die.name == "b8a") == "off"
    x, y = WHERE.box(2, 0).dice[0]
    line = (round(x) + 40, round(y) + 20, round(x) + 100, round(y) + 30)
    one, other = (picture.page(view, NAMES, DEFAULT_STYLE).crop(line) for view in (left, earlier))
    assert one.tobytes() != other.tobytes()


def test_changes_and_badges_are_in_animations() -> None:
    """Small boards have fewer pixels, but places refer to the full size."""
    changed = GAME.view(after(position("b8a5@20 y8a1@45"), "B up b8a"))
    board = Board(Image.new("L", (467, 300)), small=True)
    taken = arrows.draw_heads(board, changed, DARK, WHERE, (), tabs={})
    (spot,) = arrows.draw_changes(board, changed, DARK, WHERE, taken)
    assert hypot(*(a - b for a, b in zip(spot.middle, WHERE.at(20), strict=True))) < 120
    waiting = replace(changed, pending="")
    x, y = WHERE.box(2, 1).card
    badges = (round(x / 3), round(y / 3) - 10, round(x / 3) + 70, round(y / 3) + 10)
    one, other = (
        picture.page(view, NAMES, DEFAULT_STYLE, small=True) for view in (changed, waiting)
    )
    assert one.crop(badges).tobytes() != other.crop(badges).tobytes()
    assert one.crop((160, 0, 300, 300)).tobytes() == other.crop((160, 0, 300, 300)).tobytes()


def test_signs_of_moves_are_those_on_their_buttons() -> None:
    view = GAME.view(position("b8a5@50 b8b5@90 b6a5@49 b6b3@80 b4a3@3 y8a5@45"), "B")
    board = Noted()
    marks.draw(board, view, view.legal, DARK, WHERE, taken={})
    moves = [action for action in view.legal if action.verb == "move"]
    signs = [re.split("[⇊→]", words.short_label(view, move)) for move in moves]
    assert ["▲A", "off"] in signs
    assert ["◆A", "25"] in signs
    for name, end in signs:
        sign = f"{name} off" if end == "off" else name
        assert chip(sign) in [sprite for sprite, _ in board.put_at], sign


def test_signs_of_dice_that_end_on_one_space_have_one_frame() -> None:
    """Two frames on one line were taken for two spaces."""
    view = GAME.view(position("b8a5@50 b6a4@49 y8a1@20"), "B")
    board = Noted()
    marks.draw(board, view, view.legal, DARK, WHERE, taken={})
    sprites = [sprite for sprite, _ in board.put_at]
    assert chip("◆A\n■A") in sprites
    assert not {chip("◆A"), chip("■A")} & set(sprites)
    assert chip("◆A\n■A").page.height == 2 * chip("◆A").page.height - 4


def test_signs_are_beside_the_space_of_their_move() -> None:
    view = GAME.view(position("b8a5@50"), "B")
    move = next(action for action in view.legal if str(action) == "B move b8a")
    board = Noted()
    marks.draw(board, view, [move], DARK, WHERE, taken={})
    (at,) = [at for sprite, at in board.put_at if sprite is chip("◆A")]
    assert RING_RADIUS < hypot(at[0] - WHERE.at(45)[0], at[1] - WHERE.at(45)[1]) < 80


def test_no_line_leads_to_the_sign_of_a_die_that_leaves() -> None:
    view = GAME.view(position("b4a3@3"), "B")
    move = next(action for action in view.legal if str(action) == "B move b4a")
    board = Noted()
    marks.draw(board, view, [move], DARK, WHERE, taken={box(WHERE.middle, 90, 90): 90})
    ((sign, _),) = board.put_at
    assert sign is chip("▲A off")


def chip(text: str) -> Sprite:
    """The sprite of a sign."""
    return markers.chip(DARK, text, DARK.mark, DARK.mark_text)


@sampled(6, 300, 1000)
@pytest.mark.parametrize("way", ORIENTATIONS)
@pytest.mark.parametrize("seats", ["2", "3"])
def test_signs_hide_no_list_no_die_to_move_no_sign(way: str, seats: str, samples: int) -> None:
    """Each second position is one of the first four turns, while dice crowd the rim."""
    where, counts = layout(landscape=way == "landscape"), Counter[str]()
    for view in positions(seats, samples):
        signs, spots, tabs = placed(view, Style(orientation=way))
        counts["signs"] += len(signs)
        counts["left out"] += len(signs) - len(spots)
        lists = [part for seat in range(int(seats)) for part in where.box(int(seats), seat).covered]
        to_move = [
            part
            for die in view.dice
            if die.where == "board" and die.seat == view.seat
            for part in (number_box(where, die), box(tabs[die.name], 16, 18))
        ]
        rings = {space: ring_boxes(where, space) for space in signs if space != CENTRE}
        for space, spot in spots.items():
            signs_of_others = [other.box for other in spots.values() if other is not spot]
            others = [part for other, ring in rings.items() if other != space for part in ring]
            for part in (spot.box, *along(spot.lead)):
                assert not any(
                    overlap(part, other) for other in (*lists, *to_move, *signs_of_others)
                )
                assert not any(overlap(part, other) for other in others)
            counts["lines"] += bool(spot.lead)
            counts["long lines"] += length(spot.lead) > 100
            numbers = [number_box(where, die) for die in view.dice if die.where == "board"]
            assert not hidden(spot, numbers)
    assert counts["signs"] > 2 * samples
    assert counts["left out"] <= 1 + counts["signs"] / 300
    assert counts["lines"] <= 3 + counts["signs"] / 4
    assert counts["long lines"] <= 3 + counts["signs"] / 50


def ring_boxes(where: Layout, space: int) -> list[Box]:
    """Boxes in a ring around a space."""
    return [box(where.at(space), 28, 22), box(where.at(space), 22, 28)]


def hidden(spot: Spot, boxes: Sequence[Box]) -> bool:
    """Whether a sign or the line to it hides a part of a box."""
    lines = [spot.lead] if spot.lead else []
    return any(overlap(spot.box, part) for part in boxes) or any(
        chips._hidden(line, [(part, 1)], arrows.LEAD_SIZE) for line in lines for part in boxes
    )


@sampled(20, 100, 400)
@pytest.mark.parametrize("way", ORIENTATIONS)
def test_numbers_of_steps_hide_no_choice_and_no_die(way: str, samples: int) -> None:
    """Nor do the lines to them, and those to the numbers of a die that was changed."""
    where, counts = layout(landscape=way == "landscape"), Counter[str]()
    for view in positions("2", samples):
        spots, wanted = spots_of_steps(view, Style(orientation=way))
        goals = marks.ends_of(view, view.legal)
        dice = [number_box(where, die) for die in view.dice if die.where == "board"]
        rings = [part for space in goals if space != CENTRE for part in ring_boxes(where, space)]
        assert not any(hidden(spot, [*dice, *rings]) for spot in spots)
        counts["wanted"] += wanted
        counts["spots"] += len(spots)
        counts["lines"] += sum(bool(spot.lead) for spot in spots)
    assert counts["wanted"] > samples / 2
    assert counts["lines"] > samples / 20
    assert counts["spots"] >= counts["wanted"] * 0.7


def spots_of_steps(view: Warp6View, style: Style) -> tuple[list[Spot], int]:
    """The places of the numbers of steps and changes, and how many the last turn has."""
    spots: list[Spot] = []
    draw = arrows._draw_spots

    def noted(board: Board, some: Sequence[Spot], theme: Theme) -> None:
        spots.extend(some)
        draw(board, some, theme)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(arrows, "_draw_spots", noted)
        picture.page(view, NAMES, style, view.legal)
    steps = [event for event in view.story if event.kind in ("moved", "warped")]
    changes = [event for event in view.story if event.kind == "changed"]
    return spots, len(steps) * (len(steps) > 1) + len(changes)


def positions(seats: str, samples: int) -> Iterator[Warp6View]:
    """Positions in the view of the player to move, half of them of the first four turns."""
    setup = sum(len(kit.names) for kit in KITS.values()) // len(KITS) + len("*")
    for seed in range(samples):
        later = seed % 4 if seed % 2 else 4 + 7 * seed % 90
        state = random_match(seats, "rolled", seed, limit=setup + later)[0]
        seat = GAME.pending(state)
        if state.phase == "play" and seat != CHANCE:
            yield GAME.view(state, seat)


def number_box(where: Layout, die: Die) -> Box:
    """The box around the number on a die."""
    x, y = where.at(die.space)
    dx, dy = pieces.SHAPES[int(die.name[1])].number
    return box((x + dx, y + dy), 15, 18)


def length(lead: Lead | None) -> float:
    """The length of a line in pixels."""
    return hypot(lead[1][0] - lead[0][0], lead[1][1] - lead[0][1]) if lead else 0


def placed(
    view: Warp6View, style: Style
) -> tuple[dict[int, Sprite], dict[int, Spot], dict[str, Point]]:
    """The signs of a view's moves by their spaces, their places, and the tabs of dice."""
    signs: dict[int, Sprite] = {}
    spots: dict[int, Spot] = {}
    tabs: dict[str, Point] = {}
    place, dice = marks._placed, picture._dice

    def noted(size: Any, given: Any, *args: Any) -> Any:
        signs.update(given)
        spots.update(place(size, given, *args))
        return spots

    def noted_dice(*args: Any, **named: Any) -> Any:
        tabs.update(dice(*args, **named))
        return tabs

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(marks, "_placed", noted)
        patch.setattr(picture, "_dice", noted_dice)
        picture.page(view, NAMES, style, view.legal)
    return signs, spots, tabs


def overlap(one: Box, other: Box) -> bool:
    """Whether two boxes share an area."""
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]
