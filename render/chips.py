"""Chips with words beside spaces of a board, where they hide least."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import lru_cache
from math import copysign, cos, hypot, inf, sin, tau
from typing import NamedTuple

from render.sprites import Board, Point, Sprite

GAP = 8
"""Pixels between chips of different spaces: they should not look like one column."""

NEVER = inf
"""The weight of what chips and their lines do not hide even a part of."""

DIRECTIONS = 24
"""Number of directions around a space in which its chip can be."""

LEAD_LENGTHS = (-6, 3, 12, 24, 38, 54, 72, 90, 120)
"""Pixels that may be between a ring and its chip; -6 if the chip touches the ring."""

FAR_LENGTHS = tuple(range(140, 420, 20))
"""The same of chips that find no place nearer."""

PIXEL_COST = 14.0
"""Square pixels that may be hidden rather than that a line is a pixel longer."""

SLANT_COST = 40.0
"""Square pixels that may be hidden rather than that a chip is neither beside nor below a space."""

INSIDE_DISTANCES = (0.0, 14.0, 28.0, 42.0)
"""Pixels from the middle of a space to that of a chip on it."""

WIDE = 2
"""Width of a chip, compared with its height, that has more places: most are on something."""

LEAD_LENGTH = 4
"""Pixels between a ring and its chip; if there are more, a line leads to it."""

LEAD_SIZE = 7
"""Half the width that a line takes, with its edge."""

Box = tuple[float, float, float, float]
"""Left, top, right, bottom."""

Lead = tuple[Point, Point]
"""The ends of the line from a ring to a chip that does not touch it."""

Taken = Mapping[Box, float]
"""Boxes that chips should not hide, with their weights: the cost of each hidden square pixel."""


class Costs(NamedTuple):
    """How bad places are apart from what they hide, in hidden square pixels.

    Attributes:
        inside: if the chip is on the space itself.
        line: if a line leads to it.
        lengths: pixels that may be between a ring and its chip.
        directions: number of directions around a space in which its chip can be.
        lead_size: half the width that a line takes between what it does not hide.
    """

    inside: float = inf
    line: float = 0
    lengths: tuple[int, ...] = LEAD_LENGTHS
    directions: int = DIRECTIONS
    lead_size: float = LEAD_SIZE

    @property
    def far(self) -> Costs:
        """Also with places that are far away, for chips that have none near their spaces."""
        return self._replace(lengths=LEAD_LENGTHS + FAR_LENGTHS, directions=3 * DIRECTIONS)


BESIDE = Costs()


class Spot(NamedTuple):
    """The place of a chip.

    Attributes:
        middle: the middle of the chip.
        chip: the chip.
        lead: the line to it; None if it touches its ring.
        cost: how bad it is, as a number of hidden square pixels.
    """

    middle: Point
    chip: Sprite
    lead: Lead | None
    cost: float

    @property
    def box(self) -> Box:
        """The box of the chip."""
        wide, high = self.chip.page.size
        return box(self.middle, wide / 2, high / 2)

    @property
    def taken(self) -> dict[Box, float]:
        """What chips of other spaces leave free: chip and line."""
        left, top, right, bottom = self.box
        parts = [(left - GAP, top - GAP, right + GAP, bottom + GAP), *along(self.lead)]
        return dict.fromkeys(parts, NEVER)

    def draw(self, board: Board) -> None:
        """Draw the chip, without the line to it."""
        board.put(self.chip, self.middle)


def put_chip(board: Board, space: Point, radius: float, chip: Sprite, taken: Taken) -> Spot | None:
    """Put a chip beside a space, without a line; see `place_chip`."""
    spot = place_chip(board.size, space, radius, chip, taken)
    if spot:
        spot.draw(board)
    return spot


def place_chip(
    size: tuple[int, int],
    space: Point,
    radius: float,
    chip: Sprite,
    taken: Taken,
    *,
    costs: Costs = BESIDE,
    others: Collection[Point] = (),
) -> Spot | None:
    """Find the place for a chip near a space where it and its line hide least.

    Return None if each place hides a part of something whose weight is `NEVER`, or is nearer to
    another space without a line.

    Args:
        size: width and height of the canvas.
        space: the middle of the space.
        radius: radius of the ring around it, in pixels.
        chip: the chip.
        taken: boxes that should stay in sight.
        costs: how bad places are that are neither beside the space nor near it.
        others: the middles of spaces to which a chip without a line should not seem to belong.
    """
    x, y = space
    ways = [(a - x, b - y) for a, b in others]
    reach = 2 * (radius + LEAD_LENGTH) + hypot(*chip.page.size)
    ways = [way for way in ways if 0 < hypot(*way) < reach]
    near_by = _near_by(space, radius + costs.lengths[-1], chip, taken)
    least, best = inf, None
    for effort, offsets, line in _places(radius, *chip.page.size, costs):
        if effort >= least:
            break
        if not line and _is_nearer(offsets, ways):
            continue
        spot = left, top, right, bottom = shifted(offsets, x, y)
        if left < 0 or top < 0 or right > size[0] or bottom > size[1]:
            continue
        cost = _cost(spot, near_by, effort, least)
        if cost < least:
            lead = ((x + line[0], y + line[1]), (x + line[2], y + line[3])) if line else None
            if lead:
                cost += _hidden(lead, near_by, costs.lead_size)
            if cost < least:
                middle = (left + right) / 2, (top + bottom) / 2
                least, best = cost, Spot(middle, chip, lead, cost)
    return best


def _cost(spot: Box, others: list[tuple[Box, float]], effort: float, least: float) -> float:
    """Return the effort and what a box hides of others by their weights, or `least` or more."""
    left, top, right, bottom = spot
    for (x1, y1, x2, y2), weight in others:
        if x1 < right and x2 > left and y1 < bottom and y2 > top:
            if weight == NEVER:
                return NEVER
            effort += weight * (min(right, x2) - max(left, x1)) * (min(bottom, y2) - max(top, y1))
            if effort >= least:
                break
    return effort


def _is_nearer(offsets: Box, ways: Collection[Point]) -> bool:
    """Return whether the middle of a box is nearer to one of these points than to (0, 0)."""
    left, top, right, bottom = offsets
    x, y = left + right, top + bottom
    for a, b in ways:  # noqa: SIM110
        if x * a + y * b >= a * a + b * b:
            return True
    return False


def _near_by(space: Point, far: float, chip: Sprite, taken: Taken) -> list[tuple[Box, float]]:
    """Return the boxes that a chip at most so far from its space or its line can reach.

    Those whose weight is `NEVER` are first: a place that hides one needs no further look.
    """
    (x, y), (wide, high) = space, chip.page.size
    left, top, right, bottom = x - far - wide, y - far - high, x + far + wide, y + far + high
    near_by = [
        (box, weight)
        for box, weight in taken.items()
        if box[0] < right and box[2] > left and box[1] < bottom and box[3] > top
    ]
    return sorted(near_by, key=lambda item: item[1] != NEVER)


@lru_cache(maxsize=256)
def _places(
    radius: float, wide: int, high: int, costs: Costs
) -> list[tuple[float, Box, Box | None]]:
    """Return the places around the point (0, 0): cost, box and line of each, cheapest first.

    Args:
        radius: radius of the ring in pixels.
        wide: width of the chip.
        high: height of the chip.
        costs: how bad they are.
    """
    places: list[tuple[float, Box, Box | None]] = []
    for direction in range(costs.directions):
        angle = tau * direction / costs.directions
        dx, dy = cos(angle), sin(angle)
        for far in INSIDE_DISTANCES:
            spot = box((far * dx, far * dy), wide / 2, high / 2)
            places.append((costs.inside + far, spot, None))
        slant = SLANT_COST * (direction % (costs.directions // 4) > 0)
        for x, y in _middles(radius, wide, high, (dx, dy), costs.lengths):
            spot = box((x, y), wide / 2, high / 2)
            line = _line(radius, spot)
            cost = slant
            if line:
                cost += costs.line + PIXEL_COST * hypot(line[2] - line[0], line[3] - line[1])
            places.append((cost, spot, line))
    return sorted(dict.fromkeys(places), key=lambda place: place[0])


def _middles(
    radius: float, wide: int, high: int, way: Point, lengths: Sequence[int]
) -> Iterator[Point]:
    """Yield the middles of chips in a direction, given as a vector of the length 1.

    The middle lies in this direction. Of a wide chip, so does the nearest corner of others.
    """
    dx, dy = way
    half = min(wide / 2 / (abs(dx) or 1e-9), high / 2 / (abs(dy) or 1e-9))
    for gap in lengths:
        far = radius + gap
        yield (far + half) * dx, (far + half) * dy
        if wide > WIDE * high and min(abs(dx), abs(dy)) > 0.1:
            yield far * dx + copysign(wide / 2, dx), far * dy + copysign(high / 2, dy)


def _line(radius: float, spot: Box) -> Box | None:
    """Return the ends of the line from a ring around (0, 0) to a box; None if they touch."""
    left, top, right, bottom = spot
    x, y = min(max(0.0, left), right), min(max(0.0, top), bottom)
    far = hypot(x, y)
    if far <= radius + LEAD_LENGTH:
        return None
    share = (radius - 2) / far
    return x * share, y * share, x, y


def _hidden(lead: Lead, others: list[tuple[Box, float]], half: float = LEAD_SIZE) -> float:
    """Return the area that a line shares with boxes, by their weights.

    Args:
        lead: the line.
        others: boxes and their weights.
        half: half the width of the line, with its edge.
    """
    (x, y), (to_x, to_y) = lead
    dx, dy = to_x - x, to_y - y
    area = 2 * LEAD_SIZE * hypot(dx, dy)
    left, right = min(x, to_x) - half, max(x, to_x) + half
    top, bottom = min(y, to_y) - half, max(y, to_y) + half
    hidden = 0.0
    for (x1, y1, x2, y2), weight in others:
        if x1 < right and x2 > left and y1 < bottom and y2 > top:
            first, last = 0.0, 1.0
            for start, way, low, high in ((x, dx, x1, x2), (y, dy, y1, y2)):
                if not way:
                    continue
                one = (low - half - start) / way
                other = (high + half - start) / way
                first, last = max(first, min(one, other)), min(last, max(one, other))
            if last > first:
                hidden += weight * area * (last - first)
    return hidden


def along(lead: Lead | None) -> list[Box]:
    """Return boxes along a line."""
    if not lead:
        return []
    (x, y), (to_x, to_y) = lead
    parts = int(hypot(to_x - x, to_y - y) / (2 * LEAD_SIZE)) + 1
    shares = [(part + 0.5) / parts for part in range(parts)]
    points = [(x + (to_x - x) * share, y + (to_y - y) * share) for share in shares]
    return [box(point, LEAD_SIZE, LEAD_SIZE) for point in points]


def box(middle: Point, wide: float, high: float) -> Box:
    """Return the box around a point, of these half widths and heights."""
    x, y = middle
    return x - wide, y - high, x + wide, y + high


def shifted(box: Box, x: float, y: float) -> Box:
    """Return a box moved by a vector."""
    left, top, right, bottom = box
    return left + x, top + y, right + x, bottom + y
