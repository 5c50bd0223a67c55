"""Reasons for what a seat of Wormholes does, by the coins it knows and the races to the goal."""

from __future__ import annotations

from collections.abc import Iterable

from engine.computer.reasons import Amount, Reason
from engine.computer.situation import Situation
from engine.computer.wormholes.placement import gain, visits_of
from engine.computer.wormholes.race import (
    JUMPS,
    ONE,
    TURN,
    Coins,
    coins_known_to,
    coins_known_to_all,
    lengths_of,
)
from engine.game import Action
from engine.i18n import N_
from engine.wormholes.board import BASES, ENDS, INDEX, SPACES
from engine.wormholes.pieces import COIN_AT, COINS, SEATS, SUIT_NAMES, SUITS, owner
from engine.wormholes.state import State

_NEARER = Amount(
    N_("{ships} come a little nearer the goal"),
    N_("{ships} come about one roll nearer the goal"),
    N_("{ships} come about {number} rolls nearer the goal"),
)
_SENT_BACK = Amount(
    N_("{ships} are then a little farther from the goal"),
    N_("{ships} are then about one roll farther from the goal"),
    N_("{ships} are then about {number} rolls farther from the goal"),
)
_HELPS = Amount(
    N_("from {space} it takes your ships a little nearer the goal"),
    N_("from {space} it takes your ships about one roll nearer the goal"),
    N_("from {space} it takes your ships about {number} rolls nearer the goal"),
    (
        N_("from {space} it takes {player}'s ships a little nearer the goal"),
        N_("from {space} it takes {player}'s ships about one roll nearer the goal"),
        N_("from {space} it takes {player}'s ships about {number} rolls nearer the goal"),
    ),
)
_HINDERS = Amount(
    N_("from {space} it throws your opponent's ships back a little"),
    N_("from {space} it throws your opponent's ships back by about one roll"),
    N_("from {space} it throws your opponent's ships back by about {number} rolls"),
    (
        N_("from {space} it throws {opponent}'s ships back a little"),
        N_("from {space} it throws {opponent}'s ships back by about one roll"),
        N_("from {space} it throws {opponent}'s ships back by about {number} rolls"),
    ),
)
_MORE_OFTEN = Reason(
    N_("your opponent's ships pass {space} more often than yours"),
    named=N_("{opponent}'s ships pass {space} more often than {player}'s"),
)
_SAFE = Reason(
    N_("your ships hardly ever come to {space}, so this black hole is no danger to them"),
    named=N_(
        "{player}'s ships hardly ever come to {space}, so this black hole is no danger to them"
    ),
)
_USELESS = Reason(
    N_("hardly any ship comes to {space}, so your opponent can hardly use this coin there"),
    named=N_("hardly any ship comes to {space}, so {opponent} can hardly use this coin there"),
)
_SENDS = Reason(N_("you may send {ships} away"), named=N_("{player} may send {ships} away"))
_RARELY_BLACK = Reason(
    N_("your opponent's coin on {space} is a black hole in one case of {count} only"),
    named=N_(
        "by what {player} knew, {opponent}'s coin on {space} is a black hole in one case of {count}"
        " only"
    ),
)
_NEVER_BLACK = Reason(
    N_("your opponent's coin on {space} cannot be a black hole"),
    named=N_("{opponent}'s coin on {space} cannot be a black hole"),
)
_AVOIDS_BLACK = Reason(
    N_("it avoids the black hole on {space}"),
    named=N_("so {player} avoids the black hole on {space}"),
)
_AVOIDS_DOUBT = Reason(
    N_("it avoids the coin on {space}, which may be a black hole"),
    named=N_(
        "so {player} avoids the coin on {space}, which by what {player} knew may be a black hole"
    ),
)
_AVOIDS_DETOUR = Reason(
    N_("it avoids the coin on {space}, which leads away from the goal"),
    named=N_("so {player} avoids the coin on {space}, which leads away from the goal"),
)
_AVOIDS = Reason(
    N_("it avoids the coin on {space}"), named=N_("so {player} avoids the coin on {space}")
)

