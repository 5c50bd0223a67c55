"""The lists of the settings of servers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import discord

from bot.domain.clocks import OFFERED_CLOCKS
from bot.views import ui
from bot.views.custom_ids import ServerId
from render.i18n import _


class SettingList(NamedTuple):
    """A setting of a server, with the list to choose it from."""

    label: str
    control: ui.Item


def channel_list(
    option: str,
    selected: Sequence[int],
    placeholder: str,
    kinds: Sequence[discord.ChannelType],
    *,
    most: int = 1,
) -> ui.ChannelSelect:
    """Return a menu of channels for a setting; selecting none is allowed.

    Args:
        most: maximum number of channels.
    """
    return ui.ChannelSelect(
        custom_id=str(ServerId(option)),
        channel_types=list(kinds),
        placeholder=placeholder,
        min_values=0,
        max_values=most,
        default_values=[discord.Object(channel_id) for channel_id in selected if channel_id],
    )


def role_list(option: str, selected: int, placeholder: str) -> ui.RoleSelect:
    """Return a menu of roles for a setting; selecting none is allowed.

    Args:
        selected: ID of the role selected now; 0 for none.
    """
    return ui.RoleSelect(
        custom_id=str(ServerId(option)),
        placeholder=placeholder,
        min_values=0,
        default_values=[discord.Object(selected)] if selected else [],
    )


def word_list(option: str, values: Mapping[str, str], selected: str) -> ui.Select:
    """Return a list of value → words for a setting, with one selected."""
    options = [
        discord.SelectOption(label=_(words), value=value, default=value == selected)
        for value, words in values.items()
    ]
    return ui.Select(custom_id=str(ServerId(option)), options=options)


def clock_list(option: str, selected: str) -> ui.Select:
    """Return a list of clocks for a setting.

    Args:
        selected: notation of the clock selected now; see `bot.domain.clocks.Clock.parse`.
    """
    words = {words: words for words in OFFERED_CLOCKS}
    return word_list(option, words, _clock_words(selected))


def _clock_words(clock: str) -> str:
    """Return the words of a clock; its notation if it is no longer offered."""
    return next((words for words, notation in OFFERED_CLOCKS.items() if notation == clock), clock)
