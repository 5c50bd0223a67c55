"""Registers the games with OpenSpiel, see docs/developers/openspiel.md.

import pyspiel
import engine.openspiel.games

game = pyspiel.load_game("starpost_wormholes(placing=random)")
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
import pyspiel

from engine import games
from engine.game import PUBLIC, AnyGame
from engine.openspiel.position import MAX_CHOICES, RECALL, Position, Terms
from engine.openspiel.support import support_of, supported

PREFIX = "starpost_"

VERSION_MARK = "v"
"""Begins a rule set that is a number, such as `v0.6`: OpenSpiel reads `0.6` as a number."""

RULES, LIMIT, WORDS = "rules", "max_choices", "recall"
"""Parameters that all games have, besides their options."""


def parameters(game: AnyGame) -> dict[str, str | int]:
    """Return the parameters of a game with their default values.

    Options whose values are numbers are numbers.
    """
    options = {
        name: int(values[0]) if values[0].isdecimal() else values[0]
        for name, values in game.options.items()
    }
    return {RULES: _marked(game.rules[0]), **options, LIMIT: MAX_CHOICES, WORDS: RECALL}


def _marked(rules: str) -> str:
    return VERSION_MARK + rules if rules[0].isdecimal() else rules


def terms(game: AnyGame, overrides: Mapping[str, Any]) -> Terms:
    """Return the terms of a match from parameters.

    Raises:
        ValueError: there is no such rule set.
    """
    values = {**parameters(game), **overrides}
    rules = next((rule for rule in game.rules if _marked(rule) == values[RULES]), None)
    if rules is None:
        raise ValueError(f"{RULES} is one of {', '.join(map(_marked, game.rules))}.")
    options = {name: str(values[name]) for name in game.options}
    return Terms(game.name, rules, tuple(sorted(options.items())), values[LIMIT], values[WORDS])


def _type(game: AnyGame, terms: Terms | None = None) -> Any:
    """Return the type of a game, or of a game under these terms."""
    counts = [len(game.seats({"seats": seats})) for seats in game.options.get("seats", ("2",))]
    needed = support_of(game.name).hidden_with
    hidden = needed is not None and (terms is None or set(needed) <= set(terms.options))
    kinds = pyspiel.GameType.Information
    return pyspiel.GameType(
        short_name=PREFIX + game.name,
        long_name=game.title,
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
        information=kinds.IMPERFECT_INFORMATION if hidden else kinds.PERFECT_INFORMATION,
        utility=pyspiel.GameType.Utility.ZERO_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=max(counts),
        min_num_players=min(counts),
        provides_information_state_string=True,
        provides_information_state_tensor=True,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification=parameters(game),
    )


def _info(terms: Terms) -> Any:
    seats = len(terms.seats)
    return pyspiel.GameInfo(
        num_distinct_actions=len(terms.notations),
        max_chance_outcomes=terms.support.max_outcomes,
        num_players=seats,
        min_utility=-1 / (seats - 1),
        max_utility=1.0,
        utility_sum=0.0,
        max_game_length=terms.max_choices,
    )


class Game(pyspiel.Game):
    """A game of the engine.

    Args:
        given: parameters, see `parameters`.
    """

    name: str

    def __init__(self, overrides: Mapping[str, Any] | None = None) -> None:
        game = games.get(self.name)
        self.terms = terms(game, overrides or {})
        super().__init__(_type(game, self.terms), _info(self.terms), dict(overrides or {}))

    def new_initial_state(self) -> State:
        """Return the first state."""
        return State(self, self.terms.start())

    def make_py_observer(self, kind: Any = None, params: Any = None) -> Observer:
        """Return the observer of a kind of observation."""
        return Observer(self.terms, kind)


class State(pyspiel.State):
    """A position."""

    def __init__(self, game: Game, position: Position) -> None:
        super().__init__(game)
        self.position = position

    def current_player(self) -> int:
        """Return the player that chooses next."""
        return self.position.player

    def _legal_actions(self, player: int) -> list[int]:
        return list(self.position.legal)

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Return the outcomes of the pending draw, with their probabilities."""
        return [(number, part) for number, (_, part) in self.position.outcomes.items()]

    def _apply_action(self, action: int) -> None:
        self.position = self.position.after(action)

    def _action_to_string(self, player: int, action: int) -> str:
        return self.position.label(action)

    def is_terminal(self) -> bool:
        """Return whether the match is over."""
        return not self.position.pending

    def returns(self) -> list[float]:
        """Return the result for each player; see `Position.returns`."""
        return self.position.returns()

    def __str__(self) -> str:
        return str(self.position)

    def resample_from_infostate(self, player: int, sampler: Callable[[], float]) -> State:
        """Return a state drawn from the states with the same information state of a player."""
        seat = self.position.terms.seats[player]
        world = self.position.world(seat, lambda count: int(sampler() * count))
        state: State = self.get_game().new_initial_state()
        for number in world.path():
            state.apply_action(number)
        return state


class Observer:
    """Shows states to players, as text and as tensors.

    There are no observations of private information alone, which views do not separate.

    Args:
        terms: terms of the match.
        kind: an `IIGObservationType`; by default the present view of a player.

    Attributes:
        tensor: all numbers in a row; None without observations.
        dict: name of a part → its share of `tensor`.
    """

    def __init__(self, terms: Terms, kind: Any = None) -> None:
        self._recalls = bool(kind and kind.perfect_recall)
        self._is_public = bool(kind and kind.private_info == pyspiel.PrivateInfoType.NONE)
        self._is_private = bool(kind and not kind.public_info)
        self.tensor: Any = None
        self.dict: dict[str, Any] = {}
        if not self._is_private:
            parts = self._parts(terms.start(), PUBLIC)
            self.tensor = np.zeros(sum(map(len, parts.values())), np.float32)
            ends = np.cumsum([len(numbers) for numbers in parts.values()])
            self.dict = dict(zip(parts, np.split(self.tensor, ends[:-1]), strict=True))

    def set_from(self, state: State, player: int) -> None:
        """Write what a player sees of a state to `tensor`."""
        position = state.position
        for name, numbers in self._parts(position, self._seat(position, player)).items():
            self.dict[name][:] = numbers

    def string_from(self, state: State, player: int) -> str | None:
        """Return the text."""
        if self._is_private:
            return None
        position = state.position
        seat = self._seat(position, player)
        return position.information(seat) if self._recalls else position.observation(seat)

    def _seat(self, position: Position, player: int) -> str:
        return PUBLIC if self._is_public else position.terms.seats[player]

    def _parts(self, position: Position, seat: str) -> Mapping[str, Sequence[float]]:
        if self._is_private:
            return {}
        return position.recalled(seat) if self._recalls else position.observed(seat)


for _name in supported():  # classes: a function crashes OpenSpiel at exit
    pyspiel.register_game(_type(games.get(_name)), type(_name, (Game,), {"name": _name}))
