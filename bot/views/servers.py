"""The settings of a server, and whether matches can be played on it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import discord
from discord import ui

from bot.sanitize import escape
from bot.services.models import Switch
from bot.services.servers import LANGUAGE_CHOICES, RATED_CHOICES, THREAD_CHOICES, ServerSettings
from bot.services.time_controls import OFFERED_CLOCKS
from bot.views.controls import button
from bot.views.custom_ids import RankRolesId, ServerId, ServerOption
from bot.views.message import Message, note
from render.i18n import _, ngettext

MAX_PROBLEMS = 5
"""Maximum number of problems above the settings."""


def server(chosen: ServerSettings, problems: Sequence[str] = ()) -> Message:
    """Return the settings of a server, each with its list, and the problems that they have.

    Args:
        chosen: the settings.
        problems: sentences for users; the first ones are shown.
    """
    channels = ui.ChannelSelect[Any](
        custom_id=str(ServerId(ServerOption.CHANNELS)),
        channel_types=[discord.ChannelType.text, discord.ChannelType.news],
        placeholder=_("Every channel"),
        min_values=0,
        max_values=25,
        default_values=[discord.Object(each) for each in chosen.channels],
    )
    role = ui.RoleSelect[Any](
        custom_id=str(ServerId(ServerOption.ROLE)),
        placeholder=_("Everyone"),
        min_values=0,
        default_values=[discord.Object(chosen.role)] if chosen.role else [],
    )
    clocks = _one_of(
        ServerOption.CLOCK, {words: words for words in OFFERED_CLOCKS}, _clock_words(chosen.clock)
    )
    threads = _one_of(
        ServerOption.THREADS, THREAD_CHOICES, Switch.ON if chosen.threads else Switch.OFF
    )
    language = _one_of(ServerOption.LANGUAGE, LANGUAGE_CHOICES, chosen.language)
    rated = _one_of(ServerOption.RATED, RATED_CHOICES, Switch.ON if chosen.rated else Switch.OFF)
    hall = ui.ChannelSelect[Any](
        custom_id=str(ServerId(ServerOption.HALL)),
        channel_types=[discord.ChannelType.text, discord.ChannelType.forum],
        placeholder=_("No hall"),
        min_values=0,
        default_values=[discord.Object(chosen.hall)] if chosen.hall else [],
    )
    hall_role = ui.RoleSelect[Any](
        custom_id=str(ServerId(ServerOption.HALL_ROLE)),
        placeholder=_("No role"),
        min_values=0,
        default_values=[discord.Object(chosen.hall_role)] if chosen.hall_role else [],
    )
    daily = ui.ChannelSelect[Any](
        custom_id=str(ServerId(ServerOption.DAILY)),
        channel_types=[discord.ChannelType.text, discord.ChannelType.news],
        placeholder=_("No channel"),
        min_values=0,
        default_values=[discord.Object(chosen.daily)] if chosen.daily else [],
    )
    head = _("**Server settings.** Running matches are not affected.\nMatches may start in:")
    return note(
        "\n".join((*_shown(problems), head)),
        ui.ActionRow(channels),
        ui.TextDisplay(_("Who can play:")),
        ui.ActionRow(role),
        ui.TextDisplay(_("Default clock:")),
        ui.ActionRow(clocks),
        ui.TextDisplay(_("New challenges are:")),
        ui.ActionRow(rated),
        ui.TextDisplay(_("Matches are played:")),
        ui.ActionRow(threads),
        ui.TextDisplay(_("Language of public messages:")),
        ui.ActionRow(language),
        ui.TextDisplay(_("Hall, with a list of open seats and running matches:")),
        ui.ActionRow(hall),
        ui.TextDisplay(_("Called in the hall for open seats, at most once an hour:")),
        ui.ActionRow(hall_role),
        ui.TextDisplay(_("Position of the day, a puzzle that members answer in private:")),
        ui.ActionRow(daily),
        ui.ActionRow(button(_("Roles for ranks…"), RankRolesId())),
    )


def _shown(problems: Sequence[str]) -> list[str]:
    """Return the first problems, and the number of the others."""
    if not problems:
        return []
    lines = [f"- {escape(problem)}" for problem in problems[:MAX_PROBLEMS]]
    if left := len(problems) - len(lines):
        more = ngettext(
            "- {count} more: `/admin doctor` shows it.",
            "- {count} more: `/admin doctor` shows them.",
            left,
        )
        lines.append(more.format(count=left))
    return [_("**This doesn't work yet:**"), *lines]


def diagnosis(found: Diagnosis, left_out: int) -> Message:
    """Return the problems that prevent matches on a server.

    Args:
        found: the diagnosis.
        left_out: number of unchecked channels.
    """
    lines = [_("**My setup on this server**"), *map(escape, found.lines)]
    if left_out:
        more = ngettext(
            "{count} more channel was not checked; name it to check it.",
            "{count} more channels were not checked; name one to check it.",
            left_out,
        )
        lines.append(more.format(count=left_out))
    return note("\n".join(lines))


def _clock_words(clock: str) -> str:
    """Return the words of a clock; its notation if it is no longer offered."""
    return next((words for words, notation in OFFERED_CLOCKS.items() if notation == clock), clock)


def _one_of(option: ServerOption, values: Mapping[str, str], now: str) -> ui.Select[Any]:
    """Return a list of value → words with one selected."""
    options = [
        discord.SelectOption(label=_(words), value=value, default=value == now)
        for value, words in values.items()
    ]
    return ui.Select[Any](custom_id=str(ServerId(option)), options=options)


class Diagnosis(NamedTuple):
    """The result of checking a server.

    Attributes:
        lines: sentences for users.
        healthy: whether a match can be played in each of the channels.
        problems: those of the lines that name a problem.
    """

    lines: list[str]
    healthy: bool
    problems: Sequence[str] = ()
