"""Begin a match from a position of a record: which of its actions the match takes over."""

from __future__ import annotations

from collections.abc import Sequence

from bot.services.models import Match
from engine.game import Action, IllegalActionError
from engine.record import Record

MAX_LINES_TAKEN_OVER = 1000
"""Maximum number of actions of a record after which a match can begin: they are replayed then."""


def lines_until(record: Record, action_count: int) -> tuple[Action, ...]:
    """Return the actions that a match takes over which begins after some actions of a record.

    Draw offers and their answers are left out: they were made by other players. This replays the
    record, so call it in a thread.

    Args:
        record: a whole record, with nothing hidden.
        action_count: number of its first actions.

    Raises:
        IllegalActionError: no match can begin there.
        RecordError: a line is not legal.
    """
    made = record.actions[:action_count]
    lines = tuple(action for action in made if action.verb != "draw")
    if any(action.is_form for action in made):
        raise IllegalActionError(
            "", "This record leaves hidden information out, so a match can't begin from it."
        )
    if len(lines) > MAX_LINES_TAKEN_OVER:
        raise IllegalActionError(
            "",
            "A match can begin after at most {count} lines of a record; choose an earlier turn.",
            count=MAX_LINES_TAKEN_OVER,
        )
    *_, (game, state) = Record(record.headers, lines).positions()
    if game.result(state):
        raise IllegalActionError("", "The match is over there; choose an earlier turn.")
    if game.view(state).departed:
        raise IllegalActionError("", "A player has left by then; choose an earlier turn.")
    return lines


def record_taken_over(match: Match, lines: Sequence[Action]) -> Record:
    """Return what a match takes over as a record, without its players and dice."""
    headers = {"Game": match.game, "Rules": match.rules}
    if match.options:
        headers["Options"] = " ".join(f"{name}={value}" for name, value in match.options.items())
    return Record(headers, tuple(lines))
