"""The match of a clicked message, and the way back to its board."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import discord
import pytest

from bot.domain.ids import NO_MATCH, MatchId
from bot.interactions.clicked_match import clicked_match, with_way_back
from bot.views import ui
from bot.views.controls import button
from bot.views.custom_id_codec import CustomId
from bot.views.custom_ids import ActId, CancelId, HowtoId, MoreId, PlanId, ShowId, SinceId
from bot.views.message import note

ONE, TWO = MatchId(1), MatchId(2)


def clicked(*custom_ids: object) -> Any:
    """A message with these custom_ids in a row inside a container."""
    buttons = [SimpleNamespace(custom_id=str(custom_id)) for custom_id in custom_ids]
    container = SimpleNamespace(children=[SimpleNamespace(children=buttons)])
    return SimpleNamespace(components=[container])


@pytest.mark.parametrize(
    ("custom_ids", "match_id"),
    [
        ([ShowId(ONE)], ONE),
        ([HowtoId("warp6"), "broken:", SinceId(ONE), PlanId(ONE)], ONE),
        ([MoreId(ONE), HowtoId("warp6")], NO_MATCH),
        ([ShowId(ONE), ShowId(TWO)], NO_MATCH),
        ([], NO_MATCH),
    ],
)
def test_match_is_that_of_the_board_buttons(custom_ids: list[object], match_id: int) -> None:
    assert clicked_match(clicked(*custom_ids)) == match_id
    assert clicked_match(None) == NO_MATCH


@pytest.mark.parametrize(
    ("custom_id", "added"),
    [
        (HowtoId("warp6"), ["show:1"]),
        (ShowId(ONE), []),
        (ActId(ONE, None, "draw accept"), []),
        (CancelId(), []),
    ],
)
def test_way_back_is_added_unless_there_is_one(custom_id: CustomId, added: list[str]) -> None:
    message = note("Text", ui.ActionRow(button("Go", custom_id)))
    answer = with_way_back(message, ONE).layout.walk_children()
    custom_ids = [item.custom_id for item in answer if isinstance(item, discord.ui.Button)]
    assert custom_ids == [str(custom_id), *added]
