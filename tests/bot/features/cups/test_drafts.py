"""Which cups are possible: the choices of an organiser, and why some are refused."""

from __future__ import annotations

from typing import Any

import pytest

from bot.domain.clocks import DAY
from bot.features.cups.drafts import CupDraft, draft_refusal
from bot.features.cups.formats import CupFormat
from tests.support.cups import CHANNEL
from tests.support.fake_objects import GUILD

NOW = 1000.0


def draft(**fields: Any) -> CupDraft:
    """A cup with some choices, by default a round robin of Warp 6."""
    defaults = {"name": "Cup", "game": "warp6", "clock": "3d", "format": CupFormat.ROUND_ROBIN}
    return CupDraft(**(defaults | {"guild_id": GUILD, "channel_id": CHANNEL} | fields))


def test_cup_is_unrated_without_a_choice() -> None:
    assert not draft().rated
    assert (draft().rounds, draft().max_open) == (1, 2), "as the options of `/cup create` say"


@pytest.mark.parametrize(
    "fields",
    [
        {},
        {"rounds": 2},
        {"format": CupFormat.GROUPS},
        {"format": CupFormat.KNOCK_OUT, "rounds": 2},
        {"starts_at": NOW + 1},
        {"ends_at": NOW + 1},
        {"starts_at": NOW + 731 * DAY},
        {"ends_at": NOW + 731 * DAY},
        {"starts_at": NOW + 1, "ends_at": NOW + 2},
    ],
)
def test_possible_cup_is_not_refused(fields: dict[str, Any]) -> None:
    assert draft_refusal(draft(**fields), NOW) == ""


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"clock": ""}, "needs a clock"),
        ({"clock": "soon"}, "Write a clock"),
        ({"game": "tomtube", "format": CupFormat.GROUPS}, "can't be played in this format"),
        ({"game": "tomtube", "rounds": 3}, "series"),
        ({"format": CupFormat.GROUPS, "rounds": 2}, "Groups of three"),
        ({"starts_at": NOW - 1}, "in the past"),
        ({"starts_at": NOW}, "in the past"),
        ({"ends_at": NOW}, "before it starts"),
        ({"starts_at": NOW + 731 * DAY + 1}, "more than two years"),
        ({"ends_at": NOW + 731 * DAY + 1}, "more than two years"),
        ({"starts_at": NOW + 2, "ends_at": NOW + 1}, "before it starts"),
        ({"starts_at": NOW + 2, "ends_at": NOW + 2}, "before it starts"),
    ],
)
def test_impossible_cup_is_refused(fields: dict[str, Any], words: str) -> None:
    assert words in draft_refusal(draft(**fields), NOW)
