"""Chips with words beside spaces of a board, where they hide least."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from math import hypot, inf

from render.sprites import Board, Point, Sprite

CHIP_OVERLAP = 4
"""Width in pixels of the edges of two chips in a column, which overlap."""

CHIP_WEIGHT = 6
"""How much worse it is to cover a part of other chips than of an arrow."""

GAP = 8
"""Pixels between chips of different spaces: they should not look like one column."""

STRAIGHT = (0, 1), (0, -1), (1, 0), (-1, 0)
SLANTED = tuple((a, b) for a in (0.9, -0.9) for b in (0.75, -0.75))
STEEP = tuple((a, b) for a in (0.5, -0.5) for b in (0.97, -0.97))
FLAT = tuple((a, b) for a in (1, -1) for b in (0.4, -0.4))
SPOTS = tuple(
    (share, a, b)
    for share in (1, 1.2, 1.45, 1.9, 2.4)
    for a, b in (*STRAIGHT, *SLANTED, *STEEP, *FLAT)
)
"""Where chips can be: how far, and the directions across and down, the best first."""

NEAR_SPOTS, FAR_COST = len(SPOTS) // 5, 120.0
"""Number of spots that touch the space; square pixels that may be hidden rather than be far."""

Box = tuple[float, float, float, float]
"""Left, top, right, bottom."""

Lead = tuple[Point, Point]
"""The ends of the line from a ring to chips that do not touch it."""

LEAD_LENGTH = 6
"""Pixels between a ring and its chips; if there are more, a line leads to them."""

LEAD_SIZE = 5
"""Half the side of a part of a line, which other chips do not cover.

Nor does a line lead across them: it would be taken for theirs.
"""

LEAD_SHARE = 0.5
"""How bad it is that a line leads across something, compared with a chip that covers it."""


def put_chips(
    board: Board, space: Point, radius: float, chips: Sequence[Sprite], taken: list[Box]
) -> Box:
    """Put chips below a space, or around it where they hide less; return their box.

    See `place_chips`.
    """
    spot = place_chips(board.page.size, space, radius, chips, taken)
    draw_chips(board, chips, spot)
    return spot


def place_chips(
    size: tuple[int, int], space: Point, radius: float, chips: Sequence[Sprite], taken: list[Box]
) -> Box:
    """Find the box for chips below a space, or around it where they hide less.

    Args:
        size: width and height of the canvas.
        space: the middle of the space.
        radius: radius of the ring around it, in pixels.
        chips: the chips in one column.
        taken: boxes that they should not cover, repeated by their weight; theirs is added.
    """
    if not chips:
        return box(space, 0, 0)
    x, y = space
    wide = max(chip.page.width for chip in chips) / 2
    high = _spacing(chips) * len(chips) / 2
    down, aside = radius + high - 8, radius + wide
    far = SPOTS[-1][0]
    around = box(space, far * aside + wide, far * down + high)
    near_by = _met(around, Counter(taken))
    least, best = inf, None
    for place, (share, a, b) in enumerate(SPOTS):
        extra = FAR_COST * (place >= NEAR_SPOTS)
        if least <= extra:
            break
        spot = box((x + share * a * aside, y + share * b * down), wide, high)
        if _on(size, spot) and (hidden := _shared(spot, near_by) + extra) < least:
            hidden += LEAD_SHARE * _crossed(lead_of(space, radius, chips, spot), near_by)
            if hidden < least:
                least, best = hidden, spot
    best = best or box((x, y + down), wide, high)
    left, top, right, bottom = best
    taken += [(left - GAP, top - GAP, right + GAP, bottom + GAP)] * CHIP_WEIGHT
    taken += along(lead_of(space, radius, chips, best)) * CHIP_WEIGHT
    return best


def lead_of(space: Point, radius: float, chips: Sequence[Sprite], spot: Box) -> Lead | None:
    """Return the line from a ring to the nearest of its chips; None if they touch it.

    Args:
        space: the middle of the ring.
        radius: radius of the ring in pixels.
        chips: the chips in one column.
        spot: the box of the column.
    """
    x, y = space
    ends = []
    for row, chip in enumerate(chips):
        left, top, right, bottom = box(
            _middle(chips, spot, row), chip.page.width / 2, chip.page.height / 2
        )
        end = min(max(x, left), right), min(max(y, top), bottom)
        ends.append((hypot(end[0] - x, end[1] - y), end))
    far, (to_x, to_y) = min(ends, default=(0.0, space))
    if far <= radius + LEAD_LENGTH:
        return None
    share = (radius - 2) / far
    return (x + (to_x - x) * share, y + (to_y - y) * share), (to_x, to_y)


def _crossed(lead: Lead | None, others: Mapping[Box, int]) -> float:
    """Return the area that a line shares with boxes, by their weights."""
    if not lead:
        return 0
    xs, ys = zip(*lead, strict=True)
    around = min(xs) - LEAD_SIZE, min(ys) - LEAD_SIZE, max(xs) + LEAD_SIZE, max(ys) + LEAD_SIZE
    close = _met(around, others)
    return sum(_shared(part, close) for part in along(lead)) if close else 0


def along(lead: Lead | None) -> list[Box]:
    """Return boxes along a line."""
    if not lead:
        return []
    (x, y), (to_x, to_y) = lead
    parts = int(hypot(to_x - x, to_y - y) / (2 * LEAD_SIZE)) + 1
    shares = [(part + 0.5) / parts for part in range(parts)]
    points = [(x + (to_x - x) * share, y + (to_y - y) * share) for share in shares]
    return [box(point, LEAD_SIZE, LEAD_SIZE) for point in points]


def draw_chips(board: Board, chips: Sequence[Sprite], spot: Box) -> None:
    """Draw chips in one column, in the box that `place_chips` has found."""
    for row, chip in enumerate(chips):
        board.put(chip, _middle(chips, spot, row))


def _middle(chips: Sequence[Sprite], spot: Box, row: int) -> Point:
    """Return the middle of a chip in the box of its column."""
    return (spot[0] + spot[2]) / 2, spot[1] + _spacing(chips) * (row + 0.5)


def _spacing(chips: Sequence[Sprite]) -> float:
    """Return the pixels from one chip of a column to the next."""
    return max(chip.page.height for chip in chips) - CHIP_OVERLAP


def box(middle: Point, wide: float, high: float) -> Box:
    """Return the box around a point, of these half widths and heights."""
    x, y = middle
    return x - wide, y - high, x + wide, y + high


def _on(size: tuple[int, int], box: Box) -> bool:
    """Return whether a box is on the canvas."""
    return min(box) >= 0 and box[2] <= size[0] and box[3] <= size[1]


def _met(box: Box, others: Mapping[Box, int]) -> dict[Box, int]:
    """Return the boxes that share an area with a box, with their weights."""
    left, top, right, bottom = box
    return {
        other: weight
        for other, weight in others.items()
        if other[0] < right and other[2] > left and other[1] < bottom and other[3] > top
    }


def _shared(box: Box, others: Mapping[Box, int]) -> float:
    """Return the area that a box shares with others, by their weights.

    Comparing first is four times as fast.
    """
    left, top, right, bottom = box
    return sum(
        weight * (min(right, x2) - max(left, x1)) * (min(bottom, y2) - max(top, y1))
        for (x1, y1, x2, y2), weight in others.items()
        if x1 < right and x2 > left and y1 < bottom and y2 > top
    )
