"""Seats are given back to their players, and at any moment nothing is lost or doubled."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from random import Random

import pytest
from sqlalchemy import select

from bot.domain import waiting
from bot.domain.clocks import DAY, HOUR
from bot.domain.ids import DELETED_USER_ID, MatchId
from bot.domain.models import TimerKind
from bot.services.clocks import pause_clock, update_seat
from bot.services.computer_turns import ChoiceRequest, ComputerChoice
from bot.services.match_repository import seats_of
from bot.services.match_store import load
from bot.services.stand_in_returns import give_back_seats
from bot.storage.schema import actions, computer_jobs, timers
from engine import games
from engine.game import Action
from tests.support.computer_turns import choosers, claim, properly, turns
from tests.support.matches import ADA, BO, MatchFixture, begun, warp6
from tests.support.tiers import sampled

STEPS = 40


class Walk:
    """A match of Ada and Bo, who goes away."""

    def __init__(self, env: MatchFixture, match_id: MatchId, seed: int) -> None:
        self.env, self.match_id, self.random = env, match_id, Random(seed)
        self.seen: Counter[str] = Counter()

    async def step(self) -> None:
        """Do something that is possible now, or try to."""
        kinds = (self.act, self.act, self.leave, self.agree, self.come_back, self.end)
        await self.random.choice((*kinds, self.play, self.play))()

    async def act(self) -> None:
        """A player who has to decide does so, also if the computer decides for them."""
        user = await self.env.on_turn(self.match_id)
        view = (await self.env.queries.view(self.match_id, user)).view
        action = games.get(view.game).fill(self.random.choice(view.legal), self.random.randrange)
        outcome = await self.env.matches.act(
            next(self.env.ids), self.match_id, user, action.notation
        )
        assert outcome.kind == "done", outcome
        assert user != BO or not await self.is_replaced()

    async def is_replaced(self) -> bool:
        """Whether the computer decides for Bo."""
        players = (await self.env.queries.match(self.match_id)).players.values()
        return not all(player.decides_itself for player in players)

    async def leave(self) -> None:
        """Bo goes away for an hour."""
        await self.env.vacations.begin(BO, self.env.now + HOUR, "cadet")

    async def agree(self) -> None:
        """Ada agrees, also if there is nothing to agree to."""
        seat = (await self.env.queries.match(self.match_id)).seat_of(BO)
        outcome = await self.env.stand_ins.agree(
            next(self.env.ids), self.match_id, ADA, seat, is_gone=self.random.random() < 0.5
        )
        self.seen[f"agree: {outcome.kind}"] += 1

    async def come_back(self) -> None:
        """Bo comes back, also if he is there."""
        outcome = await self.env.stand_ins.come_back(next(self.env.ids), self.match_id, BO)
        self.seen[f"back: {outcome.kind}"] += 1

    async def end(self) -> None:
        """Bo's vacation ends."""
        await self.env.vacations.end(BO)

    async def play(self) -> None:
        """The computer plays its turn, and something else happens in the middle of it."""
        calls, is_back = self.random.randrange(4), False

        async def answer(request: ChoiceRequest) -> ComputerChoice:
            nonlocal calls, is_back
            calls -= 1
            if calls == 0:
                other = (self.act, self.come_back, self.end, self.agree, self.leave)
                await self.random.choice(other)()
                is_back = not await self.is_replaced()
            return await properly(request)

        before = await choosers(self.env, self.match_id)
        for job in await claim(self.env):
            await turns(self.env, answer).play(job)
        assert not is_back or await choosers(self.env, self.match_id) == before

    async def check(self) -> bool:
        """Check what always holds; return whether the match is running."""
        async with self.env.database.write() as connection:
            row = await load(connection, self.match_id)
            assert row
            people = await seats_of(connection, self.match_id)
            log, jobs, scheduled = [
                (await connection.execute(select(table).where(table.c.match_id == row.id))).all()
                for table in (actions, computer_jobs, timers)
            ]
        game = games.get(row.game)
        state = game.start(row.rules, row.options)
        for line in sorted(log, key=lambda line: line.number):
            state, _ = game.apply(state, Action.parse(line.line))
        assert game.dump(state) == row.position
        bo = next(person for person in people if person.user_id == BO)
        computed = [line.line[0] for line in log if line.chosen_by]
        assert set(computed) <= {bo.seat}
        self.seen["chosen"] = len(computed)
        expected = {bo.seat} & row.decisions.keys() if bo.level else set()
        assert {job.seat for job in jobs if job.version == row.version} == expected
        for person in people:
            runs = person.seat in row.decisions and not person.clock_is_paused
            kinds = Counter(timer.kind for timer in scheduled if timer.seat == person.seat)
            seat_timers = {kind: kinds[kind] for kind in (TimerKind.FLAG, TimerKind.REMIND)}
            assert seat_timers == {kind: int(runs) for kind in seat_timers}, (person, seat_timers)
            assert (person.clock_started_at is not None) is runs, person
        return row.status == "running"


