"""The picture of a result: readable on a phone, small, and with the public board."""

from __future__ import annotations

import io
from collections import Counter
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest
from PIL import Image

import render
from engine.game import View
from engine.record import Record
from engine.wormholes.view import WormholesView
from render import pictures
from render.cards import CARD_HEIGHT, NAMES, STATUS
from render.charts import ResultCard
from render.records import names_of, views_of
from render.result_card import (
    BOARD_WIDTH,
    FACTS_SIZE,
    GAP,
    HEADLINE_SIZE,
    LINE_SPACING,
    MARGIN,
    MOMENT_SIZE,
    WIDTH,
    picture,
    wrapped,
)
from render.text import font, measure
from render.themes import THEMES

PHONE, READABLE, MAX_BYTES = 400, 9, 120_000

RECORDS = Path(__file__).parents[2] / "docs" / "players" / "gallery"

CARD = ResultCard("Warp 6 #4 · 104 turns · 3 d 4 h", "Ada wins by resignation.", "Bo was close.")


@cache
def end_of(record: str) -> tuple[View, dict[str, str]]:
    """The public view of the end of a match, and its players."""
    match = Record.parse((RECORDS / f"{record}.match").read_text(encoding="utf-8"))
    *_, view = views_of(match)
    return view, dict(names_of(match))


def drawn(content: ResultCard = CARD, record: str = "chain", theme: str = "dark") -> Image.Image:
    return Image.open(io.BytesIO(picture(content, *end_of(record), theme))).convert("RGB")


def test_texts_are_nine_pixels_high_on_a_phone() -> None:
    for size in (FACTS_SIZE, HEADLINE_SIZE, MOMENT_SIZE, *NAMES[:2], STATUS):
        _, top, _, bottom = font(size).getbbox("2", anchor="ls")
        assert (bottom - top) * PHONE / WIDTH >= READABLE, size


@pytest.mark.slow
@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("record", ["cascade", "chain", "tubes", "three"])
def test_picture_of_a_result_is_a_small_file(record: str, theme: str) -> None:
    view, names = end_of(record)
    long = ResultCard("W" * 80, "word " * 60, "word " * 60)
    for content in (CARD, long):
        png = pictures.result(content, view, names, theme)
        assert len(png) <= MAX_BYTES
        with Image.open(io.BytesIO(png)) as page:
            assert page.width == WIDTH
            assert page.height <= 1.2 * WIDTH


@pytest.mark.slow
def test_each_line_and_row_of_players_has_room() -> None:
    short = drawn()
    line = MOMENT_SIZE * LINE_SPACING
    assert drawn(replace_moment("")).height == pytest.approx(short.height - line, abs=1)
    twice = drawn(replace_moment("word " * 30))
    assert twice.height == pytest.approx(short.height + line, abs=1)
    assert drawn(record="three").height == short.height + CARD_HEIGHT + GAP


def replace_moment(moment: str) -> ResultCard:
    return CARD._replace(moment=moment)


@pytest.mark.slow
def test_texts_and_names_are_in_the_picture() -> None:
    view, names = end_of("chain")
    before = picture(CARD, view, names, "dark")
    for content in (
        CARD._replace(facts="Another"),
        CARD._replace(headline="Another"),
        CARD._replace(moment="Another"),
    ):
        assert picture(content, view, names, "dark") != before
    assert picture(CARD, view, names | {"Y": "Cy"}, "dark") != before
    assert picture(CARD, view, names, "light") != before


@pytest.mark.slow
def test_winner_stands_out() -> None:
    view, names = end_of("chain")
    accent = THEMES["dark"].accent
    lost = replace(view, result=view.result.replace("B", "Y"))
    sides = []
    for end in (view, lost):
        page = Image.open(io.BytesIO(picture(replace_moment(""), end, names, "dark"))).convert(
            "RGB"
        )
        top = page.height - MARGIN - round(BOARD_WIDTH * 900 / 1400) - GAP - CARD_HEIGHT
        cards = page.crop((0, top, WIDTH, top + CARD_HEIGHT))
        halves = (cards.crop((left, 0, left + WIDTH // 2, CARD_HEIGHT)) for left in (0, WIDTH // 2))
        left, right = (Counter(half.get_flattened_data())[accent] for half in halves)
        sides.append(left > 10 * (right + 1))
        assert (left > 0) != (right > 0)
    assert sides == [True, False]


def test_long_texts_are_wrapped_and_cut() -> None:
    room = measure("one two", 40)
    assert wrapped("one two three", 40, room, 2) == ["one two", "three"]
    assert wrapped("one two three", 40, room, 3) == ["one two", "three"]
    assert wrapped("one two", 40, room, 2) == ["one two"]
    assert wrapped("", 40, room, 2) == []
    first, last = wrapped("one two three four", 40, room, 2)
    assert (first, last[-1]) == ("one two", "…")
    assert all(measure(line, 40) <= room for line in wrapped("W" * 40 + " W", 40, room, 2))


@pytest.mark.parametrize(
    ("record", "result", "sentence"),
    [
        ("cascade", "D base", "Ada was 11 spaces from winning."),
        ("cascade", "D resign", ""),
        ("tubes", "D points", "Bo won by 7 points."),
        ("tubes", "D stranded", "Bo won by 7 points."),
        ("tubes", "D resign", ""),
        ("tubes", "- points", ""),
        ("chain", "B dice", ""),
    ],
)
def test_margin_says_how_close_a_match_was(record: str, result: str, sentence: str) -> None:
    view, names = end_of(record)
    renderer = render.for_game(view.game)
    assert renderer.margin(replace(view, result=result), names) == sentence


def test_margin_counts_spaces_of_the_nearest_ship() -> None:
    view, names = end_of("cascade")
    assert isinstance(view, WormholesView)
    renderer = render.for_game("wormholes")
    goals = {ship.suit: ship for ship in view.ships}
    for space, words in (("b17", "1 space"), ("b18", "1 space"), ("c15", "2 spaces")):
        near = [goals["S"]._replace(space="j11"), goals["M"]._replace(space=space)]
        ships = (*near, goals["C"], goals["A"])
        end = replace(view, ships=ships)
        assert renderer.margin(end, names) == f"Ada was {words} from winning."
    assert renderer.margin(replace(view, rules="0.6-long"), names) == ""
