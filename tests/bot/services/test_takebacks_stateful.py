"""Takebacks across the computer's answers, compared with what each reader knew before."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, ClassVar, NamedTuple

import pytest
from hypothesis import strategies as st
from hypothesis.stateful import initialize, invariant, precondition, rule
from sqlalchemy import Row, select

from bot.domain.clocks import HOUR
from bot.domain.computer_players import computer_player
from bot.domain.ids import ChannelId, MatchId
from bot.domain.models import SeatClock
from bot.domain.terms import Terms
from bot.storage.schema import actions, matches
from engine import games
from engine.computer.audit import audit
from engine.endings import ENDING_VERBS
from engine.game import CHANCE, PUBLIC, Action, AnyGame
from engine.record import Record
from tests.support.computer_turns import play_all
from tests.support.matches import ADA, PLAYERS, MatchFixture, take_back
from tests.support.tiers import sampled
from tests.verification.models.machine import ServiceMachine, check_machine

KINDS: Mapping[str, tuple[str, Mapping[str, str]]] = {
    "wormholes": ("wormholes", {}),
    "wormholes with notes": ("wormholes", {"notes": "on"}),
    "secret placing": ("wormholes", {"placing": "secret"}),
    "warp6": ("warp6", {}),
    "secret dice": ("warp6", {"setup": "secret"}),
    "tomtube": ("tomtube", {}),
}
"""Kind of a match → its game and options."""


WITH_COINS = ("wormholes", "wormholes with notes", "secret placing")


class Moment(NamedTuple):
    """A match after some of its lines: what a takeback has to restore."""

    lines: tuple[Action, ...]
    position: str
    chance_count: int
    clock: SeatClock | None


class TakebackMachine(ServiceMachine):
    """Casual matches of Ada against the computer, and the moments before each of her choices."""

    kind: ClassVar[str]

    @initialize()
    def begin(self) -> None:
        name, options = KINDS[self.kind]
        self.game: AnyGame = games.get(name)
        self.options = {**options}
        self.match_id = self.run(_begin(self.env, name, options))
        self.seat = self.run(self.env.queries.match(self.match_id)).seat_of(ADA)
        self.moments: list[Moment] = []
        self.rolls: list[Action] = []

    @precondition(lambda self: self.deciding())
    @rule(pick=st.integers(0, 200), answers=st.booleans(), regrets=st.booleans())
    def choose(self, pick: int, *, answers: bool, regrets: bool) -> None:
        before = self.now()
        legal = [line for line in self.game.legal(self.state()) if line.actor == self.seat]
        choice = self.game.fill(legal[pick % len(legal)], lambda n: pick % n)
        self.act(choice.notation)
        self.moments.append(before)
        if answers:
            self.computer_answers()
        if regrets:
            self.take_back()

    @rule()
    def computer_answers(self) -> None:
        self.run(play_all(self.env))

    @rule(hours=st.floats(0, 3))
    def time_passes(self, hours: float) -> None:
        self.env.now += hours * HOUR

    @precondition(lambda self: self.moments and self.deciding())
    @rule()
    def offer_a_draw(self) -> None:
        offered = self.env.matches.act(next(self.env.ids), self.match_id, ADA, "draw offer")
        if self.run(offered).kind == "done":
            self.run(play_all(self.env))

    @rule()
    def take_back(self) -> None:
        before, expected = self.now(), self.may_take_back()
        is_offered = self.run(self.env.takebacks.obstacle(self.match_id, ADA)) == ""
        outcome = self.run(take_back(self.env, self.match_id, ADA))
        assert is_offered == expected
        assert (outcome.kind == "done") == expected, outcome
        after = self.now()
        if not expected:
            assert outcome.kind in ("refused", "stale")
            assert outcome.sentence
            assert after == before
            return
        moment = self.moments.pop()
        assert after == moment
        assert not self.learned(len(moment.lines), before.lines)
        assert self.deciding()

    @precondition(lambda self: self.moments)
    @rule()
    def resign(self) -> None:
        if self.deciding():
            self.act("resign")
        if self.game.result(self.state()):
            record = self.run(self.env.queries.record(self.match_id))
            read_again = Record.parse(str(record))
            assert read_again.actions == self.now().lines
            assert read_again.verify() == len(self.rolls)
            assert not audit(read_again).unknown
            self.begin()

    @invariant()
    def dice_only_follow_each_other(self) -> None:
        now = self.now()
        rolls = [line for line in now.lines if line.actor == CHANCE]
        assert rolls[: len(self.rolls)] == self.rolls, "a roll was taken back"
        assert now.chance_count == len(rolls)
        assert now.position == self.game.dump(self.state())
        self.rolls = rolls

    def deciding(self) -> bool:
        """Return whether Ada has to decide."""
        state = self.state()
        return not self.game.result(state) and self.seat in self.game.pending(state)

    def may_take_back(self) -> bool:
        """Return whether Ada's last choice was answered by the computer only, and showed nothing.

        Her forced moves go back with the choice before them.
        """
        lines = self.now().lines
        if not self.moments or self.game.result(self.state()):
            return False
        since = lines[len(self.moments[-1].lines) :]
        offered = any(line.verb in ENDING_VERBS for line in since if line.actor == self.seat)
        rolled = any(line.actor == CHANCE for line in since)
        return not (offered or rolled or self.learned(len(lines) - len(since), lines))

    def learned(self, kept: int, lines: tuple[Action, ...]) -> bool:
        """Return whether a reader's record of the first lines differs at any later moment."""
        for count in range(kept, len(lines)):
            for reader in (PUBLIC, *self.game.seats(self.options)):
                earlier, later = (
                    self.game.redact(self.state(lines[:place]), reader, lines[:count])
                    for place in (count, count + 1)
                )
                if earlier != later:
                    return True
        return False

    def state(self, lines: tuple[Action, ...] | None = None) -> Any:
        """Return the position after some lines, or after all."""
        state = self.game.start(self.game.rules[0], self.options)
        for line in self.now().lines if lines is None else lines:
            state, _ = self.game.apply(state, line)
        return state

    def act(self, line: str) -> None:
        """Let Ada do something."""
        outcome = self.run(self.env.matches.act(next(self.env.ids), self.match_id, ADA, line))
        assert outcome.kind == "done", (line, outcome)

    def now(self) -> Moment:
        """Return the match as it is stored."""
        return self.run(_read(self.env, self.match_id, self.seat))


