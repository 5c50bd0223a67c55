"""Introductions to games for players who have not played them."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

from render.i18n import N_


class Setting(NamedTuple):
    """An option of a match, or its rules, as players read them.

    Attributes:
        title: title of the setting.
        values: value → a phrase (with the title ≤ 90 characters); others stand for themselves.
    """

    title: str
    values: Mapping[str, str] = MappingProxyType({})


class Invitation(NamedTuple):
    """The introduction to a game for players who have not played it.

    Attributes:
        summary: the game in one sentence (≤ 150 characters).
        turns: number of turns that each player usually has, setup included; 0 if unknown.
        rules: the rule sets.
        options: option → its words.
        visible_options: the options that a challenge shows at first sight.
    """

    summary: str = ""
    turns: int = 0
    rules: Setting = Setting(N_("Rules"))
    options: Mapping[str, Setting] = MappingProxyType({})
    visible_options: tuple[str, ...] = ()
