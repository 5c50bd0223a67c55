"""Saved answers of Discord hold neither ids nor names."""

from __future__ import annotations

import json
import re
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from bot.app.smoke_answers import Answers

IDS = st.integers(10**15, 2**63).map(str)
NAMES = st.text(st.characters(categories=["L"]), min_size=3).map("name-{}".format)
FIELDS = st.sampled_from(["id", "user_id", "name", "content", "flags", "users"])
VALUES: st.SearchStrategy[Any] = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(0, 2**62), IDS, NAMES, IDS.map("<@{}>".format)),
    lambda part: st.lists(part, max_size=3) | st.dictionaries(FIELDS | IDS, part, max_size=3),
)


@given(VALUES)
def test_no_id_and_no_name_survives(value: Any) -> None:
    kept = json.dumps(Answers().without_identity(value))
    assert not re.search(r"\d{15,}", kept)
    names = re.findall(r"name-\w+", json.dumps(value, ensure_ascii=False))
    assert not [name for name in names if name in kept]


def test_a_custom_id_stays_unless_it_has_an_id() -> None:
    kept = Answers().without_identity([{"custom_id": "menu"}, {"custom_id": f"m{'1' * 18}"}])
    assert kept == [{"custom_id": "menu"}, {"custom_id": "…"}]


@given(VALUES)
def test_the_shape_and_small_numbers_stay(value: Any) -> None:
    kept = Answers().without_identity(value)
    assert _shape(kept) == _shape(value)


def _shape(value: Any) -> Any:
    """Return the nesting of JSON data, with the types of texts and the values of small numbers."""
    match value:
        case dict():
            return sorted(str(_shape(part)) for part in value.values())
        case list():
            return [*map(_shape, value)]
        case bool() | None:
            return value
        case int():
            return value if value < 2**31 else 0
    return "text"


def test_an_id_has_one_number_wherever_it_occurs() -> None:
    answers = Answers()
    first = answers.without_identity({"id": "1" * 18, "author": {"id": "2" * 18}})
    second = answers.without_identity([{"author": {"id": "2" * 18}}, {"2" * 18: {"type": 1}}])
    assert first == {"id": "1", "author": {"id": "2"}}
    assert second == [{"author": {"id": "2"}}, {"2": {"type": 1}}]
