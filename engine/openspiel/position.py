"""A position of any of the games as OpenSpiel sees it, without OpenSpiel.

- A chance event is a sequence of draws, one for each open value of its line, each with the outcomes
  that `Game.chance` can give: the engine's own distribution, made explicit.
- An action with open values is a sequence of choices, one for each value.
- All else is an action of the engine; its number is the same everywhere.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property
from typing import Any, Self

from engine import games
from engine.game import CHANCE, OPEN_VALUE, Action, AnyGame, RandomSource
from engine.openspiel import tensors
from engine.openspiel.support import OpenSpielSupport, support_of

MAX_CHOICES = 20_000
"""Default maximum of choices; a match that has more is a draw, as in the arena."""

RECALL = 512
"""Default number of words of an information state that are in its tensor, the latest ones."""

CHANCE_PLAYER, TERMINAL = -1, -4
"""The numbers of OpenSpiel for chance, and for no player after the end."""

UNSEEN = frozenset({"legal"})
"""Fields of a view that an observation leaves out: they follow from the others, and are long."""


@dataclass(frozen=True)
class Terms:
    """What a match is played by.

    Attributes:
        options: sorted pairs of name and value.
        max_choices: see `MAX_CHOICES`.
        recall: see `RECALL`.
    """

    name: str
    rules: str
    options: tuple[tuple[str, str], ...] = ()
    max_choices: int = MAX_CHOICES
    recall: int = RECALL

    @cached_property
    def game(self) -> AnyGame:
        """The rules."""
        return games.get(self.name)

    @cached_property
    def seats(self) -> str:
        """The letters of the seats: a player of OpenSpiel is an index into them."""
        return self.game.seats(dict(self.options))

    @property
    def support(self) -> OpenSpielSupport:
        """The game's part for OpenSpiel."""
        return support_of(self.name)

    @property
    def notations(self) -> tuple[str, ...]:
        """The actions of players without their seat, by number."""
        return _notations(self.name)

    @property
    def numbers(self) -> dict[str, int]:
        """The number of each action."""
        return _numbers(self.name)

    def start(self) -> Position:
        """Return the first position."""
        return Position(self, self.game.start(self.rules, dict(self.options)))


class _MissingDrawError(Exception):
    """A chance event needs one more draw, with this many outcomes."""


