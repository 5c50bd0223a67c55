"""The components of messages and windows, as all views use them.

A view keeps no state and waits for no click (`bot.app.router`), so the type of the view that
discord.py's components are generic in does not matter.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from discord import ui

LayoutView = ui.LayoutView
Modal = ui.Modal

if TYPE_CHECKING:
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
else:  # a call of a generic alias takes as long as that of its class
    from discord.ui import (  # noqa: F401
        ActionRow,
        Button,
        ChannelSelect,
        Container,
        File,
        FileUpload,
        Item,
        Label,
        MediaGallery,
        RadioGroup,
        RoleSelect,
        Section,
        Select,
        TextDisplay,
        TextInput,
        Thumbnail,
        UserSelect,
    )
