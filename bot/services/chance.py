"""The dice of a match: chance events between the decisions of players."""

from __future__ import annotations

import logging
import secrets
from typing import Any, NamedTuple

from bot.services.rows import MatchRow
from engine.dice import Dice, commitment
from engine.game import CHANCE, Action, AnyGame, IllegalActionError
from render.i18n import N_

log = logging.getLogger(__name__)


def random_seed() -> bytes:
    """Return 32 random bytes, cryptographically secure."""
    return secrets.token_bytes(32)


class ChanceResult(NamedTuple):
    """A position without pending dice, the actions that led to it, and the chance events so far."""

    state: Any
    actions: tuple[Action, ...]
    chance_count: int


def resolve_chance(
    game: AnyGame, state: Any, dice: Dice, chance_count: int, actions: tuple[Action, ...] = ()
) -> ChanceResult:
    """Roll until a player has to decide or the match is over."""
    while game.pending(state) == CHANCE:
        action = game.chance(state, dice.draw(chance_count))
        state, __ = game.apply(state, action)
        chance_count += 1
        actions += (action,)
    return ChanceResult(state, actions, chance_count)


def resolve_match_chance(
    row: MatchRow,
    game: AnyGame,
    state: Any,
    actions: tuple[Action, ...],
    chance_count: int | None = None,
) -> ChanceResult:
    """Roll the dice that follow these actions in a stored match.

    Args:
        state: the position after the actions.
        chance_count: number of chance events so far; None to use the stored match's number.

    Raises:
        IllegalActionError: see `dice_of`.
    """
    count = row.chance_count if chance_count is None else chance_count
    if game.pending(state) != CHANCE:
        return ChanceResult(state, actions, count)
    return resolve_chance(game, state, dice_of(row, row.salt), count, actions)


def dice_of(row: MatchRow, client_seed: str) -> Dice:
    """Return the dice of a match for this client seed.

    Raises:
        IllegalActionError: its seed does not match the commitment.
    """
    if row.commitment != commitment(row.seed):
        log.error("match %s: the seed is not the one that was committed to; no dice roll", row.id)
        raise IllegalActionError(
            "",
            N_(
                "The dice don't match the commitment published before the match; please tell my "
                "host."
            ),
        )
    return Dice(row.seed, client_seed)
