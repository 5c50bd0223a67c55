"""The choices of an organiser for a new cup, and whether they are possible."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from bot.domain.clocks import DAY, NO_VACATIONS, with_days_off
from bot.domain.days_off import DaysOffRule
from bot.domain.ids import ChannelId, GuildId
from bot.domain.seating import options_with_seats
from bot.domain.terms import Terms, check_terms
from bot.features.cups.formats import CupFormat
from bot.i18n import refusal_text
from engine import games
from engine.game import AnyGame, IllegalActionError
from render.i18n import _

NAME_LIMIT = 50
"""Maximum characters of the name of a cup."""


MAX_DAYS_AHEAD = 731
"""Maximum number of days until the start or the end of a cup."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CupDraft:
    """The choices of an organiser.

    Attributes:
        game, clock, rounds, rated: terms of all its matches, see `bot.domain.terms.Terms`.
        format: see `CupFormat`.
        max_open: open matches of a player at the same time.
        divisions: number of groups of a cup that repeats each month; 0 for one that does not.
        vacations: whether the clocks of its matches stop while a player is on vacation.
        days_off: the days of the week on which they do not run.
        starts_at: automatic start time in UTC seconds; None to start it by hand.
        ends_at: UTC time when all open matches are decided; None for no last day.
        guild_id, channel_id, parent_channel_id: the place of its matches.
    """

    name: str
    game: str
    clock: str
    format: CupFormat
    rounds: int = 1
    rated: bool = False
    max_open: int = 2
    divisions: int = 0
    vacations: bool = True
    days_off: DaysOffRule = DaysOffRule.NONE
    starts_at: float | None = None
    ends_at: float | None = None
    guild_id: GuildId
    channel_id: ChannelId
    parent_channel_id: ChannelId | None = None
    options: Mapping[str, str] = field(default_factory=dict)

    @property
    def match_clock(self) -> str:
        """Return the clock of its matches; see `bot.domain.clocks.Clock.parse`."""
        clock = with_days_off(self.clock, self.days_off)
        return clock if self.vacations or not clock else clock + NO_VACATIONS

    def columns(self) -> dict[str, Any]:
        """Return the columns of the new cup that its organiser has chosen."""
        values = asdict(self) | {"clock": self.match_clock}
        del values["vacations"], values["divisions"], values["days_off"]
        return values


def draft_refusal(draft: CupDraft, now: float) -> str:
    """Return the reason for refusing a cup at a time in UTC seconds, or an empty string."""
    game = games.get(draft.game)
    if not _fits(game, draft.format):
        return _("{game} can't be played in this format; choose another one.").format(
            game=game.title
        )
    if not draft.clock:
        return _("A cup needs a clock, so that no match keeps all others waiting.")
    if draft.rounds > 1 and draft.format == CupFormat.GROUPS:
        return _("Groups of three are played in single matches, not in series.")
    if draft.divisions and draft.ends_at is not None:
        return _("A season ends when the next one starts, a month later; leave out `ends:`.")
    if draft.starts_at is not None and draft.starts_at <= now:
        return _("The cup would start in the past; choose a later date, such as `tomorrow 18:00`.")
    if draft.ends_at is not None and draft.ends_at <= max(now, draft.starts_at or now):
        return _(
            "The cup would end before it starts; choose a later last day, such as `in 8 weeks`."
        )
    if max(draft.starts_at or now, draft.ends_at or now) > now + MAX_DAYS_AHEAD * DAY:
        return _("That's more than two years from now; choose an earlier date.")
    options = options_with_seats(game, draft.options, draft.format.seats)
    terms = Terms(
        game=draft.game,
        options=options,
        clock=draft.match_clock,
        rounds=draft.rounds,
        guild_id=draft.guild_id,
        channel_id=draft.channel_id,
    )
    try:
        check_terms(terms)
    except IllegalActionError as error:
        return refusal_text(error)
    return ""


def _fits(game: AnyGame, cup_format: CupFormat) -> bool:
    """Return whether a game has matches for a format."""
    try:
        options_with_seats(game, {}, cup_format.seats)
    except ValueError:
        return False
    return True
