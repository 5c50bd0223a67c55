"""Messages with further items, as far as Discord has room for them."""

from __future__ import annotations

import discord
import pytest

from bot.views import ui
from bot.views.message import COMPONENT_LIMIT, note


@pytest.mark.parametrize(("free", "fits"), [(3, True), (2, False)])
def test_further_items_are_added_if_all_fit(free: int, fits: bool) -> None:
    message = note("First", *(ui.TextDisplay("…") for _ in range(COMPONENT_LIMIT - 1 - free)))
    items = (ui.TextDisplay("Last"), ui.ActionRow(ui.Button(label="More", custom_id="more")))
    layout = message.with_items(items).layout
    assert layout.total_children_count == COMPONENT_LIMIT - (0 if fits else free)
    texts = [
        item.content for item in layout.walk_children() if isinstance(item, discord.ui.TextDisplay)
    ]
    assert ("Last" in texts) == fits
