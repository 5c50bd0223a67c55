"""Names are always seen, whatever they are made of."""

from __future__ import annotations

import unicodedata

import pytest

from bot.sanitize import clean, clean_name

INVISIBLE = "\u3164 \uffa0 \u115f \u1160 \u2800 \u034f \u200b \u2060 \ufe0f \u180e \u17b4".split(
    " "
)
INVISIBLE += ["\U0001d159", "\U000e0020", "\u0301", "\u00ad", "\u2000", "\u200d\ufe0f"]


@pytest.mark.parametrize("letter", INVISIBLE)
def test_invisible_name_has_a_fallback(letter: str) -> None:
    assert clean_name(letter) == "Unnamed player"
    assert clean_name(f"{letter * 5} {letter}") == "Unnamed player"


@pytest.mark.parametrize("letter", INVISIBLE)
def test_invisible_text_is_empty(letter: str) -> None:
    assert clean(letter) == ""
    assert clean(f"{letter * 5} {letter}") == ""


@pytest.mark.parametrize("letter", INVISIBLE[:12])
def test_invisible_letters_do_not_tell_names_apart(letter: str) -> None:
    assert clean(f"{letter}Ada{letter}") == "Ada"


@pytest.mark.parametrize(
    "name",
    ["Ada", "李", "ﾊﾝ", "한글", "ᄒ", "🏳\ufe0f\u200d🌈", "é", "1\ufe0f\u20e3", "⠓⠊", "—", "☆"],
)
def test_visible_name_stays_as_it_is(name: str) -> None:
    assert clean(name) == name


ENGLAND = "\U0001f3f4\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f"
FAMILY = "👨\u200d👩\u200d👧\u200d👦"
REAL = [
    "Zoë", "Nguyễn Văn Ánh", "Łukasz", "Παναγιώτης", "Иван", "דוד", "محمد", "नमस्ते",
    "क्\u200dष", "สมชาย",
    "王小明",
    "さくら", "김민준", f"{ENGLAND} Harry", f"Meyer {FAMILY}", "Ana 👩🏽\u200d🚀",
    "🏳\ufe0f\u200d🌈 Sam",
    "❤\ufe0f\u200d🔥",
    "🇩🇪 Uwe", "1\ufe0f\u20e3st", "🏴\u200d☠\ufe0f", "O'Neil-Smith", "D’Arcy",
]  # fmt: skip


@pytest.mark.parametrize("name", REAL)
def test_real_name_stays_as_it_is(name: str) -> None:
    name = unicodedata.normalize("NFC", name)
    assert clean_name(name) == name
    assert clean_name(f" {name}\n") == name


@pytest.mark.parametrize("name", REAL)
@pytest.mark.parametrize("length", [31, 30, 28, 24])
def test_long_name_is_cut_between_letters(name: str, length: int) -> None:
    name = unicodedata.normalize("NFC", name)
    cleaned = clean_name("x" * length + name)
    assert len(cleaned) <= 32
    start = cleaned.removeprefix("x" * length)
    assert not start or start == name[: len(start)]
    assert name[len(start) : len(start) + 1] not in ("\u200d", "\ufe0f", "\u20e3")
    if "🏴" in start and ENGLAND in name:
        assert ENGLAND in start
    if "👨" in start:
        assert FAMILY in start


@pytest.mark.parametrize(
    ("name", "cleaned"),
    [
        ("A\u200dda", "Ada"),
        ("A\ufe0fda", "Ada"),
        ("\u200dAda", "Ada"),
        ("Ada1\ufe0f", "Ada1"),
        ("Ada!\ufe0f", "Ada!"),
        ("💥\u200d\u200d", "💥"),
        ("💥\u200d\u200d💥", "💥\u200d💥"),
        ("\U0001f3f4\U000e0067\U000e0062", "🏴"),
        ("Ada\U000e0067\U000e007f", "Ada"),
        (f"A{ENGLAND}\u202eB", f"A{ENGLAND}B"),
    ],
)
def test_parts_of_emoji_alone_are_left_out(name: str, cleaned: str) -> None:
    assert clean(name) == cleaned
