"""Pictures of cups: the table of a round robin or of groups, and the bracket of a knockout.

They show only results of finished matches. Each result has a shape of its own, so no colour has to
be told apart.
"""

from __future__ import annotations

import io
from functools import lru_cache

from PIL import Image, ImageDraw

from render.charts import Bracket, Mark, Slot, Table, TableRow
from render.i18n import NC_, _
from render.palette import palette
from render.sprites import Point, Sketch, Sprite
from render.text import drawable, text_sprite, truncate_to_width
from render.themes import THEMES, Colour, Theme

WIDTH = 1400
"""Pixels of a picture: as wide as a board in landscape."""

EDGE = 40
"""Pixels around all."""

TITLE_HEIGHT, ROW_HEIGHT, LEGEND_HEIGHT = 110, 78, 76

CARD_HEIGHT = 66

TITLE_SIZE, NAME_SIZE, TEXT_SIZE = 46, 38, 30
"""Sizes of text."""

MARK_RADIUS, MARK_STEP = 13, 38
"""Radius of the mark of a result, and pixels from one to the next."""

SLOT_HEIGHT, SLOT_GAP = 54, 10
"""A player in a bracket, and the pixels between two pairs of players."""

SMALL_NAME = 28

MAX_MARKS = 15
"""Maximum number of results in a line."""


WORDS = {
    Mark.WON: NC_("result", "won"),
    Mark.DRAWN: NC_("result", "drawn"),
    Mark.LOST: NC_("result", "lost"),
    Mark.FORFEIT: NC_("result", "forfeit"),
}


def picture(standings: Table | Bracket, theme: str) -> bytes:
    """Return the picture as a PNG, in a theme."""
    colours = THEMES[theme]
    drawing = _TableDrawing if isinstance(standings, Table) else _BracketDrawing
    page: Image.Image = drawing(standings, colours).draw()  # type: ignore[arg-type]
    page.putpalette(palette(colours).flat)
    out = io.BytesIO()
    page.save(out, "PNG", optimize=True)
    return out.getvalue()


class _Drawing:
    """What both pictures share."""

    def __init__(self, theme: Theme, height: int) -> None:
        self._theme = theme
        ground = palette(theme).index(theme.space[1])
        self.page = Image.new("L", (WIDTH, height), ground)

    def _text(self, text: str, size: int, ink: Colour, ground: Colour | None = None) -> Sprite:
        return text_sprite(self._theme, text, size, ink, ground or self._theme.space[1])

    def _left(self, sprite: Sprite, place: Point) -> None:
        """Put a sprite with its left edge at a place."""
        sprite.put(self.page, (place[0] + sprite.page.width / 2, place[1]))

    def _title(self, text: str) -> None:
        title = truncate_to_width(drawable(text, instead=_("Cup")), TITLE_SIZE, WIDTH - 2 * EDGE)
        sprite = self._text(title, TITLE_SIZE, self._theme.text)
        self._left(sprite, (EDGE, EDGE + TITLE_SIZE / 2))

    def _card(self, wide: int, high: int, edge: Colour) -> Sprite:
        return _card(self._theme, wide, high, edge)


class _TableDrawing(_Drawing):
    def __init__(self, table: Table, theme: Theme) -> None:
        rows = len(table.rows)
        super().__init__(theme, TITLE_HEIGHT + ROW_HEIGHT * rows + LEGEND_HEIGHT + EDGE)
        self._table = table

    def draw(self) -> Image.Image:
        self._title(self._table.title)
        for number, row in enumerate(self._table.rows):
            self._draw_row(row, TITLE_HEIGHT + ROW_HEIGHT * (number + 0.5))
        self._draw_legend(TITLE_HEIGHT + ROW_HEIGHT * len(self._table.rows) + LEGEND_HEIGHT / 2)
        return self.page

    def _draw_row(self, row: TableRow, y: float) -> None:
        theme = self._theme
        edge = theme.accent if row.first else theme.tile_line
        self._card(WIDTH - 2 * EDGE, CARD_HEIGHT, edge).put(self.page, (WIDTH / 2, y))
        ink = theme.faint if row.out else theme.text
        place = self._text(row.place, NAME_SIZE, theme.faint, theme.card)
        place.put(self.page, (EDGE + 52, y))
        points = self._text(row.points, NAME_SIZE, ink, theme.card)
        points.put(self.page, (WIDTH - EDGE - 76, y))
        marks = row.marks[-MAX_MARKS:]
        start = WIDTH - EDGE - 170 - MARK_STEP * max(len(marks), 3)
        for number, mark in enumerate(marks):
            sprite = _mark(theme, mark, theme.card)
            sprite.put(self.page, (start + MARK_STEP * (number + 0.5), y))
        name = f"★ {row.name}" if row.first else row.name
        text = drawable(name, instead=row.place)
        room = start - EDGE - 110 - 20
        words = truncate_to_width(text, NAME_SIZE, room)
        self._left(self._text(words, NAME_SIZE, ink, theme.card), (EDGE + 110, y))

    def _draw_legend(self, y: float) -> None:
        x = float(EDGE + 10)
        used = {mark for row in self._table.rows for mark in row.marks}
        for mark in (mark for mark in Mark if mark in used):
            sprite = _mark(self._theme, mark, self._theme.space[1])
            self._left(sprite, (x, y))
            x += sprite.page.width + 10
            words = drawable(_(WORDS[mark]), instead=mark)
            text = self._text(words, TEXT_SIZE, self._theme.faint)
            self._left(text, (x, y))
            x += text.page.width + 44


