"""Sources of matches for tests: uniformly random ones, and ones full of endings."""

from __future__ import annotations

from random import Random

from engine.game import CHANCE, Action, IllegalActionError
from engine.record import play
from engine.warp6.state import State
from tests.support.warp6.positions import GAME

CAP = 10_000
SETUPS = tuple((seats, setup) for seats in ("2", "3") for setup in ("rolled", "secret"))
EXITS = ("draw offer", "draw offer", "draw decline", "flag", "leave", "resign")
ANSWERS = ("draw accept", "draw accept", "draw decline", "leave")


def random_match(
    seats: str, setup: str, seed: int, limit: int = CAP
) -> tuple[State, tuple[Action, ...]]:
    """A uniformly random match up to `limit` actions: its last state and its actions."""
    random = Random(seed)
    return play(
        GAME,
        GAME.start("standard", {"seats": seats, "setup": setup}),
        lambda legal: GAME.fill(random.choice(legal), random.randrange),
        lambda _: random.randrange,
        limit,
    )


def match_with_endings(seats: str, setup: str, seed: int) -> tuple[State, tuple[Action, ...]]:
    """A random match in which any seat now and then tries to leave or to agree on a draw."""
    random = Random(seed)
    state = GAME.start("standard", {"seats": seats, "setup": setup})
    actions: list[Action] = []
    while pending := GAME.pending(state):
        if pending == CHANCE:
            action = GAME.chance(state, random.randrange)
        elif random.random() < (0.7 if state.offer else 0.01):
            line = random.choice(ANSWERS if state.offer else EXITS)
            action = Action.parse(f"{random.choice('BYW')} {line}")
        else:
            action = GAME.fill(random.choice(GAME.legal(state)), random.randrange)
        try:
            state, _ = GAME.apply(state, action)
        except IllegalActionError:
            assert action.verb in ("draw", "flag", "leave", "resign")
        else:
            actions.append(action)
    return state, tuple(actions)
