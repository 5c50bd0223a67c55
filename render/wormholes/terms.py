"""Names of the pieces of Wormholes."""

from __future__ import annotations

from engine.wormholes.pieces import COINS, SUIT_NAMES
from engine.wormholes.view import UNKNOWN
from render.i18n import N_, _, pgettext

SUITS = SUIT_NAMES


def value_name(value: str) -> str:
    """Return a coin's value as players say it: a null coin is a black hole."""
    return _(_VALUES.get(value, value))


_VALUES = {"0": N_("black hole"), "1": N_("ace"), UNKNOWN: N_("unknown value")}


def number_name(number: str) -> str:
    """Return the number of a die as players say it."""
    return {"0": pgettext("number of a die", "null"), "-": pgettext("number of a die", "none")}.get(
        number, number
    )


def suit_name(suit: str) -> str:
    """Return a suit, or the ship of this suit, as players call it."""
    return _(SUITS[suit])


def name(word: str) -> str:
    """Return a word of the notation as the board names it: a coin or die by suit and value."""
    return coin_words(word.upper()) if word.upper() in COINS else word


def coin_words(name: str) -> str:
    """Return an own coin, e.g. `S0`, as players say it."""
    words = _("{suit} {value}")
    return words.format(suit=suit_name(name[0]), value=value_name(name[1]))


def opening(words: str) -> str:
    """Return the first coin that a player placed, e.g. `S0 a7`, as players say it."""
    coin, space = words.split()
    return _("{coin} on {space}").format(coin=coin_words(coin), space=space)
