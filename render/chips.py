"""Chips with words beside spaces of a board, where they hide least."""

from __future__ import annotations

from collections.abc import Sequence

from render.sprites import Board, Point, Sprite

CHIP_SPACING = 38
"""Pixels from one chip to the next."""

Box = tuple[float, float, float, float]
"""Left, top, right, bottom."""


def put_chips(
    board: Board, space: Point, radius: float, chips: Sequence[Sprite], taken: list[Box]
) -> None:
    """Put chips below a space, or above or beside it if they hide less there.

    Args:
        board: to draw on.
        space: the middle of the space.
        radius: of the ring around it.
        chips: in one column.
        taken: boxes that they should not cover; theirs is added.
    """
    if not chips:
        return
    x, y = space
    wide = max(chip.page.width for chip in chips) / 2
    high = CHIP_SPACING * len(chips) / 2
    down, aside = radius + high - 8, radius + wide
    spots = ((x, y + down), (x, y - down), (x + aside, y), (x - aside, y))
    boxes = [box(spot, wide, high) for spot in spots]
    inside = [box for box in boxes if _on(board.page.size, box)] or boxes
    best = min(inside, key=lambda box: sum(_shared(box, other) for other in taken))
    taken.append(best)
    for row, chip in enumerate(chips):
        board.put(chip, ((best[0] + best[2]) / 2, best[1] + CHIP_SPACING * (row + 0.5)))


def box(middle: Point, wide: float, high: float) -> Box:
    """Return the box around a point, of these half widths and heights."""
    x, y = middle
    return x - wide, y - high, x + wide, y + high


def _on(size: tuple[int, int], box: Box) -> bool:
    """Return whether a box is on the canvas."""
    return min(box) >= 0 and box[2] <= size[0] and box[3] <= size[1]


def _shared(one: Box, other: Box) -> float:
    """Return the area of the overlap of two boxes."""
    wide = min(one[2], other[2]) - max(one[0], other[0])
    high = min(one[3], other[3]) - max(one[1], other[1])
    return max(wide, 0) * max(high, 0)
