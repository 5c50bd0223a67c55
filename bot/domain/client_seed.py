"""Players' own words as part of the salt of the dice (docs/players/dice.md)."""

from __future__ import annotations

import unicodedata
from typing import NamedTuple

MAX_CLIENT_SEED_CHARACTERS = 40
"""Maximum length of a player's words."""


class ClientSeed(NamedTuple):
    """A player's contribution to the client seed, which texts and records call the salt.

    Attributes:
        words: the player's words, as typed.
        number: the number before them; shown to the player before typing.
        version: the version of the match that was shown to the player.
    """

    words: str
    number: int
    version: int


def client_seed_part(number: int, words: str = "") -> str:
    """Return one player's part of the salt: the number, and the words, if any.

    Example:
        >>> client_seed_part(7, "  heads, or  tails ")
        '7:heads or tails'
        >>> client_seed_part(7)
        '7'
    """
    cleaned = "".join(
        " " if letter == "," or letter.isspace() else letter
        for letter in unicodedata.normalize("NFC", words)
        if letter.isspace() or unicodedata.category(letter)[0] != "C"
    )
    text = " ".join(cleaned.split())[:MAX_CLIENT_SEED_CHARACTERS].rstrip()
    return f"{number}:{text}" if text else f"{number}"


def client_seed_numbers(client_seed: str, order: str) -> dict[str, int]:
    """Return seat → number in the player's part of a client seed.

    Args:
        client_seed: the complete one.
        order: the seats in the order of joining.

    Example:
        >>> client_seed_numbers("7:heads,12", "YB")
        {'Y': 7, 'B': 12}
    """
    parts = client_seed.split(",")
    return {s: int(part.partition(":")[0]) for s, part in zip(order, parts, strict=True)}


def last_number(client_seed: str) -> int:
    """Return the number of the last part of a client seed."""
    return int(client_seed.rpartition(",")[2].partition(":")[0])
