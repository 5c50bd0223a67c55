"""Buttons side by side on a phone."""

from __future__ import annotations

from itertools import chain

import pytest
from hypothesis import given
from hypothesis import strategies as st

from render.renderer import BUTTONS_PER_ROW, LABEL_LENGTH, ROW_LENGTHS, Button, rows_of, width_of


@pytest.mark.parametrize(
    ("labels", "lines"),
    [
        ([], []),
        (["6a→76w", "6b→75w", "8a→71", "4a→70"], [3, 1]),
        (["◆8→104", "◆7→105", "■4→106"], [3]),
        (["◆A8→116", "◆B8→104", "■A4→106"], [2, 1]),
        (["1g c6-d7▲", "1g c6-d7△", "1k d7-e7"], [2, 1]),
        (["Only one, and it has a long label"], [1]),
        (["Crowns 3 on e10", "Crowns 3 on e11", "Crowns 3 on f10"], [3]),
    ],
)
def test_three_choices_share_a_row_if_their_labels_are_short(
    labels: list[str], lines: list[int]
) -> None:
    rows = rows_of([Button(None, label) for label in labels], "Choose:")
    assert [len(row.buttons) for row in rows] == lines
    assert [row.heading for row in rows] == ["Choose:", *[""] * len(lines)][: len(lines)]


@pytest.mark.slow
@given(st.lists(st.text("ab7→", min_size=1, max_size=30), max_size=40))
def test_rows_keep_all_choices_in_their_order(labels: list[str]) -> None:
    rows = rows_of([Button(None, label) for label in labels])
    assert [button.label for button in chain.from_iterable(row.buttons for row in rows)] == labels
    for row in rows:
        row_labels = [button.label for button in row.buttons]
        if len(row_labels) == BUTTONS_PER_ROW:
            is_long = max(map(len, row_labels)) > LABEL_LENGTH
            assert is_long or sum(map(width_of, row_labels)) <= ROW_LENGTHS[BUTTONS_PER_ROW]
