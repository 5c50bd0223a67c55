"""The picture of a finished match, made to be shared: its result above the final board."""

from __future__ import annotations

import io
from math import ceil, cos, pi, sin

from PIL import Image

from engine import games
from engine.game import View
from render import for_game
from render.cards import CARD_HEIGHT, Side, card, result_status
from render.charts import ResultCard
from render.palette import palette
from render.renderer import Names, Style
from render.sprites import Point
from render.text import drawable, drawable_translation, measure, text_sprite, truncate_to_width
from render.themes import THEMES, Colour, Theme

WIDTH = 1000
"""Pixels of the picture: text of 34 pixels is nine high on a phone of 400."""

MARGIN, GAP = 40, 22
"""Pixels around the picture, and between its parts."""

BOARD_WIDTH = 700
"""Pixels of the final board: 280 on a phone."""

FACTS_SIZE, HEADLINE_SIZE, MOMENT_SIZE = 34, 54, 38
"""Sizes of text: match, turns and time; who won; how."""

LINE_SPACING = 1.3
"""Height of a line, in sizes of its text."""

HEADLINE_LINES, MOMENT_LINES = 3, 2
"""Maximum numbers of lines; more are truncated."""

COLOURS = 112
"""Colours of the picture: with more, the file would be larger than 120 kB."""

CARDS_PER_ROW = 2
"""Players side by side: more would leave no room for their names."""

STAR = tuple(
    (radius * sin(place * pi / 5), -radius * cos(place * pi / 5))
    for place in range(10)
    for radius in ((1.0, 0.42)[place % 2],)
)
"""The winner's sign."""

DISC = tuple((cos(place * pi / 12), sin(place * pi / 12)) for place in range(24))
"""The sign of others."""


def picture(content: ResultCard, view: View, names: Names, theme: str) -> bytes:
    """Return the picture as a PNG.

    Args:
        content: the texts above the board.
        view: the end as the public sees it.
        names: the players' names.
        theme: name of the colours.
    """
    renderer = for_game(view.game)
    with Image.open(io.BytesIO(renderer.picture(view, names, Style(theme)))) as large:
        size = (BOARD_WIDTH, round(large.height * BOARD_WIDTH / large.width))
        board = large.convert("RGB").resize(size, Image.Resampling.LANCZOS)
    colours = THEMES[theme]
    head = _Head(colours, content, len(view.seats))
    page = Image.new("L", (WIDTH, head.height), palette(colours).index(colours.space[1]))
    head.draw(page, view, names)
    whole = Image.new("RGB", (WIDTH, head.height + board.height + MARGIN), colours.space[1])
    whole.paste(palette(colours).image(page))
    whole.paste(board, ((WIDTH - BOARD_WIDTH) // 2, head.height))
    out = io.BytesIO()
    whole.quantize(COLOURS, dither=Image.Dither.NONE).save(out, "PNG", optimize=True)
    return out.getvalue()


class _Head:
    """The part above the board."""

    def __init__(self, theme: Theme, content: ResultCard, seats: int) -> None:
        self._theme, self._seats = theme, seats
        room = WIDTH - 2.0 * MARGIN
        self._lines: list[tuple[str, int, Colour]] = [
            (truncate_to_width(_plain(content.facts), FACTS_SIZE, room), FACTS_SIZE, theme.faint)
        ]
        for text, size, most, ink in (
            (content.headline, HEADLINE_SIZE, HEADLINE_LINES, theme.text),
            (content.moment, MOMENT_SIZE, MOMENT_LINES, theme.accent),
        ):
            self._lines += [(line, size, ink) for line in wrapped(_plain(text), size, room, most)]

    @property
    def height(self) -> int:
        """Pixels down to the board."""
        texts = sum(size * LINE_SPACING for _, size, _ in self._lines)
        rows = ceil(self._seats / CARDS_PER_ROW)
        return round(MARGIN + texts + GAP + (CARD_HEIGHT + GAP) * rows)

    def draw(self, page: Image.Image, view: View, names: Names) -> None:
        """Draw the lines, and the players' cards below them."""
        y = float(MARGIN)
        for line, size, ink in self._lines:
            self._write(page, line, size, ink, (MARGIN, y + size * LINE_SPACING / 2))
            y += size * LINE_SPACING
        room = (WIDTH - 2 * MARGIN - GAP * (CARDS_PER_ROW - 1)) // CARDS_PER_ROW
        winner, sides = view.result.split()[0], games.get(view.game).sides
        for place, seat in enumerate(view.seats):
            side = Side(drawable_translation(sides[seat]), STAR if seat == winner else DISC)
            row, column = divmod(place, CARDS_PER_ROW)
            x = MARGIN + (room + GAP) * column + room / 2
            middle = x, y + GAP + CARD_HEIGHT / 2 + (CARD_HEIGHT + GAP) * row
            sprite = card(self._theme, names[seat], side, result_status(view, seat), room)
            sprite.put(page, middle)

    def _write(self, page: Image.Image, line: str, size: int, ink: Colour, place: Point) -> None:
        sprite = text_sprite(self._theme, line, size, ink, self._theme.space[1])
        sprite.put(page, (place[0] + sprite.page.width / 2, place[1]))


def wrapped(text: str, size: int, room: float, most: int) -> list[str]:
    """Return a text in at most `most` lines that fit into `room` pixels; the last is truncated."""
    lines: list[str] = []
    words = text.split()
    while words and len(lines) < most - 1:
        count = 1
        while count < len(words) and measure(" ".join(words[: count + 1]), size) <= room:
            count += 1
        lines.append(truncate_to_width(" ".join(words[:count]), size, room))
        words = words[count:]
    return [*lines, truncate_to_width(" ".join(words), size, room)] if words else lines


def _plain(text: str) -> str:
    """Return a text without what cannot be drawn."""
    return drawable(" ".join(text.split()), instead="")
