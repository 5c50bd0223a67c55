"""Play Warp 6 for two by hand-made estimates, three plies deep, as a program of the arena.

    starpost engine arena warp6 --player A=admiral --player B='cmd:python -m tools.by_hand'

An opponent that shares nothing with the computer players but the rules. It knows how many turns
each die needs alone if a landing always warps with the same probability, and compares the fastest
dice of both sides. It tries its own action, the most promising replies, and its own next action;
before a reroll it takes the mean over all numbers.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

from engine.game import Action
from engine.warp6.board import OUTERMOST, WARP
from engine.warp6.pieces import KITS, SEATS, faces_of
from engine.warp6.rules import apply, legal
from engine.warp6.state import OFF, State
from tools.serving import Program, by_position

WARP_CHANCE = 0.15
"""Probability that a landing warps, in the race of a lone die."""

TEMPO = 0.5
"""What it is worth to be on turn, in turns."""

REPLIES = 6
"""Replies that are followed further."""

WON = 1000.0
"""Lead of the winner, in turns."""


@lru_cache(maxsize=8)
def turns_needed(faces: int) -> tuple[tuple[float, ...], ...]:
    """Return `[space][number]`: the mean turns of a lone die that uses its best numbers."""
    table: list[tuple[float, ...]] = [(0.0,) * (faces + 1)]
    numbers = range(1, faces + 1)
    for space in range(1, OUTERMOST + 1):
        moved = [0.0]
        for number in numbers:
            end = max(space - number, OFF)
            chance = WARP_CHANCE if end else 0
            warped = sum(table[WARP[end]][1:]) / faces
            moved.append(1 + (1 - chance) * table[end][number] + chance * warped)
        best = [min(abs(number - aim) + moved[aim] for aim in numbers) for number in numbers]
        table.append((0.0, *best))
    return tuple(table)


def needs_of(state: State, seat: int) -> list[float]:
    """Return the turns that each die of a seat needs."""
    kit = KITS[state.seats]
    return [
        turns_needed(kit.faces[die])[state.spaces[die]][state.numbers[die]] for die in kit.own(seat)
    ]


def total_need(state: State, seat: int) -> float:
    """Return the turns that the fastest dice of a seat need."""
    return sum(sorted(needs_of(state, seat))[: KITS[state.seats].target])


def lead(state: State, seat: int) -> float:
    """Return by how many turns a seat leads, with nothing tried out."""
    if state.result:
        return WON if state.result[0] == SEATS[seat] else -WON
    tempo = TEMPO if state.turn == seat else -TEMPO
    return total_need(state, 1 - seat) - total_need(state, seat) + tempo


def lead_after_best_action(state: State) -> float:
    """Return the lead of the seat on turn after its best action, as far as its own needs count."""
    if state.result:
        return -WON  # by the other seat, which moved last
    kit, seat = KITS[state.seats], state.turn
    needs = needs_of(state, seat)
    best = total_need(state, seat)
    for place, die in enumerate(kit.own(seat)):
        after = need_after(state, die)
        if after < needs[place]:
            others = sorted([*needs[:place], after, *needs[place + 1 :]])
            best = min(best, sum(others[: kit.target]))
    return total_need(state, 1 - seat) - best - TEMPO if best else WON


def need_after(state: State, die: int) -> float:
    """Return the turns that a die needs after the best action with it; before a reroll the mean."""
    space, number, faces = state.spaces[die], state.numbers[die], KITS[state.seats].faces[die]
    table = turns_needed(faces)
    end = max(space - number, OFF)
    warps = end != OFF and end in state.spaces
    while end != OFF and end in state.spaces:
        end = WARP[end]
    moved = sum(table[end][1:]) / faces if warps else table[end][number]
    changed = [near for near in (number - 1, number + 1) if 0 < near <= faces]
    return min(moved, *(table[space][near] for near in changed))


def mean_after(state: State, action: Action, worth: Callable[[State], float]) -> float:
    """Return the worth of the position after an action; before a reroll the mean."""
    after, _ = apply(state, action)
    if after.phase != "reroll":
        return worth(after)
    (form,) = legal(after)
    faces = KITS[after.seats].faces[after.focus]
    rolls = [form._replace(args=(form.args[0], str(n + 1))) for n in range(faces)]
    return sum(worth(apply(after, roll)[0]) for roll in rolls) / faces


def lead_after_reply(state: State) -> float:
    """Return the lead of the seat that moved last after the best reply and its own next action."""
    if state.result:
        return WON
    replies = sorted(
        legal(state),
        key=lambda reply: -mean_after(state, reply, lambda after: lead(after, state.turn)),
    )
    return min(mean_after(state, reply, lead_after_best_action) for reply in replies[:REPLIES])


def choose(state: State, seat: str) -> Action:
    """Return the action of a seat: places the first die first, and sets the highest numbers."""
    actions = [action for action in legal(state) if action.actor == seat]
    if state.phase == "set":
        (form,) = actions
        return form._replace(args=tuple(f"{arg[:-1]}{faces_of(arg)}" for arg in form.args))
    if state.phase != "play":
        return actions[0]
    return max(actions, key=lambda action: mean_after(state, action, lead_after_reply))


PROGRAM = Program("Three plies by hand", ("warp6",), by_position(choose))
"""The player."""

if __name__ == "__main__":
    PROGRAM.run()
