"""The tags of a forum: those that the bot may apply, and those that a post gets."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple

import discord

Choose = Callable[[Mapping[str, int]], list[int]]
"""Chooses the tags of a post, given name in lower case → ID of each tag."""


class ForumTags(NamedTuple):
    """The tags of a forum as far as the bot may apply them.

    Attributes:
        by_name: name in lower case → ID.
        required: whether each post needs a tag.
    """

    by_name: Mapping[str, int]
    required: bool

    @classmethod
    def of(cls, forum: discord.ForumChannel) -> ForumTags:
        """Return the tags of a forum, without those for moderators if the bot is none."""
        me = forum.guild.me
        moderates = me is None or forum.permissions_for(me).manage_threads
        tags = [tag for tag in forum.available_tags if moderates or not tag.moderated]
        return cls({tag.name.lower(): tag.id for tag in tags}, forum.flags.require_tag)

    def applied(self, choose: Choose) -> list[int]:
        """Return the tags of a post; the first one if the forum requires one and none fits."""
        tags = choose(self.by_name)
        return tags or (list(self.by_name.values())[:1] if self.required else [])
