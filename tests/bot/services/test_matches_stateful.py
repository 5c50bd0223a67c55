"""Matches by any users and in any order, compared with a model after each random step."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from functools import partial
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

from hypothesis import strategies as st
from hypothesis.stateful import initialize, invariant, precondition, rule
from sqlalchemy import Row, delete, select

from bot.domain.clocks import DAY
from bot.domain.ids import NO_VERSION, ChannelId, UserId, Version
from bot.domain.outcomes import Confirmation, Outcome, OutcomeKind
from bot.domain.terms import Terms
from bot.storage.heartbeats import HEARTBEAT
from bot.storage.schema import METADATA, actions, facts, interactions, matches
from engine.game import Action
from tests.support.matches import ADA, BO, EVE, PLAYERS, TABLE
from tests.support.tiers import sampled
from tests.verification.models.machine import ServiceMachine, check_machine
from tests.verification.models.matches import MatchModel

STRANGER = UserId(99)
WHO = st.sampled_from([0, 0, 0, 0, ADA, BO, EVE, STRANGER])
"""A user; 0 for the one who can do the action."""

WORDS = st.sampled_from(["draw offer", "draw accept", "draw decline", "flag", "leave", "hop"])
KINDS: dict[str, tuple[str, dict[str, str]]] = {
    "dice": ("warp6", {}),
    "tubes": ("tomtube", {}),
    "hidden coins": ("wormholes", {}),
    "hidden dice": ("warp6", {"setup": "secret"}),
    "three players": ("warp6", {"seats": "3"}),
}
"""Kind of a match → its game and options."""

HIDING = ("hidden coins", "hidden dice")
"""Kinds in which a takeback may need the consent of the other player."""

WHICH = st.integers(0, 1)
"""One of the two matches."""

ANSWERS = st.sampled_from(["anything", "present", "earliest"])
"""Which decision a click answers."""

ALIKE = {
    OutcomeKind.REFUSED: {OutcomeKind.REFUSED, OutcomeKind.MISSING},
    OutcomeKind.STALE: {OutcomeKind.STALE, OutcomeKind.REFUSED},
}
"""Outcome of the model → outcomes that the bot may have in its place."""

ROWS = [
    select(table)
    for table in METADATA.sorted_tables
    if "match_id" in table.c or table in (matches, interactions)
]

Request = Callable[[int], Coroutine[Any, Any, Outcome]]
"""An interaction, given its id."""


class Done(NamedTuple):
    """An interaction that was accepted."""

    id: int
    request: Request
    outcome: Outcome


class MatchMachine(ServiceMachine):
    """Two matches; the second one has three players or hidden information."""

    @initialize(second=st.sampled_from(list(KINDS)[1:]))
    def begin(self, second: str) -> None:
        self.done: list[Done] = []
        self.time_has_passed = False
        self.models = [self.run(self._begin(kind)) for kind in ("dice", second)]
        self.hiding = [self.models[1]] if second in HIDING else []
        if second == "hidden dice":
            self.play(1, [0, 1])  # both sets of dice are shown: a takeback needs consent

    @rule(which=WHICH, picks=st.lists(st.integers(0, 50), min_size=1, max_size=5))
    def play(self, which: int, picks: list[int]) -> None:
        model = self.models[which]
        for pick in picks:
            if action := self.some_choice(model, pick):
                self.act(model, model.user_of(action), action.notation, OutcomeKind.DONE)

    @rule(which=WHICH, who=WHO, pick=st.integers(0, 50), answers=ANSWERS, twice=st.booleans())
    def click(self, which: int, who: UserId, pick: int, answers: str, *, twice: bool) -> None:
        model = self.models[which]
        if action := self.some_choice(model, pick):
            user = who or model.user_of(action)
            decisions = self.run(self.env.queries.match(model.id)).decisions
            present = decisions.get(model.seats.get(user, ""))
            decision = {"anything": None, "present": present, "earliest": 1}[answers]
            expected = model.answer(user, action.notation, is_late=decision not in (None, present))
            self.act(model, user, action.notation, expected, decision=decision, twice=twice)

    @rule(which=WHICH, who=WHO, line=WORDS)
    def say(self, which: int, who: UserId, line: str) -> None:
        model, user = self.models[which], who or ADA
        self.act(model, user, line, model.answer(user, line))

    @rule(which=WHICH, who=WHO, is_confirmed=st.sampled_from([False, False, False, True]))
    def resign_if_confirmed(self, which: int, who: UserId, *, is_confirmed: bool) -> None:
        model, user = self.models[which], who or BO
        version = self.run(self.env.queries.match(model.id)).version if is_confirmed else NO_VERSION
        expected = model.answer(user, "resign", is_late=not is_confirmed)
        self.act(model, user, "resign", expected, confirmation=Confirmation(version=version))

    @rule(which=WHICH, who=WHO, agreeing=st.sampled_from([ADA, BO, EVE]), is_late=st.booleans())
    def take_back(self, which: int, who: UserId, agreeing: UserId, *, is_late: bool) -> None:
        model, take_back = self.models[which], self.env.takebacks.take_back
        user = who or model.user_of(model.last_choice) or ADA
        version = self.run(self.env.queries.match(model.id)).version - is_late
        may_ask, may_agree = (
            model.may_take_back(user, is_own=True),
            model.may_take_back(agreeing, is_own=False) and not is_late,
        )
        answer = self.deliver(lambda number: take_back(number, model.id, user)).kind
        if answer == OutcomeKind.ASK:
            assert may_ask
            assert model in self.hiding
            may_agree = may_agree and not self.is_out_of_time(model, model.seats[agreeing])
            agree = partial(take_back, match_id=model.id, user_id=agreeing)
            answer = self.deliver(
                lambda number: agree(number, requested_version=Version(version))
            ).kind
            is_done = answer == OutcomeKind.DONE
            # The player who asked may be out of time for that choice by now.
            assert is_done == may_agree or (self.time_has_passed and not is_done)
        elif answer != OutcomeKind.DONE:
            assert not may_ask or self.time_has_passed or model in self.hiding
        if answer == OutcomeKind.DONE:
            assert may_ask
            model.take_back()

    @rule(which=WHICH, who=WHO, pick=st.integers(0, 2), passes=st.booleans())
    def claim(self, which: int, who: UserId, pick: int, *, passes: bool) -> None:
        if passes:
            self.run(self._live(DAY + 1))
            self.time_has_passed = True
        model, claim = self.models[which], self.env.deadlines.claim_win
        user, seat = who or BO, list(model.seats.values())[pick % len(model.seats)]
        is_late = self.is_out_of_time(model, seat)
        user_seat = model.seats.get(user, seat)
        has_left = user_seat in model.game.view(model.state).departed
        may_claim = is_late and not has_left and not self.is_out_of_time(model, user_seat, seat)
        answer = self.deliver(lambda number: claim(number, model.id, user, seat)).kind
        assert (answer == OutcomeKind.DONE) == may_claim
        if answer == OutcomeKind.DONE:
            model.add(Action(seat, "flag"), self.stored(model))

    @precondition(lambda self: self.done)
    @rule(pick=st.integers(0, 50))
    def deliver_again(self, pick: int) -> None:
        repeated, before = self.done[pick % len(self.done)], self.run(self._rows())
        assert self.run(repeated.request(repeated.id)) == repeated.outcome
        assert self.run(self._rows()) == before

    @invariant()
    def records_are_those_of_the_models(self) -> None:
        for row, model in zip(self.rows(select(matches)), self.models, strict=True):
            state = model.state
            assert self.stored(model) == model.lines
            assert row.status == model.status
            assert row.position == model.game.dump(state)
            assert row.decisions.keys() == set(model.game.pending(state))

    def is_out_of_time(self, model: MatchModel, seat: str, other: str = "") -> bool:
        """Return whether the time for a pending decision is over, not later than another one."""
        match = self.run(self.env.queries.match(model.id))
        if seat not in match.decisions or not match.times[seat].over:
            return False
        ended = [match.times[clock_seat].started_at or 0.0 for clock_seat in (seat, other or seat)]
        return ended[0] <= ended[1]

    def some_choice(self, model: MatchModel, pick: int) -> Action | None:
        """Return one of the legal actions; None after the end of the match."""
        legal = model.game.legal(model.state)
        return model.game.fill(legal[pick % len(legal)], Random(pick).randrange) if legal else None

    def act(
        self,
        model: MatchModel,
        user: UserId,
        line: str,
        expected: OutcomeKind,
        *,
        twice: bool = False,
        **fields: Any,
    ) -> None:
        """Let a user say a line, and compare the answer with the expected one."""
        act = self.env.matches.act
        outcome = self.deliver(
            lambda number: act(number, model.id, user, line, **fields), twice=twice
        )
        assert outcome.kind in ALIKE.get(expected, {expected})
        if outcome.kind == OutcomeKind.DONE:
            model.add(Action.parse(f"{model.seats[user]} {line}"), self.stored(model))

    def deliver(self, request: Request, *, twice: bool = False) -> Outcome:
        """Deliver an interaction, perhaps twice at once; unless accepted, it changes nothing."""
        number, before = next(self.env.ids), self.run(self._rows())
        outcomes = self.run(_at_once([request(number) for _ in range(1 + twice)]))
        assert outcomes[0] == outcomes[-1]
        if outcomes[0].kind in (OutcomeKind.DONE, OutcomeKind.ASK):
            self.done.append(Done(number, request, outcomes[0]))
        else:
            assert self.run(self._rows()) == before
        return outcomes[0]

    def stored(self, model: MatchModel) -> list[Action]:
        """Return the lines of a match that were not taken back."""
        condition = (actions.c.match_id == model.id) & actions.c.undone_at.is_(None)
        lines = select(actions.c.line).where(condition).order_by(actions.c.number)
        return [Action.parse(line) for (line,) in self.rows(lines)]

    async def _begin(self, kind: str) -> MatchModel:
        game, options = KINDS[kind]
        players = TABLE if options.get("seats") == "3" else PLAYERS
        agreed = Terms(
            game=game, options=options, clock="1d", guild_id=None, channel_id=ChannelId(5)
        )
        challenge = await self.env.challenges.challenge(next(self.env.ids), agreed, players)
        for player in players[1:]:
            await self.env.challenges.accept(next(self.env.ids), challenge.match_id, player.user_id)
        record = await self.env.queries.record(challenge.match_id)
        return MatchModel(await self.env.queries.match(challenge.match_id), record.actions)

    async def _live(self, seconds: float) -> None:
        """Let time pass while the bot runs: no heartbeat is missing."""
        self.env.now += seconds
        async with self.env.database.write() as connection:
            await connection.execute(delete(facts).where(facts.c.name.like(f"{HEARTBEAT}%")))
        await self.env.timers().fire()

    async def _rows(self) -> list[Sequence[Row[Any]]]:
        """Return all rows about matches."""
        async with self.env.database.read() as connection:
            return [(await connection.execute(row)).all() for row in ROWS]


async def _at_once(requests: Sequence[Awaitable[Outcome]]) -> list[Outcome]:
    return await asyncio.gather(*requests)


@sampled(1, 12, 2_000)
def test_matches_equal_their_model(template: Path, samples: int) -> None:
    check_machine(MatchMachine, template, samples, steps=25)
