"""Clocks and absences of players, in words."""

from __future__ import annotations

from bot.domain.days_off import NO_DAYS_OFF
from bot.domain.models import Match
from bot.domain.quiet_hours import ActiveHours
from bot.views.names import escaped_names
from render.i18n import N_, _, format_list

WEEKDAYS = (
    N_("Monday"),
    N_("Tuesday"),
    N_("Wednesday"),
    N_("Thursday"),
    N_("Friday"),
    N_("Saturday"),
    N_("Sunday"),
)


def time_left(match: Match, asked: str, playing: str) -> str:
    """Return the deadlines of the players who have to decide, in each reader's local time.

    A deadline that several players share is given once.

    Args:
        match: a match in progress.
        asked: the seats that have to decide.
        playing: the seats that have not left the match.
    """
    parts: list[str] = []
    for seat, time in match.times.items():
        if time.over and seat in asked:
            parts.append(overtime(match, seat, asked, playing))
        elif seat in asked and (end := match.clock_end(seat)) is not None:
            parts.append(_deadline(int(end), match.days_off.get(seat, NO_DAYS_OFF).days))
    return "".join(f"\n{part}" for part in dict.fromkeys(parts))


def _deadline(end: int, days: str) -> str:
    """Return the line of a deadline.

    Args:
        end: the UTC time.
        days: the days on which the clock does not run; see `bot.domain.days_off.DaysOff`.
    """
    words = _("-# Deadline: {time}, {rest}")
    if days:
        words = _("-# Deadline: {time}, {rest} (the clock does not run on {days})")
    return words.format(time=f"<t:{end}:f>", rest=f"<t:{end}:R>", days=weekdays(days))


def weekdays(days: str) -> str:
    """Return the names of days of the week; see `bot.domain.days_off.DaysOff`."""
    return format_list([_(WEEKDAYS[int(day)]) for day in days])


def overtime(match: Match, seat: str, asked: str, playing: str) -> str:
    """Return the sentence that a player is out of time, with the players who may claim a win."""
    ends = {
        s: time.started_at or 0.0 for s, time in match.times.items() if time.over and s in asked
    }
    others = [
        player.user_id
        for s, player in match.acting_people.items()
        if s in playing and s != seat and (s not in ends or ends[s] > ends[seat])
    ]
    claimants = format_list([f"<@{user_id}>" for user_id in others])
    words = _("{name} is out of time: {players} can claim the match, or wait.")
    if not claimants:
        words = _("{name} is out of time, but a move still counts.")
    return words.format(name=escaped_names(match)[seat], players=claimants)


def absences(match: Match) -> str:
    """Return the absent players and the ends of their absences."""
    names = escaped_names(match)
    words = _("-# {name} is on vacation until {date}.")
    if match.clock:
        words = _("-# {name} is on vacation until {date}; their clock is paused.")
    return "".join(
        f"\n{words.format(name=names[seat], date=f'<t:{int(until)}:D>')}"
        for seat, until in match.away_until.items()
    )


def who_left(match: Match, departed_seats: str) -> str:
    """Return a line for each player who left the server, with the way to move the match."""
    names = escaped_names(match)
    words = _(
        "{name} has left this server. To go on elsewhere, type `/board` on a server you share, "
        "then *Match…*, *Move here*."
    )
    if match.guild_id is None:
        words = _("I can't reach {name} by DM any more.")
    return "".join(f"\n{words.format(name=names[seat])}" for seat in departed_seats)


def active_hours_line(name: str, active: ActiveHours) -> str:
    """Return a sentence about a player's active hours; Discord shows the reader's own time.

    Args:
        name: the player's name, with Markdown escaped.
    """
    start, end = (f"<t:{int(moment)}:t>" for moment in active)
    words = _("{name} usually answers between {start} and {end}, your time.")
    return words.format(name=name, start=start, end=end)
