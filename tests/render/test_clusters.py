"""Texts are cut between what people see as one character."""

from __future__ import annotations

import pytest

from render.clusters import cut, region_of
from render.i18n import truncate

ENGLAND = "\U0001f3f4\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f"
WHOLE = [
    "a",
    "e\u0301",
    "👨\u200d👩\u200d👧",
    "👍🏽",
    "🇩🇪",
    ENGLAND,
    "🏴\u200d☠\ufe0f",
    "1\ufe0f\u20e3",
    "नी",
]


@pytest.mark.parametrize("whole", WHOLE)
def test_cut_leaves_no_part(whole: str) -> None:
    text = f"ab{whole}{whole}c"
    for limit in range(len(text) + 1):
        shortened = cut(text, limit)
        assert len(shortened) <= limit
        assert shortened in ("", "a", "ab", f"ab{whole}", f"ab{whole}{whole}", text)
        longer = text[len(shortened) :]
        assert not longer or len(shortened) + len(whole) > limit or not longer.startswith(whole)


def test_two_flags_are_two() -> None:
    assert cut("🇩🇪🇫🇷", 2) == "🇩🇪"
    assert cut("🇩🇪🇫🇷", 3) == "🇩🇪"


def test_ellipsis_follows_a_whole_character() -> None:
    assert truncate("ab👍🏽c", 4) == "ab…"
    assert truncate("ab👍🏽c", 5) == "ab👍🏽c"
    assert truncate("abcdef", 5) == "abcd…"


def test_flag_of_a_region_is_named() -> None:
    assert region_of(ENGLAND) == "ENG"