@pytest.mark.first(test=1)
@pytest.mark.parametrize("game", ["wormholes", "warp6"])
@sampled(1, 3, 300)
async def test_coming_back_loses_and_doubles_nothing(
    env: MatchFixture, monkeypatch: pytest.MonkeyPatch, game: str, samples: int
) -> None:
    monkeypatch.setattr(waiting, "GONE_SECONDS", 0.0)  # a player who is gone is replaced at once
    seen: Counter[str] = Counter()
    for seed in range(samples):
        match_id = await (begun(env, "3d") if game == "wormholes" else warp6(env, "3d"))
        walk = Walk(env, match_id, seed)
        for _ in range(STEPS):
            env.now += 60.0
            await walk.step()
            if not await walk.check():
                break
        seen += walk.seen
        await env.vacations.end(BO)
        await env.matches.act(next(env.ids), match_id, ADA, "resign")
        env.now += 366 * DAY
    assert all(seen[event] for event in ("agree: done", "back: done", "chosen"))


@pytest.mark.parametrize(
    ("replaced", "playing", "by", "returned"),
    [
        ("Y", "BYW", "B", ""),
        ("Y", "BYW", "Y", "Y"),
        ("Y", "YW", "B", ""),  # Eve plays on
        ("YW", "BYW", "B", ""),
        ("YW", "BYW", "Y", "Y"),
        ("YW", "YW", "B", "YW"),  # Ada has left: no person decides any more
        ("BY", "BYW", "B", "B"),
    ],
)
async def test_stand_ins_end_when_the_player_acts_or_no_person_does(
    env: MatchFixture, replaced: str, playing: str, by: str, returned: str
) -> None:
    match_id = await warp6(env, "3d", setup="secret", seats="3")
    now = env.now + HOUR
    async with env.database.write() as connection:
        row = await load(connection, match_id)
        assert row
        for seat in await seats_of(connection, match_id):
            await update_seat(connection, seat, agreed_by="Y")
            if seat.seat in replaced:
                await pause_clock(connection, row, seat, env.now)
                await update_seat(connection, seat, level="cadet")
        before = await seats_of(connection, match_id)
        result = await give_back_seats(connection, row, before, playing=playing, by=by, now=now)
        assert result == await seats_of(connection, match_id)
        assert result == [
            replace(seat, level=None, agreed_by="", clock_started_at=now)
            if seat.seat in returned
            else replace(seat, agreed_by="" if seat.seat == by else "Y")
            for seat in before
        ]
        kinds = (TimerKind.FLAG, TimerKind.REMIND)
        query = select(timers.c.seat, timers.c.kind).where(timers.c.kind.in_(kinds))
        timers_left = sorted((row.seat, row.kind) for row in await connection.execute(query))
    deciding = sorted({*"BYW"} - {*replaced} | {*returned})
    assert timers_left == [(seat, kind) for seat in deciding for kind in kinds]


async def test_deleted_player_does_not_keep_a_stand_in(env: MatchFixture) -> None:
    match_id = await warp6(env, "3d", setup="secret")
    async with env.database.write() as connection:
        row = await load(connection, match_id)
        assert row
        first, second = await seats_of(connection, match_id)
        people = [
            replace(first, user_id=DELETED_USER_ID),
            replace(second, level="cadet", away_until=DAY, clock_started_at=None),
        ]
        result = await give_back_seats(connection, row, people, playing="BY", by="", now=env.now)
    assert result == [people[0], replace(people[1], level=None)], "the clock of a vacation rests"
