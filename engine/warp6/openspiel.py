"""Warp 6 in OpenSpiel: numbers of actions, views as vectors, and lines of other worlds."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product

from engine.game import Action
from engine.openspiel.support import OpenSpielSupport
from engine.openspiel.tensors import one_hot, shared
from engine.warp6.pieces import KITS, Turns
from engine.warp6.state import State
from engine.warp6.view import Die, Warp6View

MAX_FACES = 8
"""Largest number of a die."""

SPACES, RINGS = 126, 6
"""Number of spaces on the board, and of rings."""

_PHASES = ("set", "roll", "lot", "place", "play", "reroll", "over")
_NUMBERS = [str(number) for number in range(1, MAX_FACES + 1)]
_PLACES = ("hand", "board", "off", "out")


def _actions() -> Iterator[str]:
    names = dict.fromkeys(name for kit in KITS.values() for name in kit.names)
    for verb, name in product(("place", *Turns._fields), names):
        yield f"{verb} {name}"
    yield from _NUMBERS


def _observe(view: Warp6View) -> dict[str, Sequence[float]]:
    return {
        **shared(view),
        "phase": one_hot(view.phase, _PHASES),
        "turn": one_hot(view.turn_seat, view.seats),
        "dice": [number for die in view.dice for number in _die(die)],
        "free": [view.free / SPACES],
        "off": [count / view.target for count in view.off],
        "changes": [view.changes / view.most_changes],
        "focus": one_hot(view.focus, [die.name for die in view.dice]),
    }


def _die(die: Die) -> list[float]:
    rings = map(str, range(1, RINGS + 1))
    return [
        *one_hot(die.number, _NUMBERS),
        *one_hot(die.where, _PLACES),
        *one_hot(str(die.ring), [*rings]),
        die.space / SPACES,
    ]


def _lines_in(
    _state: State, world: State, _seat: str, actions: Sequence[Action]
) -> Iterator[Action]:
    """Yield the actions with the dice that the seats of the world have set."""
    kit = KITS[world.seats]
    for action in actions:
        if action.verb == "set" and world.phase == "set":
            fleet = kit.own(kit.seats.index(action.actor))
            args = tuple(kit.names[die] + str(world.numbers[die]) for die in fleet)
            yield action._replace(args=args)
        else:
            yield action


SUPPORT = OpenSpielSupport(
    actions=_actions,
    max_outcomes=MAX_FACES,
    observe=_observe,
    hidden_with=(("setup", "secret"),),
    max_values=max(kit.dice_per_seat for kit in KITS.values()),
    lines_in=_lines_in,
)
"""See `OpenSpielSupport`."""
