"""The view of a seat in Wormholes (W9)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from engine.game import View

UNKNOWN = "?"
"""Suit or value that is hidden from the seat."""


class Ship(NamedTuple):
    """A ship of `seat`; `owes`: it loses its owner's next turn (W6.1)."""

    suit: str
    seat: str
    space: str
    owes: bool
    activated: bool
    landed: bool


class Coin(NamedTuple):
    """A coin on the board; `up` is the side on top, `suit` or `value`; `?` if hidden."""

    space: str
    up: str
    suit: str
    value: str


class Die(NamedTuple):
    """A die of the player on turn: value `0`…`5`, `-` for a ship that gets none, `?` not rolled.

    `stuck`: it should be used now but has no legal use.
    """

    suit: str
    value: str
    spent: bool
    stuck: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class WormholesView(View):
    """The view of one seat or of the public.

    Attributes:
        phase: see `engine.wormholes.state.Draft`.
        turn_seat: seat on turn; in a cascade another seat may have to decide, see `pending`. Empty
            while no seat is on turn.
        ships: ships in the order Suns, Moons, Crowns, Arms.
        coins: coins on the board, in the order of spaces; also those that the seat has placed in
            secret.
        hand: own coins not yet placed, suit and value (`S0`); all hands for everyone at the end.
        left: number of coins of each suit in hand, in the order Suns, Moons, Crowns, Arms; other
            seats' coins in secret count.
        laid: number of coins that each seat has placed in secret.
        dice: dice of the player on turn; empty before the first roll of a turn.
        focus: suit of the ship that must jump or has landed on an opponent; empty otherwise.
        target: suit of the ship that may be sent away; empty otherwise.
    """

    phase: str
    turn_seat: str
    ships: tuple[Ship, ...]
    coins: tuple[Coin, ...]
    hand: tuple[str, ...]
    left: tuple[int, ...]
    laid: tuple[int, int]
    dice: tuple[Die, ...]
    focus: str
    target: str
