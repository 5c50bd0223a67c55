"""Data of commands that discord.py cannot read are refused before it tries."""

from __future__ import annotations

from typing import Any

import pytest

from bot.interactions.option_validation import is_readable

ON_A_PERSON = {"name": "Challenge", "type": 2, "target_id": "1", "resolved": {"users": {"1": {}}}}
ON_A_BOARD = {"name": "Rules", "type": 3, "target_id": "1", "resolved": {"messages": {"1": {}}}}


@pytest.mark.parametrize("data", [{"name": "play"}, ON_A_PERSON, ON_A_BOARD])
def test_well_formed_data_is_readable(data: dict[str, Any]) -> None:
    assert is_readable(data)


@pytest.mark.parametrize("data", [ON_A_PERSON, ON_A_BOARD])
@pytest.mark.parametrize(
    "wrong",
    [
        {"name": None},
        {"target_id": None},
        {"target_id": 1},
        {"target_id": "2"},
        {"target_id": ["1"]},
        {"resolved": None},
        {"resolved": []},
        {"resolved": {}},
        {"resolved": {"users": None, "messages": None}},
        {"resolved": {"users": {"1": None}, "messages": {"1": None}}},
    ],
)
def test_a_context_menu_needs_its_target(data: dict[str, Any], wrong: dict[str, Any]) -> None:
    assert not is_readable(data | wrong)


def test_a_type_of_no_command_is_no_context_menu() -> None:
    assert is_readable({"name": "play", "type": [2]})
