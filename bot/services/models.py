"""What services return: matches, players and clocks as values."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import NamedTuple

from engine.game import PUBLIC, View
from render.i18n import N_, _


class MatchStatus(StrEnum):
    """The status of a match; `closed` is a challenge that was declined, withdrawn or has expired.

    A match that was ended without a result is closed as well.
    """

    CHALLENGE = "challenge"
    RUNNING = "running"
    FINISHED = "finished"
    CLOSED = "closed"


class Switch(StrEnum):
    """A setting that is switched on or off."""

    ON = "on"
    OFF = "off"


class TimerKind(StrEnum):
    """What a timer does when it fires."""

    EXPIRE = "expire"
    FLAG = "flag"
    WARN = "warn"
    REMIND = "remind"


class Player(NamedTuple):
    """A player, by Discord's id and the name to show; id 0 while a seat is open."""

    user_id: int
    name: str


DELETED_PLAYER = Player(-1, N_("Deleted player"))
"""The player at the seat of a user whose data was deleted."""


class Time(NamedTuple):
    """A seat's clock: seconds left when it was started, and when that was; None: it stands.

    With nothing left, `since` is when the time was over.
    """

    left: float
    since: float | None

    @property
    def over(self) -> bool:
        """Whether all time is used up and that has been stored."""
        return self.left == 0


@dataclass(frozen=True, slots=True)
class Match:
    """The public facts of a match.

    Attributes:
        decisions: seat → version at which its pending decision appeared.
        players: seat → player, in seat order.
        waiting: the seats whose players have not agreed to play yet.
        seal: the commitment to the dice, as it was published.
        seal_holds: whether the seed is the one behind it.
        salt: what the players have brought to the dice so far.
        undrawn: the seats whose players are drawn when the match begins.
        seal_late: it was stored at an upgrade, after it had been published.
        clock: see `bot.services.clocks.Clock.parse`.
        times: seat → its clock, if the match has one.
        round, rounds: which match of a series of how many it is.
        standing: seat → points in the finished matches of the series, this one included.
        away: seat → when its player comes back, of those who are away.
        parent_channel_id: the channel above, where `channel_id` is a thread.
        link: channel and message of the live notice, if there is one that the reader sees.
        linked_by_dm: whether that is the reader's copy by DM.
    """

    id: int
    game: str
    rules: str
    options: Mapping[str, str]
    status: MatchStatus
    version: int
    decisions: Mapping[str, int]
    guild_id: int | None
    channel_id: int
    challenger_id: int
    players: Mapping[str, Player]
    waiting: str
    seal: str
    expires_at: float | None
    clock: str = ""
    times: Mapping[str, Time] = field(default_factory=dict)
    round: int = 1
    rounds: int = 1
    standing: Mapping[str, int] = field(default_factory=dict)
    away: Mapping[str, float] = field(default_factory=dict)
    parent_channel_id: int | None = None
    link: tuple[int, int] | None = None
    linked_by_dm: bool = False
    seal_holds: bool = True
    seal_late: bool = False
    salt: str = ""
    undrawn: str = ""

    @property
    def names(self) -> dict[str, str]:
        """Seat → name; open seats have one in the current language."""
        return {
            seat: player.name if player.user_id > 0 else _(player.name)
            for seat, player in self.players.items()
        }

    @property
    def people(self) -> dict[str, Player]:
        """Seat → player, without open seats and deleted players."""
        return {seat: player for seat, player in self.players.items() if player.user_id > 0}

    def seat_of(self, user_id: int) -> str:
        """The seat of a user, or the public's."""
        return next((s for s, player in self.players.items() if player.user_id == user_id), PUBLIC)


class Perspective(NamedTuple):
    """A match from one seat, with the view made for it."""

    match: Match
    seat: str
    view: View
