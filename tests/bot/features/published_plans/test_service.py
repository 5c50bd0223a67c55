"""Plans after a match: the part that is kept, their readers, and when they go."""

from __future__ import annotations

from typing import Any

import pytest
from sqlalchemy import delete, insert, select, update

from bot.domain.ids import MatchId, UserId
from bot.features.published_plans.service import NoPlanError, OrderStatus, PublishedPlans
from bot.services.match_store import load
from bot.services.plans import SeenPlan
from bot.storage.schema import matches, written_plans
from tests.support.matches import (
    EVE,
    MatchFixture,
    opponent_of,
    plan,
    take_back,
    warp6,
)
from tests.support.privacy import export_of, privacy_of, traces

PLAYED, TAKEN_BACK, PASSED, NOT_REACHED = OrderStatus


@pytest.fixture
def plans(env: MatchFixture) -> PublishedPlans:
    return PublishedPlans(env.database, env.clock)


class InSetUp:
    """A match of Warp 6 in which one player waits and writes plans."""

    def __init__(self, env: MatchFixture, match_id: MatchId, waits: UserId) -> None:
        self.env, self.id, self.waits, self.decides = env, match_id, waits, opponent_of(waits)

    async def prefix(self, user: UserId) -> str:
        return (await self.env.queries.match(self.id)).seat_of(user).lower()

    async def plan(self, *orders: str) -> None:
        """The one who waits writes orders, without the letter of their dice."""
        mine, theirs = await self.prefix(self.waits), await self.prefix(self.decides)
        lines = [order.format(mine=mine, theirs=theirs) for order in orders]
        assert (await plan(self.env, self.id, self.waits, *lines)).kind == "done"

    async def place(self, die: str) -> None:
        """The player on turn places a die."""
        user = await self.env.on_turn(self.id)
        line = f"place {await self.prefix(user)}{die}"
        assert (await self.env.matches.act(next(self.env.ids), self.id, user, line)).kind == "done"

    async def end(self) -> None:
        """The match is over."""
        ended = await self.env.matches.act(next(self.env.ids), self.id, self.decides, "resign")
        assert ended.kind == "done"

    async def statuses(self) -> list[tuple[str, OrderStatus, str]]:
        """Each order with its status and the action that was carried out, for its player."""
        match = await self.env.queries.match(self.id)
        service = PublishedPlans(self.env.database, self.env.clock)
        seen = await service.read(match, match.seat_of(self.waits), self.waits)
        return [
            (str(line.order), line.status, line.action.notation if line.action else "")
            for line in seen.lines
        ]


async def in_set_up(env: MatchFixture, **options: str) -> InSetUp:
    match_id = await warp6(env, "", **options)
    return InSetUp(env, match_id, opponent_of(await env.on_turn(match_id)))


async def finished(env: MatchFixture, *orders: str) -> InSetUp:
    """A finished match, in which one player had written a plan."""
    match = await in_set_up(env)
    await match.plan(*(orders or ("place {mine}8a",)))
    await match.end()
    return match


async def rows(env: MatchFixture) -> list[Any]:
    async with env.database.read() as connection:
        return list(await connection.execute(select(written_plans)))


async def readable(env: MatchFixture, match: InSetUp) -> dict[UserId, dict[UserId, bool]]:
    """Reader → the plans that they may read."""
    service = PublishedPlans(env.database, env.clock)
    readers = (match.waits, match.decides, EVE)
    return {reader: await service.readable(match.id, reader) for reader in readers}


async def test_plan_is_kept_with_what_became_of_it(env: MatchFixture) -> None:
    match = await in_set_up(env)
    await match.plan(
        "if {theirs}8b: place {mine}8b",
        "place {mine}8a or place {mine}8b",
        "place {mine}8a or place {mine}6a",
        "place {mine}4a",
    )
    await match.place("8a")
    await match.place("6a")
    await match.end()
    mine = await match.prefix(match.waits)
    theirs = await match.prefix(match.decides)
    assert await match.statuses() == [
        (f"if {theirs}8b: place {mine}8b", PASSED, ""),
        (f"place {mine}8a or place {mine}8b", PLAYED, f"place {mine}8a"),
        (f"place {mine}8a or place {mine}6a", PLAYED, f"place {mine}6a"),
        (f"place {mine}4a", NOT_REACHED, ""),
    ]


async def test_plan_that_was_carried_out_to_its_end_is_kept(env: MatchFixture) -> None:
    match = await in_set_up(env)
    await match.plan("place {mine}8a")
    await match.place("8a")
    assert not (await env.plans.read(match.id, match.waits)).plan.orders
    await match.end()
    assert [status for _, status, _ in await match.statuses()] == [PLAYED]


async def test_plan_of_which_nothing_was_carried_out_is_kept(env: MatchFixture) -> None:
    match = await finished(env, "place {mine}8a", "place {mine}8b")
    assert [status for _, status, _ in await match.statuses()] == [NOT_REACHED, NOT_REACHED]


