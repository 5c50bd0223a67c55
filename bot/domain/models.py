"""Values returned by services: matches, players and clocks."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from enum import IntEnum, StrEnum
from typing import NamedTuple

from bot.domain.days_off import NO_DAYS_OFF, DaysOff
from bot.domain.ids import (
    COMPUTER_USER_ID,
    DELETED_USER_ID,
    NO_MATCH,
    RECORD_USER_ID,
    ChannelId,
    GuildId,
    MatchId,
    UserId,
    Version,
    is_person,
)
from engine.game import PUBLIC, View
from render.i18n import N_, _

NO_DECISION = Version(0)
"""Stands for the version of a decision where a player has none to make."""


class MatchStatus(StrEnum):
    """The status of a match.

    `closed`: a challenge that was declined, withdrawn or has expired, or a match that ended
    without a result.
    """

    CHALLENGE = "challenge"
    RUNNING = "running"
    FINISHED = "finished"
    CLOSED = "closed"

    @property
    def is_end(self) -> bool:
        """Return whether a match with this status is over."""
        return self in (MatchStatus.FINISHED, MatchStatus.CLOSED)


class Rated(StrEnum):
    """Whether the result of a match changes ratings; after its end perhaps why it did not.

    `pair`: the same two players have finished enough rated matches lately; `early`: it ended before
    it had begun in earnest; `unreminded`: a player out of time had not been reminded often enough;
    `timeouts`: a player has lost several matches on time lately; `stand_in`: the computer has
    played for a player; `fallback`: the computer has not played at one level throughout;
    `abandoned`: it ended without a result.
    """

    CASUAL = "casual"
    RATED = "rated"
    PAIR = "pair"
    EARLY = "early"
    UNREMINDED = "unreminded"
    TIMEOUTS = "timeouts"
    STAND_IN = "stand_in"
    FALLBACK = "fallback"
    ABANDONED = "abandoned"


class Stage(IntEnum):
    """The progress of a match, as its post in a forum shows it."""

    OPEN = 0
    RUNNING = 1
    OVER = 2


class Switch(StrEnum):
    """A setting that is switched on or off."""

    ON = "on"
    OFF = "off"


class TimerKind(StrEnum):
    """The kind of a timer.

    `ping` notifies players that they have to decide. `snooze` is a reminder that its player has
    postponed; `nudge` is one from another player, postponed to the end of quiet hours. While a
    match has a `nudged` timer, it gets no other nudge. `abandon` is a player's consent to end the
    match without a result, `takeback` a player's request to take a choice back; see
    `bot.services.requests`. `series` reminds players to continue a rated series. `gone`, `silent`
    and `stuck` follow each other while a player does not decide, see `bot.domain.waiting`; beside
    them, `patience` is the end of the silence of a player who has been on vacation. `notice` is the
    end of the last notice to such a player.
    """

    EXPIRE = "expire"
    FLAG = "flag"
    WARN = "warn"
    PING = "ping"
    REMIND = "remind"
    SNOOZE = "snooze"
    NUDGE = "nudge"
    NUDGED = "nudged"
    ABANDON = "abandon"
    TAKEBACK = "takeback"
    SERIES = "series"
    GONE = "gone"
    SILENT = "silent"
    STUCK = "stuck"
    PATIENCE = "patience"
    NOTICE = "notice"


class Player(NamedTuple):
    """A player of a seat.

    Attributes:
        user_id: the Discord user ID, or an ID that stands for no user, see `bot.domain.ids`.
        name: the display name.
        level: the level of the computer that decides for this seat; empty if a person does.
    """

    user_id: UserId
    name: str
    level: str = ""

    @property
    def is_person(self) -> bool:
        """Return whether the seat belongs to a person, who may see its view."""
        return is_person(self.user_id)

    @property
    def has_own_name(self) -> bool:
        """Return whether the name is a person's, not a label of the bot."""
        return self.is_person or self.user_id == RECORD_USER_ID

    @property
    def is_computer(self) -> bool:
        """Return whether the seat belongs to the computer."""
        return self.user_id == COMPUTER_USER_ID

    @property
    def decides_itself(self) -> bool:
        """Return whether the computer does not decide for this seat."""
        return not self.level


DELETED_PLAYER = Player(DELETED_USER_ID, N_("Deleted player"))
"""Placeholder for a player whose data was deleted."""


class SeatClock(NamedTuple):
    """A seat's clock: seconds left when it was started, and its start time; None if stopped.

    With no time left, `started_at` is the time when it ran out.
    """

    seconds_left: float
    started_at: float | None

    @property
    def over(self) -> bool:
        """Return whether the time has run out, and this has been stored."""
        return self.seconds_left == 0


