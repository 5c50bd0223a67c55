"""Dice that can be proved fair: a seed, a commitment to it, and draws that follow from it.

Before anyone joins, the bot publishes `commitment(seed)`. The players' later addition is the
client seed (`Salt` in a record). Chance event number n (from 0) draws from the byte stream

    key    = HMAC-SHA256(seed, client_seed)
    stream = HMAC-SHA256(key, "n:0") + HMAC-SHA256(key, "n:1") + …

and a number in 0 … k - 1 takes the next w bytes (big-endian, w the fewest that can hold k - 1, at
least one); while they are not below the greatest multiple of k up to 256 ** w, the next w; then
modulo k (rejection sampling, so that no number is likelier). After the match the seed is revealed
and anyone can draw again. It proves the dice; it cannot prove that the host did not look.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Iterator, Sequence
from itertools import islice

from engine.game import RandomSource

BYTE_VALUES = 256
"""Number of values of a byte."""

HASH_PREFIX = "sha256:"
"""Begins a commitment, and names its hash."""

COMPUTER_LABEL = b"computer players"
"""Derives the seed of the computer players from the match's."""

SEATS_EVENT = "sides"
"""Replaces the event number for the draw of seats, which precedes all chance events."""


def commitment(seed: bytes) -> str:
    """Return the commitment to a seed, which is published before the match (`Dice` header)."""
    return f"{HASH_PREFIX}{hashlib.sha256(seed).hexdigest()}"


def computer_seed(seed: bytes) -> bytes:
    """Return the seed of a match's computer players, which reveals nothing about the dice.

    It follows from the seed of the match, so the published commitment commits to both.
    """
    return hmac.digest(seed, COMPUTER_LABEL, "sha256")


class Dice:
    """The chance of one match.

    Args:
        seed: the secret bytes behind the commitment.
        client_seed: the players' addition, as in a record's `Salt` header.
    """

    def __init__(self, seed: bytes, client_seed: str) -> None:
        self._key = hmac.digest(seed, client_seed.encode(), "sha256")

    def draw(self, event: int | str) -> RandomSource:
        """Return the random source of a chance event, numbered from 0 within the match."""
        stream = self._stream(event)

        def draw(n: int) -> int:
            if n < 1:
                raise ValueError(f"a draw has at least one outcome, not {n}")
            width = max(1, ((n - 1).bit_length() + 7) // 8)
            fair = BYTE_VALUES**width // n * n
            while True:
                number = int.from_bytes(bytes(islice(stream, width)), "big")
                if number < fair:
                    return number % n

        return draw

    def draw_seats(self, seats: Sequence[str]) -> list[str]:
        """Draw one of these seats for each player, in the order of joining."""
        draw, free = self.draw(SEATS_EVENT), list(seats)
        return [free.pop(draw(len(free))) for _ in seats]

    def _stream(self, event: int | str) -> Iterator[int]:
        block = 0
        while True:
            yield from hmac.digest(self._key, f"{event}:{block}".encode(), "sha256")
            block += 1