UNLIKELY = 5
"""A coin that may be one of so many is unlikely to be a black hole."""

RARE = ONE // 4
"""Ships that come to a space less often than this hardly ever pass it."""


def explain(situation: Situation, action: Action) -> list[Reason]:
    """Return reasons for an action, the most important first."""
    state: State = situation.world
    seat = SEATS.index(situation.seat)
    if action.verb == "first":
        free = [Reason(N_("the player who places first has the choice of all spaces"))]
        return free if action.args == ("place",) else []
    if action.verb in ("rolls", "skips"):
        fields = {"ships": SUIT_NAMES[action.args[0]]}
        landed = [Reason(N_("{ships} are on an opposing base already"), fields)]
        return landed if action.verb == "skips" else []
    if action.verb == "ready":
        return []
    known = Known(state, seat)
    if action.verb == "place":
        return _placing(known, COINS.index(action.args[0]), INDEX[action.args[1]])
    if action.verb in ("send", "keep"):
        return _sending(known, action, situation.legal)
    return _moving(known, action, situation.legal)


class Known:
    """The position as a seat with a perfect memory knows it.

    Attributes:
        state: the position; only its known coins may be used.
        seat: the seat that knows this.
        coins: for each space the coins that may be there.
        lengths: the lengths of each seat's race from each space, by what it knows.
    """

    def __init__(self, state: State, seat: int) -> None:
        self.state, self.seat = state, seat
        self.coins: Coins = coins_known_to(state, seat)
        self.lengths = {
            seat: lengths_of(seat, self.coins),
            1 - seat: lengths_of(1 - seat, coins_known_to_all(state)),
        }

    def length(self, ship: int, space: int) -> int:
        """Return the length of a ship's race from a space, in `TURN`."""
        return self.lengths[owner(ship)][space]

    def activates(self, ship: int, space: int) -> bool:
        """Return whether a ship that comes to a space activates a coin there (W5.5, W7.2)."""
        return bool(self.coins[space]) and not self.state.activated >> ship & 1

    def length_after(self, ship: int, space: int) -> int:
        """Return the mean length of a ship's race after it has activated a coin on a space."""
        if space in BASES[1 - owner(ship)] or not self.activates(ship, space):
            return self.length(ship, space)
        found = self.coins[space]
        return sum(self._length_by(ship, space, coin) for coin in found) // len(found)

    def _length_by(self, ship: int, space: int, coin: int) -> int:
        here = self.length(ship, space)
        if coin % 6 == 0:
            return here + TURN
        ends = [end for end in JUMPS[coin][space] if end != self.state.ships[ship ^ 1]]
        return min((self.length(ship, end) for end in ends), default=here)


# Placing a coin


def _placing(known: Known, coin: int, space: int) -> list[Reason]:
    """Return whom a coin helps or hinders, the larger effect first."""
    seat, at = known.seat, {"space": SPACES[space]}
    mine, theirs = known.lengths[seat], known.lengths[1 - seat]
    passes = (visits_of(seat, mine)[space], visits_of(1 - seat, theirs)[space])
    if coin % 6 == 0:
        if passes[1] > passes[0] and passes[1] >= RARE:
            return [_MORE_OFTEN._replace(fields=at)]
        return [_SAFE._replace(fields=at)] if passes[0] < RARE else []
    helps = gain(coin, space, mine)
    hinders = -gain(coin, space, theirs)
    found = [
        (helps * passes[0], _HELPS.reasons(helps, TURN, **at) if passes[0] >= RARE else []),
        (hinders * passes[1], _HINDERS.reasons(hinders, TURN, **at) if passes[1] >= RARE else []),
    ]
    found.sort(key=lambda effect: -effect[0])
    reasons = [reason for _, effect in found for reason in effect]
    return reasons or [_USELESS._replace(fields=at)] * (max(passes) < RARE)


# Sending a ship away


