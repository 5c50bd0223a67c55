"""The settings of a server, and whether matches can be played on it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from bot.features.servers.ids import CheckServerId
from bot.sanitize import escape
from bot.views import ui
from bot.views.controls import button
from bot.views.message import Message, note
from bot.views.server_options import SettingList
from render.i18n import N_, _, ngettext

CHECK = N_("Check this server")
"""Label of the button that checks the bot's setup."""

MAX_PROBLEMS = 5
"""Maximum number of problems above the settings."""


def server(
    settings: Sequence[SettingList],
    buttons: Sequence[ui.Button] = (),
    problems: Sequence[str] = (),
) -> Message:
    """Return the settings of a server, each with its list, and the problems that they have.

    Args:
        settings: the settings in display order.
        problems: sentences for users; the first ones are shown.
    """
    head = _("**Server settings.** Matches in progress keep theirs.")
    parts: list[ui.Item] = []
    for setting in settings:
        parts += [ui.TextDisplay(setting.label), ui.ActionRow(setting.control)]
    check = button(_(CHECK), CheckServerId())
    return note("\n".join((*_shown(problems), head)), *parts, ui.ActionRow(*buttons, check))


def _shown(problems: Sequence[str]) -> list[str]:
    """Return the first problems, and the number of the others."""
    if not problems:
        return []
    lines = [f"- {escape(problem)}" for problem in problems[:MAX_PROBLEMS]]
    if remaining := len(problems) - len(lines):
        more = ngettext(
            "- {count} more: *Check this server* shows it.",
            "- {count} more: *Check this server* shows them.",
            remaining,
        )
        lines.append(more.format(count=remaining))
    return [_("**This doesn't work yet:**"), *lines]


def diagnosis(result: Diagnosis, left_out: int) -> Message:
    """Return the problems that prevent matches on a server.

    Args:
        left_out: number of unchecked channels.
    """
    lines = [_("**My setup on this server**"), *map(escape, result.lines)]
    if left_out:
        more = ngettext(
            "{count} more channel was not checked; choose it to check it.",
            "{count} more channels were not checked; choose one to check it.",
            left_out,
        )
        lines.append(more.format(count=left_out))
    one_channel = ui.ChannelSelect(
        custom_id=str(CheckServerId()), placeholder=_("Check only one channel …")
    )
    return note("\n".join(lines), ui.ActionRow(one_channel))


class Diagnosis(NamedTuple):
    """The result of checking a server.

    Attributes:
        healthy: whether a match can be played in each of the channels.
    """

    lines: list[str]
    healthy: bool
    problems: Sequence[str] = ()
