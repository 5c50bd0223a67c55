"""The curve of a match: the same bytes again, readable in every theme, marks beside each other."""

from __future__ import annotations

import io
from collections import Counter

import pytest
from PIL import Image

from engine import games
from render import for_game
from render.charts import Curve, DecisionMark, RollMark
from render.curve import (
    BOTTOM,
    DIE_SIDE,
    LEFT,
    LEGEND_PLACE,
    MARK_RADIUS,
    MARK_SPACING,
    NUMBERS_BELOW,
    RIGHT,
    SIZE,
    TOP,
    _luck_words,
    picture,
)
from render.themes import THEMES

NAMES = {"B": "Ada", "Y": "Бо", "W": "陳"}
TURNS = (0, 0, 0, 1, 1, 2, 3, 4, 5, 6)


def curve(seats: str = "BY", rolls: int = 0, decisions: int = 0) -> Curve:
    """A curve that falls for the first seat, with marks all at one place."""
    shares = {2: (1.0,), 3: (0.7, 0.3)}[len(seats)]
    scores = [[1 - place / 9, *(place / 9 * share for share in shares)] for place in range(10)]
    return Curve(
        seats,
        scores,
        TURNS,
        [RollMark(4, seats[0])] * rolls,
        [DecisionMark(4, seats[0], number + 1) for number in range(decisions)],
    )


def drawn(plot: Curve, theme: str = "dark") -> Image.Image:
    return Image.open(io.BytesIO(picture(plot, NAMES, theme))).convert("RGB")


@pytest.mark.parametrize("theme", THEMES)
def test_curve_runs_from_one_corner_to_the_other(theme: str) -> None:
    page, ink = drawn(curve(), theme), THEMES[theme].story
    assert page.size == SIZE
    assert page.getpixel((LEFT + 2, TOP + 1)) == ink
    assert page.getpixel((RIGHT - 2, BOTTOM - 1)) == ink
    assert page.getpixel(((LEFT + RIGHT) // 2, (TOP + BOTTOM) // 2)) == ink


@pytest.mark.slow
@pytest.mark.parametrize("theme", THEMES)
def test_marks_have_the_accent_and_lie_apart(theme: str) -> None:
    accent = THEMES[theme].accent
    areas = [
        Counter(drawn(curve(decisions=number), theme).get_flattened_data())[accent]
        for number in (1, 2, 3)
    ]
    one = areas[1] - areas[0]
    assert one > 1000
    assert areas[2] - areas[1] > 0.8 * one
    assert MARK_SPACING > 50


def below(page: Image.Image, top: int, bottom: int) -> Counter[object]:
    """The colours of the picture between two lines."""
    return Counter(page.crop((0, top, SIZE[0], bottom)).get_flattened_data())


@pytest.mark.first(test=3)
@pytest.mark.parametrize("seat", "BY")
@pytest.mark.parametrize("height", [0.0, 0.03, 0.5, 0.97, 1.0])
def test_decisions_are_marked_inside_the_plot(height: float, seat: str) -> None:
    marks = [DecisionMark(place, seat, place - 3) for place in (4, 5, 6)]
    plot = Curve("BY", [[height, 1 - height]] * 10, TURNS, (), marks)
    page, accent = drawn(plot), THEMES["dark"].accent
    outside = below(page, 0, TOP) + below(page, BOTTOM, LEGEND_PLACE - MARK_RADIUS - 4)
    legend = below(page, LEGEND_PLACE - MARK_RADIUS - 4, SIZE[1])[accent]
    assert not outside[accent]
    assert below(page, TOP, BOTTOM)[accent] > 2.8 * legend


@pytest.mark.slow
@pytest.mark.parametrize("height", [0.0, 0.03, 0.5])
def test_rolls_hide_no_number_of_a_turn(height: float) -> None:
    scores = [[height, 1 - height]] * 10
    plot = Curve("BY", scores, TURNS, [RollMark(5, "Y")] * 6)
    page, bare = drawn(plot), drawn(Curve("BY", scores, TURNS))
    numbers = (0, BOTTOM + NUMBERS_BELOW - 13, SIZE[0], BOTTOM + NUMBERS_BELOW + 13)
    assert page.crop(numbers).tobytes() == bare.crop(numbers).tobytes()
    paper = THEMES["dark"].paper
    legend = below(page, LEGEND_PLACE - DIE_SIDE, SIZE[1])[paper]
    assert below(page, 0, LEGEND_PLACE - DIE_SIDE)[paper] == 6 * legend


def test_marks_do_not_cover_the_name_in_the_plot() -> None:
    scores = [[0.2, 0.8]] * 10
    marks = [DecisionMark(place, "B", place + 1) for place in (0, 1)]
    name = (LEFT, BOTTOM - 60, LEFT + 110, BOTTOM - 8)
    with_marks, bare = (
        drawn(Curve("BY", scores, TURNS, (), roll_marks)) for roll_marks in (marks, ())
    )
    assert with_marks.crop(name).tobytes() == bare.crop(name).tobytes()


@pytest.mark.slow
def test_lines_of_three_players_differ_in_more_than_colour() -> None:
    page, theme = drawn(curve("BYW")), THEMES["dark"]
    lines = [theme.story, *theme.seats]
    counts = Counter(page.get_flattened_data())
    assert counts[lines[0]] > 1.2 * counts[lines[1]] > 0
    assert counts[lines[1]] > 1.2 * counts[lines[2]] > 0


@pytest.mark.slow
def test_pictures_are_small_and_the_same_again() -> None:
    plot = curve("BYW", rolls=3, decisions=3)
    png = picture(plot, NAMES, "dark")
    assert len(png) < 40_000
    assert picture(plot, NAMES, "dark") == png
    assert picture(curve(rolls=1), NAMES, "dark") != picture(curve(), NAMES, "dark")


def test_match_without_actions_has_a_picture() -> None:
    assert drawn(Curve("BY", [[0.5, 0.5]], (0,))).size == SIZE


def test_luck_of_drawn_rhombs_has_no_dice() -> None:
    plots = [
        Curve("TD", [[0.5, 0.5]] * 10, TURNS, [RollMark(5, "T")], draws_rhombs=draws)
        for draws in (False, True)
    ]
    dice, rhombs = (drawn(plot).crop((0, LEGEND_PLACE - DIE_SIDE, *SIZE)) for plot in plots)
    assert dice.tobytes() != rhombs.tobytes()
    assert [_luck_words(plot).split(",")[0] for plot in plots] == ["a lucky roll", "a lucky draw"]
    assert [game for game in games.names() if for_game(game).draws_rhombs] == ["tomtube"]
