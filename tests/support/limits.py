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
    items: list[dict[str, Any]] = message.layout.to_components()  # type: ignore[no-untyped-call]
    return items


def check_limits(message: Message) -> None:
    """Assert that Discord takes it."""
    parts = list(walk(components(message)))
    assert 0 < len(parts) <= COMPONENTS
    assert sum(len(part.get("content", "")) for part in parts) <= LETTERS
    ids = [part["custom_id"] for part in parts if "custom_id" in part]
    assert len(ids) == len(set(ids))
    assert all(0 < len(custom_id) <= CUSTOM_ID for custom_id in ids)
    for part in parts:
        assert part.get("content", "x").strip()
        if part["type"] == 1:
            assert 1 <= len(part["components"]) <= 5
        if part["type"] == 2:
            assert 1 <= len(part["label"]) <= LABEL
        if part["type"] == 3:
            assert 1 <= len(part["options"]) <= OPTIONS
            assert len({option["value"] for option in part["options"]}) == len(part["options"])
            assert all(0 < len(option["label"]) <= 100 for option in part["options"])
            assert all(0 < len(option["value"]) <= 100 for option in part["options"])
            assert len(part.get("placeholder", "")) <= 150
    assert all(len(file.description or "") <= 1024 for file in message.files)


def check_buttons(message: Message) -> None:
    """Check the limits, and that each component is understood when it is clicked."""
    check_limits(message)
    for part in walk(components(message)):
        assert "-#" not in map(str.strip, part.get("content", "").split("\n"))
        if "custom_id" in part and not part.get("disabled"):
            assert type(parse(part["custom_id"])) in HANDLERS
