"""Names in all scripts and lengths fit where they are put."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from render.text import DRAWABLE_CHARACTERS, drawable, measure, truncate_to_width


@given(st.text(max_size=200), st.integers(20, 60), st.integers(60, 600))
def test_any_name_fits(name: str, size: int, width: int) -> None:
    shown = truncate_to_width(drawable(name, "Side"), size, width)
    assert set(shown) <= DRAWABLE_CHARACTERS
    assert 0 < measure(shown, size) <= width


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("Zoë", "Zoe"),
        ("Łukasz  Straße", "Lukasz Strasse"),
        ("🚀Rocket🚀", "Rocket"),
        ("\uff46\uff55\uff4c\uff4c", "full"),
        ("\u202eevil\u202c", "evil"),
        ("two\nlines", "two lines"),
        ("محمد", "Side"),
        ("שרה", "Side"),
        ("王小明", "Side"),
        ("🎲", "Side"),
        ("", "Side"),
    ],
)
def test_what_the_typeface_lacks_is_spelled_or_left_out(name: str, shown: str) -> None:
    assert drawable(name, "Side") == shown


def test_a_name_that_fits_is_not_cut() -> None:
    assert truncate_to_width("Ada", 40, 200) == "Ada"
    assert truncate_to_width("Ada Augusta Lovelace", 40, 200).endswith("…")
