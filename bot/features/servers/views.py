"""The settings of a server, and whether matches can be played on it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from bot.sanitize import escape
from bot.views import ui
from bot.views.message import Message, note
from bot.views.server_options import SettingList
from render.i18n import _, ngettext

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
        buttons: shown below the settings.
        problems: sentences for users; the first ones are shown.
    """
    head = _("**Server settings.** Running matches are not affected.")
    parts: list[ui.Item] = []
    for setting in settings:
        parts += [ui.TextDisplay(setting.label), ui.ActionRow(setting.control)]
    rows = [ui.ActionRow(*buttons)] if buttons else []
    return note("\n".join((*_shown(problems), head)), *parts, *rows)


def _shown(problems: Sequence[str]) -> list[str]:
    """Return the first problems, and the number of the others."""
    if not problems:
        return []
    lines = [f"- {escape(problem)}" for problem in problems[:MAX_PROBLEMS]]
    if remaining := len(problems) - len(lines):
        more = ngettext(
            "- {count} more: `/admin doctor` shows it.",
            "- {count} more: `/admin doctor` shows them.",
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
            "{count} more channel was not checked; name it to check it.",
            "{count} more channels were not checked; name one to check it.",
            left_out,
        )
        lines.append(more.format(count=left_out))
    return note("\n".join(lines))


class Diagnosis(NamedTuple):
    """The result of checking a server.

    Attributes:
        lines: sentences for users.
        healthy: whether a match can be played in each of the channels.
        problems: the lines that name a problem.
    """

    lines: list[str]
    healthy: bool
    problems: Sequence[str] = ()
