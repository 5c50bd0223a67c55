"""docs/players/dice.md as a program, written from that page alone, without the engine."""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Callable, Iterator

PATTERNS = """
    AB/AB AB/AC AB/AD AB/BC AB/BD AB/CD AC/AB AC/AC AC/AD AC/BD
    AD/AB AD/AC AD/AD AD/BC AD/BD AD/CD BD/AB BD/AC BD/AD BD/BD
""".split()
TILES = [pattern + sphere for pattern in PATTERNS for sphere in ("+", "")]

Draw = Callable[[int], int]


def stream(key: bytes, label: str) -> Iterator[int]:
    """The bytes of an event."""
    block = 0
    while True:
        yield from hmac.new(key, f"{label}:{block}".encode(), hashlib.sha256).digest()
        block += 1


def draws(seed: bytes, salt: str, label: int | str) -> Draw:
    """The numbers of an event."""
    source = stream(hmac.new(seed, salt.encode(), hashlib.sha256).digest(), str(label))

    def draw(k: int) -> int:
        width = 1
        while 256**width < k:
            width += 1
        while True:
            x = int.from_bytes(bytes(next(source) for _ in range(width)), "big")
            if x < 256**width - 256**width % k:
                return x % k

    return draw


def check(text: str, noted: str) -> int:
    """Check the dice of a record against a commitment, and return the number of chance lines.

    Raises:
        AssertionError: something does not follow from the seed.
    """
    head, _, body = text.partition("\n\n")
    headers = {key: value.strip() for key, _, value in (h.partition(":") for h in head.split("\n"))}
    seed, salt = bytes.fromhex(headers["Seed"]), headers["Salt"]
    assert noted == headers["Dice"] == f"sha256:{hashlib.sha256(seed).hexdigest()}"
    three = "seats=3" in headers.get("Options", "").split()
    seats = {"wormholes": "OD", "tomtube": "TD", "warp6": "BYW" if three else "BY"}
    sides = headers.get("Sides", "").split()
    if sides:
        draw = draws(seed, salt, "sides")
        free = [seat for seat in seats[headers["Game"]] if f"{seat}!" not in sides]
        assert sides == [s if s.endswith("!") else free.pop(draw(len(free))) for s in sides]
    lines = body.splitlines()
    count = 0
    taken_over = int(headers.get("Taken over", "0"))
    for number, line in enumerate(lines):
        if line.startswith("* ") and number >= taken_over:
            verb, *args = line.split()[1:]
            draw = draws(seed, salt, count)
            assert args == chance(headers["Game"], verb, args, lines[:number], draw), line
            count += 1
    return count


def chance(game: str, verb: str, args: list[str], before: list[str], draw: Draw) -> list[str]:
    """The arguments that the seed gives to a chance line."""
    if game == "wormholes":
        return [arg if arg[1] == "-" else f"{arg[0]}{draw(6)}" for arg in args]
    if game == "tomtube" and verb == "first":
        return ["TD"[draw(2)]]
    if game == "tomtube":
        gone = [line.split()[2] for line in before if line.startswith("* draw")]
        left = [tile for tile in TILES if tile not in gone]
        return [left[draw(len(left))]]
    if verb == "lot":
        tied = best(before)
        return [tied[draw(len(tied))]]
    if verb == "reroll":
        return [args[0], str(draw(int(args[0][1])) + 1)]
    return [f"{arg[:3]}{draw(int(arg[1])) + 1}" for arg in args]


def best(before: list[str]) -> list[str]:
    """The seats still in the match whose secret numbers tie, in the order B Y W."""
    words = [line.split() for line in before]
    left = {seat for seat, verb, *_ in words if verb == "leave"}
    hands = {
        seat: sorted((int(arg[3]) for arg in args), reverse=True)
        for seat, verb, *args in words
        if verb == "set" and seat not in left
    }
    return [seat for seat in "BYW" if hands.get(seat) == max(hands.values())]
