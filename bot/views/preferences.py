"""The settings of a player."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import discord
from discord import ui

from bot.services.preferences import PREFERENCES, PreferenceKey, blocked_by
from bot.views.controls import button
from bot.views.custom_ids import PreferId, UnblockAllId
from bot.views.message import Message, layout_of
from render.i18n import _, ngettext


def settings(preferences: Mapping[str, str]) -> Message:
    """Return a player's own settings, each with its list."""
    items: list[ui.Item[Any]] = [ui.TextDisplay(_("**Your settings** (all servers)"))]
    for name, (about, values) in PREFERENCES.items():
        options = [
            discord.SelectOption(label=_(words), value=value, default=value == preferences[name])
            for value, words in values.items()
        ]
        select = ui.Select[Any](custom_id=str(PreferId(name)), options=options)
        items += [ui.TextDisplay(_(about)), ui.ActionRow[Any](select)]
    zone = _("-# Time zone: {zone} (change it with `/settings zone:`)")
    items.append(ui.TextDisplay(zone.format(zone=preferences[PreferenceKey.ZONE])))
    if count := len(blocked_by(preferences)):
        words = ngettext(
            "You have blocked {count} player.", "You have blocked {count} players.", count
        )
        items.append(ui.TextDisplay(f"-# {words.format(count=count)}"))
        items.append(ui.ActionRow[Any](button(_("Unblock all"), UnblockAllId())))
    if preferences[PreferenceKey.DM_FAILED] == "yes":
        closed = _("-# My last DM didn't reach you; your DMs seem to be closed to me.")
        items.append(ui.TextDisplay(closed))
    return Message(layout_of(*items))
