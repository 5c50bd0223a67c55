"""Plans of two players, compared with a model after each random step."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from hypothesis import strategies as st
from hypothesis.stateful import initialize, invariant, precondition, rule
from sqlalchemy import ColumnElement, Row, Table, select

from bot.domain.ids import UserId, Version
from bot.services.plans import SeenPlan
from bot.storage.schema import actions, matches, plans
from engine import games
from engine.game import Action
from tests.support.matches import ADA, BO, opponent_of, take_back, warp6
from tests.support.tiers import sampled
from tests.verification.models.machine import ServiceMachine, check_machine
from tests.verification.models.plans import Order, PlanModel

PICKS = st.integers(0, 8)
"""Which of the dice in a hand."""

ORDERS = st.lists(st.tuples(st.none() | PICKS, st.lists(PICKS, min_size=1, max_size=2)), max_size=5)
"""For each order its condition, one of the other player's dice, and what to place."""

ASKED_BEFORE = (
    "You've already asked; wait for the answer.",
    "You've asked to take this back too often; please play on.",
)

DICE = ["8a", "8b", "6a", "6b", "6c", "4a", "4b", "4c", "4d"]


class PlanMachine(ServiceMachine):
    """A match of Warp 6 in which two players place nine dice each."""

    @initialize()
    def begin(self) -> None:
        self.match_id = self.run(warp6(self.env, ""))
        match = self.run(self.env.queries.match(self.match_id))
        self.seats = {player.user_id: seat for seat, player in match.players.items()}
        hands = {user: [seat.lower() + die for die in DICE] for user, seat in self.seats.items()}
        self.dice = {user: sorted(hand) for user, hand in hands.items()}
        self.model = PlanModel(hands, self.run(self.env.on_turn(self.match_id)))

    @precondition(lambda self: self.model.is_over)
    @rule()
    def begin_another_match(self) -> None:
        self.begin()

    @precondition(lambda self: not self.model.is_over)
    @rule(pick=PICKS)
    def choose(self, pick: int) -> None:
        hand = self.model.hands[self.model.turn]
        die, act = sorted(hand)[pick % len(hand)], self.env.matches.act
        line = f"place {die}"
        answer = self.run(act(next(self.env.ids), self.match_id, self.model.turn, line))
        assert answer.kind == "done"
        self.model.place(die)
        self.model.go_on()

    @precondition(lambda self: not self.model.is_over)
    @rule(user=st.sampled_from([ADA, BO]), conditions=ORDERS)
    def write(self, user: UserId, conditions: list[tuple[int | None, list[int]]]) -> None:
        dice, others = sorted(self.model.hands[user]), self.dice[opponent_of(user)]
        orders = [
            Order(
                "" if condition is None else others[condition],
                tuple(dict.fromkeys(dice[pick % len(dice)] for pick in picks)),
            )
            for condition, picks in conditions
        ]
        seen = self.run(self.env.plans.read(self.match_id, user)).version
        text = "\n".join(map(str, orders))
        write, number = self.env.plans.write, next(self.env.ids)
        answer = self.run(write(number, self.match_id, user, text, SeenPlan(Version(seen + 1))))
        assert answer.kind == "stale"
        answer = self.run(write(number, self.match_id, user, text, SeenPlan(seen)))
        assert answer.kind == ("done" if self.model.write(user, orders) else "refused")

    @precondition(lambda self: not self.model.is_over)
    @rule(user=st.sampled_from([ADA, BO]))
    def offer_a_draw(self, user: UserId) -> None:
        is_possible = self.model.may_offer(user)
        assert self.run(self._say(user, "draw offer")) == ("done" if is_possible else "refused")
        if is_possible:
            self.model.say(user)

    @precondition(lambda self: not self.model.is_over and self.model.offer)
    @rule()
    def decline_a_draw(self) -> None:
        assert self.run(self._say(UserId(ADA + BO - self.model.offer), "draw decline")) == "done"
        self.model.say(0)

    @precondition(lambda self: not self.model.is_over)
    @rule(user=st.sampled_from([ADA, BO]), consents=st.booleans())
    def take_back(self, user: UserId, consents: bool) -> None:
        answer = self.run(take_back(self.env, self.match_id, user))
        wanted = self.model.take_back(user)
        if wanted == "ask" and answer.sentence in ASKED_BEFORE:
            assert answer.kind == "refused"
        else:
            assert answer.kind == wanted
        if wanted == "ask" and consents:
            version = self.run(self.env.queries.match(self.match_id)).version
            agreed = self.env.takebacks.take_back(
                next(self.env.ids),
                self.match_id,
                opponent_of(user),
                requested_version=version,
                asking=self.seats[user],
            )
            assert self.run(agreed).kind == "done"
            self.model.undo(user)

    @invariant()
    def choices_are_those_of_the_model(self) -> None:
        lines = self.read(actions, actions.c.undone_at.is_(None))
        choices = [(Action.parse(row.line), row.automatic) for row in lines]
        placed = [choice for choice in choices if choice[0].verb == "place"]
        assert placed == [
            (Action(self.seats[user], "place", (die,)), why)
            for user, die, why, _before in self.model.placed
        ]
        (row,) = self.rows(select(matches).where(matches.c.id == self.match_id))
        game = games.get(row.game)
        state = game.start(row.rules, row.options)
        for action, _ in choices:
            state, _ = game.apply(state, action)
        assert row.position == game.dump(state)

    @precondition(lambda self: not self.model.is_over)
    @invariant()
    def plans_are_those_of_the_model(self) -> None:
        stored = {row.seat: row for row in self.read(plans)}
        assert {seat: (row.orders, row.stopped or "") for seat, row in stored.items()} == {
            self.seats[user]: ("\n".join(map(str, plan.orders)), plan.stopped)
            for user, plan in self.model.plans.items()
        }

    def read(self, table: Table, *where: ColumnElement[bool]) -> Sequence[Row[Any]]:
        """Return the rows of the match in a table."""
        query = select(table).where(table.c.match_id == self.match_id, *where)
        return self.rows(query.order_by(*table.primary_key))

    async def _say(self, user: UserId, line: str) -> str:
        """Have a player say a line; return the kind of the answer."""
        return (await self.env.matches.act(next(self.env.ids), self.match_id, user, line)).kind


@sampled(1, 12, 2_000)
def test_plans_equal_their_model(template: Path, samples: int) -> None:
    check_machine(PlanMachine, template, samples, steps=25)
