"""Look ahead in Warp 6: what a position is worth after the best actions that follow."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache
from operator import itemgetter

from engine.computer.network import Network
from engine.computer.situation import SCALE
from engine.computer.warp6.features import features, needed_turns
from engine.game import Action
from engine.warp6.board import WARP
from engine.warp6.pieces import KITS
from engine.warp6.rules import apply, legal, still_in
from engine.warp6.state import OFF, State

REPLIES = {2: 1, 3: 0}
"""Replies that are looked at, by number of players; whether it helps three is not measured."""

UNLIMITED = 1 << 40
"""More positions than any search values."""


@lru_cache(maxsize=2)
def network(seats: int) -> Network:
    """Return the network for a number of players."""
    return Network.read(f"warp6/network{seats}.json")


def worth_trying(state: State, actions: tuple[Action, ...]) -> list[Action]:
    """Return the actions without idle changes."""
    return [action for action in actions if not is_idle(state, action)]


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


def rerolls(state: State) -> Iterator[Action]:
    """Yield the equally likely outcomes of a reroll."""
    (form,) = legal(state)
    for number in range(1, KITS[state.seats].faces[state.focus] + 1):
        yield form._replace(args=(form.args[0], str(number)))


def value(state: State, seat: int) -> int:
    """Return the value of a position to a seat by the network; before a reroll the mean."""
    return Search().shares(state, 0)[seat]


class Search:
    """Values of positions, to a number of plies.

    Args:
        exact: whether races whose end is certain are known as such.

    Attributes:
        positions: number of positions that have been valued.
    """

    def __init__(self, *, exact: bool = False) -> None:
        self.positions = 0
        self._exact = exact

    def shares(self, state: State, plies: int) -> list[int]:
        """Return the value of a position to each seat, in `SCALE`.

        Args:
            state: a position of the race, or the end.
            plies: number of actions to try out, by the seats on turn one after the other; each
                takes the best one for itself. Outcomes of a reroll are averaged.
        """
        if state.result:
            return [SCALE * (letter == state.result[0]) for letter in KITS[state.seats].seats]
        if state.phase == "reroll":
            columns = zip(
                *(self.shares(apply(state, roll)[0], plies) for roll in rerolls(state)),
                strict=True,
            )
            faces = KITS[state.seats].faces[state.focus]
            return [sum(column) // faces for column in columns]
        if not plies:
            return self._valued(state)
        replies = (
            self.shares(apply(state, action)[0], plies - 1)
            for action in worth_trying(state, legal(state))
        )
        return max(replies, key=itemgetter(state.turn))

    def after_replies(
        self, state: State, actions: Iterable[Action], positions: int = UNLIMITED
    ) -> list[tuple[int, Action]]:
        """Return actions with the score of their seat after the best reply to each.

        Args:
            state: position before the actions.
            actions: actions of the seat on turn, the most promising first.
            positions: no other action is looked at after this number of positions.
        """
        plies, rated = REPLIES[state.seats], list[tuple[int, Action]]()
        for action in actions:
            if self.positions >= positions:
                break
            rated.append((self.shares(apply(state, action)[0], plies)[state.turn], action))
        return rated

    def _valued(self, state: State) -> list[int]:
        self.positions += 1
        if self._exact and (end := certain_end(state)):
            winner, turns = end
            return [(SCALE - turns) * (seat == winner) for seat in range(state.seats)]
        values = network(state.seats).values(features(state))
        return values[-state.turn :] + values[: -state.turn]


def certain_end(state: State) -> tuple[int, int] | None:
    """Return the certain winner and the number of turns it needs; None if that is open.

    A die that shows at least its distance leaves with its next move, whatever the others do, and a
    turn takes no more than one die off the board. So a seat that has as many such dice as it needs
    wins if no other can need fewer turns.
    """
    kit = KITS[state.seats]
    order = sorted(still_in(state), key=lambda seat: (seat - state.turn) % state.seats)
    missing = {
        seat: kit.target - sum(state.spaces[die] == OFF for die in kit.own(seat)) for seat in order
    }
    first = min(order, key=missing.__getitem__)
    ready = sum(OFF < state.spaces[die] <= state.numbers[die] for die in kit.own(first))
    return (first, missing[first]) if ready >= missing[first] else None


def is_won(state: State, seat: int) -> bool:
    """Return whether a seat wins by moves alone, whatever is rolled and the others do.

    A turn takes no more than one die off the board, so others need at least one for each die that
    they miss.
    """
    if state.result:
        return KITS[state.seats].seats[seat] == state.result[0]
    kit = KITS[state.seats]
    missing = {
        rival: kit.target - sum(state.spaces[die] == OFF for die in kit.own(rival))
        for rival in still_in(state)
    }
    if seat not in missing:
        return False
    is_rolled = state.phase == "reroll"
    most = sorted(
        _most_turns(
            state.spaces[die], 1 if is_rolled and die == state.focus else state.numbers[die]
        )
        for die in kit.own(seat)
        if state.spaces[die] > OFF
    )
    turns = sum(most[: missing.pop(seat)])
    before = turns - (state.turn == seat and not is_rolled)
    return all(count > before for count in missing.values())


@lru_cache(maxsize=1024)
def _most_turns(space: int, number: int) -> int:
    """Return the most moves that a die needs: it may warp nowhere, or from each landing to a 1."""
    landing = space - number
    return 1 if landing <= OFF else 1 + max(_most_turns(landing, number), WARP[landing])
