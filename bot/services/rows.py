"""Database rows as dataclasses: one for each table, with a field for each column, in order.

`MatchRow.of(row)` and the like are the only places that convert rows.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypedDict

from bot.domain.days_off import DaysOff
from bot.domain.ids import OPEN_USER_ID, ChannelId, GuildId, MatchId, UserId, Version, is_person
from bot.domain.models import MatchStatus, Player, Rated
from engine import games


@dataclass(frozen=True, slots=True)
class MatchRow:
    """A row of `matches`; see `bot.storage.schema` for the columns."""

    id: MatchId
    game: str
    engine_version: int
    rules: str
    options: Mapping[str, str]
    status: MatchStatus
    version: Version
    position: str | None
    decisions: Mapping[str, Version]
    chance_count: int
    seed: bytes
    salt: str
    commitment: str | None
    committed_at: float | None
    seat_order: str | None
    seats_to_draw: str | None
    challenger_id: UserId
    guild_id: GuildId | None
    channel_id: ChannelId
    parent_channel_id: ChannelId | None
    clock: str
    parent_id: MatchId | None
    round: int
    rounds: int
    created_at: float
    expires_at: float | None
    changed_at: float
    lines_taken_over: int = 0
    rated: Rated = Rated.CASUAL

    @classmethod
    def of(cls, row: Sequence[Any]) -> MatchRow:
        """Return a match from a row that begins with all of its columns."""
        values = list(row[: len(cls.__match_args__)])
        values[_STATUS] = MatchStatus(values[_STATUS])
        values[_RATED] = Rated(values[_RATED])
        return cls(*values)

    @property
    def is_outdated(self) -> bool:
        """Whether the match began under other rules of its game, or the game is not installed.

        Its record cannot be replayed and its position may be unreadable. A match in progress can
        only be ended without a result, or waits for its game; a finished one is not shown.
        """
        is_other = self.engine_version != games.get(self.game).version
        return self.position is not None and (is_other or self.is_waiting_for_game)

    @property
    def is_waiting_for_game(self) -> bool:
        """Whether its game is not installed; nothing happens in the match until it is."""
        return not games.is_installed(self.game)

    def state(self) -> Any:
        """Return the position of a match that has begun, as a state of its game.

        Raises:
            ValueError: it has not begun, or the position is damaged.
        """
        if self.position is None:
            raise ValueError(f"match {self.id} has not begun")
        return games.get(self.game).load(self.position)


_STATUS, _RATED = map(MatchRow.__match_args__.index, ("status", "rated"))


class MatchFields(TypedDict, total=False):
    """Columns of `matches` to change."""

    engine_version: int
    status: MatchStatus
    position: str
    decisions: Mapping[str, Version]
    chance_count: int
    salt: str
    seat_order: str | None
    expires_at: float | None
    changed_at: float


@dataclass(frozen=True, slots=True)
class SeatRow:
    """A row of `seats`, with its player's absence and preferences.

    Attributes:
        away_until: UTC time of the player's return; None if not away, and where no clock stops for
            vacations.
        stand_in: level of the computer's stand-in for the player; None if not allowed.
        preferences: see `bot.services.preferences`; None if there are none.
        waits_since: UTC time when its pending decision appeared, see `bot.domain.waiting`; None if
                unknown, as in a match that began under an earlier version of the bot.
        patience: UTC time until when its player is not silent, because of vacations since then;
                None without one.
        notice_at: UTC time when the last notice to its player ends; None if there is none.
        has_plan: whether its player has written a plan.
    """

    match_id: MatchId
    seat: str
    user_id: UserId
    name: str
    joined_at: float | None
    seconds_left: float | None
    clock_started_at: float | None
    level: str | None
    joinable: bool
    agreed_by: str
    reminded_at: int | None
    reminders: int
    ended_at: float | None
    days_off: str | None
    away_until: float | None
    stand_in: str | None
    preferences: Mapping[str, str] | None
    waits_since: float | None = None
    patience: float | None = None
    notice_at: float | None = None
    has_plan: bool = False

    @property
    def is_person(self) -> bool:
        """Return whether the seat belongs to a person; see `Player`."""
        return is_person(self.user_id)

    @property
    def is_open(self) -> bool:
        """Return whether the seat is open."""
        return self.user_id == OPEN_USER_ID

    @property
    def decides_itself(self) -> bool:
        """Return whether the computer does not decide for this seat."""
        return not self.level

    @property
    def clock_is_paused(self) -> bool:
        """Return whether the clock is paused: on vacation, or while the computer decides."""
        return self.away_until is not None or not self.decides_itself

    @property
    def parsed_days_off(self) -> DaysOff:
        """Return the days on which its clock does not run."""
        return DaysOff.parse(self.days_off)

    @property
    def player(self) -> Player:
        """Return the player."""
        return Player(self.user_id, self.name, self.level or "")


class SeatFields(TypedDict, total=False):
    """Columns of `seats` to change."""

    user_id: UserId
    name: str
    joined_at: float
    seconds_left: float | None
    clock_started_at: float | None
    level: str | None
    joinable: bool
    agreed_by: str
    reminded_at: int | None
    reminders: int
    days_off: str | None


@dataclass(frozen=True, slots=True)
class LoggedAction:
    """A row of `actions`."""

    match_id: MatchId
    number: int
    line: str
    made_at: float
    undone_at: float | None
    chosen_by: str | None
    automatic: str | None

    @property
    def actor(self) -> str:
        """The seat that made the action, or `*`."""
        return self.line.partition(" ")[0]


@dataclass(frozen=True, slots=True)
class PlanRow:
    """A row of `plans`."""

    match_id: MatchId
    seat: str
    orders: str
    version: Version
    turn: int
    stopped: str | None
    stopped_at: int | None
    changed_at: float


class PlanFields(TypedDict, total=False):
    """Columns of `plans` to change."""

    orders: str
    turn: int
    stopped: str
    stopped_at: int


@dataclass(frozen=True, slots=True)
class TimerRow:
    """A row of `timers`; its kind may be unknown to this program."""

    id: int
    match_id: MatchId
    seat: str
    kind: str
    version: Version
    due_at: float
    errors: int | None


@dataclass(frozen=True, slots=True)
class AbsenceRow:
    """A row of `absences`."""

    user_id: UserId
    ends_at: float
    started_at: float
    stand_in: str | None
