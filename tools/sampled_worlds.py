"""Play Wormholes by hand-made estimates on sampled worlds, as a program of the arena.

    starpost engine arena wormholes --player A=admiral \
        --player B='cmd:python -m tools.sampled_worlds'

An opponent that shares nothing with the computer players but the rules, and boards that are drawn
to fit what its seat knows. On each of them it estimates how soon each ship is home and which side
wins; it tries all that its dice allow and all that the opponent may roll next, and takes the action
that is best on average. It places coins by the same estimates, and draws among the best placings.
It plays all rules as if one ship at home were enough.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any, NamedTuple

import numpy as np

from engine.computer.situation import Situation, situation_of
from engine.game import Action
from engine.record import Record
from engine.wormholes.actions import NO_DIE
from engine.wormholes.board import INDEX, STARTS
from engine.wormholes.knowledge import board_of
from engine.wormholes.pieces import COINS, SEATS, SUITS, owner
from engine.wormholes.rules import apply, legal, pending
from engine.wormholes.state import State
from tools.lone_ships import (
    COUNT,
    MOVES,
    PLACES,
    VALUES,
    WAYS,
    Floats,
    Ints,
    Races,
    beliefs,
    delayed,
    place_if_sent,
)
from tools.serving import Program

WORLDS = 12
"""Boards that are drawn for an action."""

SENDS = 4
"""Spaces tried for a ship that is sent away: those with the longest way home."""

LATER = 1e-5
"""What another own action costs: a match that can be won is won at once."""

PROMISING, BOARDS = 40, 3
"""Placings that are valued, and boards that are drawn for each of them."""

AS_GOOD = 0.006
"""Placings whose chances of winning differ by less are equally likely."""


def ending(out: Floats) -> Floats:
    """Return the chances of winning in each turn; half of the open rest is added to the last."""
    return np.concatenate((out[:-1] - out[1:], out[-1:] / 2))


class World(NamedTuple):
    """A board, and the races on it.

    Attributes:
        state: the position.
        seat: the seat for which positions are valued.
        outs: `[turns][place]` of each seat, see `Races.out`.
        landed: `[turns][landing]` of the opponent: as it expects its coins, and as they are.
        ends: `[landing]` of the opponent, see `Races.ends`.
        lengths: `[place]` of each seat: mean turns home, on all boards.
        values: by position.
    """

    state: State
    seat: int
    outs: Sequence[Floats]
    landed: Sequence[Floats]
    ends: Ints
    lengths: Sequence[Floats]
    values: dict[tuple[int, ...], float]

    def search(self, state: State) -> float:
        """Return the chance of winning if the rest of the turn is played as well as possible."""
        if state.phase not in ("act", "jump", "send"):
            return self.value(state)
        actions = worth_trying(state, self.lengths)
        values = [self.search(apply(state, action)[0]) for action in actions]
        return max(values) - LATER if pending(state) == SEATS[self.seat] else min(values)

    def value(self, state: State) -> float:
        """Return the chance of winning from the beginning of a turn."""
        if state.result:
            return float(state.result[0] == SEATS[self.seat])
        key = (*state.ships, state.landed, state.owes, state.turn, *state.dice)
        if key not in self.values:
            replies = state.turn != self.seat and state.phase == "roll"
            self.values[key] = self._after_reply(state) if replies else self._now(state)
        return self.values[key]

    def _curves(self, state: State, seat: int) -> list[Floats]:
        curves = []
        for ship in (2 * seat, 2 * seat + 1):
            out = self.outs[seat][:, place_of(state, ship)]
            is_lost = seat == state.turn and state.dice[ship & 1] == NO_DIE
            curves.append(delayed(out) if is_lost or state.owes >> ship & 1 else out)
        return curves

    def _now(self, state: State) -> float:
        first, second = (
            np.prod(self._curves(state, seat), axis=0) for seat in (state.turn, 1 - state.turn)
        )
        chance = float(ending(first) @ second)
        return chance if state.turn == self.seat else 1 - chance

    def _after_reply(self, state: State) -> float:
        """Return the mean over the opponent's rolls, each used as seems best to it."""
        sent = self.outs[self.seat][:, self.lengths[self.seat][:COUNT].argmax()]
        one, other = self._curves(state, self.seat)
        weights = [ending(a * b)[:, None] for b in (other, sent) for a in (one, sent)]
        lands, hits = zip(
            *(self._landings(state, ship) for ship in opposing(self.seat)), strict=True
        )
        cases = hits[0][:, None] | hits[1]
        expected, actual = (
            _by_roll(np.choose(cases, [(one * weight).T @ other for weight in weights]))
            for one, other in ([curves[:, land] for land in lands] for curves in self.landed)
        )
        return float(actual[np.arange(VALUES**2), expected.argmin(axis=1)].mean())

    def _landings(self, state: State, ship: int) -> tuple[Ints, Ints]:
        """Return the landings of a ship of the opponent, and the ships that each sends, as bits."""
        place = place_of(state, ship)
        lands = MOVES[owner(ship)][:, :, place].T.ravel()
        if state.dice[ship & 1] == NO_DIE:
            lands = np.full_like(lands, PLACES + place)
        ends, hits = self.ends[lands] % PLACES, np.zeros_like(lands)
        for number, target in enumerate(opposing(owner(ship))):
            at = state.ships[target]
            is_sent = (lands == at) & (at != place) | (ends == at) & (ends != lands % PLACES)
            hits |= is_sent << number
        return lands, hits


def _by_roll(table: Floats) -> Floats:
    """Return `[roll][ways]` by a table of the landings of both ships."""
    by_value = table.reshape(VALUES, WAYS, VALUES, WAYS).swapaxes(1, 2)
    return by_value.reshape(VALUES**2, WAYS**2)


