"""Chips beside the spaces of a board, and the lines that lead to them."""

from __future__ import annotations

from math import hypot, inf
from random import Random

import pytest

from render import chips
from render.chips import LEAD_LENGTH, NEVER, Box, Costs, along, box, place_chip
from render.markers import chip
from render.sprites import Sprite
from render.warp6.colours import THEMES
from tests.support.tiers import sampled

DARK = THEMES["dark"]
SIZE, SPACE, RADIUS = (1400, 900), (700.0, 450.0), 34.0


def sign(words: str) -> Sprite:
    """A chip with these words."""
    return chip(DARK, words, DARK.mark, DARK.mark_text)


def crosses(one: Box, other: Box) -> bool:
    """Whether two boxes share an area."""
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]


def test_no_line_leads_across_another_chip() -> None:
    """A chip that has no room below its space is not put behind the one that is there."""
    below = box((SPACE[0], SPACE[1] + 55), 45, 25)
    around = (SPACE[0] - 95, SPACE[1] - 110, SPACE[0] + 95, SPACE[1] + 60)
    spot = place_chip(SIZE, SPACE, RADIUS, sign("1"), {around: 2, below: NEVER})
    assert spot
    parts = along(spot.lead)
    assert parts
    assert not any(crosses(part, below) for part in (*parts, spot.box))


def test_lines_are_kept_free_of_other_chips() -> None:
    taken = {box(SPACE, 95, 60): 12.0}
    first = place_chip(SIZE, SPACE, RADIUS, sign("1"), taken)
    assert first
    assert first.lead
    assert set(along(first.lead)) <= set(first.taken)
    second = place_chip(SIZE, SPACE, RADIUS, sign("2"), taken | first.taken)
    assert second
    assert not any(crosses(part, second.box) for part in first.taken)


def test_a_line_ends_at_the_nearest_point_of_its_chip() -> None:
    x, y = SPACE
    spot = place_chip(SIZE, SPACE, RADIUS, sign("1"), {box(SPACE, 95, 95): 12.0})
    assert spot
    assert spot.lead
    left, top, right, bottom = spot.box
    assert spot.lead[1] == (min(max(x, left), right), min(max(y, top), bottom))
    assert hypot(spot.lead[0][0] - x, spot.lead[0][1] - y) == pytest.approx(RADIUS - 2)


def test_a_chip_that_touches_its_ring_has_no_line() -> None:
    x, y = SPACE
    spot = place_chip(SIZE, SPACE, RADIUS, sign("1"), {})
    assert spot
    assert not spot.lead
    near = min(hypot(x - at_x, y - at_y) for at_x, at_y in edges(spot.box))
    assert near <= RADIUS + LEAD_LENGTH


def edges(part: Box) -> list[tuple[float, float]]:
    """The corners of a box, and the middles of its sides."""
    left, top, right, bottom = part
    xs, ys = (left, (left + right) / 2, right), (top, (top + bottom) / 2, bottom)
    return [(x, y) for x in xs for y in ys]


def test_without_a_place_that_hides_nothing_dear_there_is_none() -> None:
    everywhere = {(0.0, 0.0, 1400.0, 900.0): NEVER}
    assert place_chip(SIZE, SPACE, RADIUS, sign("1"), everywhere) is None


def test_far_places_are_found_where_near_ones_hide_something() -> None:
    """A strip that only a thin line can leave."""
    x, y = SPACE
    near = {(x - 300, y - 300, x - 6, y + 200): NEVER, (x + 6, y - 300, x + 300, y + 200): NEVER}
    near |= {box((x, y - 250), 300, 50): NEVER}
    costs = Costs(lead_size=5)
    assert place_chip(SIZE, SPACE, RADIUS, sign("1"), near, costs=costs) is None
    spot = place_chip(SIZE, SPACE, RADIUS, sign("1"), near, costs=costs.far)
    assert spot
    assert spot.lead
    assert not place_chip(SIZE, SPACE, RADIUS, sign("1"), near, costs=Costs().far)


def test_a_chip_is_put_on_its_space_if_that_hides_least() -> None:
    """Between neighbours: beside the space, it would hide one of them."""
    x, y = SPACE
    neighbours = dict.fromkeys((box((x, y + a), 200, 45) for a in (-90, 90)), 20.0)
    sides = dict.fromkeys((box((x + a, y), 60, 45) for a in (-110, 110)), 20.0)
    spots = [
        place_chip(SIZE, SPACE, RADIUS, sign("1"), neighbours | sides, costs=Costs(inside))
        for inside in (100, inf)
    ]
    assert [bool(spot and spot.middle == SPACE) for spot in spots] == [True, False]


@sampled(50, 200, 1000)
def test_the_cheapest_of_all_places_is_found(samples: int) -> None:
    """Compared with each place on its own, also those that are sorted out early."""
    random = Random(7)
    chip = sign("1")
    for _ in range(samples):
        taken = {
            box((random.uniform(550, 850), random.uniform(300, 600)), 25, 25): random.choice(
                (1.0, 20.0, NEVER)
            )
            for _ in range(12)
        }
        costs = []
        for cost, offsets, line in chips._places(RADIUS, *chip.page.size, chips.Costs()):
            part = chips.shifted(offsets, *SPACE)
            lead = chips.shifted(line, *SPACE) if line else None
            hidden = sum(
                weight * area(part, other) for other, weight in taken.items() if area(part, other)
            )
            hidden += chips._hidden((lead[:2], lead[2:]), [*taken.items()]) if lead else 0
            costs.append(cost + hidden)
        spot = place_chip(SIZE, SPACE, RADIUS, chip, taken)
        assert (spot.cost if spot else inf) == pytest.approx(min(costs))


def area(one: Box, other: Box) -> float:
    """The area that two boxes share."""
    wide = min(one[2], other[2]) - max(one[0], other[0])
    high = min(one[3], other[3]) - max(one[1], other[1])
    return max(0.0, wide) * max(0.0, high)
