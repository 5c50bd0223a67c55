"""The picture of a player's profile: scores as bars, the luck as an interval."""

from __future__ import annotations

import io
from collections.abc import Sequence

from PIL import Image

from render.charts import LuckRange, ProfileCard, ScoreBar
from render.palette import palette
from render.sprites import Point, Sketch
from render.text import drawable, measure, text_sprite, truncate_to_width
from render.themes import THEMES, Colour, Theme

WIDTH = 1000
"""Pixels of the picture: text of 32 pixels is 13 high on a phone of 400."""

MARGIN, GAP = 44, 30
"""Pixels around the picture, and between its cards."""

NAME_SIZE, TITLE_SIZE, TEXT_SIZE = 60, 40, 34
"""Sizes of text: the name; the titles of bars; all else."""

HEAD_HEIGHT, BAR_CARD_HEIGHT, LUCK_CARD_HEIGHT, FACT_HEIGHT = 150, 172, 196, 58
"""Pixels of the parts, from top to bottom."""

PADDING, CARD_RADIUS, BAR_HEIGHT = 28, 20, 30

DOT_RADIUS = 13


def height(card: ProfileCard) -> int:
    """Return the height of the picture in pixels."""
    cards = [BAR_CARD_HEIGHT] * len(card.bars) + [LUCK_CARD_HEIGHT] * bool(card.luck)
    if card.facts:
        cards.append(FACT_HEIGHT * len(card.facts) + PADDING)
    return HEAD_HEIGHT + sum(cards) + GAP * max(0, len(cards) - 1) + MARGIN


def picture(card: ProfileCard, theme: str) -> bytes:
    """Return the picture as a PNG.

    Args:
        card: the content.
        theme: name of its colours.
    """
    colours = THEMES[theme]
    page = Image.new("L", (WIDTH, height(card)), palette(colours).index(colours.space[1]))
    _Page(page, colours).draw(card)
    page.putpalette(palette(colours).flat)
    out = io.BytesIO()
    page.save(out, "PNG", optimize=True)
    return out.getvalue()


