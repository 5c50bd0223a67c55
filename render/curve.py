"""The curve of expected scores of a match, with lucky rolls and costly decisions marked on it."""

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import chain, pairwise
from math import hypot

from PIL import Image

from render.charts import Curve
from render.i18n import _
from render.palette import palette
from render.renderer import Names
from render.sprites import Point, Sketch, Sprite
from render.text import drawable, drawable_translation, text_sprite, truncate_to_width
from render.themes import THEMES, Colour, Theme, mix

SIZE = (1400, 700)
"""Pixels of the picture: as wide as a board in landscape."""

LEFT, RIGHT, TOP, BOTTOM = 130, 1330, 110, 560
"""The plot: edges of its frame."""

LEGEND_PLACE = 658
"""Middle of the line of the legend."""

NAME_SIZE, TEXT_SIZE = 40, 32
"""Sizes of text: names of players; numbers and the legend."""

LINE_WIDTH, EDGE_WIDTH = 7, 13
"""Width of the curve, and of the dark edge that sets it off."""

MARK_RADIUS = 25
"""Radius of the mark of a decision."""

DIE_SIDE = 34
"""Side of the mark of a roll."""

RHOMB_HEIGHT = 0.7
"""Height of the mark of a drawn rhomb, compared with its width."""

MARK_GAP, MARK_SPACING = 44, 54
"""Pixels from the curve to the middle of a mark, and between the middles of two marks."""

MARK_STEP, MAX_MARK_STEPS = 11, 40
"""Pixels between two places that are tried for a mark, and how many on each side."""

NUMBERS_BELOW = 40
"""Pixels from the plot down to the middle of the numbers of turns."""

NAME_GAP = 34
"""Pixels from the lower edge of the plot up to the middle of a player's name."""

TURN_STEPS = (1, 2, 5, 10, 20, 50, 100)
"""Turns between two numbers below the plot."""

MAX_TURN_NUMBERS = 12

LEVELS = (0, 25, 50, 75, 100)
"""Points with a line across the plot."""

DASHES = ((), (26, 14), (6, 12))
"""Dash and gap of the lines of several players, in pixels; the first one is whole."""


def picture(curve: Curve, names: Names, theme: str) -> bytes:
    """Return the picture as a PNG.

    Args:
        curve: the curve to show.
        names: the players' names.
        theme: name of its colours.
    """
    colours = THEMES[theme]
    page = Image.new("L", SIZE, palette(colours).index(colours.space[1]))
    _Plot(page, curve, names, colours).draw()
    page.putpalette(palette(colours).flat)
    out = io.BytesIO()
    page.save(out, "PNG", optimize=True)
    return out.getvalue()


