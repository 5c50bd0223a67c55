"""Matches of all games under many terms, as OpenSpiel sees them."""

from __future__ import annotations

from random import Random

from engine.openspiel.position import Position, Terms, terms_of

TERMS = (
    terms_of("wormholes"),
    terms_of("wormholes", "0.6-long", {"notes": "on"}),
    terms_of("wormholes", "0.5.2", {"placing": "three"}),
    terms_of("wormholes", options={"placing": "secret"}),
    terms_of("wormholes", options={"placing": "random"}),
    terms_of("warp6"),
    terms_of("warp6", options={"setup": "secret"}),
    terms_of("warp6", options={"seats": "3", "setup": "secret"}),
    terms_of("tomtube"),
    terms_of("tomtube", "basic", {"launch_T": "3", "launch_D": "6"}),
)
"""Each game with each of its rule sets and options."""


def chosen(position: Position, random: Random) -> int:
    """Return the number of an action or outcome at random."""
    return random.choice(list(position.outcomes if position.pending == "*" else position.legal))


def at_random(terms: Terms, count: int) -> Position:
    """Return the first decision after so many random numbers, at the beginning of an action."""
    random, position = Random(count), terms.start()
    number = 0
    while number < count or position.pending == "*" or position.values:
        position = position.after(chosen(position, random))
        number += 1
    assert position.pending
    return position
