"""Dudo in OpenSpiel, a small cousin of its liar's dice."""

from collections.abc import Iterator, Sequence

from engine.game import Action
from engine.openspiel.support import OpenSpielSupport
from engine.openspiel.tensors import one_hot, shared
from starpost_dudo.rules import FACES, SEATS, WILD, DudoView, State

PIECES, MOST_DICE = WILD + FACES, 2
COUNTS = [str(count) for count in range(1, len(SEATS) * MOST_DICE + 1)]


def actions() -> Iterator[str]:
    yield "doubt"
    yield from (f"bid {count} {face}" for count in COUNTS for face in FACES)


def observe(view: DudoView) -> dict[str, Sequence[float]]:
    dice = [hand[place : place + 1] for hand in view.hands for place in range(MOST_DICE)]
    return {
        **shared(view),
        "left": [count / MOST_DICE for count in view.left],
        "bid": [*one_hot(view.bid[:1], COUNTS), *one_hot(view.bid[1:], FACES)],
        "bidder": one_hot(view.bidder, SEATS),
        "dice": [flag for die in dice for flag in one_hot(die, PIECES)],
    }


def lines_in(_state: State, world: State, _seat: str, lines: Sequence[Action]) -> Iterator[Action]:
    """Yield the actions with the dice of the world in the last roll; earlier ones are known."""
    rolls = [place for place, line in enumerate(lines) if line.verb == "roll"]
    for place, line in enumerate(lines):
        is_hidden = place == rolls[-1] and world.hands != ("", "")
        yield line._replace(args=tuple("".join(world.hands))) if is_hidden else line


SUPPORT = OpenSpielSupport(
    actions=actions, max_outcomes=len(PIECES), observe=observe, hidden_with=(), lines_in=lines_in
)
