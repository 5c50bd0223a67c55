"""Pictures of cups: in all themes, for all sizes, with any name."""

from __future__ import annotations

import io

import pytest
from PIL import Image, ImageChops

from render.charts import Bracket, Mark, Slot, Table, TableRow
from render.standings import picture
from render.themes import THEMES

NAMES = ("Ada", "李雷", "A name that is much too long for its line, and goes on", "مريم", "\u200b")


def table(count: int, marks: int = 3) -> Table:
    rows = [
        TableRow(str(n), NAMES[n % len(NAMES)], "2½", tuple(Mark)[: n % 5] * marks, first=n == 1)
        for n in range(1, count + 1)
    ]
    return Table("Spring", rows)


def bracket(rounds: int) -> Bracket:
    slots = [
        [(Slot("Ada", won=True), Slot("Bo", won=False))] * 2 ** (rounds - number)
        for number in range(1, rounds + 1)
    ]
    return Bracket("Spring", slots)


def image(standings: Table | Bracket, theme: str = "dark") -> Image.Image:
    return Image.open(io.BytesIO(picture(standings, theme))).convert("RGB")


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("count", [3, 16])
def test_a_table_is_drawn_in_each_theme(theme: str, count: int) -> None:
    drawn = image(table(count, 5), theme)
    assert drawn.width == 1400
    assert drawn.height > 78 * count


@pytest.mark.parametrize("rounds", [2, 3, 4])
def test_a_bracket_is_drawn_for_each_size(rounds: int) -> None:
    assert image(bracket(rounds)).width == 1400


def test_each_result_has_a_shape_of_its_own() -> None:
    """Without colours, each mark still differs from all others."""
    grey = {
        mark: image(Table("X", [TableRow("1", "Ada", "1", (mark,))]))
        .convert("L")
        .crop((1000, 110, 1300, 188))
        for mark in Mark
    }
    for first in Mark:
        for second in Mark:
            are_equal = ImageChops.difference(grey[first], grey[second]).getbbox() is None
            assert are_equal == (first == second)


def test_the_winner_stands_out() -> None:
    plain, won = (
        image(Table("X", [TableRow("1", "Ada", "1", first=first)])) for first in (False, True)
    )
    assert ImageChops.difference(plain, won).getbbox()


def test_a_bye_is_one_slot() -> None:
    bye = [(Slot("Ada", won=True), Slot()), (Slot("Bo"), Slot("Eve"))]
    final = [(Slot("Ada"), Slot())]
    both = [(Slot("Ada", won=True), Slot("Kim", won=False)), (Slot("Bo"), Slot("Eve"))]
    one, two = (image(Bracket("X", [first, final])) for first in (bye, both))
    assert ImageChops.difference(one, two).getbbox()


def test_a_whole_table_is_small() -> None:
    assert len(picture(table(16, 5), "dark")) < 100_000
