"""Choose again what computer players chose in a record, and compare."""

from __future__ import annotations

from typing import Any

from engine.computer.choosers import HEADER, Audit, choosers_of
from engine.computer.players import ComputerPlayer, player_named
from engine.computer.situation import PlayerError
from engine.dice import computer_seed
from engine.game import AnyGame
from engine.record import Record, RecordError


def audit(record: Record) -> Audit:
    """Choose each action of the computer players again, from what their seat knew then.

    Args:
        record: of a match that is over, with the revealed seed. Without the header `Computer` there
            is nothing to choose, and the seed is not needed.

    Raises:
        RecordError: the record is broken or has no seed, or a player chooses something else.
    """
    choosers = choosers_of(record)
    if not choosers:
        return Audit(0, 0)
    seed = computer_seed(record.seed())
    players = {name: _player(name, seed) for name in set(choosers.values())}
    record.replay()
    checked = unknown = 0
    for place, before in enumerate(record.positions()):
        player = players[choosers[place]] if place in choosers else None
        if player:
            _check(record, place, before.state, player)
            checked += 1
        else:
            unknown += place in choosers
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
    known = game.recall(state, action.actor, record.actions[:place])
    try:
        chosen = player.choose(Record(record.headers, known), action.actor).action
    except RecordError as error:
        raise _difference(record, place, f"{player.name} cannot choose here: {error}") from error
    if chosen != action:
        raise _difference(record, place, f"{player.name} chooses {chosen}.")


def _difference(record: Record, place: int, what: str) -> RecordError:
    return RecordError(f"line {record.line_number(place)}: {record.actions[place]}: {what}")
