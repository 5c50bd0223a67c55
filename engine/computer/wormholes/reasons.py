"""Reasons for what a seat of Wormholes does, by the coins it knows and the races to the goal."""

from __future__ import annotations

from collections.abc import Iterable

from engine.computer.reasons import Amount, Reason
from engine.computer.situation import Situation
from engine.computer.wormholes.race import (
    JUMPS,
    ONE,
    TURN,
    Coins,
    coins_known_to,
    coins_known_to_all,
    lengths_of,
    place_if_sent,
    place_of,
)
from engine.computer.wormholes.ways import gain, visits_of
from engine.game import Action
from engine.i18n import N_, NP_
from engine.wormholes.board import BASES, ENDS, INDEX, SPACES
from engine.wormholes.pieces import COIN_AT, COINS, SEATS, SUIT_NAMES, SUITS, owner
from engine.wormholes.state import State

_NEARER = Amount(
    N_("{ships} come a little nearer the goal"),
    NP_(
        "{ships} come about one turn nearer the goal",
        "{ships} come about {count} turns nearer the goal",
    ),
)
_SENT_BACK = Amount(
    N_("{ships} are then a little farther from the goal"),
    NP_(
        "{ships} are then about one turn farther from the goal",
        "{ships} are then about {count} turns farther from the goal",
    ),
)
_HELPS = Amount(
    N_("it carries your ships a little forward"),
    NP_(
        "it saves your ships about one turn",
        "it saves your ships about {count} turns",
    ),
    (
        N_("it carries {player}'s ships a little forward"),
        NP_(
            "it saves {player}'s ships about one turn",
            "it saves {player}'s ships about {count} turns",
        ),
    ),
)
_HINDERS = Amount(
    N_("it throws your opponent's ships a little back"),
    NP_(
        "it costs your opponent's ships about one turn",
        "it costs your opponent's ships about {count} turns",
    ),
    (
        N_("it throws {opponent}'s ships a little back"),
        NP_(
            "it costs {opponent}'s ships about one turn",
            "it costs {opponent}'s ships about {count} turns",
        ),
    ),
)
_ONTO_BASE = Reason(
    N_("it throws your ships onto {space}, an opposing base"),
    named=N_("it throws {player}'s ships onto {space}, an opposing base"),
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
    N_("your opponent's coin on {space} is a black hole in only one case of {number}"),
    named=N_(
        "by what {player} knew, {opponent}'s coin on {space} is a black hole in only one"
        " case of {number}"
    ),
)
_NEVER_BLACK = Reason(
    N_("your opponent's coin on {space} cannot be a black hole"),
    named=N_("{opponent}'s coin on {space} cannot be a black hole"),
)
_MUST_BE_BLACK = Reason(
    N_("the black hole on {space} costs a turn, but every other choice is worse")
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
"""A coin with this many possible values is unlikely to be a black hole."""

RARE = ONE // 4
"""Ships that come to a space less often than this hardly ever pass it."""


def explain(situation: Situation, action: Action) -> list[Reason]:
    """Return reasons for an action, the most important first."""
    state: State = situation.sampled_state
    seat = SEATS.index(situation.seat)
    if action.verb == "first":
        last = [Reason(N_("the player who moves first places the last coin"))]
        return last if action.args == ("move",) else []
    if action.verb in ("rolls", "skips"):
        fields = {"ships": SUIT_NAMES[action.args[0]]}
        landed = [Reason(N_("{ships} are on an opposing base already"), fields)]
        return landed if action.verb == "skips" else []
    if action.verb == "ready":
        return []
    position = KnownPosition(state, seat)
    if action.verb == "place":
        return _placing(position, COINS.index(action.args[0]), INDEX[action.args[1]])
    if action.verb in ("send", "keep"):
        return _sending(position, action, situation.legal)
    return _moving(position, action, situation.legal)


class KnownPosition:
    """The position as a seat with a perfect memory knows it.

    Attributes:
        state: the position; only its known coins may be used.
        seat: the seat that knows this.
        coins: the possible coins of each space.
        lengths: the lengths of each seat's race from each place, by what it knows.
    """

    def __init__(self, state: State, seat: int) -> None:
        self.state, self.seat = state, seat
        self.coins: Coins = coins_known_to(state, seat)
        self.lengths = {
            seat: lengths_of(seat, self.coins),
            1 - seat: lengths_of(1 - seat, coins_known_to_all(state)),
        }

    def length(self, ship: int, place: int) -> int:
        """Return the length of a ship's race from a place, in `TURN`."""
        return self.lengths[owner(ship)][place]

    def length_now(self, ship: int) -> int:
        """Return the length of a ship's race from where it is."""
        return self.length(ship, place_of(self.state, ship))

    def length_if_sent(self, ship: int, space: int) -> int:
        """Return the mean length of a ship's race after it is sent to a space."""
        place = place_if_sent(ship, space)
        return self.length(ship, place) if place != space else self.length_after(ship, space)

    def activates(self, ship: int, space: int) -> bool:
        """Return whether a ship that comes to a space activates a coin there (W5.5, W7.2)."""
        return bool(self.coins[space]) and not self.state.activated >> ship & 1

    def length_after(self, ship: int, space: int) -> int:
        """Return the mean length of a ship's race after it has activated a coin on a space."""
        if space in BASES[1 - owner(ship)] or not self.activates(ship, space):
            return self.length(ship, space)
        coins = self.coins[space]
        return sum(self._length_by(ship, space, coin) for coin in coins) // len(coins)

    def _length_by(self, ship: int, space: int, coin: int) -> int:
        length = self.length(ship, space)
        if coin % 6 == 0:
            return length + TURN
        ends = [end for end in JUMPS[coin][space] if end != self.state.ships[ship ^ 1]]
        return min((self.length(ship, end) for end in ends), default=length)


# Placing a coin


def _placing(position: KnownPosition, coin: int, space: int) -> list[Reason]:
    """Return whom a coin helps or hinders, the larger effect first."""
    seat, at = position.seat, {"space": SPACES[space]}
    mine, theirs = position.lengths[seat], position.lengths[1 - seat]
    passes = (visits_of(seat, mine)[space], visits_of(1 - seat, theirs)[space])
    if coin % 6 == 0:
        if passes[1] > passes[0] and passes[1] >= RARE:
            return [_MORE_OFTEN._replace(fields=at)]
        return [_SAFE._replace(fields=at)] if passes[0] < RARE else []
    helps = gain(coin, space, mine)
    hinders = -gain(coin, space, theirs)
    onto = [
        _ONTO_BASE._replace(fields={"space": SPACES[end]})
        for end in JUMPS[coin][space]
        if end in BASES[1 - seat]
    ]
    effects = [
        (helps * passes[0], onto or (_HELPS.reasons(helps, TURN) if passes[0] >= RARE else [])),
        (hinders * passes[1], _HINDERS.reasons(hinders, TURN) if passes[1] >= RARE else []),
    ]
    effects.sort(key=lambda effect: -effect[0])
    reasons = [reason for _, effect in effects for reason in effect]
    return reasons or [_USELESS._replace(fields=at)] * (max(passes) < RARE)


# Sending a ship away


def _sending(position: KnownPosition, action: Action, legal: Iterable[Action]) -> list[Reason]:
    """Return the reason from the way added to a ship that is sent, or from the lack of any."""
    ship = SUITS.index(action.args[0])
    fields = {"ships": SUIT_NAMES[action.args[0]]}
    length = position.length_now(ship)
    if action.verb == "send":
        farther = position.length_if_sent(ship, INDEX[action.args[1]]) - length
        return _SENT_BACK.reasons(farther, TURN, **fields)
    sends = [option for option in legal if option.verb == "send"]
    if all(position.length_if_sent(ship, INDEX[send.args[1]]) <= length for send in sends):
        return [Reason(N_("no other space is worse for {ships}"), fields)]
    return []


# Moving


def _moving(position: KnownPosition, action: Action, legal: Iterable[Action]) -> list[Reason]:
    """Return the reasons from the progress of a ship, and the coin that it meets or avoids.

    The action is a move, a null or a jump.
    """
    state, suit = position.state, action.args[0]
    ship = SUITS.index(suit)
    start, fields = state.ships[ship], {"ships": SUIT_NAMES[suit]}
    end = _end(state, action)
    if end in BASES[1 - position.seat]:
        return [Reason(N_("{ships} land on an opposing base"), fields)]
    reasons = []
    for other, space in enumerate(state.ships):
        if owner(other) != position.seat and space == end != start:
            sent_fields = {"ships": SUIT_NAMES[SUITS[other]]}
            reasons.append(_SENDS._replace(fields=sent_fields))
    jumps = action.verb == "jump"
    after = position.length(ship, end) if jumps else position.length_after(ship, end)
    reasons += _NEARER.reasons(position.length_now(ship) - after, TURN, **fields)
    if jumps:
        return reasons or _farther(position, ship, end, legal)
    return reasons + _met(position, ship, end) + _avoided(position, ship, end, legal)


def _end(state: State, action: Action) -> int:
    """Return the space that an action brings a ship to, before it activates a coin there."""
    ship = SUITS.index(action.args[0])
    start = state.ships[ship]
    if action.verb == "move":
        return ENDS[state.dice[ship & 1]][start][action.args[1]]
    if action.verb == "jump":
        return ENDS[COIN_AT[state.board[start]] % 6][start][action.args[1]]
    return start


def _farther(position: KnownPosition, ship: int, end: int, legal: Iterable[Action]) -> list[Reason]:
    """Return that the other way of a jump leads farther from the goal."""
    others = [position.length(ship, _end(position.state, option)) for option in legal]
    if max(others) >= position.length(ship, end) + TURN // 4:
        return [Reason(N_("the other way leads farther from the goal"))]
    return []


def _met(position: KnownPosition, ship: int, space: int) -> list[Reason]:
    """Return whose coin a ship activates, and what it may be."""
    if not position.activates(ship, space):
        return []
    coins, at = position.coins[space], {"space": SPACES[space]}
    if len(coins) == 1:
        if coins[0] % 6 == 0:
            return [_MUST_BE_BLACK._replace(fields=at)]
        after, before = position.length_after(ship, space), position.length(ship, space)
        if after < before:
            words = N_("the coin on {space} jumps towards the goal")
            return [Reason(words if after else N_("the coin on {space} jumps to the goal"), at)]
        return []
    if any(coin % 6 == 0 for coin in coins):
        rarely = _RARELY_BLACK._replace(fields={**at, "number": len(coins)})
        return [rarely] if len(coins) >= UNLIKELY else []
    return [_NEVER_BLACK._replace(fields=at)]


def _avoided(position: KnownPosition, ship: int, end: int, legal: Iterable[Action]) -> list[Reason]:
    """Return a coin that this move avoids, on a space that would be nearer the goal without it."""
    for other in legal:
        space = _end(position.state, other)
        if other.args[0] == SUITS[ship] and space != end and position.activates(ship, space):
            is_nearer = position.length(ship, space) <= position.length(ship, end)
            if is_nearer and position.length_after(ship, space) > position.length_after(ship, end):
                return [_danger(position, ship, space)._replace(fields={"space": SPACES[space]})]
    return []


def _danger(position: KnownPosition, ship: int, space: int) -> Reason:
    coins = position.coins[space]
    if len(coins) == 1 and coins[0] % 6 == 0:
        return _AVOIDS_BLACK
    if any(coin % 6 == 0 for coin in coins):
        return _AVOIDS_DOUBT
    if position.length_after(ship, space) > position.length(ship, space):
        return _AVOIDS_DETOUR
    return _AVOIDS