class _Plot:
    """Draws one curve."""

    def __init__(self, page: Image.Image, curve: Curve, names: Names, theme: Theme) -> None:
        self._page, self._curve, self._theme = page, curve, theme
        self._names = {seat: drawable(names.get(seat, seat), instead=seat) for seat in curve.seats}
        self._steps = max(len(curve.scores) - 1, 1)
        self._marks: list[Point] = []
        self._name_end = 0.0

    def draw(self) -> None:
        sketch = Sketch(*SIZE, self._theme.space[1])
        self._draw_grid(sketch)
        seats = range(1 if len(self._curve.seats) == 2 else len(self._curve.seats))
        for seat in reversed(seats):
            self._draw_line(sketch, seat, self._colour(seat))
        sketch.sprite(self._theme).put(self._page, (SIZE[0] / 2, SIZE[1] / 2))
        self._draw_numbers()
        self._draw_names(seats)
        self._draw_marks()
        self._draw_legend()

    def _colour(self, seat: int) -> Colour:
        theme = self._theme
        return (theme.story, *theme.seats)[seat]

    def _at(self, place: int, seat: int) -> Point:
        score = self._curve.scores[place][seat]
        x = LEFT + (RIGHT - LEFT) * place / self._steps
        return x, BOTTOM - (BOTTOM - TOP) * min(max(score, 0), 1)

    def _draw_grid(self, sketch: Sketch) -> None:
        """Draw the lines of the points, and where the setup ends."""
        faint = mix(self._theme.space[1], self._theme.faint, 1 / 3)
        for level in LEVELS:
            y = BOTTOM - (BOTTOM - TOP) * level / 100
            middle = level == 50
            _bar(sketch, (LEFT, y), (RIGHT, y), 4 if middle else 2, faint)
        for place, (before, after) in enumerate(pairwise(self._curve.turns)):
            if not before and after and place:
                x = self._at(place, 0)[0]
                for y in range(TOP, BOTTOM, 24):
                    _bar(sketch, (x, y), (x, min(y + 12, BOTTOM)), 3, faint)

    def _draw_line(self, sketch: Sketch, seat: int, colour: Colour) -> None:
        points = [_offset(self._at(place, seat)) for place in range(len(self._curve.scores))]
        sketch.line(points, EDGE_WIDTH, self._theme.space[1])
        dash = DASHES[seat]
        for part in _dashed(points, *dash) if dash else (points,):
            sketch.line(part, LINE_WIDTH, colour)

    def _draw_numbers(self) -> None:
        """Draw the points and the numbers of turns."""
        for level in LEVELS[::2]:
            y = BOTTOM - (BOTTOM - TOP) * level / 100
            sprite = self._text(str(level), TEXT_SIZE, self._theme.faint)
            sprite.put(self._page, (LEFT - 12 - sprite.page.width / 2, y))
        turns = self._curve.turns
        last = max(turns, default=0)
        step = next(
            (step for step in TURN_STEPS if last / step <= MAX_TURN_NUMBERS), TURN_STEPS[-1]
        )
        for place, (before, after) in enumerate(pairwise((0, *turns))):
            if after != before and after % step == 0:
                sprite = self._text(str(after), TEXT_SIZE, self._theme.faint)
                sprite.put(self._page, (self._at(place, 0)[0], BOTTOM + NUMBERS_BELOW))
        words = drawable_translation("Turn")
        sprite = self._text(words, TEXT_SIZE, self._theme.faint)
        sprite.put(self._page, (LEFT - 12 - sprite.page.width / 2, BOTTOM + NUMBERS_BELOW))

    def _draw_names(self, numbers: Sequence[int]) -> None:
        """Write who wins above and below the plot; with more players, whose line is which."""
        seats = self._curve.seats
        if len(seats) == 2:
            for seat, y in zip(seats, (TOP - 56, BOTTOM - NAME_GAP), strict=True):
                arrow = "▲" if seat == seats[0] else "▼"
                end = self._write_name(f"{arrow} {self._names[seat]}", (LEFT + 6, y))
            self._name_end = end + MARK_RADIUS
            return
        room = (RIGHT - LEFT) / len(seats)
        for number in numbers:
            x = LEFT + room * number
            sketch = Sketch(92, 20, self._theme.space[1])
            dash = DASHES[number]
            line = [(-40.0, 0.0), (40.0, 0.0)]
            for part in _dashed(line, *dash) if dash else (line,):
                sketch.line(part, LINE_WIDTH, self._colour(number))
            sketch.sprite(self._theme).put(self._page, (x + 46, TOP - 56))
            name = truncate_to_width(self._names[seats[number]], NAME_SIZE, room - 130)
            self._write_name(name, (x + 106, TOP - 56))

    def _write_name(self, text: str, place: Point) -> float:
        """Write a name that begins at a place; return where it ends."""
        text = truncate_to_width(text, NAME_SIZE, (RIGHT - LEFT) * 0.6)
        sprite = self._text(text, NAME_SIZE, self._theme.text)
        sprite.put(self._page, (place[0] + sprite.page.width / 2, place[1]))
        return place[0] + sprite.page.width

    def _draw_marks(self) -> None:
        """Draw the decisions inside the plot, and the rolls on the sides of their players."""
        for decision in self._curve.decisions:
            mark, edge = _number(self._theme, decision.number), MARK_RADIUS + 4
            seat, upwards = self._side(decision.seat, upwards=False)
            spots = self._spots(
                decision.place, seat, (TOP + edge, BOTTOM - edge), (upwards, not upwards)
            )
            self._put_mark(mark, spots)
        for roll in self._curve.rolls:
            seat, upwards = self._side(roll.seat, upwards=True)
            spots = self._spots(roll.place, seat, (TOP - 10, BOTTOM + 6), (upwards,))
            self._put_mark(self._luck, spots)

    def _side(self, seat: str, *, upwards: bool) -> tuple[int, bool]:
        """Return the curve that marks a seat, and whether its change goes upwards there."""
        number = self._curve.seats.index(seat)
        return (0, not upwards) if len(self._curve.seats) == 2 and number else (number, upwards)

    def _spots(
        self, place: int, seat: int, limits: tuple[float, float], sides: Sequence[bool]
    ) -> Iterator[Point]:
        """Yield the places for a mark beside the curve, the best first.

        Args:
            place: number of the position.
            seat: the seat of the curve.
            limits: limits for the middle of the mark, in pixels from the top.
            sides: whether it may be above the curve, and below, the better side first.
        """
        top, bottom = limits
        for step in range(2 * MAX_MARK_STEPS):
            x = self._at(place, seat)[0] + (step + 1) // 2 * MARK_STEP * (-1) ** step
            if not LEFT <= x <= RIGHT:
                continue
            y = self._height(x, seat)
            for upwards in sides:
                middle = y - MARK_GAP if upwards else y + MARK_GAP
                if len(sides) == 1:
                    middle = min(max(middle, top), bottom)
                while top <= middle <= bottom:
                    yield x, middle
                    middle += -MARK_STEP if upwards else MARK_STEP

    def _height(self, x: float, seat: int) -> float:
        """Return the height of a curve at a place between two positions."""
        place = min(int((x - LEFT) / (RIGHT - LEFT) * self._steps), len(self._curve.scores) - 1)
        (left, y), (right, after) = (
            self._at(min(position, len(self._curve.scores) - 1), seat)
            for position in (place, place + 1)
        )
        return y + (after - y) * (x - left) / (right - left) if right > left else y

    def _put_mark(self, mark: Sprite, spots: Iterator[Point]) -> None:
        """Put a mark on the first place where it covers no other mark and no name."""
        first = next(spots)
        middle = next(filter(self._is_free, chain((first,), spots)), first)
        self._marks.append(middle)
        mark.put(self._page, middle)

    def _is_free(self, spot: Point) -> bool:
        x, y = spot
        on_name = x < self._name_end and abs(y - (BOTTOM - NAME_GAP)) < MARK_SPACING
        return not on_name and all(hypot(x - a, y - b) >= MARK_SPACING for a, b in self._marks)

    @property
    def _luck(self) -> Sprite:
        """The mark of luck."""
        return _rhomb(self._theme) if self._curve.draws_rhombs else _die(self._theme)

    def _draw_legend(self) -> None:
        x = float(LEFT)
        items: list[tuple[Sprite, str]] = []
        if self._curve.rolls:
            items.append((self._luck, _luck_words(self._curve)))
        if self._curve.decisions:
            items.append((_number(self._theme, 1), _("a costly decision")))
        for mark, words in items:
            mark.put(self._page, (x + mark.page.width / 2, LEGEND_PLACE))
            sprite = self._text(drawable(words, instead=""), TEXT_SIZE, self._theme.text)
            x += mark.page.width + 14
            sprite.put(self._page, (x + sprite.page.width / 2, LEGEND_PLACE))
            x += sprite.page.width + 48

    def _text(self, text: str, size: int, ink: Colour) -> Sprite:
        return text_sprite(self._theme, text, size, ink, self._theme.space[1])


