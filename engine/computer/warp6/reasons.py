"""Reasons for what a seat of Warp 6 does: warps taken, made and spoilt, and turns saved."""

from __future__ import annotations

from engine.computer.reasons import Amount, Reason
from engine.computer.situation import Situation
from engine.computer.warp6.features import UNIT, mean_needed, needed_turns
from engine.game import Action
from engine.i18n import N_, NP_
from engine.warp6.board import WARP
from engine.warp6.pieces import KITS, SEATS
from engine.warp6.rules import free_space, still_in
from engine.warp6.state import IN_HAND, OFF, State

_NEARER = Amount(
    N_("the warp and its new number save it less than a turn"),
    NP_(
        "the warp and its new number save it about one turn",
        "the warp and its new number save it about {count} turns",
    ),
)

_LEFT = Amount(
    N_("{die} then needs only one more move"),
    NP_("{die} then needs only one more move", "{die} then needs only {count} more moves"),
    (
        N_("{player}'s {die} then needs only one more move"),
        NP_(
            "{player}'s {die} then needs only one more move",
            "{player}'s {die} then needs only {count} more moves",
        ),
    ),
)
_LEAVES = Reason(
    N_("{die} leaves the board, your number {number} of {target}"),
    named=N_("{player}'s {die} leaves the board, number {number} of {target}"),
)
_MAY_WARP = Reason(
    N_("{die} can then warp from {space}"), named=N_("{player}'s {die} can then warp from {space}")
)
_STILL_WARPS = Reason(
    N_("{die} can still warp from {space} later"),
    named=N_("{player}'s {die} can still warp from {space} later"),
)
_FEWER_MOVES = Reason(
    NP_(
        "{die} then needs one move instead of {before}",
        "{die} then needs {count} moves instead of {before}",
    ),
    named=NP_(
        "{player}'s {die} then needs one move instead of {before}",
        "{player}'s {die} then needs {count} moves instead of {before}",
    ),
)
_FASTEST = Reason(
    N_("none of your other dice needs fewer turns from the rim"),
    named=N_("none of {player}'s other dice needs fewer turns from the rim"),
)

FEW_MOVES = 4
"""A die that needs no more moves than this is nearly through the wormhole."""


def explain(situation: Situation, action: Action) -> list[Reason]:
    """Return reasons for an action, the most important first."""
    state, seat = situation.sampled_state, SEATS.index(situation.seat)
    if action.verb == "set":
        return [Reason(N_("a secret setup should be hard to guess"))]
    die = KITS[state.seats].index[action.args[0]]
    if action.verb == "place":
        return _placing(state, seat, die)
    if action.verb == "move":
        return _moving(state, seat, die)
    return _changing(state, die, state.numbers[die] + (1 if action.verb == "up" else -1))


def _placing(state: State, seat: int, die: int) -> list[Reason]:
    """Return that the die needs fewer turns from far outside than the others in hand."""
    kit, table, space = KITS[state.seats], needed_turns(), free_space(state)
    needs = {
        own_die: table[kit.faces[own_die]][state.numbers[own_die]][space]
        for own_die in kit.own(seat)
        if state.spaces[own_die] == IN_HAND
    }
    need = needs.pop(die)
    if needs and need < min(needs.values()):
        return [_FASTEST]
    return []


# Moving


def _moving(state: State, seat: int, die: int) -> list[Reason]:
    """Return the reasons from a move's end and its effect on the warps of other dice."""
    kit, taken = KITS[state.seats], _taken(state)
    name, start = _own(kit.names[die]), state.spaces[die]
    landing = _landing(state, die)
    end = landing
    while end in taken:
        end = WARP[end]
    reasons = []
    if end == OFF:
        off = 1 + sum(state.spaces[own_die] == OFF for own_die in kit.own(seat))
        fields = {"die": name, "number": off, "target": kit.target}
        reasons.append(_LEAVES._replace(fields=fields))
    elif end != landing:
        need = needed_turns()[kit.faces[die]][state.numbers[die]][start]
        reasons += _NEARER.reasons(UNIT * need - mean_needed()[kit.faces[die]][end], UNIT)
    changed, kept = _warps(state, seat, die, end)
    moves = -(-end // state.numbers[die])
    left = _LEFT.reasons(moves, 1, die=name) if moves <= FEW_MOVES else []
    return reasons + changed or left or kept[:1]


def _warps(state: State, seat: int, die: int, end: int) -> tuple[list[Reason], list[Reason]]:
    """Return the warps that a move makes and spoils for other dice, and those that it keeps."""
    kit, taken = KITS[state.seats], _taken(state)
    after = taken - {state.spaces[die]} | {end}
    opened, spoilt, kept = [], [], []
    for other in (candidate for rival in still_in(state) for candidate in kit.own(rival)):
        landing = _landing(state, other)
        if other == die or landing == OFF:
            continue
        fields = {"die": _own(kit.names[other]), "space": landing}
        if other not in kit.own(seat):
            if landing in taken - after:
                fields["die"] = kit.names[other]
                spoilt.append(Reason(N_("{die} can no longer warp from {space}"), fields))
        elif landing in after - taken:
            opened.append(_MAY_WARP._replace(fields=fields))
        elif landing in after:
            kept.append(_STILL_WARPS._replace(fields=fields))
    return opened + spoilt, kept


def _taken(state: State) -> frozenset[int]:
    return frozenset(space for space in state.spaces if space > OFF)


def _own(name: str) -> str:
    """Return the name of an own die as buttons show it: without its colour."""
    return name[1:]


def _landing(state: State, die: int) -> int:
    """Return the space where a die's move ends before it warps."""
    return max(state.spaces[die] - state.numbers[die], OFF)


# Changing a number


def _changing(state: State, die: int, number: int) -> list[Reason]:
    """Return the reasons from the possible moves of a die with its new number."""
    kit, space = KITS[state.seats], state.spaces[die]
    landing = max(space - number, OFF)
    if landing in _taken(state):
        fields = {"die": _own(kit.names[die]), "space": landing}
        return [_MAY_WARP._replace(fields=fields)]
    before, after = (-(-space // value) for value in (state.numbers[die], number))
    if after + 1 < before:
        fields = {"die": _own(kit.names[die]), "count": after, "before": before}
        return [_FEWER_MOVES._replace(fields=fields)]
    return []
