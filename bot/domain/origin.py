"""The actions and players that a match takes over from a finished match or from a record."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from bot.domain.ids import MatchId, UserId
from bot.domain.models import Match, Player
from engine.endings import is_ending
from engine.game import Action, IllegalActionError
from engine.i18n import NP_
from engine.record import Record

MAX_LINES_TAKEN_OVER = 1000
"""Maximum number of actions that a match takes over, because they are replayed when it begins."""


class Origin(NamedTuple):
    """A position where a match begins.

    Attributes:
        match: the finished match; its number is 0 if only its record is known.
        lines: the actions that lead to the position; the new match takes them over.
    """

    match: Match
    lines: tuple[Action, ...]

    @property
    def parent_id(self) -> MatchId | None:
        """Return the number of the finished match, if the new one takes anything over from it."""
        return (self.match.id or None) if self.lines else None


def same_players(match: Match, user_id: UserId) -> dict[str, Player]:
    """Return seat → player of a finished match, for a user who plays on against the same players.

    Returns:
        The user first; empty if no other people played, or one of them has been deleted.
    """
    user_seat, players = match.seat_of(user_id), dict(match.players)
    is_complete = all(player.is_person or player.is_computer for player in players.values())
    if not user_seat or not is_complete or len(match.people) < 2:
        return {}
    for seat, player in match.people.items():
        players[seat] = player._replace(level="")  # the computer may have stood in
    return {user_seat: players.pop(user_seat), **players}


def lines_until(record: Record, action_count: int) -> tuple[Action, ...]:
    """Return the actions that a match takes over if it begins after some actions of a record.

    An open draw offer is left out, because it was made in another match. This replays the record,
    so call it in a thread.

    Args:
        record: a whole record, with nothing hidden.
        action_count: number of its first actions.

    Raises:
        IllegalActionError: no match can begin there.
        RecordError: a line is not legal.
    """
    lines = record.actions[:action_count]
    if any(action.is_form for action in lines):
        raise IllegalActionError(
            "", "This record leaves hidden information out, so a match can't begin from it."
        )
    if len(lines) > MAX_LINES_TAKEN_OVER:
        raise IllegalActionError(
            "",
            NP_(
                "A match can begin after at most {count} line of a record; choose an earlier turn.",
                "A match can begin after at most {count} lines of a record; choose an earlier "
                "turn.",
            ),
            count=MAX_LINES_TAKEN_OVER,
        )
    *_, (game, state) = Record(record.headers, lines).positions()
    if game.result(state):
        raise IllegalActionError("", "The match is over there; choose an earlier turn.")
    if game.view(state).departed:
        raise IllegalActionError("", "By then a player had left; choose an earlier turn.")
    return _without_open_offer(lines, state)


def _without_open_offer(lines: tuple[Action, ...], state: Any) -> tuple[Action, ...]:
    """Return the actions without the draw offer that is open after them, if there is one."""
    if not state.offer:
        return lines
    offer = Action(state.offer[0], "draw", ("offer",))
    place = len(lines) - 1 - lines[::-1].index(offer)
    return lines[:place] + tuple(line for line in lines[place:] if not is_ending(line))


def record_taken_over(match: Match, lines: Sequence[Action]) -> Record:
    """Return the actions that a match takes over, as a record without players and dice."""
    headers = {"Game": match.game, "Rules": match.rules}
    if match.options:
        headers["Options"] = " ".join(f"{name}={value}" for name, value in match.options.items())
    return Record(headers, tuple(lines))
