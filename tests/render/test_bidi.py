"""The order of letters is Unicode's, which FriBidi implements as well."""

from __future__ import annotations

import ctypes
from ctypes.util import find_library

import pytest
from hypothesis import given
from hypothesis import strategies as st

from render.bidi import levels, visual

FRIBIDI = find_library("fribidi")

FIRST_LETTER_DECIDES = 0x40
"""FriBidi's value for a direction that is not given."""


def levels_of_fribidi(text: str) -> list[int]:
    """Levels of each character, from the system's library."""
    assert FRIBIDI
    library = ctypes.CDLL(FRIBIDI)
    count = len(text)
    letters = (ctypes.c_uint32 * count)(*map(ord, text))
    kinds, brackets = (ctypes.c_uint32 * count)(), (ctypes.c_uint32 * count)()
    library.fribidi_get_bidi_types(letters, count, kinds)
    library.fribidi_get_bracket_types(letters, count, kinds, brackets)
    base, embedding_levels = ctypes.c_uint32(FIRST_LETTER_DECIDES), (ctypes.c_int8 * count)()
    library.fribidi_get_par_embedding_levels_ex(
        kinds, brackets, count, ctypes.byref(base), embedding_levels
    )
    return list(embedding_levels)


@pytest.mark.skipif(not FRIBIDI, reason="FriBidi is not installed")
@given(st.text("abשרמع12\u06f3/,.-+$%()[]{ \u0301\u05b0é", min_size=1, max_size=14).map(str.strip))
def test_levels_are_those_of_fribidi(text: str) -> None:
    assert not text or levels(text) == levels_of_fribidi(text)


@pytest.mark.parametrize(
    ("text", "seen"),
    [
        ("ab שרה cd", "ab הרש cd"),
        ("שרה ab 12", "ab 12 הרש"),
        ("שרה 12", "12 הרש"),
        ("ab שרה 12", "ab 12 הרש"),
        ("שר (ab)", "(ab) רש"),
    ],
)
def test_a_line_is_turned_where_it_runs_leftwards(text: str, seen: str) -> None:
    mirrored = str.maketrans("()", ")(")
    embedding_levels = levels(text)
    line = [
        (level, letter.translate(mirrored) if level % 2 else letter)
        for level, letter in zip(embedding_levels, text, strict=True)
    ]
    assert "".join(visual(line)) == seen