class _BracketDrawing(_Drawing):
    def __init__(self, bracket: Bracket, theme: Theme) -> None:
        pairs = len(bracket.rounds[0])
        self._pair_height = 2 * SLOT_HEIGHT + 3 * SLOT_GAP
        super().__init__(theme, TITLE_HEIGHT + self._pair_height * pairs + EDGE)
        self._bracket = bracket
        self._step = (WIDTH - 2 * EDGE) / (len(bracket.rounds) + 1)

    def draw(self) -> Image.Image:
        self._title(self._bracket.title)
        places: list[float] = []
        for number, pairs in enumerate(self._bracket.rounds):
            height = self._pair_height << number
            for place, pair in enumerate(pairs):
                y = TITLE_HEIGHT + height * (place + 0.5)
                self._draw_pair(number, pair, y)
                places.append(y)
        self._draw_winner(places[-1])
        return self.page

    def _draw_pair(self, number: int, pair: tuple[Slot, Slot], y: float) -> None:
        x = EDGE + self._step * number
        first, second = pair
        alone = not first.name or not second.name
        if number == 0 and alone:  # a bye
            self._draw_slot(first if first.name else second, (x, y))
        else:
            for slot, side in zip(pair, (-1, 1), strict=True):
                self._draw_slot(slot, (x, y + side * (SLOT_HEIGHT + SLOT_GAP / 2) / 2))
        last = number == len(self._bracket.rounds) - 1
        self._join((x + self._slot_width, y), y if last else self._next_slot(number, y))

    def _next_slot(self, number: int, y: float) -> float:
        """Return the height of the slot that the winner of a pair moves to."""
        height = float(self._pair_height << (number + 1))
        above = (y - TITLE_HEIGHT) // height
        middle = TITLE_HEIGHT + height * (above + 0.5)
        side = -1 if y < middle else 1
        return middle + side * (SLOT_HEIGHT + SLOT_GAP / 2) / 2

    def _join(self, start: Point, end: float) -> None:
        """Draw the line from a pair to a slot of the next round."""
        x, y = start
        gap = self._step - self._slot_width
        colour = palette(self._theme).index(self._theme.tile_line)
        pen = ImageDraw.Draw(self.page)
        for corners in (
            (x, y, x + gap / 2, y),
            (x + gap / 2, min(y, end), x + gap / 2, max(y, end)),
            (x + gap / 2, end, x + gap, end),
        ):
            left, top, right, low = map(round, corners)
            pen.rectangle((left, top - 1, right + 1, low + 1), fill=colour)

    @property
    def _slot_width(self) -> int:
        return int(self._step) - 26

    def _draw_slot(self, slot: Slot, place: Point) -> None:
        theme, wide = self._theme, self._slot_width
        edge = theme.accent if slot.won else theme.tile_line
        x, y = place
        self._card(wide, SLOT_HEIGHT, edge).put(self.page, (x + wide / 2, y))
        ink = theme.faint if slot.won is False or not slot.name else theme.text
        name = f"✓ {slot.name}" if slot.won else slot.name or "…"
        text = drawable(name, instead="…") if slot.name else name
        text = truncate_to_width(text, SMALL_NAME, wide - 32)
        self._left(self._text(text, SMALL_NAME, ink, theme.card), (x + 18, y))

    def _draw_winner(self, y: float) -> None:
        x = EDGE + self._step * len(self._bracket.rounds)
        theme, wide = self._theme, int(self._step)
        edge = theme.accent if self._bracket.winner else theme.tile_line
        self._card(wide, CARD_HEIGHT, edge).put(self.page, (x + wide / 2, y))
        name = self._bracket.winner
        text = drawable(f"★ {name}", instead="★") if name else "★"
        text = truncate_to_width(text, SMALL_NAME, wide - 36)
        self._left(self._text(text, SMALL_NAME, theme.text, theme.card), (x + 20, y))


@lru_cache(maxsize=32)
def _card(theme: Theme, wide: int, high: int, edge: Colour) -> Sprite:
    """Return an empty card."""
    sketch = Sketch(wide, high, theme.space[1])
    right, low = wide / 2, high / 2
    sketch.box(((-right, -low), (right, low)), 16, edge)
    sketch.box(((3 - right, 3 - low), (right - 3, low - 3)), 13, theme.card)
    return sketch.sprite(theme)


@lru_cache(maxsize=32)
def _mark(theme: Theme, mark: Mark, ground: Colour) -> Sprite:
    """Return the mark of a result: a full disc, half a one, a ring, or a cross."""
    side, size = 2 * MARK_RADIUS + 6, float(MARK_RADIUS)
    sketch = Sketch(side, side, ground)
    if mark == Mark.FORFEIT:
        arm = size * 0.75
        sketch.bar((-arm, -arm), (arm, arm), 6, theme.text)
        sketch.bar((-arm, arm), (arm, -arm), 6, theme.text)
        return sketch.sprite(theme)
    sketch.disc((0, 0), size, theme.accent if mark == Mark.WON else theme.text)
    if mark != Mark.WON:
        sketch.disc((0, 0), size - 4, ground)
    if mark == Mark.DRAWN:
        half = size - 1.5
        sketch.polygon([(-half, 0), (half, 0), *_arc(half)], theme.text)
    return sketch.sprite(theme)


def _arc(radius: float) -> list[Point]:
    """Return points of the lower half of a circle, from right to left."""
    points = []
    for step in range(1, 12):
        x = radius * (1 - step / 6)
        points.append((x, (radius * radius - x * x) ** 0.5))
    return points
