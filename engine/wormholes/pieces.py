"""Numbers and letters of ships, dice and coins (W2)."""

from __future__ import annotations

from engine.i18n import N_

SEATS = "OD"
"""OrthogonAliens and DiagonAliens. A seat is an index into this string."""

SUITS = "SMCA"
"""Suns, Moons, Crowns, Arms. Ships, dice and suits share this order; ship s belongs to s // 2."""

SUIT_NAMES = {"S": N_("Suns"), "M": N_("Moons"), "C": N_("Crowns"), "A": N_("Arms")}
"""Names of suits and ships for players; sentences use them as plurals."""

VALUES = "012345"
"""Null, ace, 2 … 5."""

AXES: tuple[tuple[str, str], ...] = (("N", "S"), ("E", "W"), ("SE", "NW"), ("NE", "SW"))
"""The two directions of each suit's axis (W2.1)."""

COINS: tuple[str, ...] = tuple(suit + value for suit in SUITS for value in VALUES)
"""Names of the 24 coins: coin c has suit c // 6 and value c % 6 (W2.2)."""

EMPTY = "."
SUIT_UP = "ABCDEFGHIJKLMNOPQRSTUVWX"
VALUE_UP = SUIT_UP.lower()
"""Letter of each coin on the board, upper case while its suit side is up (W2.3)."""

COIN_AT: dict[str, int] = {
    letter: coin for letters in (SUIT_UP, VALUE_UP) for coin, letter in enumerate(letters)
}
"""Letter on the board → coin."""


def owner(ship: int) -> int:
    """Return the seat that owns a ship (or suit)."""
    return ship >> 1