@dataclass(frozen=True)
class Position:
    """A position; `after` returns the next one.

    Attributes:
        terms: see `Terms`.
        choices: number of choices of players so far.
        draws: draws of the pending chance event so far.
        values: values of the pending action with open values so far.
    """

    terms: Terms
    state: Any
    actions: tuple[Action, ...] = ()
    choices: int = 0
    draws: tuple[int, ...] = ()
    values: tuple[str, ...] = ()

    def __deepcopy__(self, memo: object) -> Self:
        """Return the position itself, which never changes."""
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        """Write the position as the numbers that lead to it."""
        return _replayed, (self.terms, self.path())

    @property
    def game(self) -> AnyGame:
        """The rules."""
        return self.terms.game

    @cached_property
    def pending(self) -> str:
        """The seat that chooses next, `*` for chance, empty after the end."""
        over = self.choices >= self.terms.max_choices
        return "" if over else self.game.pending(self.state)[:1]

    @property
    def player(self) -> int:
        """The player of OpenSpiel that chooses next."""
        if not self.pending:
            return TERMINAL
        return CHANCE_PLAYER if self.pending == CHANCE else self.terms.seats.index(self.pending)

    @cached_property
    def legal(self) -> dict[int, Action | str]:
        """The legal actions of the player, or the values of an open argument, by number."""
        number_of = self.terms.numbers
        choices: dict[int, Action | str]
        if self._form:
            values = self.game.values(self._form, len(self.values))
            choices = {number_of[value]: value for value in values}
        else:
            choices = {number_of[action.notation]: action for action in self._listed}
        return dict(sorted(choices.items()))

    @cached_property
    def _listed(self) -> tuple[Action, ...]:
        return tuple(
            action for action in self.game.legal(self.state) if action.actor == self.pending
        )

    @cached_property
    def _form(self) -> Action | None:
        """The action with open values that the player is to fill."""
        return self._listed[0] if self._listed and self._listed[0].is_form else None

    @cached_property
    def outcomes(self) -> dict[int, tuple[str, float]]:
        """The outcomes of the pending draw: the value that it gives, and its probability."""
        place = _open_places(self.game.legal(self.state)[0])[len(self.draws)]
        count = self.outcome_count()
        by_value: dict[str, tuple[int, int]] = {}
        for number in range(count):
            value = self._completed(number).args[place]
            first, times = by_value.get(value, (number, 0))
            by_value[value] = first, times + 1
        return {first: (value, times / count) for value, (first, times) in by_value.items()}

    def _completed(self, number: int) -> Action:
        """Return the chance event with this draw, and 0 for those that follow."""
        script = iter((*self.draws, number))
        return self.game.chance(self.state, lambda _: next(script, 0))

    def outcome_count(self) -> int:
        """Return the number of outcomes of the next draw; 0 if there is none."""
        script = iter(self.draws)

        def draw(count: int) -> int:
            for number in script:
                return number
            raise _MissingDrawError(count)

        try:
            self.game.chance(self.state, draw)
        except _MissingDrawError as error:
            return int(error.args[0])
        return 0

    def label(self, number: int) -> str:
        """Return an action or outcome as text."""
        if self.pending == CHANCE:
            verb = self.game.legal(self.state)[0].verb
            return f"{verb} {self.outcomes[number][0]}"
        return self.terms.notations[number]

    def after(self, number: int) -> Position:
        """Return the position after an action or outcome."""
        if self.pending == CHANCE:
            after = replace(self, draws=(*self.draws, number))
            return after if after.outcome_count() else self._after(self._completed(number))
        choice = self.legal[number]
        if isinstance(choice, Action):
            return self._after(choice)
        values = (*self.values, choice)
        if self._form and len(values) < len(_open_places(self._form)):
            return replace(self, values=values, choices=self.choices + 1)
        return self._after(_filled(self._form or Action("", ""), values))

    def _after(self, action: Action) -> Position:
        state, _ = self.game.apply(self.state, action)
        choices = self.choices + (action.actor != CHANCE)
        return Position(self.terms, state, (*self.actions, action), choices)

    def path(self) -> tuple[int, ...]:
        """Return the numbers that lead here from the first position."""
        path: list[int] = []
        position = self.terms.start()
        for action in self.actions:
            for number in position.numbers_of(action):
                path.append(number)
                position = position.after(number)
        number_of = self.terms.numbers
        return (*path, *self.draws, *(number_of[value] for value in self.values))

    def numbers_of(self, action: Action) -> Iterator[int]:
        """Yield the numbers that make an action, or the outcome of a chance event, in a row."""
        number_of = self.terms.numbers
        if action.actor != CHANCE and not self._form:
            yield number_of[action.notation]
            return
        form = self.game.legal(self.state)[0] if action.actor == CHANCE else self._form
        position = self
        for place in _open_places(form or action):
            value = action.args[place]
            if action.actor == CHANCE:
                pairs = position.outcomes.items()
                number = next(outcome for outcome, (drawn, _) in pairs if drawn == value)
            else:
                number = number_of[value.removeprefix((form or action).args[place][:-1])]
            yield number
            position = replace(position, draws=(*position.draws, number))

    def information(self, seat: str) -> str:
        """Return all that a seat with a perfect memory knows, as the lines of its record."""
        lines = [*map(str, self.game.redact_for_infostate(self.state, seat, self.actions))]
        if self.values and seat == self.pending:
            lines.append(f"{seat} {' '.join(self.values)} …")
        return "\n".join(lines)

    def observation(self, seat: str) -> str:
        """Return the present view of a seat, as JSON."""
        fields = self.game.view(self.state, seat).to_json().items()
        observed = {name: value for name, value in fields if name not in UNSEEN}
        if self.values and seat == self.pending:
            observed["values"] = self.values
        return json.dumps(observed, ensure_ascii=False)

    def observed(self, seat: str) -> dict[str, Sequence[float]]:
        """Return the present view of a seat as named vectors; their lengths never change."""
        support = self.terms.support
        values = self.values if seat == self.pending else ()
        return {
            **support.observe(self.game.view(self.state, seat)),
            "values": tensors.words(values, support.max_values),
        }

    def recalled(self, seat: str) -> dict[str, Sequence[float]]:
        """Return `observed`, and the last words of the information state."""
        lines = tensors.recollection(self.information(seat), self.terms.recall)
        return {**self.observed(seat), "record": lines}

    def returns(self) -> list[float]:
        """Return 1 for the winner, and -1 divided among the others; 0 without a winner."""
        winner, seats = self.game.result(self.state)[:1], self.terms.seats
        if not winner or winner not in seats:
            return [0.0] * len(seats)
        return [1.0 if seat == winner else -1 / (len(seats) - 1) for seat in seats]

    def world(self, seat: str, draw: RandomSource) -> Position:
        """Return a random position that a seat cannot distinguish from this one.

        It is drawn by `Game.resample_infostate`, from what the seat knows with a perfect memory,
        which is what its information state says; `Game.resample_view` would forget what the rules
        leave to memory.
        """
        state = self.game.resample_infostate(self.state, seat, draw)
        actions = self.terms.support.lines_in(self.state, state, seat, self.actions)
        return replace(self, state=state, actions=tuple(actions))

    def __str__(self) -> str:
        """Print the position, with everything hidden."""
        pending = [*map(str, self.draws), *self.values]
        return " ".join([self.game.dump(self.state), *pending])


def terms_of(name: str, rules: str = "", options: Mapping[str, str] | None = None) -> Terms:
    """Return the terms of a match, by default the game's."""
    rules = rules or games.get(name).rules[0]
    return Terms(name, rules, tuple(sorted((options or {}).items())))


@cache
def _notations(name: str) -> tuple[str, ...]:
    return tuple(support_of(name).actions())


@cache
def _numbers(name: str) -> dict[str, int]:
    return {notation: number for number, notation in enumerate(_notations(name))}


def _replayed(terms: Terms, path: tuple[int, ...]) -> Position:
    position = terms.start()
    for number in path:
        position = position.after(number)
    return position


def _open_places(form: Action) -> list[int]:
    return [place for place, arg in enumerate(form.args) if arg.endswith(OPEN_VALUE)]


def _filled(form: Action, values: tuple[str, ...]) -> Action:
    """Return a form with its open values, in the order of the line."""
    given = iter(values)
    args = (arg[:-1] + next(given) if arg.endswith(OPEN_VALUE) else arg for arg in form.args)
    return form._replace(args=tuple(args))
