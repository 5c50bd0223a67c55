"""What a player remembers of its seat's own actions where the record hides them.

Some rules leave it to a player's memory what the own seat has hidden, and a redacted record does
not tell it. A player remembers such an action by choosing again, from what its seat knew then.
"""

from __future__ import annotations

import hashlib
from collections import Counter, OrderedDict
from collections.abc import Callable
from dataclasses import replace
from typing import NamedTuple

from engine.computer.situation import SCALE, Choice, Situation, situation_of
from engine.game import OPEN_VALUE, Action
from engine.record import Record

MAX_CACHED_CHOICES = 4096
"""Maximum number of earlier choices that are kept; one takes about 400 bytes."""

Decide = Callable[[Situation, int], Choice]
"""Chooses an action of the game, after a number of actions."""

_cached_choices: OrderedDict[bytes, Action] = OrderedDict()
"""By digest of player, seat and record; the latest used one is the last."""


class Pattern(NamedTuple):
    """The hidden part of an action.

    Attributes:
        verb: verb of the action.
        places: the hidden arguments by their place, with the characters that are shown.
    """

    verb: str
    places: tuple[tuple[int, str], ...]

    @classmethod
    def of(cls, action: Action) -> Pattern:
        """Return the pattern of an action's hidden places."""
        parts = ((place, arg.partition(OPEN_VALUE)) for place, arg in enumerate(action.args))
        return cls(action.verb, tuple((place, part[0]) for place, part in parts if part[1]))

    def values(self, action: Action) -> tuple[str, ...]:
        """Return an action's values in the hidden places; empty if it does not fit."""
        if action.verb != self.verb or len(action.args) <= self.places[-1][0]:
            return ()
        values = tuple(action.args[place] for place, _ in self.places)
        fits = all(arg.startswith(p) for arg, (_, p) in zip(values, self.places, strict=True))
        return values if fits else ()


class Memory(NamedTuple):
    """What a player remembers.

    Attributes:
        record: with all actions of the seat; guessed ones where it remembers another action.
        guessed: forgotten actions, as the record shows them.
    """

    record: Record
    guessed: tuple[Action, ...] = ()

    def situation(self, seat: str) -> Situation:
        """Return the situation; after a guess, only actions that are most likely to be legal.

        Raises:
            RecordError: see `situation_of`.
        """
        situation = situation_of(self.record, seat)
        if not self.guessed:
            return situation
        return replace(situation, legal=self._likeliest(situation.legal))

    def _likeliest(self, legal: tuple[Action, ...]) -> tuple[Action, ...]:
        """Return the actions whose values are most likely still free, beside the guessed ones."""
        odds = dict.fromkeys(legal, SCALE)
        for pattern, guesses in Counter(map(Pattern.of, self.guessed)).items():
            values = {action: pattern.values(action) for action in legal}
            free = len(set(values.values()) - {()})
            for action in filter(values.get, legal):
                odds[action] = min(odds[action], SCALE * free // (free + guesses))
        best = max(odds.values(), default=SCALE)
        return tuple(action for action in legal if odds[action] == best)


def remember(record: Record, seat: str, player: str, decide: Decide) -> Memory:
    """Return the memory of a player who is assumed to have made the seat's choices so far.

    Args:
        record: the record as the seat may see it, see `Record.redact`.
        seat: the seat that decides.
        player: everything that its choices depend on, besides the record and the seat.
        decide: makes the player's choice.

    Raises:
        RecordError: the record breaks a rule.
    """
    hidden = {n: action for n, action in enumerate(record.actions) if _is_hidden(action, seat)}
    if not hidden:
        return Memory(record)
    visible = [
        action
        for n, action in enumerate(record.actions)
        if action.actor == seat and n not in hidden
    ]
    choices = _choose_again(_as_shown_at(record, seat, max(hidden)), seat, player, decide)
    actions = list(record.actions)
    for number, action in hidden.items():
        values = Pattern.of(action).values
        if number in choices and values(choices[number]) not in map(values, visible):
            actions[number] = choices[number]
    return _guess(Record(record.headers, tuple(actions), record.lines), seat)


def _is_hidden(action: Action, seat: str) -> bool:
    return action.actor == seat and any(OPEN_VALUE in arg for arg in action.args)


def _as_shown_at(record: Record, seat: str, last: int) -> Record:
    """Return the record up to an action, as the seat could see it after that action."""
    game = record.game()
    filled = game.fill_redacted(record.options(), record.actions)[: last + 1]
    state = Record(record.headers, filled, record.lines).replay().state
    actions = tuple(
        now if _is_hidden(now, seat) else then
        for now, then in zip(record.actions, game.redact(state, seat, filled), strict=False)
    )
    return Record(record.headers, actions, record.lines)


def _choose_again(record: Record, seat: str, player: str, decide: Decide) -> dict[int, Action]:
    """Return the seat's actions hidden by a record, by number, where the player's choices fit them.

    Each is chosen from what the player remembered then, so that even its guesses are the same.
    """
    digest = hashlib.sha256(f"{player}\n{seat}\n{Record(record.headers, ())}".encode())
    actions, choices = list(record.actions), dict[int, Action]()
    for number, action in enumerate(record.actions):
        if _is_hidden(action, seat):
            key = digest.digest()
            choice = _cached_choices.pop(key, None)
            if choice is None:
                memory = _guess(Record(record.headers, tuple(actions[:number])), seat)
                choice = decide(memory.situation(seat), number).action
            _cache(key, choice)
            if _fits(choice, action):
                actions[number] = choices[number] = choice
        digest.update(f"{action}\n".encode())
    return choices


def _guess(record: Record, seat: str) -> Memory:
    """Guess the actions of a seat that a record with the remembered ones still hides."""
    guessed = tuple(action for action in record.actions if _is_hidden(action, seat))
    filled = record.game().fill_redacted(record.options(), record.actions)
    remembered = tuple(
        full if full.actor == seat else redacted
        for full, redacted in zip(filled, record.actions, strict=True)
    )
    return Memory(Record(record.headers, remembered, record.lines), guessed)


def _fits(action: Action, hidden: Action) -> bool:
    """Return whether a redacted action may be this one."""
    open_places = dict(Pattern.of(hidden).places)
    return bool(Pattern.of(hidden).values(action)) and all(
        place in open_places or visible == arg
        for place, (visible, arg) in enumerate(zip(hidden.args, action.args, strict=False))
    )


def _cache(key: bytes, action: Action) -> None:
    _cached_choices[key] = action
    if len(_cached_choices) > MAX_CACHED_CHOICES:
        _cached_choices.popitem(last=False)
