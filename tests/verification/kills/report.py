"""Events of a simulation, and its faults."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, fields

WRONG = (
    "lost applied_twice unannounced announced_twice misplaced out_of_order wrong_boards wrong_halls"
    " wrong_ratings wrong_cups wrong_dice short_clocks long_clocks short_vacations traces"
    " errors_logged secrets_logged jobs_left other_choices plans_left stalls blocks_ignored"
    " wrong_roles"
).split()
"""Fields of a report that must be 0."""


@dataclass
class Report:
    """Events of a simulation, and its faults.

    Attributes:
        computer_choices: number of choices by computer players, as verified afterwards.
        replaced_choices: number of these by the fallback.
        planned_actions, forced_actions: number of actions that the bot made for people.
        ratings_told: number of results that showed new ratings.
        done: what people did besides choosing, and how often.
        dropped: announcements that could not be posted, by the reason.
        told: all details of the faults.
    """

    kills: int = 0
    ends: int = 0
    seconds: float = 0.0
    matches: int = 0
    acknowledged: int = 0
    delivered_again: int = 0
    turned_away: int = 0
    found_done: int = 0
    slowest_end: float = 0.0
    announcements: int = 0
    clocks_compared: int = 0
    computer_choices: int = 0
    replaced_choices: int = 0
    lost: int = 0
    applied_twice: int = 0
    unannounced: int = 0
    announced_twice: int = 0
    misplaced: int = 0
    out_of_order: int = 0
    wrong_boards: int = 0
    wrong_halls: int = 0
    wrong_ratings: int = 0
    wrong_cups: int = 0
    wrong_dice: int = 0
    short_clocks: int = 0
    long_clocks: int = 0
    short_vacations: int = 0
    stalls: int = 0
    blocks_ignored: int = 0
    wrong_roles: int = 0
    traces: int = 0
    errors_logged: int = 0
    secrets_logged: int = 0
    jobs_left: int = 0
    other_choices: int = 0
    plans_left: int = 0
    planned_actions: int = 0
    forced_actions: int = 0
    ratings_told: int = 0
    lines_logged: int = 0
    details: list[str] = field(default_factory=list, repr=False)
    done: Counter[str] = field(default_factory=Counter)
    sent: Counter[str] = field(default_factory=Counter)
    dropped: Counter[str] = field(default_factory=Counter)
    faults: Counter[str] = field(default_factory=Counter)

    def blame(self, what: str, *details: str) -> None:
        """Count a fault, and keep its details."""
        setattr(self, what, getattr(self, what) + 1)
        self.details += [f"{what}: {details[0]}", *details[1:]] if details else []

    @property
    def wrong(self) -> dict[str, int]:
        """Return fault → number of its occurrences."""
        return {name: getattr(self, name) for name in WRONG if getattr(self, name)}

    def __str__(self) -> str:
        parts = [
            f"{counter.name.replace('_', ' ')} {getattr(self, counter.name)}"
            for counter in fields(self)
            if counter.name != "details"
        ]
        return "\n".join([", ".join(parts).replace("Counter", ""), *self.details])
