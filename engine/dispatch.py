"""Dispatch of an action to the function of a game's rules that applies it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Generic, NamedTuple, TypeVar

from engine.game import CHANCE, Action, Event, IllegalActionError
from engine.i18n import N_
from engine.position import BaseDraft

D = TypeVar("D", bound=BaseDraft[Any])


@dataclass(frozen=True, slots=True)
class Handler(Generic[D]):
    """The function that applies a verb, and when it may be used.

    Attributes:
        apply: changes a draft; it is called with the draft and the action.
        phases: the phases that allow the verb.
        arguments: number of arguments; None if `apply` checks it.
        rule: number of the rule about the verb.
        is_announcement: whether nothing changes on the board: the last turn stays the story.
    """

    apply: Callable[[D, Action], None]
    phases: tuple[str, ...]
    arguments: int | None
    rule: str
    is_announcement: bool = False


class TurnRules(NamedTuple):
    """Numbers of the rules about whose decision it is.

    Attributes:
        over: the match is over.
        chance: chance comes before any decision.
        players: chance has nothing to decide.
        turn: another seat decides.
    """

    over: str
    chance: str
    players: str
    turn: str


def dispatch(draft: D, action: Action, handlers: Mapping[str, Handler[D]]) -> tuple[Event, ...]:
    """Apply an action of a pending actor to a draft and return its events.

    A player's action withdraws a draw offer that this player has not agreed to, and begins a new
    story if the present one belongs to the last turn. Announcements leave the story as it is.

    Raises:
        IllegalActionError: the verb or its arguments do not fit the phase or the rules.
    """
    handler = handlers.get(action.verb)
    if handler is None:
        raise unreadable(action)
    if len(action.args) != handler.arguments and handler.arguments is not None:
        raise unreadable(action)
    if draft.phase not in handler.phases:
        raise IllegalActionError(handler.rule, "“{verb}” is not possible now.", verb=action.verb)
    if action.actor != CHANCE:
        if draft.offer and action.actor not in draft.offer:
            draft.offer = ""
        if draft.story_is_old and not handler.is_announcement:
            draft.story, draft.story_is_old = (), 0
    before = len(draft.story)
    handler.apply(draft, action)
    events = draft.story[before:]
    if handler.is_announcement:
        draft.story = draft.story[:before]
    return events


def wrong_actor(action: Action, pending: str, seats: str, rules: TurnRules) -> IllegalActionError:
    """Return the error for an action whose actor has nothing to decide now.

    Args:
        action: the illegal action.
        pending: seats that decide, see `Game.pending`.
        seats: letters of all seats.
        rules: numbers of the rules.
    """
    if not pending:
        return IllegalActionError(rules.over, "This match is over.")
    if pending == CHANCE:
        return IllegalActionError(
            rules.chance, "A random event is still being resolved; one moment."
        )
    if action.actor == CHANCE:
        return IllegalActionError(
            rules.players, "There's nothing to roll or draw now: a player has to decide."
        )
    if action.actor not in tuple(seats):
        return unreadable(action)
    return IllegalActionError(rules.turn, "It's the other player's turn.")


class UnreadableError(IllegalActionError):
    """An action that no rule knows."""


def unreadable(action: Action) -> UnreadableError:
    """Return the error for an action that no rule knows."""
    return UnreadableError("notation", N_("“{line}” is not a known action."), line=str(action))
