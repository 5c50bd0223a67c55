"""Information about a match before it begins: the game, its usual length, the terms."""

from __future__ import annotations

import io
from collections.abc import Mapping

import discord

from bot.domain.clocks import (
    OFFERED_CLOCKS,
    common_clock,
    days_off_rule,
    stops_for_vacations,
    with_days_off,
)
from bot.domain.days_off import DaysOffRule
from bot.domain.models import Switch
from bot.views import ui
from bot.views.images import Cover
from engine import games
from render import for_game
from render.i18n import N_, _, ngettext, titled
from render.invitation import Setting

COVER_FILE = "cover.png"

TURNS_PER_WEEK = 14
"""Turns of one player in a week, for the usual length of a match: two a day."""

CLOCK, SERIES = Setting(N_("Clock")), Setting(N_("Series"))
_WITH_DAYS_OFF = {
    DaysOffRule.NONE: "{clock}",
    DaysOffRule.WEEKENDS: N_("{clock}, not on weekends"),
    DaysOffRule.OWN: N_("{clock}, not on each player's days off"),
}
RATED = Setting(N_("Rated"), {Switch.OFF: N_("no"), Switch.ON: N_("yes")})


def cover_items(cover: Cover | None) -> list[ui.Item]:
    """Return a game's picture with its alt text, if there is one."""
    if cover is None:
        return []
    item = discord.MediaGalleryItem(f"attachment://{COVER_FILE}", description=cover.alt)
    return [ui.MediaGallery(item)]


def cover_files(cover: Cover | None) -> tuple[discord.File, ...]:
    """Return the file of a game's picture."""
    if cover is None:
        return ()
    return (discord.File(io.BytesIO(cover.png), COVER_FILE, description=cover.alt),)


def about(game: str) -> list[str]:
    """Return a description of a game and the usual length of a match."""
    invitation = for_game(game).invitation
    weeks = max(1, round(invitation.turns / TURNS_PER_WEEK))
    length = ngettext(
        "-# About {turns} turns each: a week at two turns a day, or one evening.",
        "-# About {turns} turns each: {weeks} weeks at two turns a day, or one evening.",
        weeks,
    ).format(turns=invitation.turns, weeks=weeks)
    return [*filter(None, [_(invitation.summary)]), *([length] if invitation.turns else [])]


def terms(
    game: str, rules: str, options: Mapping[str, str], clock: str, series: tuple[int, int]
) -> list[str]:
    """Return the terms of a match, one per line, without the default rules and options.

    Args:
        options: name → value.
        clock: see `bot.domain.clocks.Clock.parse`.
        series: number of the match in its series, and the length of the series.
    """
    usual, invitation = games.get(game), for_game(game).invitation
    lines = [phrase(CLOCK, clock_label(clock))]
    if rules != usual.rules[0]:
        lines.append(phrase(invitation.rules, rules))
    for name, value in options.items():
        if value != usual.options[name][0]:
            lines.append(phrase(setting(game, name), value))
    number, total = series
    if total > 1:
        place = _("match {number} of {total}").format(number=number, total=total)
        lines.append(phrase(SERIES, place))
    return lines


def setting(game: str, option: str) -> Setting:
    """Return the words of an option; for one without words, its name."""
    return for_game(game).invitation.options.get(option, Setting(option))


def phrase(words: Setting, value: str) -> str:
    """Return a setting with its chosen value."""
    title, label = _(words.title), _(words.values.get(value, value))
    return titled(title, label)


def clock_label(clock: str) -> str:
    """Return the label of an offered clock, or the notation of another one."""
    common = with_days_off(common_clock(clock), DaysOffRule.NONE)
    label = next(
        (_(words) for words, notation in OFFERED_CLOCKS.items() if notation == common), common
    )
    label = _(_WITH_DAYS_OFF[days_off_rule(clock)]).format(clock=label)
    if stops_for_vacations(clock):
        return label
    return _("{clock}, even on vacation").format(clock=label)
