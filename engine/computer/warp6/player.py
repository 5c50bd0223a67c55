"""Rate what a seat of Warp 6 can do: a network values the position after each action."""

from __future__ import annotations

from functools import lru_cache

from engine.computer.network import Network
from engine.computer.situation import SCALE, Situation
from engine.computer.warp6.features import features, needed_turns
from engine.game import Action, RandomSource
from engine.warp6.pieces import KITS, SEATS
from engine.warp6.rules import apply, legal
from engine.warp6.state import OFF, State


@lru_cache(maxsize=2)
def network(seats: int) -> Network:
    """Return the network for a number of players."""
    return Network.read(f"warp6/network{seats}.json")


def rate(situation: Situation, draw: RandomSource, _: int) -> list[tuple[int, Action]]:
    """Return the actions worth choosing with the expected score after each."""
    state, seat = situation.sampled_state, SEATS.index(situation.seat)
    if state.phase != "play":
        return [(SCALE // 2, situation.game.fill(form, draw)) for form in situation.legal]
    actions = [action for action in situation.legal if not is_idle(state, action)]
    situation.tally.nodes += len(actions)
    return [(value(apply(state, action)[0], seat), action) for action in actions]


def is_idle(state: State, action: Action) -> bool:
    """Return whether an action changes a number without saving a turn or making a warp possible."""
    if action.verb == "move":
        return False
    kit = KITS[state.seats]
    die = kit.index[action.args[0]]
    space, before = state.spaces[die], state.numbers[die]
    number = before + (1 if action.verb == "up" else -1)
    needed = needed_turns()[kit.faces[die]]
    can_warp = space - number > OFF and space - number in state.spaces
    return not can_warp and needed[number][space] >= needed[before][space]


def value(state: State, seat: int) -> int:
    """Return the value of a position to a seat, in `SCALE`; before a reroll the mean."""
    if state.result:
        return SCALE if state.result[0] == SEATS[seat] else 0
    if state.phase == "reroll":
        (form,) = legal(state)
        name, faces = form.args[0], int(form.args[0][1])
        rolls = [form._replace(args=(name, str(number + 1))) for number in range(faces)]
        return sum(value(apply(state, roll)[0], seat) for roll in rolls) // faces
    return network(state.seats).values(features(state))[(seat - state.turn) % state.seats]
