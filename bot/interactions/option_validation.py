"""Check that a command's options match its current registration.

discord.py checks names only where an option is required, and neither types, choices nor ranges.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import discord
from discord.app_commands import AppCommandChannel, AppCommandThread, Parameter
from discord.enums import AppCommandOptionType as OptionType

MAX_OPTION_VALUE = 2**53
"""Largest absolute value that Discord accepts."""

SNOWFLAKE_DIGITS = 20

GROUPS = frozenset({OptionType.subcommand.value, OptionType.subcommand_group.value})
SNOWFLAKES = frozenset(
    {
        OptionType.user.value,
        OptionType.channel.value,
        OptionType.role.value,
        OptionType.mentionable.value,
        OptionType.attachment.value,
    }
)
PLAIN = frozenset({OptionType.string.value, OptionType.integer.value, OptionType.boolean.value})

TYPES: Mapping[OptionType, tuple[type, ...]] = {
    OptionType.string: (str,),
    OptionType.integer: (int,),
    OptionType.boolean: (bool,),
    OptionType.user: (discord.User, discord.Member),
    OptionType.channel: (AppCommandChannel, AppCommandThread),
    OptionType.attachment: (discord.Attachment,),
}
"""Type of an option → types of its values, once discord.py has read them."""


MENUS: Mapping[Any, str] = {
    discord.AppCommandType.user.value: "users",
    discord.AppCommandType.message.value: "messages",
}
"""Type of a context menu → the key of its target in the data."""


def is_readable(data: Mapping[str, Any]) -> bool:
    """Return whether discord.py can read the data of a command or an autocomplete."""
    if not isinstance(data.get("name"), str):
        return False
    kind = data.get("type")
    is_menu = isinstance(kind, int) and kind in MENUS
    return _has_target(data) if is_menu else _are_readable(data)


def _has_target(data: Mapping[str, Any]) -> bool:
    """Return whether the data of a context menu contains its target."""
    target, resolved = data.get("target_id"), data.get("resolved")
    items = resolved.get(MENUS[data["type"]]) if isinstance(resolved, dict) else None
    item = items.get(target) if isinstance(items, dict) and isinstance(target, str) else None
    return isinstance(item, dict)


def _are_readable(data: Mapping[str, Any]) -> bool:
    options = data.get("options", [])
    return isinstance(options, list) and all(map(_is_readable, options))


def _is_readable(option: Any) -> bool:
    kind, value = option.get("type"), option.get("value")
    if not isinstance(option.get("name"), str):
        return False
    if kind in GROUPS:
        return _are_readable(option)
    if kind in SNOWFLAKES:
        return isinstance(value, str) and value.isdecimal() and len(value) <= SNOWFLAKE_DIGITS
    return kind in PLAIN and value is not None


def fits(parameter: Parameter, value: Any) -> bool:
    """Return whether Discord lets a user give this value for an option.

    Args:
        parameter: the option as currently registered.
        value: the value as read by discord.py; None if it is not given.
    """
    if value is None:
        return not parameter.required
    if type(value) not in TYPES[parameter.type]:  # isinstance takes True for an integer
        return False
    if parameter.choices:
        return any(choice.value == value for choice in parameter.choices)
    size = value if isinstance(value, int) else len(value) if isinstance(value, str) else 0
    if isinstance(value, int) and abs(value) > MAX_OPTION_VALUE:
        return False
    low, high = parameter.min_value, parameter.max_value
    return (low is None or size >= low) and (high is None or size <= high)
