"""A change of a match as one value, which is stored with its messages in one transaction."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from bot.domain.ids import Version
from bot.domain.models import MatchStatus
from bot.services.automatic_moves import Progress
from bot.services.clocks import EarlierClock
from bot.services.pings import Redraw
from bot.services.rows import MatchFields, MatchRow, SeatRow
from engine import games
from engine.game import AnyGame, View


@dataclass(frozen=True)
class MatchChange:
    """A change of a match.

    Attributes:
        row: the match before it.
        progress: the new position, and the choices that led to it.
        unchanged: the decisions that the first choice leaves pending: seat → version.
        notify: the seats to ping; None for no ping.
        redraw: whether the board that is already posted shows the change.
        by: the seat of the player who makes it; the computer stops standing in for it.
        chosen_by: for a turn of the computer, the player that chose each of its actions.
        taken_back: the seats whose choices were taken back, to be named on the board; the
            choices of all but the first one have answered that seat's.
        earlier: the clocks that a takeback restores.
    """

    row: MatchRow
    progress: Progress
    people: Sequence[SeatRow]
    unchanged: Mapping[str, Version] = field(default_factory=dict)
    notify: str | None = None
    redraw: Redraw = Redraw.NEVER
    by: str = ""
    chosen_by: Sequence[str | None] = ()
    taken_back: Sequence[str] = ()
    earlier: Mapping[str, EarlierClock] | None = None
    fields: MatchFields = field(default_factory=MatchFields)

    @classmethod
    def of_choices(
        cls,
        row: MatchRow,
        progress: Progress,
        people: Sequence[SeatRow],
        unchanged: Mapping[str, Version],
        *,
        by: str = "",
        chosen_by: Sequence[str | None] = (),
    ) -> MatchChange:
        """Return the change that choices make; the attributes describe the parameters."""
        game, before, after = games.get(row.game), row.state(), progress.rolled.state
        status = MatchStatus.FINISHED if game.result(after) else MatchStatus.RUNNING
        return cls(
            row,
            progress,
            people,
            unchanged,
            notify=_to_notify(game.view(before), game.view(after), progress),
            redraw=redraw(game, before, after),
            by=by,
            chosen_by=chosen_by,
            fields={"status": status},
        )

    @property
    def version(self) -> Version:
        """Return the version of the match after the change."""
        return Version(self.row.version + 1)

    @property
    def game(self) -> AnyGame:
        """Return the game."""
        return games.get(self.row.game)

    @property
    def begins(self) -> bool:
        """Return whether the match begins with it."""
        return self.row.position is None

    @property
    def is_over(self) -> bool:
        """Return whether the match is over."""
        return bool(self.game.result(self.progress.rolled.state))

    @cached_property
    def pending(self) -> str:
        """Return the seats that have to decide now."""
        return self.game.pending(self.progress.rolled.state)

    @cached_property
    def view(self) -> View:
        """Return the new position as everyone sees it."""
        view: View = self.game.view(self.progress.rolled.state)
        return view

    @cached_property
    def decisions(self) -> Sequence[Mapping[str, Version]]:
        """Return the pending decisions after each choice: seat → version."""
        return self.progress.decisions(self.unchanged, self.version)


def redraw(game: AnyGame, before: Any, after: Any) -> Redraw:
    """Return the condition for editing a board after a change of position instead of reposting it.

    Within a turn it is always edited; the setup counts as a turn. A draw offer is always posted.
    """
    view_before: View = game.view(before)
    now: View = game.view(after)
    if now.offer and not view_before.offer:
        return Redraw.NEVER
    return Redraw.ALWAYS if view_before.turn == now.turn else Redraw.IF_WATCHED


def _to_notify(before: View, now: View, progress: Progress) -> str | None:
    """Return the seats to ping; None if the board only needs a redraw."""
    if now.offer and not before.offer:
        return now.seats.replace(now.offer, "")
    if before.turn != now.turn or set(now.pending) - set(before.pending):
        return now.pending
    last = progress.choices[-1]
    if last.automatic and last.actions[0].actor not in now.pending:
        return now.pending  # the deciding player has had to wait for another one
    return None