async def test_order_that_was_taken_back_is_marked(env: MatchFixture) -> None:
    match = await in_set_up(env)
    await match.plan("place {mine}8a", "place {mine}8b", "place {mine}6a")
    await match.place("8a")
    await match.place("8b")
    assert (await take_back(env, match.id, match.decides)).kind == "ask"
    version = (await env.queries.match(match.id)).version
    asking = (await match.prefix(match.decides)).upper()
    agreed = await env.takebacks.take_back(
        *(next(env.ids), match.id, match.waits), requested_version=version, asking=asking
    )
    assert agreed.kind == "done"
    await match.end()
    assert [status for _, status, _ in await match.statuses()] == [PLAYED, TAKEN_BACK, NOT_REACHED]


async def test_continued_plan_stays_as_it_was_written(env: MatchFixture) -> None:
    match = await in_set_up(env)
    await match.plan("place {mine}8a", "if {theirs}8b: place {mine}8b", "place {mine}6a")
    await match.place("8a")
    assert (await take_back(env, match.id, match.decides)).kind == "ask"
    own_plan = await env.plans.read(match.id, match.waits)
    orders_left = str(own_plan.plan)
    assert len(own_plan.plan.orders) == 2
    outcome = await env.plans.write(
        next(env.ids), match.id, match.waits, orders_left, SeenPlan(own_plan.version)
    )
    assert outcome.kind == "done"
    await match.place("8b")
    await match.end()
    assert [status for _, status, _ in await match.statuses()] == [PLAYED, PLAYED, NOT_REACHED]


async def test_plan_that_was_written_anew_replaces_the_one_before(env: MatchFixture) -> None:
    match = await in_set_up(env)
    await match.plan("place {mine}8a", "place {mine}8b")
    await match.place("8a")
    await match.plan("place {mine}6a", "place {mine}8b")
    await match.place("8b")
    await match.end()
    mine = await match.prefix(match.waits)
    assert await match.statuses() == [
        (f"place {mine}6a", PLAYED, f"place {mine}6a"),
        (f"place {mine}8b", NOT_REACHED, ""),
    ]


async def test_suggestion_counts_once_it_is_accepted(env: MatchFixture) -> None:
    match = await in_set_up(env)
    mine = await match.prefix(match.waits)

    async def write(*, suggested: bool) -> None:
        seen = SeenPlan((await env.plans.read(match.id, match.waits)).version)
        outcome = await env.plans.write(
            *(next(env.ids), match.id, match.waits, f"place {mine}8b", seen), suggested=suggested
        )
        assert outcome.kind == "done"

    await write(suggested=True)
    assert await rows(env) == []
    await match.plan("place {mine}8a")
    await write(suggested=True)
    assert [row.orders for row in await rows(env)] == [f"place {mine}8a"]
    await write(suggested=False)
    assert [row.orders for row in await rows(env)] == [f"place {mine}8b"]


async def test_cleared_plan_is_not_kept(env: MatchFixture) -> None:
    match = await in_set_up(env)
    await match.plan("place {mine}8a", "place {mine}8b")
    await match.place("8a")
    await match.plan()
    assert await rows(env) == []
    await match.end()
    with pytest.raises(NoPlanError):
        await match.statuses()


async def test_refused_plan_leaves_the_kept_one(env: MatchFixture) -> None:
    match = await in_set_up(env)
    await match.plan("place {mine}8a")
    before = await rows(env)
    assert (await plan(env, match.id, match.waits, "place nowhere")).kind == "refused"
    assert await rows(env) == before


async def test_only_its_player_reads_a_plan_until_it_is_published(
    env: MatchFixture, plans: PublishedPlans
) -> None:
    match = await finished(env)
    owner, opponent = match.waits, match.decides
    assert await readable(env, match) == {owner: {owner: False}, opponent: {}, EVE: {}}
    stored = await env.queries.match(match.id)
    seat = stored.seat_of(owner)
    for reader in (opponent, EVE):
        with pytest.raises(NoPlanError):
            await plans.read(stored, seat, reader)
    env.now += 5
    await plans.publish(match.id, owner)
    assert [row.published_at for row in await rows(env)] == [env.now]
    everyone = {owner: True}
    assert await readable(env, match) == dict.fromkeys((owner, opponent, EVE), everyone)
    for reader in (owner, opponent, EVE):
        seen = await plans.read(stored, seat, reader)
        assert (seen.seat, seen.is_published, len(seen.lines)) == (seat, True, 1)
    await plans.unpublish(match.id, owner)
    assert await readable(env, match) == {owner: {owner: False}, opponent: {}, EVE: {}}
    assert not (await plans.read(stored, seat, owner)).is_published


