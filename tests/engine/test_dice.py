"""Provable dice."""

from __future__ import annotations

import hashlib
import hmac
from collections import Counter
from collections.abc import Callable, Iterator
from itertools import chain, count, islice

import pytest

from engine.dice import SEATS_EVENT, Dice, commitment, computer_seed


def test_a_draw_follows_from_seed_salt_and_event() -> None:
    def five(seed: bytes, salt: str, event: int) -> list[int]:
        draw = Dice(seed, salt).draw(event)
        return [draw(6) for _ in range(5)]

    assert five(b"a", "1,2", 3) == five(b"a", "1,2", 3)
    others = [five(b"b", "1,2", 3), five(b"a", "1,3", 3), five(b"a", "1,2", 4)]
    assert five(b"a", "1,2", 3) not in others


def test_a_known_draw_stays_what_it_is() -> None:
    """Records made today must verify in all later versions."""
    draw = Dice(bytes(32), "salt").draw(0)
    assert [draw(6) for _ in range(8)] == KNOWN_ROLLS


KNOWN_ROLLS = [5, 4, 3, 3, 5, 3, 1, 1]


def described(seed: bytes, salt: str, event: int | str, n: int) -> Iterator[int]:
    """Draws of 0 … n - 1 as docs/players/dice.md describes them, without engine.dice."""
    key = hmac.new(seed, salt.encode(), hashlib.sha256).digest()
    blocks = (hmac.new(key, f"{event}:{i}".encode(), hashlib.sha256).digest() for i in count())
    stream = chain.from_iterable(blocks)
    width = 1
    while 256**width < n:
        width += 1
    while True:
        number = 0
        for byte in islice(stream, width):
            number = 256 * number + byte
        if number < 256**width - 256**width % n:
            yield number % n


@pytest.mark.parametrize("n", [1, 2, 6, 40, 127, 128, 129, 255, 256, 257, 1056, 65536, 65537])
@pytest.mark.parametrize("event", [0, 7, "sides"])
def test_draws_are_those_of_the_description(n: int, event: int | str) -> None:
    draw = Dice(b"seed", "ü,1").draw(event)
    assert [draw(n) for _ in range(500)] == list(islice(described(b"seed", "ü,1", event, n), 500))


def stream_of(*numbers: int) -> Callable[[int], int]:
    """A draw whose stream of bytes begins with these numbers."""
    dice = Dice(b"", "")
    dice._stream = lambda _event: iter(numbers)  # type: ignore[assignment, method-assign]
    return dice.draw(0)


@pytest.mark.parametrize(
    ("n", "numbers", "drawn"),
    [
        (6, (251, 0), 5),  # 252 = 42 * 6 is the greatest multiple up to 256
        (6, (252, 4), 4),
        (6, (255, 253, 252, 1), 1),
        (2, (255,), 1),  # nothing is left over
        (256, (255,), 255),
        (129, (129, 128), 128),
        (257, (1, 0), 256),
        (257, (255, 255, 0, 1), 1),  # 65535 = 255 * 257 is left over
        (1, (7,), 0),
    ],
)
def test_numbers_beyond_the_last_multiple_are_skipped(
    n: int, numbers: tuple[int, ...], drawn: int
) -> None:
    assert stream_of(*numbers)(n) == drawn


@pytest.mark.parametrize("n", [3, 6, 40, 129, 200, 1056, 40_000])
def test_draws_are_uniform(n: int) -> None:
    """Chi-squared over at most 20 equal parts, at six standard deviations."""
    parts = min(n, 20)
    draw = Dice(b"seed", "salt").draw(0)
    total = 500 * parts
    counts = Counter(draw(n) * parts // n for _ in range(total))
    expected = {
        part: total * sum(x * parts // n == part for x in range(n)) / n for part in range(parts)
    }
    assert set(counts) == set(expected)
    off = sum((counts[part] - e) ** 2 / e for part, e in expected.items())
    assert off < parts - 1 + 6 * (2 * (parts - 1)) ** 0.5


def test_seats_are_drawn_one_after_another_from_those_left() -> None:
    drawn = Dice(b"seed", "salt").draw(SEATS_EVENT)
    free = list("BYW")
    expected = [free.pop(drawn(left)) for left in (3, 2, 1)]
    assert Dice(b"seed", "salt").draw_seats("BYW") == expected
    orders = {"".join(Dice(b"seed", f"{salt}").draw_seats("BYW")) for salt in range(60)}
    assert orders == {"BYW", "BWY", "YBW", "YWB", "WBY", "WYB"}


def test_a_draw_needs_an_outcome() -> None:
    with pytest.raises(ValueError, match="at least one outcome"):
        Dice(b"", "").draw(0)(0)


def test_the_commitment_is_the_hash_of_the_seed() -> None:
    expected = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
    assert commitment(b"") == f"sha256:{expected}"


def test_computer_seed_follows_from_the_seed_of_the_match() -> None:
    expected = hmac.new(bytes(32), b"computer players", hashlib.sha256).digest()
    assert computer_seed(bytes(32)) == expected
