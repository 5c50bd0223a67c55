"""A suggestion for a seat's whole setup, which can be made again after the match.

The setup is continued from a position that is consistent with the seat's knowledge. So a
suggestion follows from that knowledge and a seed, and reveals nothing that the others have hidden.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from engine.dice import Dice
from engine.game import CHANCE, Action, AnyGame, RandomSource
from engine.plans import MAX_ORDERS, Order, order_like
from engine.record import Record

if TYPE_CHECKING:  # the bot needs no networks in its own process
    from engine.computer.players import ComputerPlayer

STRONGEST = "admiral"
"""The level that gives hints and suggestions, and judges in analyses."""


def is_setup(game: AnyGame, state: Any) -> bool:
    """Return whether players have to choose in the setup."""
    return game.pending(state) not in ("", CHANCE) and not game.view(state).turn


def has_setup(game: AnyGame, rules: str, options: Mapping[str, str]) -> bool:
    """Return whether players have to choose in the setup of matches with these options."""
    state, draw = game.start(rules, options), Dice(bytes(1), "setup").draw(0)
    while game.pending(state) == CHANCE:
        state, _ = game.apply(state, game.chance(state, draw))
    return is_setup(game, state)


class SetupSuggestion:
    """A suggestion in the making: `add` answers `ask`, until that returns None.

    Args:
        record: the match so far as the seat knows it, see `Game.redact_for_infostate`.
        seat: the seat that gets the suggestion.
        seed: seed of the match's computer players.

    Attributes:
        state: the position before the next choice; what the seat cannot know in it is invented.
        orders: the orders of a plan so far.
    """

    def __init__(self, record: Record, seat: str, seed: bytes) -> None:
        self.orders: list[Order] = []
        self._headers, self._seat = record.headers, seat
        self._game: AnyGame = record.game()
        self._actions = self._game.fill_redacted(record.options(), record.actions)
        self.state = Record(self._headers, self._actions).replay().state
        self._draw = Dice(seed, f"setup {seat}").draw(len(self._actions))

    def ask(self) -> Record | None:
        """Return the match as the seat knows it at its next choice; None if there is none left."""
        game = self._game
        while is_setup(game, self.state) and len(self.orders) < MAX_ORDERS:
            if self._seat in game.pending(self.state):
                visible_actions = game.redact_for_infostate(self.state, self._seat, self._actions)
                return Record(self._headers, visible_actions)
            self._do(_any_action(game, self.state, self._draw))
        return None

    def add(self, action: Action) -> Order:
        """Add the order for the seat's next choice, and return it."""
        order = order_like(self._game, self.state, action, self.orders)
        self.orders.append(order)
        self._do(action)
        return order

    def _do(self, action: Action) -> None:
        self.state, _ = self._game.apply(self.state, action)
        self._actions += (action,)


def suggested_places(
    record: Record, states: Sequence[Any], seat: str, player: ComputerPlayer
) -> Iterator[int]:
    """Yield the places of a seat's choices in the setup that the computer would have advised.

    The player can ask for a suggestion at each choice, and while waiting for it. The first choice
    of one that was asked for at a choice is also the hint there.

    Args:
        record: the whole match.
        states: the position before each action.
        player: makes the suggestions, with the seed of the match's computer players.
    """
    game, actions = record.game(), record.actions

    def begun(at: int) -> SetupSuggestion:
        visible_actions = game.redact_for_infostate(states[at], seat, actions[:at])
        return SetupSuggestion(Record(record.headers, visible_actions), seat, player.seed)

    suggestions: list[SetupSuggestion] = []
    since: int | None = None
    for place, action in enumerate(actions):
        if not is_setup(game, states[place]):
            continue
        since = place if since is None else since
        if action.actor != seat:
            continue
        legal, fresh = game.legal(states[place]), map(begun, dict.fromkeys((place, since)))
        suggestions = [*_fitting(suggestions, player, action, legal)] or [
            *_fitting(fresh, player, action, legal)
        ]
        if suggestions:
            yield place
        since = None


def _fitting(
    suggestions: Iterable[SetupSuggestion],
    player: ComputerPlayer,
    action: Action,
    legal: Sequence[Action],
) -> Iterator[SetupSuggestion]:
    """Yield the suggestions that lead to an action, after it: the first legal one of an order."""
    for suggestion in suggestions:
        if seat_record := suggestion.ask():
            order = suggestion.add(player.choose(seat_record, action.actor).action)
            if next((option for option in order.actions if option in legal), None) == action:
                yield suggestion


def _any_action(game: AnyGame, state: Any, draw: RandomSource) -> Action:
    """Return a possible action of another player."""
    legal = game.legal(state)
    return game.fill(legal[draw(len(legal))], draw)