def _luck_words(curve: Curve) -> str:
    """Return the words for the mark of luck."""
    if curve.draws_rhombs:
        return _("a lucky draw, on the side of the lucky player")
    return _("a lucky roll, on the side of the lucky player")


@lru_cache(maxsize=8)
def _rhomb(theme: Theme) -> Sprite:
    """Return the mark of a drawn rhomb."""
    sketch = Sketch(DIE_SIDE + 8, DIE_SIDE + 8, theme.space[1])
    half = DIE_SIDE / 2
    for more, shade in ((3.0, theme.edge), (0.0, theme.paper)):
        wide, high = half + more, (half + more) * RHOMB_HEIGHT
        sketch.polygon(((-wide, 0), (0, -high), (wide, 0), (0, high)), shade)
    return sketch.sprite(theme)


@lru_cache(maxsize=8)
def _die(theme: Theme) -> Sprite:
    """Return the mark of a roll: a die that shows a two."""
    sketch = Sketch(DIE_SIDE + 8, DIE_SIDE + 8, theme.space[1])
    half = DIE_SIDE / 2
    sketch.box(((-half - 3, -half - 3), (half + 3, half + 3)), 9, theme.edge)
    sketch.box(((-half, -half), (half, half)), 7, theme.paper)
    for x, y in ((-7.0, -7.0), (7.0, 7.0)):
        sketch.disc((x, y), 4.5, theme.ink)
    return sketch.sprite(theme)


@lru_cache(maxsize=32)
def _number(theme: Theme, number: int) -> Sprite:
    """Return the mark of a decision: its number on a disc."""
    side = 2 * MARK_RADIUS + 8
    sketch = Sketch(side, side, theme.space[1])
    sketch.disc((0, 0), MARK_RADIUS + 3, theme.edge)
    sketch.disc((0, 0), MARK_RADIUS, theme.accent)
    sketch.text((0, 0), str(number), 34, theme.card)
    return sketch.sprite(theme)


def _bar(sketch: Sketch, start: Point, end: Point, width: float, fill: Colour) -> None:
    sketch.bar(_offset(start), _offset(end), width, fill)


def _offset(point: Point) -> Point:
    """Return a point of the picture as a sketch counts it, from its middle."""
    return point[0] - SIZE[0] / 2, point[1] - SIZE[1] / 2


def _dashed(points: Sequence[Point], dash: float, gap: float) -> Iterator[list[Point]]:
    """Yield the dashes of a line."""
    left, drawn = dash, True
    part = [points[0]]
    for start, end in pairwise(points):
        length = ((end[0] - start[0]) ** 2 + (end[1] - start[1]) ** 2) ** 0.5
        done = 0.0
        while length - done > left:
            done += left
            share = done / length
            point = (start[0] + (end[0] - start[0]) * share, start[1] + (end[1] - start[1]) * share)
            if drawn:
                yield [*part, point]
            part, drawn = [point], not drawn
            left = dash if drawn else gap
        left -= length - done
        part.append(end)
    if drawn and len(part) > 1:
        yield part