async def test_plans_of_both_players_are_apart(env: MatchFixture, plans: PublishedPlans) -> None:
    match = await in_set_up(env)
    await match.plan("place {mine}8a")
    theirs = await match.prefix(match.decides)
    first = (f"if {theirs}8b: place {theirs}6a",)
    assert (await plan(env, match.id, match.decides, *first)).kind == "done"
    await match.end()
    other = await finished(env)
    await plans.publish(match.id, match.decides)
    published = {match.waits: False, match.decides: True}
    assert (await readable(env, match))[match.waits] == published
    assert (await readable(env, match))[match.decides] == {match.decides: True}
    assert (await readable(env, other))[EVE] == {}
    await plans.delete(match.id, match.decides)
    assert (await readable(env, match))[match.waits] == {match.waits: False}
    assert len(await rows(env)) == 2


@pytest.mark.parametrize("step", ["publish", "unpublish", "delete"])
async def test_nothing_changes_during_the_match(
    env: MatchFixture, plans: PublishedPlans, step: str
) -> None:
    match = await in_set_up(env)
    await match.plan("place {mine}8a")
    before = await rows(env)
    with pytest.raises(NoPlanError):
        await getattr(plans, step)(match.id, match.waits)
    assert await rows(env) == before
    assert await readable(env, match) == {match.waits: {}, match.decides: {}, EVE: {}}
    with pytest.raises(NoPlanError):
        await match.statuses()


@pytest.mark.parametrize("step", ["publish", "unpublish", "delete"])
async def test_only_its_player_changes_a_plan(
    env: MatchFixture, plans: PublishedPlans, step: str
) -> None:
    match = await finished(env)
    before = await rows(env)
    for user, match_id in (
        (match.decides, match.id),
        (EVE, match.id),
        (match.waits, MatchId(match.id + 1)),
    ):
        with pytest.raises(NoPlanError):
            await getattr(plans, step)(match_id, user)
    assert await rows(env) == before


async def test_deleted_plan_is_gone(env: MatchFixture, plans: PublishedPlans) -> None:
    match = await finished(env)
    await plans.publish(match.id, match.waits)
    await plans.delete(match.id, match.waits)
    assert await rows(env) == []
    with pytest.raises(NoPlanError):
        await plans.publish(match.id, match.waits)


async def test_no_seat_but_a_players_has_a_plan(env: MatchFixture, plans: PublishedPlans) -> None:
    match = await finished(env)
    stored = await env.queries.match(match.id)
    for seat in ("", "*", "X"):
        with pytest.raises(NoPlanError):
            await plans.read(stored, seat, match.waits)


async def test_match_of_other_rules_keeps_no_plan(env: MatchFixture) -> None:
    match = await in_set_up(env)
    await match.plan("place {mine}8a")
    async with env.database.write() as connection:
        of_match = update(matches).where(matches.c.id == match.id)
        await connection.execute(of_match.values(engine_version=0))
        row = await load(connection, match.id)
        assert row
        await env.match_store.end_outdated(connection, row)
    assert (await env.queries.match(match.id)).status == "closed"
    assert await rows(env) == []


async def test_plan_goes_with_its_match(env: MatchFixture) -> None:
    match = await finished(env)
    async with env.database.write() as connection:
        await connection.execute(delete(matches).where(matches.c.id == match.id))
    assert await rows(env) == []


async def test_export_has_the_own_plan_alone(env: MatchFixture) -> None:
    match = await in_set_up(env)
    await match.plan("place {mine}8a", "place {mine}8b")
    await match.place("8a")
    mine = await match.prefix(match.waits)
    kept = {
        "match_id": match.id,
        "user_id": match.waits,
        "orders": f"place {mine}8a\nplace {mine}8b",
        "orders_left": "1 ",
        "published_at": None,
    }
    assert (await export_of(env.database, match.waits))["plans as written"] == [kept]
    await match.end()
    await PublishedPlans(env.database, env.clock).publish(match.id, match.waits)
    (row,) = (await export_of(env.database, match.waits))["plans as written"]
    assert row == kept | {"published_at": env.now}
    for user in (match.decides, EVE):
        assert (await export_of(env.database, user))["plans as written"] == []


async def test_published_plan_goes_with_its_players_data(
    env: MatchFixture, plans: PublishedPlans
) -> None:
    match = await finished(env)
    await plans.publish(match.id, match.waits)
    other = await finished(env)
    async with env.database.write() as connection:
        row = {"match_id": other.id, "user_id": match.decides, "orders": "place b8a"}
        await connection.execute(insert(written_plans).values(row))
    privacy = privacy_of(env)
    await privacy.erase(match.waits)
    assert [row.user_id for row in await rows(env)] == [match.decides]
    assert await readable(env, match) == {match.waits: {}, match.decides: {}, EVE: {}}
    assert "written_plans" not in await traces(env.database, match.waits)
