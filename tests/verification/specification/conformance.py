"""Check that the specified outbox can have a recorded history of the real one."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from tests.verification.specification.outbox_model import OutboxSpecification
from tests.verification.specification.outbox_state import State

SILENT = ("begin", "send", "retry later", "record nothing", "the request for")
"""Beginnings of the names of actions that leave no trace in a history."""


def visible(name: str) -> str:
    """Return an action's name in a history; an empty string if it is silent.

    Example:
        >>> visible("Discord posts row 1, worker 0 is told")
        'Discord posts row 1'
        >>> visible("find nothing: worker 0, row 1"), visible("send: worker 0, row 1")
        ('search', '')
    """
    if name.startswith("find"):
        return "search"
    return "" if name.startswith(SILENT) else name.split(", worker", maxsplit=1)[0]


def first_impossible(model: OutboxSpecification, history: Sequence[str]) -> int | None:
    """Return the index of the first event that cannot happen in the model, or None.

    Each event leads from a set of possible states to another; silent actions may come before it.
    """
    states = set(model.initial())
    for index, event in enumerate(history):
        after = {
            state
            for name, state in _actions(model, _with_silent(model, states))
            if visible(name) == event
        }
        if not after:
            return index
        states = after
    return None


def _with_silent(model: OutboxSpecification, states: Iterable[State]) -> set[State]:
    """Return these states, and all states that silent actions lead to."""
    reached, waiting = set(states), list(states)
    while waiting:
        new = {s for name, s in _actions(model, [waiting.pop()]) if not visible(name)} - reached
        reached |= new
        waiting += new
    return reached


def _actions(model: OutboxSpecification, states: Iterable[State]) -> Iterator[tuple[str, State]]:
    for state in states:
        yield from model.actions(state)
