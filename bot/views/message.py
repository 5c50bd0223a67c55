"""A message to send: a layout, its files, and the users it pings.

All messages are layouts (Components V2). A layout is rebuilt for every attempt, and stopped at
once: clicks are routed by their custom_id alone (`bot.app.router`), so they work after
a restart.
"""

from __future__ import annotations

import io
from collections.abc import Sequence
from typing import NamedTuple

import discord

from bot.domain.ids import UserId
from bot.views import ui
from render.i18n import truncate

COLOUR = 0x6C7BD9

PAGE_LIMIT = 3800
"""Characters in one message, below Discord's 4,000."""

Layout = ui.LayoutView

Buttons = Sequence[ui.Button]

COMPONENT_LIMIT = 40
"""Maximum number of components of a message, by Discord."""

STORY_LIMIT = 1500


class Message(NamedTuple):
    """A layout, its files, and the users and roles it pings.

    Attributes:
        pings: user IDs of the users it notifies; a DM needs no mention for that.
        role_pings: IDs of the roles it mentions.
        informs: whether it is silent although it mentions players, because none has to act.
    """

    layout: Layout
    files: tuple[discord.File, ...] = ()
    pings: tuple[UserId, ...] = ()
    role_pings: tuple[int, ...] = ()
    informs: bool = False

    def with_items(self, items: Sequence[ui.Item]) -> Message:
        """Return this message with further items at its end, or as it is if they do not fit."""
        if self.layout.total_children_count + count_components(items) <= COMPONENT_LIMIT:
            for item in items:
                self.layout.add_item(item)
        return self

    def is_silent(self, receiver: UserId | None = None) -> bool:
        """Return whether to send it without a notification, because no player has to act.

        Args:
            receiver: user ID of the recipient of a DM; None in a channel.
        """
        pinged = receiver in self.pings if receiver else self.pings or self.role_pings
        return self.informs or not pinged

    @property
    def mentions(self) -> discord.AllowedMentions:
        """The mentions that Discord may turn into notifications; all others are suppressed."""
        return discord.AllowedMentions(
            everyone=False,
            roles=[discord.Object(role_id) for role_id in self.role_pings] or False,
            replied_user=False,
            users=[discord.Object(user_id) for user_id in self.pings],
        )


def count_components(items: Sequence[ui.Item]) -> int:
    """Return the number of components of rows and other items."""
    return sum(
        1 + len(item.children) if isinstance(item, discord.ui.ActionRow) else 1 for item in items
    )


def layout_of(*items: ui.Item) -> Layout:
    """Return a layout that the client does not keep after it is sent."""
    layout = Layout(timeout=None)
    for item in items:
        layout.add_item(item)
    layout.stop()
    return layout


def note(text: str, *more: ui.Item) -> Message:
    """Return a short message, optionally with buttons or a picture."""
    return Message(layout_of(ui.TextDisplay(truncate(text, PAGE_LIMIT)), *more))


def gallery(file: discord.File) -> ui.MediaGallery:
    """Return an attached picture with the alt text of its file."""
    return ui.MediaGallery(discord.MediaGalleryItem(file.uri, description=file.description))


def pictured(
    text: str,
    name: str,
    drawn: bytes | None,
    alt: str,
    more: Sequence[ui.Item],
) -> Message:
    """Return a text with an optional picture below it, and the items below both."""
    if drawn is None:
        return note(text, *more)
    file = discord.File(io.BytesIO(drawn), name, description=alt)
    return note(text, gallery(file), *more)._replace(files=(file,))
