"""What speaks against a takeback."""

from __future__ import annotations

from typing import Any

from bot.services.outcomes import Outcome, OutcomeKind
from bot.services.seat_clocks import ran_out
from bot.services.stored import StoredMatch, StoredSeat
from engine.endings import ENDING_VERBS, FORFEIT_REASONS
from engine.game import CHANCE, PUBLIC, Action, AnyGame
from render.i18n import _


def no_takeback(
    row: StoredMatch, lines: list[Action], player: StoredSeat, asked_at: int | None, now: float
) -> Outcome | None:
    """Return why a player may not take back the last line, or agree to that; None if they may."""
    last = lines[-1] if lines else None
    if last is None or last.actor in (CHANCE, PUBLIC) or last.verb in ENDING_VERBS:
        sentence = _("Nothing can be taken back any more.")
        return Outcome(OutcomeKind.REFUSED, row.id, sentence=sentence)
    if asked_at is None and last.actor != player.seat:
        sentence = _("You can only take back your own last choice, before anything follows it.")
        return Outcome(OutcomeKind.REFUSED, row.id, sentence=sentence)
    if asked_at is None:
        return None
    if row.version != asked_at or last.actor == player.seat:
        return Outcome(OutcomeKind.STALE, row.id, sentence=_("That is already settled."))
    if any(line.actor == player.seat and line.verb in FORFEIT_REASONS for line in lines):
        sentence = _("You have left this match, so it is for the others to agree.")
        return Outcome(OutcomeKind.REFUSED, row.id, sentence=sentence)
    if player.seat in row.decisions and ran_out(player, now) is not None:
        sentence = _("Your own time is over, so it is too late to agree.")
        return Outcome(OutcomeKind.REFUSED, row.id, sentence=sentence)
    return None


def reveals_information(game: AnyGame, before: Any, after: Any, lines: list[Action]) -> bool:
    """Return whether any player, or the public, has learned something hidden about these lines."""
    readers = (PUBLIC, *game.view(before).seats)
    return any(
        game.redact(before, reader, lines) != game.redact(after, reader, lines)
        for reader in readers
    )
