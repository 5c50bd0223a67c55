"""Discord's limits on a message."""

from __future__ import annotations

from typing import Any

from discord import ui

from bot.app.registry import HANDLERS
from bot.views.custom_id_codec import parse
from bot.views.message import Message
from tests.support.harness import walk

COMPONENTS, LETTERS, LABEL, CUSTOM_ID, OPTIONS = 40, 4000, 80, 100, 25
"""Discord's limits for one message."""


class CheckedLayout(ui.LayoutView):
    """A layout that is checked as soon as it is complete."""

    def stop(self) -> None:
        """Assert that Discord takes its custom_ids: it refuses a message with two equal ones."""
        items = self.walk_children()
        ids = [item.custom_id for item in items if isinstance(item, ui.Button | ui.Select)]
        given = [custom_id for custom_id in ids if custom_id]  # a link has none
        assert len(given) == len(set(given)), given
        super().stop()


def components(message: Message) -> list[dict[str, Any]]:
    """Its components as Discord gets them."""
    made: list[dict[str, Any]] = message.layout.to_components()  # type: ignore[no-untyped-call]
    return made


def check_limits(message: Message) -> None:
    """Assert that Discord takes it."""
    found = list(walk(components(message)))
    assert 0 < len(found) <= COMPONENTS
    assert sum(len(each.get("content", "")) for each in found) <= LETTERS
    ids = [each["custom_id"] for each in found if "custom_id" in each]
    assert len(ids) == len(set(ids))
    assert all(0 < len(each) <= CUSTOM_ID for each in ids)
    for each in found:
        assert each.get("content", "x").strip()
        if each["type"] == 1:
            assert 1 <= len(each["components"]) <= 5
        if each["type"] == 2:
            assert 1 <= len(each["label"]) <= LABEL
        if each["type"] == 3:
            assert 1 <= len(each["options"]) <= OPTIONS
            assert len({option["value"] for option in each["options"]}) == len(each["options"])
            assert all(0 < len(option["label"]) <= 100 for option in each["options"])
            assert all(0 < len(option["value"]) <= 100 for option in each["options"])
            assert len(each.get("placeholder", "")) <= 150
    assert all(len(file.description or "") <= 1024 for file in message.files)


def check_buttons(message: Message) -> None:
    """Check the limits, and that each component is understood when it is clicked."""
    check_limits(message)
    for each in walk(components(message)):
        assert "-#" not in map(str.strip, each.get("content", "").split("\n"))
        if "custom_id" in each and not each.get("disabled"):
            assert type(parse(each["custom_id"])) in HANDLERS
