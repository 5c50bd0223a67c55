"""The settings of a player."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import discord

from bot.services.preferences import GROUPS, PREFERENCES, PreferenceKey, blocked_by
from bot.views import ui
from bot.views.controls import MODAL_TITLE_LIMIT, button
from bot.views.custom_ids import PreferencesChosenId, PreferencesId, UnblockAllId
from bot.views.message import Message, layout_of
from render.i18n import _, ngettext, titled, truncate


def settings(preferences: Mapping[str, str]) -> Message:
    """Return a player's own settings, with a button to change each group of them."""
    items: list[ui.Item] = [ui.TextDisplay(_("**Your settings** (all servers)"))]
    for group, (title, keys) in GROUPS.items():
        items.append(ui.TextDisplay("\n".join(_lines(preferences, title, keys))))
        items.append(ui.ActionRow(button(_("Change…"), PreferencesId(group))))
    zone = _("-# Time zone: {zone} (change it with `/settings zone:`)")
    items.append(ui.TextDisplay(zone.format(zone=preferences[PreferenceKey.ZONE])))
    if count := len(blocked_by(preferences)):
        words = ngettext(
            "You have blocked {count} player.", "You have blocked {count} players.", count
        )
        items.append(ui.TextDisplay(f"-# {words.format(count=count)}"))
        items.append(ui.ActionRow(button(_("Unblock all"), UnblockAllId())))
    if preferences[PreferenceKey.DM_FAILED] == "yes":
        closed = _("-# My last DM didn't reach you; your DMs seem to be closed to me.")
        items.append(ui.TextDisplay(closed))
    return Message(layout_of(*items))


def _lines(preferences: Mapping[str, str], title: str, keys: tuple[str, ...]) -> Iterator[str]:
    """Yield the title of a group, then its settings."""
    yield f"### {_(title)}"
    for key in keys:
        about, values = PREFERENCES[key]
        yield f"- {titled(_(about), f'**{_(values[preferences[key]])}**')}"


def window(preferences: Mapping[str, str], group: str) -> ui.Modal:
    """Return a window with a group of settings.

    Raises:
        KeyError: there is no such group.
    """
    title, keys = GROUPS[group]
    title = truncate(_(title), MODAL_TITLE_LIMIT)
    window = ui.Modal(title=title, custom_id=str(PreferencesChosenId()), timeout=None)
    for key in keys:
        about, values = PREFERENCES[key]
        options = [
            discord.RadioGroupOption(label=_(words), value=value, default=value == preferences[key])
            for value, words in values.items()
        ]
        choice = ui.RadioGroup(custom_id=str(key), options=options)
        text = truncate(_(about), MODAL_TITLE_LIMIT)
        window.add_item(ui.Label(text=text, component=choice))
    return window