@dataclass(frozen=True, slots=True)
class Match:
    """The public facts of a match.

    Attributes:
        decisions: seat → version at which its pending decision appeared.
        players: seat → player, in seat order.
        unaccepted: the seats whose players have not accepted yet.
        joinable: the seats that the computer plays until another player joins.
        commitment: the commitment to the dice, as published.
        commitment_holds: whether the seed matches the commitment.
        salt: the players' contributions to the dice so far.
        seats_to_draw: the seats whose players are drawn when the match begins.
        commitment_late: whether the commitment was stored at an upgrade, after its publication.
        clock: see `bot.domain.clocks.Clock.parse`.
        times: seat → its clock, if the match has one.
        days_off: seat → the days on which its clock does not run, if there are any.
        round, rounds: number of this match in its series, and the length of the series.
        standing: seat → points in the finished matches of the series, including this one.
        away_until: seat → return time, for players who are away.
        stand_ins: seat → level at which the computer may stand in, for some players who are away.
        agreed_by: seat → the seats whose players agree that the computer stands in for it.
        parent_channel_id: the parent channel, if `channel_id` is a thread.
        link: channel and message of the current board, if the reader can see one.
        linked_by_dm: whether `link` is the reader's copy by DM.
        lines_taken_over: number of its first actions that come from another match.
        origin_id: number of that match; 0 if only its record is known.
        rated: whether its result changes ratings.
        waits_since: seat → since when the match waits for the decision of its player.
        patience: seat → until when its player is not silent, because of vacations since then.
        notices: seat → end of the last notice to its player, who does not decide.
        unreachable: the seats of players whom no DM reaches, in a match that is played by DM.
    """

    id: MatchId
    game: str
    rules: str
    options: Mapping[str, str]
    status: MatchStatus
    version: Version
    decisions: Mapping[str, Version]
    guild_id: GuildId | None
    channel_id: ChannelId
    challenger_id: UserId
    players: Mapping[str, Player]
    unaccepted: str
    commitment: str
    expires_at: float | None
    clock: str = ""
    times: Mapping[str, SeatClock] = field(default_factory=dict)
    days_off: Mapping[str, DaysOff] = field(default_factory=dict)
    round: int = 1
    rounds: int = 1
    standing: Mapping[str, int] = field(default_factory=dict)
    away_until: Mapping[str, float] = field(default_factory=dict)
    stand_ins: Mapping[str, str] = field(default_factory=dict)
    agreed_by: Mapping[str, str] = field(default_factory=dict)
    parent_channel_id: ChannelId | None = None
    link: tuple[int, int] | None = None
    joinable: str = ""
    linked_by_dm: bool = False
    lines_taken_over: int = 0
    origin_id: MatchId = NO_MATCH
    rated: Rated = Rated.CASUAL
    commitment_holds: bool = True
    commitment_late: bool = False
    salt: str = ""
    seats_to_draw: str = ""
    waits_since: Mapping[str, float] = field(default_factory=dict)
    patience: Mapping[str, float] = field(default_factory=dict)
    notices: Mapping[str, float] = field(default_factory=dict)
    unreachable: str = ""

    @property
    def stage(self) -> Stage:
        """Return whether the match has open seats, is running, or is over."""
        if self.status == MatchStatus.CHALLENGE:
            return Stage.OPEN
        if self.status == MatchStatus.RUNNING:
            return Stage.OPEN if self.joinable else Stage.RUNNING
        return Stage.OVER

    @property
    def names(self) -> dict[str, str]:
        """Return seat → name; open seats are named in the current language."""
        return {
            seat: player.name if player.has_own_name else _(player.name)
            for seat, player in self.players.items()
        }

    @property
    def people(self) -> dict[str, Player]:
        """Return seat → player, without open seats, deleted players and the computer."""
        return {seat: player for seat, player in self.players.items() if player.is_person}

    @property
    def acting_people(self) -> dict[str, Player]:
        """Return seat → player, of the people for whom the computer does not decide."""
        return {seat: player for seat, player in self.people.items() if player.decides_itself}

    def awaits(self, user_id: UserId) -> bool:
        """Return whether a user has to decide, or to answer a challenge."""
        seat = self.seat_of(user_id)
        if self.status == MatchStatus.CHALLENGE:
            return bool(seat) and seat in self.unaccepted
        return seat in self.decisions and self.players[seat].decides_itself

    def deadline(self, seats: Collection[str]) -> float | None:
        """Return the UTC time when the first of some seats runs out of time, or has run out.

        Returns:
            None if no clock of theirs runs.
        """
        ends = map(self.clock_end, seats)
        return min((end for end in ends if end is not None), default=None)

    def clock_end(self, seat: str) -> float | None:
        """Return the UTC time when a seat runs out of time, or has; None for a stopped clock."""
        clock = self.times.get(seat)
        if clock is None or clock.started_at is None:
            return None
        days_off = self.days_off.get(seat, NO_DAYS_OFF)
        return days_off.after(clock.started_at, clock.seconds_left)

    def seat_of(self, user_id: UserId | None) -> str:
        """Return the seat of a user, or the public seat."""
        return next((s for s, player in self.players.items() if player.user_id == user_id), PUBLIC)


class Perspective(NamedTuple):
    """A match as seen from one seat, with the view of that seat.

    Attributes:
        match: the public facts.
        earlier: views of the earlier turns of the same change, each with its whole story.
    """

    match: Match
    seat: str
    view: View
    earlier: tuple[View, ...] = ()
