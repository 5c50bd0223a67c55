"""Texts for players about ratings: on challenges, and at the end of a match."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from bot.domain.clocks import DAY
from bot.domain.ids import UserId
from bot.domain.models import Match, Rated
from bot.domain.pools import is_solo, pool_title
from bot.services.deliveries import SeriesEnd
from bot.services.rated_matches import EARLY_LIMIT, EARLY_SECONDS, MIN_PLIES, MIN_REMINDERS
from bot.services.rated_results import (
    PAIR_LIMIT,
    PAIR_SECONDS,
    TIMEOUT_LIMIT,
    TIMEOUT_SECONDS,
    RatingChange,
)
from bot.views.names import escaped_names
from engine.endings import ABANDONED
from render.i18n import N_, _, format_list

_UNCOUNTED = {
    Rated.PAIR: N_(
        "No ratings change: two of the players had already finished {pair_limit} rated matches "
        "with each other within {pair_days} days."
    ),
    Rated.EARLY: N_("No ratings change: fewer than {plies} moves had been made."),
    Rated.UNREMINDED: N_(
        "No ratings change: a player out of time had been reminded fewer than {reminders} times."
    ),
    Rated.TIMEOUTS: N_(
        "No ratings change: a player had already lost {timeout_limit} rated matches on time "
        "within {timeout_days} days."
    ),
    Rated.STAND_IN: N_("No ratings change: the computer has played for a player."),
    Rated.FALLBACK: N_(
        "No ratings change: the computer has not played at its level throughout, because of a "
        "fault or an update."
    ),
    Rated.ABANDONED: N_("No ratings change: the match has ended without a result."),
}
"""Why a rated match did not count."""

_FIGURES = {
    "pair_limit": PAIR_LIMIT,
    "pair_days": round(PAIR_SECONDS / DAY),
    "plies": MIN_PLIES,
    "early_limit": EARLY_LIMIT,
    "early_days": round(EARLY_SECONDS / DAY),
    "reminders": MIN_REMINDERS,
    "timeout_limit": TIMEOUT_LIMIT,
    "timeout_days": round(TIMEOUT_SECONDS / DAY),
}


def is_rated(match: Match) -> bool:
    """Return whether the result of a match changes ratings."""
    return match.rated == Rated.RATED


def rated_terms(match: Match, *, pair_is_spent: bool) -> list[str]:
    """Return the terms that players agree to by accepting a rated challenge.

    Args:
        match: the challenge.
        pair_is_spent: whether two of its players have reached the limit of results that count.
    """
    if not is_rated(match):
        return []
    lines = [_("**Rated**: by accepting you agree that the result changes your rating.")]
    if pair_is_spent:
        text = _(
            "-# Two of you have finished {pair_limit} rated matches together in "
            "{pair_days} days, so this one may not change ratings."
        )
        lines.append(text.format(**_FIGURES))
    if match.rounds > 1:
        lines.append(
            _(
                "-# The series is one result. Stop after its first match and you lose it, "
                "unless all agree to stop: *Match…*, *End without a result* in one of its matches."
            )
        )
    return lines


def stopped_lines(match: Match, closed_by: UserId | None, end: SeriesEnd) -> list[str]:
    """Return the result of a rated series that was not played to its end.

    Args:
        match: the challenge to its next match, which was closed.
        closed_by: ID of the user that declined or withdrew it; None if it has expired.
    """
    names = escaped_names(match)
    seats = match.seat_of(closed_by) if closed_by else match.unaccepted
    losers = format_list([names[seat] for seat in seats])
    text = _("The series is over before its last match, so {players} loses it.")
    if not losers:
        text = _("The series is over before its last match: a player has stopped it and loses it.")
    lines = [text.format(players=losers)] if end.rated == Rated.RATED else []
    return lines + rating_lines(replace(match, rated=end.rated), "", end.changes)


def is_rated_solo(match: Match) -> bool:
    """Return whether a match of one person against the computer changes a rating."""
    return is_rated(match) and is_solo(match.players.values())


def solo_terms() -> str:
    """Return the terms that a player agrees to by beginning a rated match against the computer."""
    text = _(
        "-# Rated matches have no hints. From move {plies} on, ending one without a "
        "result is a loss; before that, only after {early_limit} such matches in "
        "{early_days} days. So is being out of time for a day."
    )
    return text.format(**_FIGURES)


def late_line() -> str:
    """Return the warning to a player out of time in a rated match against the computer."""
    return _("**You're out of time.** Move within a day, or you lose this match.")


def rating_lines(match: Match, result: str, changes: Sequence[RatingChange]) -> list[str]:
    """Return the new ratings of the people in a finished match, or why they do not change."""
    if match.rated in _UNCOUNTED:
        return [_(_UNCOUNTED[match.rated]).format(**_FIGURES)]
    names, by_seat = escaped_names(match), {change.seat: change for change in changes}
    new_ratings = [
        _new_rating(names[seat], by_seat[seat]) for seat in match.people if seat in by_seat
    ]
    if not new_ratings:
        return []
    text = _("Ratings in {pool}: {players}.")
    if result == ABANDONED:
        text = _(
            "Against the computer, ending a match early is a loss. Ratings in {pool}: {players}."
        )
    return [
        text.format(
            pool=pool_title(changes[0].pool), players=format_list(new_ratings, style="commas")
        )
    ]


def _new_rating(name: str, change: RatingChange) -> str:
    """Return a player's new rating, and its change."""
    new, old = change.after.number, change.before.number
    text = _("{name} {rating} ({change})")
    if change.after.is_provisional:
        text = _("{name} {rating} ({change}, provisional)")
    sign = "+" if new > old else "−" if new < old else "±"
    return text.format(name=name, rating=new, change=f"{sign}{abs(new - old)}")