def _sending(known: Known, action: Action, legal: Iterable[Action]) -> list[Reason]:
    """Return how much farther from the goal a ship is sent, or that it cannot be."""
    ship = SUITS.index(action.args[0])
    fields = {"ships": SUIT_NAMES[action.args[0]]}
    here = known.length(ship, known.state.ships[ship])
    if action.verb == "send":
        farther = known.length_after(ship, INDEX[action.args[1]]) - here
        return _SENT_BACK.reasons(farther, TURN, **fields)
    sends = [each for each in legal if each.verb == "send"]
    if all(known.length_after(ship, INDEX[send.args[1]]) <= here for send in sends):
        return [Reason(N_("no other space is worse for {ships}"), fields)]
    return []


# Moving


def _moving(known: Known, action: Action, legal: Iterable[Action]) -> list[Reason]:
    """Return how far a move, a null or a jump brings a ship, and which coin it meets or avoids."""
    state, suit = known.state, action.args[0]
    ship = SUITS.index(suit)
    start, fields = state.ships[ship], {"ships": SUIT_NAMES[suit]}
    end = _end(state, action)
    if end in BASES[1 - known.seat]:
        return [Reason(N_("{ships} land on an opposing base"), fields)]
    reasons = []
    for other, space in enumerate(state.ships):
        if owner(other) != known.seat and space == end != start:
            sent = {"ships": SUIT_NAMES[SUITS[other]]}
            reasons.append(_SENDS._replace(fields=sent))
    jumps = action.verb == "jump"
    after = known.length(ship, end) if jumps else known.length_after(ship, end)
    reasons += _NEARER.reasons(known.length(ship, start) - after, TURN, **fields)
    if jumps:
        return reasons or _farther(known, ship, end, legal)
    return reasons + _met(known, ship, end) + _avoided(known, ship, end, legal)


def _end(state: State, action: Action) -> int:
    """Return the space that an action brings a ship to, before it activates a coin there."""
    ship = SUITS.index(action.args[0])
    start = state.ships[ship]
    if action.verb == "move":
        return ENDS[state.dice[ship & 1]][start][action.args[1]]
    if action.verb == "jump":
        return ENDS[COIN_AT[state.board[start]] % 6][start][action.args[1]]
    return start


def _farther(known: Known, ship: int, end: int, legal: Iterable[Action]) -> list[Reason]:
    """Return that the other way of a jump leads farther from the goal."""
    others = [known.length(ship, _end(known.state, each)) for each in legal]
    if max(others) >= known.length(ship, end) + TURN // 4:
        return [Reason(N_("the other way leads farther from the goal"))]
    return []


def _met(known: Known, ship: int, space: int) -> list[Reason]:
    """Return whose coin a ship activates, and what it may be."""
    if not known.activates(ship, space):
        return []
    coins, at = known.coins[space], {"space": SPACES[space]}
    if len(coins) == 1:
        after, here = known.length_after(ship, space), known.length(ship, space)
        if after < here:
            words = N_("the coin on {space} jumps towards the goal")
            return [Reason(words if after else N_("the coin on {space} jumps to the goal"), at)]
        return []
    if any(coin % 6 == 0 for coin in coins):
        rarely = _RARELY_BLACK._replace(fields={**at, "count": len(coins)})
        return [rarely] if len(coins) >= UNLIKELY else []
    return [_NEVER_BLACK._replace(fields=at)]


def _avoided(known: Known, ship: int, end: int, legal: Iterable[Action]) -> list[Reason]:
    """Return a coin that this move avoids, on a space that would be nearer the goal without it."""
    for other in legal:
        space = _end(known.state, other)
        if other.args[0] == SUITS[ship] and space != end and known.activates(ship, space):
            is_nearer = known.length(ship, space) <= known.length(ship, end)
            if is_nearer and known.length_after(ship, space) > known.length_after(ship, end):
                return [_danger(known, ship, space)._replace(fields={"space": SPACES[space]})]
    return []


def _danger(known: Known, ship: int, space: int) -> Reason:
    coins = known.coins[space]
    if len(coins) == 1 and coins[0] % 6 == 0:
        return _AVOIDS_BLACK
    if any(coin % 6 == 0 for coin in coins):
        return _AVOIDS_DOUBT
    if known.length_after(ship, space) > known.length(ship, space):
        return _AVOIDS_DETOUR
    return _AVOIDS