async def _begin(env: MatchFixture, game: str, options: Mapping[str, str]) -> MatchId:
    terms = Terms(game=game, options=options, clock="7d+1d", guild_id=None, channel_id=ChannelId(5))
    players = [PLAYERS[0], computer_player("cadet")]
    return (await env.challenges.challenge(next(env.ids), terms, players)).match_id


async def _read(env: MatchFixture, match_id: MatchId, seat: str) -> Moment:
    live = (actions.c.match_id == match_id) & actions.c.undone_at.is_(None)
    query = select(actions.c.line).where(live).order_by(actions.c.number)
    async with env.database.read() as connection:
        lines = (await connection.execute(query)).scalars().all()
        row: Row[Any] = (
            await connection.execute(select(matches).where(matches.c.id == match_id))
        ).one()
    clock = (await env.queries.match(match_id)).times.get(seat)
    logged = tuple(Action.parse(line) for line in lines)
    return Moment(logged, row.position, row.chance_count, clock)


@sampled(1, 4, 200)
@pytest.mark.parametrize(
    "kind",
    [
        "secret dice",
        "tomtube",
        *(pytest.param(kind, marks=pytest.mark.slow) for kind in (*WITH_COINS, "warp6")),
    ],
)
def test_takebacks_from_the_computer_equal_their_model(
    template: Path, samples: int, kind: str
) -> None:
    machine = type("Machine", (TakebackMachine,), {"kind": kind})
    check_machine(machine, template, samples, steps=20)
