"""Explore all states that a model can reach, breadth first.

The first violation that is found has a shortest trace.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Generic, Protocol, TypeVar

S = TypeVar("S", bound=Hashable)

Step = tuple[str, S]
"""The name of an action, and the state after it."""

Invariants = Mapping[str, Callable[[S], bool]]
"""Name → whether it holds in a state."""


class Model(Protocol[S]):
    """A model: its initial states, actions and invariants."""

    @property
    def invariants(self) -> Invariants[S]:
        """Return the conditions that must hold in each state."""

    def initial(self) -> Iterable[S]:
        """Return the states in which it begins."""

    def actions(self, state: S) -> Iterator[Step[S]]:
        """Yield the possible actions in a state."""

    def is_end(self, state: S) -> bool:
        """Return whether a state is one that must remain reachable."""

    def needs_end(self, state: S) -> bool:
        """Return whether an end must be reachable from a state."""

    def counts(self, name: str) -> bool:
        """Return whether an end may be reached by this action."""


@dataclass(frozen=True)
class Violation(Generic[S]):
    """A state that must not be reached.

    Attributes:
        trace: the actions that lead there from an initial state, each with the state after it.
    """

    broken: str
    trace: list[Step[S]]

    def __str__(self) -> str:
        lines = [f"{number:3} {name}" for number, (name, _) in enumerate(self.trace, 1)]
        return "\n".join([f"{self.broken}, after {len(self.trace)} actions:", *lines])


DEAD_END = "no dead end"
"""The name of the requirement that an end can be reached."""


@dataclass
class Exploration(Generic[S]):
    """The states that a model can reach.

    Attributes:
        parents: for each state, the action that first led to it and the state before.
        before: for each state, the states before it, by actions that count towards an end.
        violation: the first one.
    """

    model: Model[S]
    parents: dict[S, tuple[str, S] | None] = field(default_factory=dict)
    before: dict[S, list[S]] = field(default_factory=dict)
    violation: Violation[S] | None = None

    def trace(self, state: S) -> list[Step[S]]:
        """Return the actions that lead to a state."""
        steps: list[Step[S]] = []
        while (parent := self.parents[state]) is not None:
            steps.append((parent[0], state))
            state = parent[1]
        return steps[::-1]

    def run(self) -> None:
        """Visit all states, until one breaks an invariant; then look for dead ends."""
        waiting = deque(self.model.initial())
        self.parents = dict.fromkeys(waiting)
        while waiting:
            state = waiting.popleft()
            if broken := self._broken(state):
                self.violation = Violation(broken, self.trace(state))
                return
            for name, after in self.model.actions(state):
                if self.model.counts(name):
                    self.before.setdefault(after, []).append(state)
                if after not in self.parents:
                    self.parents[after] = (name, state)
                    waiting.append(after)
        self._find_dead_end()

    def _broken(self, state: S) -> str:
        """Return the name of an invariant that does not hold, or nothing."""
        return next((n for n, holds in self.model.invariants.items() if not holds(state)), "")

    def _find_dead_end(self) -> None:
        """Go back from all ends; report the first state that cannot reach any."""
        alive = {state for state in self.parents if self.model.is_end(state)}
        waiting = list(alive)
        while waiting:
            new = [state for state in self.before.get(waiting.pop(), ()) if state not in alive]
            alive.update(new)
            waiting += set(new)
        for state in self.parents:  # in the order in which they were reached
            if state not in alive and self.model.needs_end(state):
                self.violation = Violation(DEAD_END, self.trace(state))
                return


def explore(model: Model[S]) -> Exploration[S]:
    """Visit all states that a model can reach."""
    exploration = Exploration(model)
    exploration.run()
    return exploration