class _Page:
    """Draws the parts from top to bottom."""

    def __init__(self, page: Image.Image, theme: Theme) -> None:
        self._page, self._theme = page, theme
        self._ground = theme.space[1]

    def draw(self, card: ProfileCard) -> None:
        theme, room = self._theme, WIDTH - 2.0 * MARGIN
        self._write(card.name, NAME_SIZE, (MARGIN, 56), theme.text, room)
        self._write(card.summary, TEXT_SIZE, (MARGIN, 112), theme.faint, room)
        self._ground, y = theme.card, float(HEAD_HEIGHT)
        for bar in card.bars:
            self._draw_bar(bar, y)
            y += BAR_CARD_HEIGHT + GAP
        if card.luck:
            self._draw_luck(card.luck, y)
            y += LUCK_CARD_HEIGHT + GAP
        if card.facts:
            self._draw_facts(card.facts, y)

    def _draw_bar(self, bar: ScoreBar, y: float) -> None:
        """Draw a score: its title and rating, the bar, and its words."""
        theme, left, right = self._theme, MARGIN + PADDING, WIDTH - MARGIN - PADDING
        sketch = self._card(BAR_CARD_HEIGHT)
        total, x = sum(bar.parts) or 1, float(left)
        for number, colour in zip(bar.parts, self._outcome_colours(), strict=True):
            width = (right - left) * number / total
            if number:
                corners = ((x, 78), (x + max(width - 6, 6), 78 + BAR_HEIGHT))
                sketch.box(_moved(corners, BAR_CARD_HEIGHT), 8, colour)
            x += width
        self._put(sketch, y, BAR_CARD_HEIGHT)
        rating = self._write_right(bar.rating, TITLE_SIZE, (right, y + 42), theme.accent)
        room = right - left - rating - 20
        self._write(bar.title, TITLE_SIZE, (left, y + 42), theme.text, room)
        self._write(bar.words, TEXT_SIZE, (left, y + 138), theme.text, right - left)

    def _outcome_colours(self) -> tuple[Colour, Colour, Colour]:
        """Return the colours of matches won, drawn and lost, from bright to dark."""
        theme = self._theme
        return theme.seats[0], theme.star, theme.tile_line

    def _draw_luck(self, luck: LuckRange, y: float) -> None:
        """Draw the interval of the luck on a line with 0 in its middle."""
        theme, left, right = self._theme, MARGIN + PADDING, WIDTH - MARGIN - PADDING
        reach = max(abs(luck.low), abs(luck.high), abs(luck.mean), 0.01) * 1.15
        sketch, middle = self._card(LUCK_CARD_HEIGHT), (left + right) / 2

        def at(value: float) -> float:
            return middle + (right - left) / 2 * value / reach

        for corners, colour in (
            (((left, 99), (right, 103)), theme.tile_line),
            (((middle - 3, 80), (middle + 3, 122)), theme.faint),
            (((at(luck.low), 93), (at(luck.high), 109)), theme.seats[0]),
        ):
            sketch.box(_moved(corners, LUCK_CARD_HEIGHT), 3, colour)
        ((x, height), _end) = _moved(((at(luck.mean), 101), (0, 0)), LUCK_CARD_HEIGHT)
        sketch.disc((x, height), DOT_RADIUS + 5, theme.card)
        sketch.disc((x, height), DOT_RADIUS, theme.text)
        self._put(sketch, y, LUCK_CARD_HEIGHT)
        self._write(luck.title, TITLE_SIZE, (left, y + 42), theme.text, right - left)
        self._write(luck.words, TEXT_SIZE, (left, y + 160), theme.text, right - left)

    def _draw_facts(self, facts: Sequence[str], y: float) -> None:
        height = FACT_HEIGHT * len(facts) + PADDING
        self._put(self._card(height), y, height)
        room = WIDTH - 2.0 * (MARGIN + PADDING)
        for number, fact in enumerate(facts):
            place = MARGIN + PADDING, y + PADDING / 2 + FACT_HEIGHT * (number + 0.5)
            self._write(fact, TEXT_SIZE, place, self._theme.text, room)

    def _card(self, height: int) -> Sketch:
        """Return a sketch with a card like the players' cards on boards."""
        theme, half = self._theme, height / 2
        sketch = Sketch(WIDTH, height, theme.space[1])
        edge = WIDTH / 2 - MARGIN
        sketch.box(((-edge, -half), (edge, half)), CARD_RADIUS, theme.tile_line)
        sketch.box(((4 - edge, 4 - half), (edge - 4, half - 4)), CARD_RADIUS - 3, theme.card)
        return sketch

    def _put(self, sketch: Sketch, y: float, height: int) -> None:
        sketch.sprite(self._theme).put(self._page, (WIDTH / 2, y + height / 2))

    def _write(self, text: str, size: int, place: Point, ink: Colour, room: float) -> None:
        """Write a line from a point on its left to the right."""
        words = truncate_to_width(drawable(text, instead=""), size, room)
        sprite = text_sprite(self._theme, words, size, ink, self._ground)
        sprite.put(self._page, (place[0] + sprite.page.width / 2, place[1]))

    def _write_right(self, text: str, size: int, place: Point, ink: Colour) -> float:
        """Write a line that ends at a point; return its width."""
        words = drawable(text, instead="")
        if not words:
            return 0.0
        sprite = text_sprite(self._theme, words, size, ink, self._ground)
        sprite.put(self._page, (place[0] - sprite.page.width / 2, place[1]))
        return measure(words, size)


def _moved(corners: tuple[Point, Point], height: int) -> tuple[Point, Point]:
    """Return corners of a card, from its top and the left of the picture, on its sketch."""
    (left, top), (right, low) = corners
    middle = WIDTH / 2, height / 2
    return (left - middle[0], top - middle[1]), (right - middle[0], low - middle[1])
