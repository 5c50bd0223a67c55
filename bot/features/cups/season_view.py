"""Seasons of cups, in words: promotion, the next season, and the standings of the year."""

from __future__ import annotations

from collections.abc import Iterator

from bot.domain.ids import UserId
from bot.features.cups.formats import MIN_ENTRANTS
from bot.features.cups.rows import Cup, CupStatus
from bot.features.cups.seasons import SIGN_UP_SECONDS
from bot.sanitize import escape
from render.i18n import N_, _, format_list, ngettext

DIVISIONS = {
    N_("Each month, all in one group"): "1",
    N_("Each month, in up to two groups"): "2",
    N_("Each month, in up to three groups"): "3",
}
"""Label → number of groups of a cup that repeats."""

MAX_YEAR_LINES, MAX_ALL_YEAR_LINES = 5, 25
"""Maximum number of players of a year's standings in a post, and in *Details*."""


def season_lines(cup: Cup) -> Iterator[str]:
    """Yield the lines about the season of an unfinished cup that repeats."""
    if cup.season is None:
        return
    row, season = cup.row, cup.season
    if row.status == CupStatus.SIGN_UP:
        yield ngettext(
            "It repeats each month, with all players in one group.",
            "It repeats each month, in up to {count} groups; the best and the last players of "
            "neighbouring groups change places.",
            season.league.divisions,
        ).format(count=season.league.divisions)
        if row.season > 1:
            yield from _unconfirmed(cup)
        return
    if season.group_count > 1:
        yield _moving(season.moving, row.division, season.group_count)
    if row.ends_at:
        words = _("The next season starts {start}; the sign-up for it opens {opening}.")
        yield words.format(
            start=f"<t:{int(row.ends_at)}:D>", opening=f"<t:{int(row.ends_at - SIGN_UP_SECONDS)}:D>"
        )


def _moving(count: int, division: int, group_count: int) -> str:
    up = ngettext("the first moves up", "the first {count} move up", count)
    down = ngettext("the last one moves down", "the last {count} move down", count)
    moves = [up] * (division > 1) + [down] * (division < group_count)
    words = _("Group {number} of {groups}. At the end, {moves}.")
    text = format_list([move.format(count=count) for move in moves])
    return words.format(number=division, groups=group_count, moves=text)


def _unconfirmed(cup: Cup) -> Iterator[str]:
    """Yield the lines for the players of the last season."""
    if waiting := unconfirmed(cup):
        words = _(
            "**Again?** {players}: *Join* keeps your place for this season, *Leave* gives it up. "
            "Without an answer, you sit it out."
        )
        yield words.format(players=format_list([f"<@{user_id}>" for user_id in waiting]))
    yield ngettext(
        "With fewer than {count} player at the start, the seasons end.",
        "With fewer than {count} players at the start, the seasons end.",
        MIN_ENTRANTS,
    ).format(count=MIN_ENTRANTS)


def unconfirmed(cup: Cup) -> list[UserId]:
    """Return the players of the last season who have not answered."""
    if cup.row.status != CupStatus.SIGN_UP:
        return []
    return [entrant.user_id for entrant in cup.entrants if not entrant.joined_by]


def year_lines(cup: Cup, most: int) -> list[str]:
    """Return the standings of the year, at most `most` players; none for other cups.

    They are those of the last edit: a group that ends later changes no other group's post.
    """
    if cup.season is None or not cup.season.standings:
        return []
    lines = [_("**The year {year}**").format(year=cup.season.year)]
    for line in cup.season.standings[:most]:
        name = escape(_("Former member") if line.has_left else line.name)
        words = ngettext(
            "{place}. {player}: **{points}** ({count} season)",
            "{place}. {player}: **{points}** ({count} seasons)",
            line.seasons,
        )
        lines.append(
            words.format(place=line.place, player=name, points=line.points, count=line.seasons)
        )
    lines.append(_("-# A season gives a point for each player behind you, over all its groups."))
    return lines
