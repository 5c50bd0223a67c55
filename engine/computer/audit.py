"""Choose again what computer players chose in a record, and compare."""

from __future__ import annotations

from itertools import islice
from typing import Any

from engine.computer.choosers import HEADER, Audit, choosers_of
from engine.computer.players import ComputerPlayer, player_named
from engine.computer.situation import PlayerError
from engine.dice import computer_seed
from engine.game import AnyGame
from engine.record import Record, RecordError


def audit(record: Record, first: int = 0, end: int | None = None) -> Audit:
    """Choose each action of the computer players again, from what their seat knew then.

    Args:
        record: record of a finished match, with the revealed seed. Without the header `Computer`
            there is nothing to choose, and the seed is not needed.
        first: number of actions to skip.
        end: number of actions up to the last audited one; None for all of them.

    Raises:
        RecordError: the record is broken or has no seed, or a player chooses something else.
    """
    choosers = choosers_of(record)
    if not choosers:
        return Audit(0, 0)
    seed = computer_seed(record.seed())
    players = {name: _player(name, seed) for name in set(choosers.values())}
    if end is None:
        record.replay()
    checked = unknown = 0
    for place, before in enumerate(islice(record.positions(), end)):
        if place < first or place not in choosers:
            continue
        if player := players[choosers[place]]:
            _check(record, place, before.state, player)
            checked += 1
        else:
            unknown += 1
    return Audit(checked, unknown)


def _player(name: str, seed: bytes) -> ComputerPlayer | None:
    try:
        return player_named(name, seed)
    except PlayerError as error:
        raise RecordError(f"{HEADER}: {name}: {error}") from error


def _check(record: Record, place: int, state: Any, player: ComputerPlayer) -> None:
    """Let a player choose an action of a record again."""
    game: AnyGame = record.game()
    action = record.actions[place]
    history = game.redact_for_infostate(state, action.actor, record.actions[:place])
    try:
        choice = player.choose(Record(record.headers, history), action.actor).action
    except RecordError as error:
        raise _difference(record, place, f"{player.name} cannot choose here: {error}") from error
    if choice != action:
        raise _difference(record, place, f"{player.name} chooses {choice}.")


def _difference(record: Record, place: int, problem: str) -> RecordError:
    return RecordError(f"line {record.line_number(place)}: {record.actions[place]}: {problem}")
