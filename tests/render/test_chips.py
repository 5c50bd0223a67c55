"""Chips beside the spaces of a board, and the lines that lead to them."""

from __future__ import annotations

from render.chips import LEAD_LENGTH, Box, along, box, lead_of, place_chips
from render.markers import chip
from render.sprites import Sprite
from render.warp6.colours import THEMES

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
    chips = [sign("1")]
    below = box((SPACE[0], SPACE[1] + 55), 45, 25)
    around = (SPACE[0] - 95, SPACE[1] - 110, SPACE[0] + 95, SPACE[1] + 60)
    others = [around] * 2 + [below] * 12
    spot = place_chips(SIZE, SPACE, RADIUS, chips, others.copy())
    parts = along(lead_of(SPACE, RADIUS, chips, spot))
    assert parts
    assert not any(crosses(part, below) for part in (*parts, spot))


def test_lines_are_kept_free_of_later_chips() -> None:
    chips, taken = [sign("1")], [box(SPACE, 95, 60)] * 12
    spot = place_chips(SIZE, SPACE, RADIUS, chips, taken)
    lead = lead_of(SPACE, RADIUS, chips, spot)
    assert lead
    assert taken[-1] == along(lead)[-1]


def test_a_line_ends_at_the_nearest_chip_of_a_column() -> None:
    """A narrow one is not as wide as its column."""
    chips = [sign("1"), sign("1 off the board")]
    wide, high = chips[1].page.width / 2, chips[0].page.height
    spot = box((SPACE[0] + wide + 80, SPACE[1] + high / 2), wide, high)
    lead = lead_of(SPACE, RADIUS, [chips[0]] * 2, spot)
    assert lead
    assert lead[1][0] == SPACE[0] + wide + 80 - chips[0].page.width / 2
    assert lead_of(SPACE, RADIUS, chips, spot) != lead


def test_a_chip_that_touches_its_ring_has_no_line() -> None:
    (one,) = chips = [sign("1")]
    for gap, is_led in ((0, False), (LEAD_LENGTH, False), (LEAD_LENGTH + 1, True)):
        spot = box((SPACE[0] + RADIUS + gap + one.page.width / 2, SPACE[1]), 20, 20)
        assert bool(lead_of(SPACE, RADIUS, chips, spot)) == is_led
