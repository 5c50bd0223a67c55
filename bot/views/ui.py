"""The components of messages and windows, as all views use them.

A view keeps no state and waits for no click (`bot.app.router`), so the type of the view that
discord.py's components are generic in does not matter.
"""

from __future__ import annotations

from typing import Any

from discord import ui

LayoutView = ui.LayoutView
Modal = ui.Modal

ActionRow = ui.ActionRow[Any]
Button = ui.Button[Any]
ChannelSelect = ui.ChannelSelect[Any]
Container = ui.Container[Any]
File = ui.File[Any]
FileUpload = ui.FileUpload[Any]
Item = ui.Item[Any]
Label = ui.Label[Any]
MediaGallery = ui.MediaGallery[Any]
RadioGroup = ui.RadioGroup[Any]
RoleSelect = ui.RoleSelect[Any]
Section = ui.Section[Any]
Select = ui.Select[Any]
TextDisplay = ui.TextDisplay[Any]
TextInput = ui.TextInput[Any]
Thumbnail = ui.Thumbnail[Any]
UserSelect = ui.UserSelect[Any]
