"""The picture of a profile: as high as its content, readable in every theme and script."""

from __future__ import annotations

import io
from collections import Counter
from dataclasses import replace

import pytest
from PIL import Image

from render.charts import LuckRange, ProfileCard, ScoreBar
from render.profile_card import (
    BAR_CARD_HEIGHT,
    GAP,
    WIDTH,
    height,
    picture,
)
from render.themes import THEMES

BAR = ScoreBar("Wormholes", "12 won, 3 drawn, 5 lost (68 %)", (12, 3, 5), "1214")
LUCK = LuckRange("Dice and draws: lucky", "+3.0 of 100 points a match", 0.03, 0.01, 0.05)
CARD = ProfileCard("Ada", "20 finished matches", (BAR,), LUCK, ("a turn takes 2 h on average",))


def drawn(card: ProfileCard, theme: str = "dark") -> Image.Image:
    return Image.open(io.BytesIO(picture(card, theme))).convert("RGB")


def colours(card: ProfileCard, theme: str = "dark") -> Counter[object]:
    return Counter(drawn(card, theme).get_flattened_data())


def test_picture_is_as_high_as_its_parts() -> None:
    assert drawn(CARD).size == (WIDTH, height(CARD))
    more = replace(CARD, bars=(BAR, BAR))
    assert height(more) == height(CARD) + BAR_CARD_HEIGHT + GAP
    assert drawn(ProfileCard("Ada", "")).width == WIDTH


@pytest.mark.slow
@pytest.mark.parametrize("theme", THEMES)
def test_bar_is_divided_by_the_outcomes(theme: str) -> None:
    card = ProfileCard("Ada", "", (BAR._replace(rating=""),))
    won = THEMES[theme].seats[0]
    many = colours(card, theme)[won]
    few = colours(replace(card, bars=(card.bars[0]._replace(parts=(3, 5, 12)),)), theme)[won]
    none = colours(replace(card, bars=(card.bars[0]._replace(parts=(0, 0, 9)),)), theme)[won]
    assert none == 0
    assert many == pytest.approx(4 * few, rel=0.1)


@pytest.mark.slow
def test_interval_lies_on_the_side_of_the_luck() -> None:
    won, card = THEMES["dark"].seats[0], ProfileCard("Ada", "", (), LUCK)
    page = drawn(card)
    halves = [page.crop((left, 0, left + WIDTH // 2, page.height)) for left in (0, WIDTH // 2)]
    left, right = (Counter(half.get_flattened_data())[won] for half in halves)
    assert left == 0 < right
    unlucky = drawn(replace(card, luck=LUCK._replace(mean=-0.03, low=-0.05, high=-0.01)))
    assert Counter(unlucky.crop((0, 0, WIDTH // 2, page.height)).get_flattened_data())[won] > 0


@pytest.mark.parametrize("name", ["W" * 32, "Бо", "陳", "שלום", "🚀 Ada"])
def test_names_in_any_script_stay_inside(name: str) -> None:
    page = drawn(replace(CARD, name=name))
    edge = page.crop((WIDTH - 20, 0, WIDTH, page.height))
    assert len(set(edge.get_flattened_data())) == 1


@pytest.mark.slow
def test_picture_is_small_and_the_same_again() -> None:
    card = replace(CARD, bars=(BAR,) * 8)
    png = picture(card, "dark")
    assert len(png) < 40_000
    assert picture(card, "dark") == png
