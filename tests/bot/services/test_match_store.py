"""Changes of matches in the database: who may make them, what they store and queue."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from sqlalchemy import insert, select, update

from bot.domain.computer_players import computer_player
from bot.domain.ids import ChannelId, GuildId, MatchId, UserId
from bot.domain.models import MatchStatus
from bot.domain.outbox import EVERYONE, OutboxKind, Target, outbox_row
from bot.domain.outcomes import Outcome, OutcomeKind
from bot.domain.terms import Terms
from bot.features.halls.message_kinds import HallKind
from bot.features.halls.service import Halls
from bot.logs import _context
from bot.services.automatic_moves import Progress
from bot.services.chance import resolve_match_chance
from bot.services.match_changes import MatchChange
from bot.services.match_repository import seats_of
from bot.services.match_store import (
    REPLACED_SECONDS,
    MatchStore,
    count_actions,
    load,
    seat_of,
    update_match,
)
from bot.services.pings import Redraw, turn_dms
from bot.services.preferences import PreferenceKey, Preferences
from bot.services.rows import MatchRow
from bot.storage.connection import Connection
from bot.storage.schema import actions, computer_jobs, matches, outbox, plans, seats, timers
from engine import games
from engine.game import PUBLIC
from tests.support.matches import ADA, BO, EVE, PLAYERS, MatchFixture, warp6

GUILD = GuildId(7)


async def play(
    env: MatchFixture,
    match_id: MatchId,
    match_store: MatchStore | None = None,
    *,
    redraw: Redraw = Redraw.NEVER,
    rolls: int = 0,
) -> None:
    """Store the first legal choice of the seat that has to decide, as a turn with some rolls."""
    async with env.database.write() as connection:
        row = await load(connection, match_id)
        assert row
        game, before = games.get(row.game), row.state()
        action = game.fill(game.legal(before)[0], lambda _: 0)
        state, _ = game.apply(before, action)
        rolled = resolve_match_chance(row, game, state, (action,))
        rolled = rolled._replace(chance_count=rolled.chance_count + rolls)
        people = await seats_of(connection, match_id)
        change = MatchChange(row, Progress.of(game, rolled), people, notify="BY", redraw=redraw)
        await (match_store or env.match_store).save(connection, change)


async def test_a_match_that_has_changed_is_not_overwritten(env: MatchFixture) -> None:
    match_id, other = await env.begin(), await env.begin()
    async with env.database.write() as connection:
        row = await load(connection, match_id)
        assert row
        await update_match(connection, row, changed_at=1.0)
    with pytest.raises(RuntimeError, match="changed by two"):
        async with env.database.write() as connection:
            await update_match(connection, row, changed_at=2.0)
    async with env.database.write() as connection:
        changed, unchanged = await load(connection, match_id), await load(connection, other)
    assert changed
    assert (changed.version, changed.changed_at) == (row.version + 1, 1.0)
    assert unchanged
    assert unchanged.changed_at == env.now


class Work:
    """A change that notes whose seat it is given, and what log records are about meanwhile."""

    def __init__(self, env: MatchFixture) -> None:
        self.env = env
        self.seats: list[str] = []
        self.about: list[int] = []

    async def __call__(self, _connection: Connection, row: MatchRow, seat: str) -> Outcome:
        self.seats.append(seat)
        self.about.append(_context.get()["match"])
        return Outcome(OutcomeKind.REFUSED, row.id, sentence="It was tried.")

    async def run(
        self,
        match_id: MatchId,
        user: UserId,
        status: MatchStatus = MatchStatus.RUNNING,
        **kwargs: bool,
    ) -> Outcome:
        match_store, number = self.env.match_store, next(self.env.ids)
        return await match_store.handle(number, match_id, user, status, self, **kwargs)


async def test_only_players_change_a_match_unless_anyone_may(env: MatchFixture) -> None:
    match_id, work = await env.begin(), Work(env)
    await env.begin()
    assert (await work.run(match_id, EVE)).kind == "unknown"
    assert (await work.run(MatchId(99), EVE, anyone=True)).kind == "unknown"
    assert (await work.run(MatchId(99), ADA)).kind == "unknown"
    assert work.seats == []
    assert (await work.run(match_id, EVE, anyone=True)).sentence == "It was tried."
    seat = (await env.queries.match(match_id)).seat_of(BO)
    assert (await work.run(match_id, BO)).sentence == "It was tried."
    assert work.seats == [PUBLIC, seat]


async def test_log_records_name_the_match_of_the_interaction(env: MatchFixture) -> None:
    match_id, work = await env.begin(), Work(env)
    await env.begin()
    await work.run(match_id, ADA)
    assert work.about == [match_id]


async def test_running_match_of_other_rules_is_not_changed(env: MatchFixture) -> None:
    match_id, work = await env.begin(), Work(env)

    async def change(**fields: Any) -> None:
        async with env.database.write() as connection:
            await connection.execute(update(matches).values(fields))

    assert (await work.run(match_id, ADA)).sentence == "It was tried."
    await change(engine_version=0)
    refused = await work.run(match_id, ADA)
    assert refused.kind == "refused"
    assert "have changed since #" in refused.sentence
    await change(status=MatchStatus.FINISHED)
    over = await work.run(match_id, ADA, MatchStatus.FINISHED)
    assert over.sentence == "It was tried."
    await change(status=MatchStatus.RUNNING)
    assert (await work.run(match_id, ADA, ends=True)).kind == "done"
    assert (await env.queries.match(match_id)).status == "closed"


async def test_seats_know_when_their_match_has_ended(env: MatchFixture) -> None:
    running, asked = await env.begin(), await env.ask()
    resigned, outdated, declined = await env.begin(), await env.begin(), await env.ask()
    env.now += 60
    await env.matches.act(next(env.ids), resigned, ADA, "resign")
    await env.challenges.decline(next(env.ids), declined, BO)
    async with env.database.write() as connection:
        row = await load(connection, outdated)
        assert row
        await env.match_store.end_outdated(connection, row)
        query = select(seats.c.match_id, seats.c.ended_at).distinct()
        ends = {row.match_id: row.ended_at for row in await connection.execute(query)}
    over = dict.fromkeys((resigned, outdated, declined), env.now)
    assert ends == over | dict.fromkeys((running, asked))


async def test_match_of_other_rules_ends_alone(env: MatchFixture) -> None:
    terms = Terms(game="warp6", clock="3d", guild_id=GUILD, channel_id=ChannelId(5))
    numbers = []
    for _ in range(2):
        challenge = await env.challenges.challenge(next(env.ids), terms, PLAYERS, side="B")
        await env.challenges.accept(next(env.ids), challenge.match_id, BO)
        numbers.append(challenge.match_id)
    ended, other = numbers
    tables = (timers, plans, computer_jobs)
    async with env.database.write() as connection:
        for number in numbers:
            place = {"match_id": number, "seat": "B", "version": 1}
            orders = {"orders": "1 pass", "changed_at": env.now}
            await connection.execute(insert(plans).values(place | orders))
            job = {"queued_at": env.now, "attempts": 0}
            await connection.execute(insert(computer_jobs).values(place | job))
    await Halls(env.database).choose(GUILD, ChannelId(6), is_forum=False, now=env.now)
    await env.clear_outbox()

    async def stored() -> list[set[int]]:
        async with env.database.read() as connection:
            return [
                set((await connection.execute(select(table.c.match_id))).scalars())
                for table in tables
            ]

    assert await stored() == [{ended, other}] * 3
    async with env.database.write() as connection:
        row = await load(connection, ended)
        assert row
        await env.match_store.end_outdated(connection, row)
    assert await stored() == [{other}] * 3
    assert [row.kind for row in await env.queued(match_id=ended)] == [HallKind.UPDATE_LIST]
    assert await env.queued(match_id=other) == []


async def test_seat_of_a_user_is_that_in_the_match(env: MatchFixture) -> None:
    numbers = []
    for side in "BY":
        terms = Terms(game="warp6", guild_id=None, channel_id=ChannelId(5))
        challenge = await env.challenges.challenge(next(env.ids), terms, PLAYERS, side=side)
        numbers.append(challenge.match_id)
    async with env.database.read() as connection:
        seats = [await seat_of(connection, number, ADA) for number in numbers]
        assert await seat_of(connection, numbers[0], EVE) == PUBLIC
    assert seats == ["B", "Y"]


async def test_count_leaves_out_actions_that_were_taken_back(env: MatchFixture) -> None:
    match_id = await warp6(env, "")
    async with env.database.write() as connection:
        numbers = (await connection.execute(select(actions.c.number))).scalars().all()
        assert sorted(numbers) == list(range(1, len(numbers) + 1)), "the first number is 1"
        await connection.execute(insert(actions), taken_back(match_id, len(numbers)))
        assert await count_actions(connection, match_id) == len(numbers)
    await play(env, match_id)
    (message,) = (await env.queued(match_id=match_id))[-1:]
    assert message.payload["action_count"] == len(numbers) + 1
    async with env.database.read() as connection:
        query = select(actions.c.number).order_by(actions.c.number.desc())
        assert (await connection.execute(query)).scalars().first() == len(numbers) + 3


def taken_back(match_id: MatchId, last: int) -> list[dict[str, Any]]:
    """Two actions after the last one, which were taken back."""
    row = {"match_id": match_id, "line": "B pass", "made_at": 1.0, "undone_at": 2.0}
    return [row | {"number": last + number} for number in (1, 2)]


async def test_number_of_rolls_is_stored(env: MatchFixture) -> None:
    match_id = await warp6(env, "")
    async with env.database.write() as connection:
        before = await load(connection, match_id)
    await play(env, match_id, rolls=2)
    async with env.database.write() as connection:
        after = await load(connection, match_id)
    assert before
    assert after
    assert after.chance_count == before.chance_count + 2


@pytest.mark.parametrize(
    ("fields", "is_replaced"),
    [({"agreed_by": ""}, False), ({"agreed_by": "B"}, True), ({"level": "cadet"}, True)],
    ids=["two people", "agreed stand-in", "stand-in"],
)
async def test_turn_with_computers_replaces_edits_never_attempted(
    env: MatchFixture, fields: dict[str, str], is_replaced: bool
) -> None:
    match_id, other = await warp6(env, ""), await warp6(env, "")
    for number in (match_id, other):
        await env.change_seat(number, "Y", **fields)
    await env.clear_outbox()
    edit, post = OutboxKind.EDIT_BOARD, OutboxKind.POST_BOARD
    async with env.database.write() as connection:
        for where, kind, attempts in (
            (match_id, edit, 0),
            (match_id, edit, 1),
            (match_id, post, 0),
            (other, edit, 0),
        ):
            row = outbox_row(where, kind, EVERYONE, {}, env.now) | {"attempts": attempts}
            await connection.execute(insert(outbox).values(row))
    await play(env, match_id)
    *kinds, _ = [(row.kind, row.attempts) for row in await env.queued(match_id=match_id)]
    never_attempted = [] if is_replaced else [(edit, 0)]
    assert kinds == [*never_attempted, (edit, 1), (post, 0)]
    assert [(row.kind, row.attempts) for row in await env.queued(match_id=other)] == [(edit, 0)]


@pytest.mark.parametrize("is_busy", [None, False, True])
async def test_edit_waits_for_the_computer_if_boards_wait(
    env: MatchFixture, is_busy: bool | None
) -> None:
    """By default no boards wait."""
    terms = Terms(game="warp6", guild_id=None, channel_id=ChannelId(5))
    challenge = await env.challenges.challenge(
        next(env.ids), terms, [PLAYERS[0], computer_player()], side="B"
    )
    while await env.on_turn(challenge.match_id) != ADA:
        await play(env, challenge.match_id)
    match_store = MatchStore(env.database, lambda: env.now)
    if is_busy is not None:
        match_store = MatchStore(env.database, lambda: env.now, is_busy=lambda: is_busy)
    await env.clear_outbox()
    await play(env, challenge.match_id, match_store)
    assert await env.on_turn(challenge.match_id) != ADA
    ((kind, due),) = [
        (m.kind, m.next_attempt_at) for m in await env.queued(match_id=challenge.match_id)
    ]
    assert kind == OutboxKind.EDIT_BOARD
    assert due == env.now + (REPLACED_SECONDS if is_busy else 0)


@pytest.mark.watched
@pytest.mark.parametrize(
    ("redraw", "watching", "kind"),
    [
        (Redraw.NEVER, True, OutboxKind.POST_BOARD),
        (Redraw.IF_WATCHED, True, OutboxKind.EDIT_BOARD),
        (Redraw.IF_WATCHED, False, OutboxKind.POST_BOARD),
        (Redraw.ALWAYS, False, OutboxKind.EDIT_BOARD),
        (Redraw.ALWAYS, True, OutboxKind.EDIT_BOARD),
    ],
)
async def test_board_is_redrawn_if_its_players_are_watching(
    env: MatchFixture, redraw: Redraw, watching: bool, kind: OutboxKind
) -> None:
    match_id = await warp6(env, "")
    await play(env, match_id)
    await play(env, match_id)
    if not watching:
        env.now += 3600
    await env.clear_outbox()
    await play(env, match_id, redraw=redraw)
    assert [row.kind for row in await env.queued(match_id=match_id)] == [kind]


async def test_no_dm_goes_to_a_player_for_whom_the_computer_plays(env: MatchFixture) -> None:
    match_id = await env.begin()
    for user in (ADA, BO):
        await Preferences(env.database).set(user, PreferenceKey.TURNS, "on")
    await env.clear_outbox()
    async with env.database.write() as connection:
        bo, ada = await seats_of(connection, match_id)
        assert (bo.user_id, ada.user_id) == (BO, ADA)
        people, called = [bo, replace(ada, level="cadet")], f"{bo.seat}{ada.seat}"
        await env.match_store.queue_all(connection, turn_dms(people, called, {"version": 1}))
    messages = [(row.kind, row.target) for row in await env.queued(match_id=match_id)]
    assert messages == [(OutboxKind.TURN_DM, str(Target(BO)))]
