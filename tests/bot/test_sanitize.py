"""Names are always seen, whatever they are made of."""

from __future__ import annotations

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
