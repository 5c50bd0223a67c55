"""The people's knowledge of a match: the actions that its log must have, and their clocks."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field


@dataclass
class Expected:
    """A match as far as the people at it have been told.

    Attributes:
        lines: every acknowledged choice, in order.
        undone: the places of those that were taken back.
        orders: number of orders of all plans that were written, by seat.
        undone_plans: number of actions of plans that were taken back.
        users: all who have played in it.
        moved: the channel to which it was moved last; 0 if it was not.
        stood_in: the seats of people for whom the computer has played.
        has_notice: whether a silent player may have had notice, which ends the match if it passes.
    """

    lines: list[str] = field(default_factory=list)
    undone: list[int] = field(default_factory=list)
    orders: Counter[str] = field(default_factory=Counter)
    undone_plans: int = 0
    users: set[int] = field(default_factory=set)
    channels: set[int] = field(default_factory=set)
    moved: int = 0
    stood_in: set[str] = field(default_factory=set)
    has_notice: bool = False

    def take_back(self) -> None:
        """Note that the last choice which still counts was taken back."""
        places = set(range(len(self.lines))) - set(self.undone)
        self.undone.append(max(places))
