"""Colours: words are readable, and suits differ for every reader."""

from __future__ import annotations

from itertools import combinations

import pytest

from render.palette import palette
from render.themes import THEMES, Theme
from tests.support.vision import EYES, contrast, distance, lab

every_theme = pytest.mark.parametrize("theme", THEMES.values(), ids=list(THEMES))


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        ((50, 2.6772, -79.7751), (50, 0, -82.7485), 2.0425),
        ((50, -1, 2), (50, 0, 0), 2.3669),
        ((50, 2.5, 0), (50, 0, -2.5), 4.3065),
        ((50, 2.5, 0), (73, 25, -18), 27.1492),
        ((2.0776, 0.0795, -1.135), (0.9033, -0.0636, -0.5514), 0.9082),
    ],
)
def test_the_yardstick_agrees_with_the_published_distances(
    one: tuple[float, float, float], other: tuple[float, float, float], expected: float
) -> None:
    assert distance(one, other) == pytest.approx(expected, abs=1e-4)


@every_theme
@pytest.mark.parametrize("eyes", EYES)
def test_suits_are_far_apart_for_all_eyes(theme: Theme, eyes: str) -> None:
    for one, other in combinations(theme.suits, 2):
        assert distance(lab(one, eyes), lab(other, eyes)) >= 20


@every_theme
def test_words_and_figures_stand_out_from_what_is_behind_them(theme: Theme) -> None:
    void = theme.space[:4]
    pairs = [
        *((theme.text, ground) for ground in (*void, theme.card)),
        *((theme.faint, ground) for ground in void),
        (theme.card, theme.accent),
        (theme.paper, theme.metal),
        (theme.ink, theme.paper),
        *((theme.ink, suit) for suit in theme.suits),
        (theme.story_edge, theme.story),
        (theme.mark_text, theme.mark),
        *((theme.mark, tile) for tile in theme.tiles),
    ]
    assert [pair for pair in pairs if contrast(*pair) < 4.5] == []


@every_theme
def test_a_palette_leaves_an_entry_for_animations(theme: Theme) -> None:
    assert len(palette(theme).colours) < 255
