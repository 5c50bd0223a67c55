"""The formats of cups: the pairings of each round.

Pure functions. Players have the numbers 1 to n, drawn at random from the cup's seed. The players of
a pairing are in the order of their seats.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from enum import StrEnum

MIN_ENTRANTS, MAX_ENTRANTS = 3, 16
"""Number of players in a cup."""

NO_ONE = 0
"""Stands in a pairing for a missing player: a place of a knockout without a winner."""

GROUP_SIZE = 3

BASE_GROUP = (0, 1, 3)
"""Distances within a group: turned round the circle of all players, it lets each player sit once in
each seat, and the numbers of meetings of any two pairs differ by one at most."""

Pairing = tuple[int, ...]
Rounds = Sequence[Sequence[Pairing]]


class CupFormat(StrEnum):
    """The format of a cup."""

    ROUND_ROBIN = "round_robin"
    KNOCK_OUT = "knock_out"
    GROUPS = "groups"

    @property
    def seats(self) -> int:
        """Return the number of players in a match."""
        return GROUP_SIZE if self == CupFormat.GROUPS else 2


def draw_lots(seed: str, numbers: Iterable[int], purpose: str = "seats") -> list[int]:
    """Return numbers in an order that follows from a seed alone.

    Example:
        >>> draw_lots("5eed", [1, 2, 3]) == draw_lots("5eed", [3, 2, 1])
        True
    """

    def key(number: int) -> bytes:
        return hashlib.sha256(f"{seed} {purpose} {number}".encode()).digest()

    return sorted(numbers, key=key)


def schedule(cup_format: CupFormat, count: int) -> list[list[Pairing]]:
    """Return the rounds of a cup; in a knockout, the pairings of later rounds are still empty.

    Raises:
        ValueError: there is no cup for this number of players.
    """
    if not MIN_ENTRANTS <= count <= MAX_ENTRANTS:
        raise ValueError(count)
    return {
        CupFormat.ROUND_ROBIN: round_robin,
        CupFormat.KNOCK_OUT: knock_out,
        CupFormat.GROUPS: groups,
    }[cup_format](count)


def round_robin(count: int) -> list[list[Pairing]]:
    """Return the rounds of a tournament where each player meets each other player once.

    The circle method: one player stays, the others move on by one place each round. With an odd
    number, the player opposite to the empty place has a round off. The first seats are shared as
    equally as possible.

    Example:
        >>> round_robin(4)
        [[(1, 4), (2, 3)], [(4, 2), (3, 1)], [(3, 4), (1, 2)]]
    """
    size = count + count % 2
    circle = list(range(1, size))
    rounds = []
    for turn in range(size - 1):
        places = [*circle[turn:], *circle[:turn]]
        pairs = [(places[0], size)]
        pairs += [(places[i], places[-i]) for i in range(1, size // 2)]
        pairings = [_seated(pair, size) for pair in pairs if max(pair) <= count]
        rounds.append(pairings)
    return rounds


def _seated(pair: tuple[int, int], last: int) -> Pairing:
    """Return a pair in the order of seats: the lower number first if their sum is odd.

    So each player has the first seat in half of the matches. The player who stays on the circle has
    it against the players with even numbers.
    """
    low, high = sorted(pair)
    if high == last:
        return (high, low) if low % 2 == 0 else (low, high)
    return (low, high) if (low + high) % 2 else (high, low)


def groups(count: int) -> list[list[Pairing]]:
    """Return the rounds of three matches for each player, each with two others.

    Example:
        >>> groups(3)
        [[(1, 2, 3)], [(2, 3, 1)], [(3, 1, 2)]]
        >>> sorted(group for pairings in groups(4) for group in pairings)
        [(1, 2, 4), (2, 3, 1), (3, 4, 2), (4, 1, 3)]
    """
    base = (0, 1, 2) if count == GROUP_SIZE else BASE_GROUP
    waiting = [tuple((start + step) % count + 1 for step in base) for start in range(count)]
    rounds: list[list[Pairing]] = []
    while waiting:
        taken: list[Pairing] = []
        for group in waiting:
            if not {player for pairing in taken for player in pairing} & set(group):
                taken.append(group)
        rounds.append(taken)
        waiting = [group for group in waiting if group not in taken]
    return rounds


def knock_out(count: int) -> list[list[Pairing]]:
    """Return the rounds of a knockout, with the pairings of its first round.

    The places are filled as in seeded draws: the lowest numbers can meet only late, and get the
    byes. A bye is a pairing with one player, who advances to the next round.

    Example:
        >>> knock_out(6)
        [[(1,), (4, 5), (2,), (3, 6)], [(), ()], [()]]
    """
    order = [1, 2]
    while len(order) < count:
        size = 2 * len(order) + 1
        order = [seed for number in order for seed in (number, size - number)]
    pairs = [order[place : place + 2] for place in range(0, len(order), 2)]
    rounds: list[list[Pairing]] = [[tuple(n for n in pair if n <= count) for pair in pairs]]
    while len(rounds[-1]) > 1:
        rounds.append([()] * (len(rounds[-1]) // 2))
    return rounds


def next_place(round_number: int, place: int) -> tuple[int, int, int]:
    """Return the round, place and seat that the winner of a knockout pairing advances to."""
    return round_number + 1, place // 2, place % 2