def opposing(seat: int) -> tuple[int, int]:
    """Return the ships of the other seat."""
    return 2 - 2 * seat, 3 - 2 * seat


def place_of(state: State, ship: int) -> int:
    """Return the place of a ship."""
    space = state.ships[ship]
    return space if state.landed >> ship & 1 else place_if_sent(ship, space)


def worth_trying(state: State, lengths: Sequence[Floats]) -> Sequence[Action]:
    """Return the legal actions; of the spaces to send a ship to, the worst for it."""
    actions = legal(state)
    if state.phase != "send":
        return actions
    home = lengths[1 - owner(state.focus)]
    sends = [action for action in actions if action.verb == "send"]
    sends.sort(
        key=lambda send: -home[place_if_sent(SUITS.index(send.args[0]), INDEX[send.args[1]])]
    )
    return [*sends[:SENDS], *(action for action in actions if action.verb != "send")]


def worlds(situation: Situation, random: Random) -> list[World]:
    """Return boards that fit what a seat knows."""
    seat = SEATS.index(situation.seat)
    states = [situation.determinize(random.randrange) for _ in range(WORLDS)]
    actual = beliefs(states, SEATS)
    common = Races(1 - seat, beliefs(states[:1], ""))
    mine = Races(seat, beliefs(states[:1], SEATS[seat]))
    theirs = Races(1 - seat, beliefs(states, SEATS[1 - seat]), common.lengths)
    outs, lengths = [mine.out(actual), theirs.out(actual)], [mine.lengths, theirs.lengths]
    landed, ends = theirs.expected(outs[1]), theirs.ends(actual)
    sides = slice(None, None, 1 - 2 * seat)
    boards = []
    for board, state in enumerate(states):
        out = [np.ascontiguousarray(table[..., board]) for table in outs]
        both = np.concatenate((out[1], delayed(out[1])), axis=1)
        curves = landed[..., board], both[:, ends[:, board]]
        means = [table.mean(axis=1) for table in lengths][sides]
        boards.append(World(state, seat, out[sides], curves, ends[:, board], means, {}))
    return boards


def best_action(situation: Situation, random: Random) -> Action:
    """Return the action of a turn that is best on average."""
    boards = worlds(situation, random)
    actions = worth_trying(boards[0].state, boards[0].lengths)
    values = [sum(b.search(apply(b.state, action)[0]) for b in boards) for action in actions]
    return actions[int(np.argmax(values))]


def placing(situation: Situation, random: Random) -> Action:
    """Return one of the best placings, drawn."""
    seat, states = SEATS.index(situation.seat), []
    for _ in range(BOARDS):
        draft = situation.determinize(random.randrange).draft()
        draft.board = board_of(draft, situation.seat)
        states.append(draft.freeze())
    believed, actual = [beliefs(states, letter) for letter in SEATS], beliefs(states, SEATS)
    races = [Races(side, table) for side, table in enumerate(believed)]
    gains = [
        race.visits(STARTS[2 * side : 2 * side + 2])
        * (race.lengths - race.met(np.arange(PLACES))).mean(axis=2)
        for side, race in enumerate(races)
    ]
    gain = np.maximum(gains[seat], 0) - gains[1 - seat]  # a way that is too long is not taken
    spots = {a: (COINS.index(a.args[0]), INDEX[a.args[1]]) for a in situation.legal}
    actions = sorted(spots, key=lambda action: -gain[spots[action]])[:PROMISING]
    tables = [np.repeat(table, len(actions), axis=2) for table in (*believed, actual)]
    for number, action in enumerate(actions):
        coin, space = spots[action]
        suit, boards = coin - coin % VALUES, slice(number, None, len(actions))
        tables[seat][coin, space, boards] = tables[2][coin, space, boards] = 1
        tables[1 - seat][suit : suit + VALUES, space, boards] = 1 / VALUES
    sides = []
    for side, race in enumerate(races):
        start = np.repeat(race.lengths, len(actions), axis=1)
        out = Races(side, tables[side], start).out(tables[2])
        sides.append(out[:, STARTS[2 * side]] * out[:, STARTS[2 * side + 1]])
    first = first_to_move(states[0])
    chances = (ending(sides[first]) * sides[1 - first]).sum(axis=0)
    chances = chances.reshape(BOARDS, -1).mean(axis=0) * (1 if first == seat else -1)
    best = chances.max()
    return random.choice([a for a, c in zip(actions, chances, strict=True) if c > best - AS_GOOD])


def first_to_move(state: State) -> int:
    """Return the seat that will move first, during set-up (W3.2)."""
    left = [(state.hand >> 12 * seat & (1 << 12) - 1).bit_count() for seat in (0, 1)]
    is_second = state.phase != "place" or left[state.turn] > left[1 - state.turn]
    return state.turn if is_second else 1 - state.turn


def choose(situation: Situation, random: Random) -> Action:
    """Return an action of a seat; it moves first if it may."""
    phase = situation.sampled_state.phase
    if phase in ("place", "lay"):
        return placing(situation, random)
    if phase in ("act", "jump", "send"):
        return best_action(situation, random)
    is_preferred = [
        bool({action.verb, *action.args} & {"move", "skips"}) for action in situation.legal
    ]
    return situation.legal[int(np.argmax(is_preferred))]


def answer(record: Record, seat: str) -> Mapping[str, Any]:
    """Return an answer, drawn by the record."""
    return {"line": choose(situation_of(record, seat), Random(f"{seat} {record}")).notation}


PROGRAM = Program("Sampled worlds by hand", ("wormholes",), answer)
"""The player."""

if __name__ == "__main__":
    PROGRAM.run()
