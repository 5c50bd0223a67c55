"""Sources of matches for tests: uniformly random ones, and ones that seek the deep cascades."""

from __future__ import annotations

from random import Random

from engine.game import Action
from engine.record import play
from engine.wormholes.board import INDEX
from engine.wormholes.pieces import EMPTY
from engine.wormholes.state import State
from tests.support.wormholes.positions import GAME

CAP = 2000


PLACINGS = GAME.options["placing"]


def random_match(
    rules: str, seed: int, notes: str = "off", limit: int = CAP, placing: str = "one"
) -> tuple[State, tuple[Action, ...]]:
    """A uniformly random match up to `limit` actions: its last state and its actions."""
    random = Random(seed)
    return play(
        GAME,
        GAME.start(rules, {"notes": notes, "placing": placing}),
        random.choice,
        lambda _: random.randrange,
        limit,
    )


def wild_match(rules: str, seed: int, limit: int = CAP) -> tuple[State, tuple[Action, ...]]:
    """A match that seeks what random play seldom meets: full turns of sends, coins under ships."""
    random = Random(seed)
    state = GAME.start(rules, {})
    actions: list[Action] = []
    while (pending := GAME.pending(state)) and len(actions) < limit:
        if pending == "*":
            action = GAME.chance(state, random.randrange)
        else:
            legal = GAME.legal(state)
            few = legal if len(legal) <= 40 else random.sample(legal, 40)
            action = max(few, key=lambda candidate: (wildness(state, candidate), random.random()))
        state, _ = GAME.apply(state, action)
        actions.append(action)
    return state, tuple(actions)


def wildness(state: State, action: Action) -> int:
    """Return the wildness of an action: decisions that it causes, and ships it puts onto coins."""
    if action.verb == "place":
        near = min(abs(INDEX[action.args[1]] - INDEX[base]) for base in ("e9", "f10"))
        return -near
    after, events = GAME.apply(state, action)
    if after.result:
        return -5
    on_coins = sum(after.board[space] != EMPTY for space in after.ships)
    meeting = len(after.ships) - len(set(after.ships))
    return 3 * len(events) + 4 * (after.phase in ("send", "jump")) + on_coins + 2 * meeting
