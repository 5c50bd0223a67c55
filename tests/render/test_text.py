"""Names in all scripts and lengths fit where they are put, and are shown as they are written."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from functools import cache

import pytest
from fontTools.ttLib import TTFont  # type: ignore[import-untyped]
from hypothesis import given, settings
from hypothesis import strategies as st

from render import typeface
from render.text import (
    MAX_LINE_HEIGHT,
    MAX_MARKS,
    drawable,
    font,
    measure,
    text_sprite,
    truncate_to_width,
)
from render.themes import DARK
from render.typeface import FONTS, JOINERS, can_shape, face_of, is_mark, runs
from tests.support.languages import is_drawn, messages

needs_fribidi = pytest.mark.skipif(not can_shape(), reason="FriBidi is not installed")

NAMES = {
    "latin": "Zoë Łukasz Straße",
    "vietnamese": "Nguyễn Thị Hồng Ẫ",
    "greek": "Αλέξανδρος Ωμέγα",
    "cyrillic": "Владимир Щёлков",
    "hebrew": "שרה כהן",
    "chinese": "王小明 諸葛亮 喆堃",
    "simplified": "刘亦菲 陈静",
    "japanese": "さくら カタカナ 東京太郎",
    "korean": "김민수 뷁",
    "emoji": "Rocket 🎲🚀👍",
}
ENGLAND = "\U0001f3f4\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f"
SCOTLAND = "\U0001f3f4\U000e0067\U000e0062\U000e0073\U000e0063\U000e0074\U000e007f"

SHAPED = {
    "arabic": "محمد علي پارسا",
    "devanagari": "प्रिया क्षत्रिय",
    "thai": "สมชาย ปิ่นเกล้า น้ำ",
}
ALL_NAMES = [
    *(pytest.param(name, id=script) for script, name in NAMES.items()),
    *(pytest.param(name, id=script, marks=needs_fribidi) for script, name in SHAPED.items()),
]

names = st.text(max_size=60) | st.text("aé שם3(\u06f1)مк王🚀\u200d\u0301\u202e क्षिน้ำ", max_size=40)


@cache
def characters(file: str) -> set[int]:
    """Characters of a font, as another program reads them."""
    return set(TTFont(FONTS / file).getBestCmap())


@pytest.mark.slow
@settings(deadline=None)
@given(names, st.integers(20, 60), st.integers(60, 600))
def test_any_name_fits(name: str, size: int, width: int) -> None:
    text = truncate_to_width(drawable(name, "Side"), size, width)
    assert 0 < measure(text, size) <= width
    page = text_sprite(DARK, text, size, DARK.text, DARK.card).page
    assert page.width <= width + 4
    assert page.height <= size * MAX_LINE_HEIGHT


def test_joiner_before_what_no_font_has_goes() -> None:
    assert drawable("\u0620\u200c \x1b", "Side") == "\u0620"


@pytest.mark.slow
@settings(deadline=None)
@given(names)
def test_any_name_is_made_of_what_fonts_have(name: str) -> None:
    text = drawable(name, "Side")
    assert drawable(text, "Side") == text
    for run in runs(text):
        assert {ord(letter) for letter in run.text} <= characters(run.face.file) | {0x200C, 0x200D}
    marks = 0
    for letter in text:
        assert unicodedata.category(letter) not in ("Cc", "Cf", "Cs", "Co") or letter in JOINERS
        marks = marks + 1 if unicodedata.category(letter) == "Mn" else 0
        assert marks <= MAX_MARKS


@pytest.mark.parametrize("name", ALL_NAMES)
def test_a_name_is_shown_as_it_is_written(name: str) -> None:
    assert drawable(name, "Side") == name
    assert sum(len(run.text) for run in runs(name)) == len(name)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("🚀  Rocket\n🚀", "🚀 Rocket 🚀"),
        ("\uff46\uff55\uff4c\uff4c \U0001d4d0\U0001d4ed\U0001d4ea", "full Ada"),
        ("\u202eevil\u202c", "evil"),
        ("x\u0302z\u0338\u0322\u031b\u034ea", "xza"),
        ("👩‍🚀👍🏽", "👩🚀👍"),
        ("👨‍👩‍👧 Meyer", "👨👩👧 Meyer"),
        ("🏳️‍🌈", "🏳🌈"),
        (ENGLAND, "ENG"),
        (f"Tam {SCOTLAND}", "Tam SCT"),
        ("🏴", "🏴"),
        ("A\u200db", "Ab"),
        ("🇩🇪", "DE"),
        ("꧁Ada꧂", "Ada"),
        ("Ада ᏌᎮ", "Ада"),
        ("ᏌᎮᎦᎠ Ada", "Side"),
        ("ᏌᎮᎦ 42", "Side"),
        ("\u0301", "Side"),
        ("", "Side"),
    ],
)
def test_what_no_font_has_is_replaced_or_left_out(name: str, text: str) -> None:
    assert drawable(name, "Side") == text


@pytest.fixture
def _no_fribidi(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(typeface, "can_shape", lambda: False)
    cached = (face_of, runs, drawable)
    for function in cached:
        function.cache_clear()
    yield
    for function in cached:
        function.cache_clear()


@pytest.mark.usefixtures("_no_fribidi")
def test_scripts_that_need_fribidi_fall_back_without_it() -> None:
    assert {drawable(name, "Side") for name in SHAPED.values()} == {"Side"}
    assert [drawable(name, "Side") for name in NAMES.values()] == list(NAMES.values())


def test_hebrew_runs_from_right_to_left() -> None:
    assert "".join(run.text for run in runs("שרה (42) כהן")) == "ןהכ (42) הרש"
    assert "".join(run.text for run in runs("Ada שרה, כהן Bo")) == "Ada ןהכ ,הרש Bo"


@needs_fribidi
def test_arabic_words_stand_from_right_to_left_and_are_joined() -> None:
    line = runs("محمد علي 42")
    assert [(run.text, run.direction) for run in line if run.text != " "] == [
        ("42", None),
        ("علي", "rtl"),
        ("محمد", "rtl"),
    ]
    assert measure("لا", 40) < 0.9 * (measure("ل", 40) + measure("\u0627", 40))


@needs_fribidi
def test_devanagari_letters_are_joined() -> None:
    assert measure("क्ष", 40) < 0.8 * (measure("क", 40) + measure("ष", 40))


def test_characters_that_japan_writes_are_drawn_as_there() -> None:
    """Whatever language it is: a name does not say which."""
    assert {run.face.file for run in runs("直樹さん、どうぞ")} == {"japanese.otf"}
    assert [run.face.file for run in runs("刘海")] == ["han.otf", "japanese.otf"]


def test_japanese_texts_in_pictures_have_characters_of_japan() -> None:
    drawn = [message for message in messages("ja") if is_drawn(message)]
    letters = {letter for message in drawn for letter in str(message.string) if letter > "\u3000"}
    assert len(letters) > 50
    assert {face.file for face in map(face_of, letters) if face} == {"japanese.otf"}


def test_wide_signs_of_japan_are_drawn_wide() -> None:
    signs = [unicodedata.lookup(f"FULLWIDTH {name}") for name in ("LEFT PARENTHESIS", "COLON")]
    assert [drawable(f"よ{sign}", "") for sign in signs] == [f"よ{sign}" for sign in signs]
    assert {measure(sign, 40) for sign in signs} == {measure("よ", 40)}


def test_digits_have_one_width_and_similar_letters_differ() -> None:
    assert len({measure(digit, 40) for digit in "0123456789"}) == 1
    assert len({bytes(font(60).getmask(letter)) for letter in "l1I|"}) == 4


def test_latin_letters_are_kerned() -> None:
    assert measure("To", 60) < measure("T", 60) + measure("o", 60)


def test_text_has_the_same_width_on_every_machine() -> None:
    texts = ("Ada Lovelace", "Nguyễn Щёлков", "שרה 王小明", "김민수 🚀", "0123456789")
    assert [measure(text, 40) for text in texts] == WIDTHS


WIDTHS = [261.953125, 319.0, 203.0, 156.0, 270.0]


def test_a_name_that_fits_is_not_cut() -> None:
    assert truncate_to_width("Ada", 40, 200) == "Ada"
    assert truncate_to_width("Ada Augusta Lovelace", 40, 200).endswith("…")


@needs_fribidi
@pytest.mark.parametrize("width", range(60, 200, 7))
def test_a_cut_name_keeps_letters_with_their_marks(width: int) -> None:
    name = "น้ำน้ำน้ำ" if width % 2 else "किकीकुकिकी"
    text = truncate_to_width(name, 40, width)
    assert text == name or not is_mark(name[len(text) - 1])
