"""A model of plans while two players place their dice in turn, one after the other.

An order is `if CONDITION: place ONE or OTHER`; the condition is a die that the other player has
placed last.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import NamedTuple

from bot.domain.ids import UserId


class Order(NamedTuple):
    """A choice made in advance; an empty condition always holds."""

    condition: str
    dice: tuple[str, ...]

    def __str__(self) -> str:
        """Print the order as a player writes it."""
        condition = f"if {self.condition}: " if self.condition else ""
        return condition + " or ".join(f"place {die}" for die in self.dice)


@dataclass
class Plan:
    """Orders, the next one first.

    Attributes:
        stopped: why the plan fires no more; empty while it does.
        in_turn: whether its first conditional orders belong to a turn that has been made.
    """

    orders: list[Order]
    stopped: str = ""
    in_turn: bool = False

    def conditional(self) -> int:
        """Return the number of conditional lines at the beginning."""
        return next(
            (n for n, order in enumerate(self.orders) if not order.condition), len(self.orders)
        )


class Before(NamedTuple):
    """A plan before one of its orders was carried out.

    Attributes:
        written: how often its player had written a plan.
    """

    orders: list[Order]
    in_turn: bool
    written: int


class Placed(NamedTuple):
    """A die that a player has placed, and why the bot did it: `plan`, `forced` or None.

    Attributes:
        before: for a plan, what it was before.
    """

    user: UserId
    die: str
    why: str | None
    before: Before | None = None


@dataclass
class PlanModel:
    """The dice in hand, the plans, and all choices.

    Attributes:
        offered: player → number of choices before the last draw offer.
        open_offers: the player whose draw offer is open, or 0: at the start, and after each choice.
        settled: number of choices that cannot be taken back since a draw was offered or declined.
        written: player → how often a plan was written.
    """

    hands: dict[UserId, list[str]]
    turn: UserId
    plans: dict[UserId, Plan] = field(default_factory=dict)
    placed: list[Placed] = field(default_factory=list)
    offered: dict[int, int] = field(default_factory=dict)
    open_offers: list[int] = field(default_factory=lambda: [0])
    settled: int = 0
    written: Counter[UserId] = field(default_factory=Counter)

    @property
    def is_over(self) -> bool:
        """Whether all dice are placed."""
        return not any(self.hands.values())

    def place(self, die: str, why: str | None = None, before: Before | None = None) -> None:
        """The player on turn places a die."""
        self.open_offers.append(self.offer if self.offer == self.turn else 0)
        self.hands[self.turn].remove(die)
        self.placed.append(Placed(self.turn, die, why, before))
        self.turn = next(user for user in self.hands if user != self.turn)

    def go_on(self, written: int = 0) -> None:
        """Carry out plans, and choices without an alternative, until a player has to choose.

        A plan that does not fit stops, unless its player has just written it.
        """
        while not self.is_over:
            user, hand = self.turn, self.hands[self.turn]
            if self.offer not in {0, user}:
                if user in self.plans:
                    self.plans[user].stopped = self.plans[user].stopped or "draw"
                return
            before = self._before(user)
            step = self.fire(user)
            if step in hand:
                self.place(step, "plan", before)
            elif len(hand) == 1:
                self.place(hand[0], "forced")
            else:
                if step and user != written:
                    self.plans[user].stopped = step
                return
            written = 0 if user == written else written

    def _before(self, user: UserId) -> Before | None:
        """Return the plan of a player; None without one."""
        plan = self.plans.get(user)
        return Before(plan.orders, plan.in_turn, self.written[user]) if plan else None

    def fire(self, user: UserId) -> str:
        """Return the die that a plan places, why it does not fit, or nothing; drop used orders."""
        plan = self.plans.get(user)
        if plan is None or plan.stopped:
            return ""
        first = plan.conditional() if plan.in_turn else 0
        if first == len(plan.orders):
            del self.plans[user]
            return ""
        last = self.placed[-1].die if self.placed else ""
        candidates = range(first, first + Plan(plan.orders[first:]).conditional() + 1)
        for number in candidates:
            if number < len(plan.orders) and plan.orders[number].condition in ("", last):
                break
        else:
            return "condition"
        order = plan.orders[number]
        die = next((die for die in order.dice if die in self.hands[user]), "")
        if not die:
            return "illegal"
        plan.orders, plan.in_turn = plan.orders[number + 1 :], bool(order.condition)
        if not plan.orders:
            del self.plans[user]
        return die

    def write(self, user: UserId, orders: list[Order]) -> bool:
        """Replace a plan, and carry out what fits if it is the player's turn.

        Returns:
            False if an order has only dice that orders above it place for certain.
        """
        used: set[str] = set()
        for order in orders:
            if used.issuperset(order.dice):
                return False
            if not order.condition and len(order.dice) == 1:
                used.update(order.dice)
        self.plans.pop(user, None)
        self.written[user] += 1
        if orders:
            self.plans[user] = Plan(list(orders))
            if self.turn == user:
                self.go_on(user)
        return True

    @property
    def offer(self) -> int:
        """The player whose draw offer is open; 0 without one."""
        return self.open_offers[-1]

    def may_offer(self, user: UserId) -> bool:
        """Return whether a player may offer a draw: once after each own choice."""
        since = self.placed[self.offered.get(user, 0) :]
        is_first = user not in self.offered or any(offer.user == user for offer in since)
        return not self.offer and is_first

    def say(self, offer: int) -> None:
        """Offer a draw, or decline one (0)."""
        self.open_offers[-1], self.settled = offer, len(self.placed)
        if offer:
            self.offered[offer] = self.settled

    def take_back(self, user: UserId) -> str:
        """Take back a player's last choice and what the bot has made after it.

        All plans stop: time stands still, so they are as new as the choice.

        Returns:
            Whether that is `done`, another player's plan has answered (`ask`), or it is `refused`.
        """
        number = self._last_choice(user)
        if number < 0 or self.placed[number].user != user:
            return "refused"
        if any(choice.why == "plan" and choice.user != user for choice in self.placed[number:]):
            return "ask"
        self.undo(user)
        return "done"

    def undo(self, user: UserId) -> None:
        """Take back a player's last choice and what the bot has made after it, by consent."""
        number = self._last_choice(user)
        for choice in self.placed[number:]:
            self.hands[choice.user].append(choice.die)
        for choice in reversed(self.placed[number:]):
            if choice.before and choice.before.written == self.written[choice.user]:
                plan = self.plans.setdefault(choice.user, Plan([]))
                plan.orders, plan.in_turn = choice.before.orders, choice.before.in_turn
        for plan in self.plans.values():
            plan.stopped = plan.stopped or "takeback"
        self.turn = user
        del self.placed[number:], self.open_offers[number + 1 :]

    def _last_choice(self, user: UserId) -> int:
        """Return the index of a player's last choice that only the bot has followed, or -1.

        A draw offer, or the answer to one, is no choice that can be taken back.
        """
        for number in range(len(self.placed) - 1, self.settled - 1, -1):
            placed = self.placed[number]
            if placed.user == user and placed.why != "forced":
                return number
            if placed.why is None:
                break
        return -1
