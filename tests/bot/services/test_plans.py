"""Plans in matches: written, fired with the move before, stopped, cleared."""

from __future__ import annotations

import pytest
from sqlalchemy import select

from bot.domain.clocks import DAY, HOUR
from bot.domain.ids import MatchId, UserId, Version
from bot.domain.models import NO_DECISION
from bot.services.automatic_moves import StopReason
from bot.services.plans import SeenPlan
from bot.services.preferences import PreferenceKey, Preferences
from bot.storage.schema import actions, plans
from tests.support.matches import (
    ADA,
    BO,
    EVE,
    MatchFixture,
    begun,
    choose,
    lines_of,
    opponent_of,
    plan,
    scheduled,
    take_back,
    time_of,
    warp6,
)


async def waiting(
    env: MatchFixture, clock: str = "", **options: str
) -> tuple[MatchId, UserId, UserId]:
    """A match of Warp 6 in the set-up: its number, who decides, and who waits."""
    match_id = await warp6(env, clock, **options)
    first = await env.on_turn(match_id)
    return match_id, first, opponent_of(first)


def dice(env_seat: str) -> list[str]:
    return [f"{env_seat}{name}" for name in ("8a", "8b", "6a", "6b", "6c", "4a", "4b", "4c", "4d")]


async def seat_of(env: MatchFixture, match_id: MatchId, user: UserId) -> str:
    return (await env.queries.match(match_id)).seat_of(user).lower()


async def act(env: MatchFixture, match_id: MatchId, user: UserId, line: str) -> None:
    outcome = await env.matches.act(next(env.ids), match_id, user, line)
    assert outcome.kind == "done", outcome


async def stored(env: MatchFixture) -> list[tuple[str, str | None]]:
    """The orders of all plans, and why they have stopped."""
    async with env.database.read() as connection:
        rows = await connection.execute(select(plans).order_by(plans.c.seat))
        return [(row.orders, row.stopped) for row in rows]


async def messages(env: MatchFixture, match_id: MatchId) -> list[str]:
    return [row.kind for row in await env.queued(match_id=match_id)]


async def test_plan_fires_with_the_move_before_it(env: MatchFixture) -> None:
    match_id, first, other = await waiting(env)
    mine, theirs = await seat_of(env, match_id, first), await seat_of(env, match_id, other)
    orders = [f"place {die}" for die in dice(theirs)[:3]]
    assert (await plan(env, match_id, other, *orders)).kind == "done"
    before, sent = await env.queries.match(match_id), await messages(env, match_id)
    await act(env, match_id, first, f"place {mine}8a")
    match = await env.queries.match(match_id)
    assert match.version == before.version + 1
    assert match.decisions == {mine.upper(): match.version}
    assert (await lines_of(env, match_id))[-2:] == [
        f"{mine.upper()} place {mine}8a",
        f"{theirs.upper()} place {theirs}8a",
    ]
    assert len(await messages(env, match_id)) == len(sent) + 1
    assert await stored(env) == [("\n".join(orders[1:]), None)]
    await act(env, match_id, first, f"place {mine}8b")
    await act(env, match_id, first, f"place {mine}6a")
    assert await stored(env) == []
    await act(env, match_id, first, f"place {mine}6b")
    assert await env.on_turn(match_id) == other


async def test_two_plans_play_each_other_to_the_end_of_one(env: MatchFixture) -> None:
    match_id, first, other = await waiting(env)
    mine, theirs = await seat_of(env, match_id, first), await seat_of(env, match_id, other)
    await plan(env, match_id, other, *(f"place {die}" for die in dice(theirs)))
    await plan(env, match_id, first, *(f"place {die}" for die in dice(mine)[:5]))
    assert len(await lines_of(env, match_id)) == 1 + 10
    assert await env.on_turn(match_id) == first
    assert await stored(env) == [("\n".join(f"place {die}" for die in dice(theirs)[5:]), None)]


async def test_alternative_is_taken_when_the_first_is_not_legal(env: MatchFixture) -> None:
    match_id, first, other = await waiting(env)
    mine, theirs = await seat_of(env, match_id, first), await seat_of(env, match_id, other)
    await plan(env, match_id, other, f"if {mine}8b: place {theirs}4a", f"place {theirs}8a or 8b")
    refused = await plan(env, match_id, other, f"place {theirs}8a or {mine}8b")
    assert refused.kind == "refused"
    assert refused.sentence.startswith("Line 1: ")
    orders = [f"if {mine}8b: place {theirs}4a", f"place {theirs}6a or move {theirs}6a"]
    assert (await plan(env, match_id, other, *orders)).kind == "done"
    await act(env, match_id, first, f"place {mine}8a")
    assert (await lines_of(env, match_id))[-1].endswith(f"place {theirs}6a")
    assert await stored(env) == []


@pytest.mark.parametrize(
    ("order", "reason"),
    [("if {mine}8b: place {theirs}4a", "condition"), ("move {theirs}8a", "illegal")],
)
async def test_plan_that_does_not_fit_stops_and_does_nothing(
    env: MatchFixture, order: str, reason: str
) -> None:
    match_id, first, other = await waiting(env)
    mine, theirs = await seat_of(env, match_id, first), await seat_of(env, match_id, other)
    await act(env, match_id, first, f"place {mine}4d")
    await act(env, match_id, other, f"place {theirs}4d")
    written = order.format(mine=mine, theirs=theirs)
    await plan(env, match_id, other, written)
    await act(env, match_id, first, f"place {mine}8a")
    match = await env.queries.match(match_id)
    assert list(match.decisions) == [theirs.upper()]
    stopped_plan = await env.plans.read(match_id, other)
    assert (stopped_plan.stopped, stopped_plan.stopped_at) == (StopReason(reason), match.version)
    await act(env, match_id, other, f"place {theirs}8a")
    await act(env, match_id, first, f"place {mine}8b")  # the condition would hold now
    assert await env.on_turn(match_id) == other
    assert await stored(env) == [(written, reason)]


async def test_plan_written_on_the_own_turn_begins_at_once(env: MatchFixture) -> None:
    match_id, first, _ = await waiting(env)
    mine = await seat_of(env, match_id, first)
    later = await plan(env, match_id, first, f"if {mine}8a: place {mine}8a")
    assert later.kind == "done"
    assert await stored(env) == [(f"if {mine}8a: place {mine}8a", None)]  # for another decision
    assert (await env.plans.read(match_id, first)).version == 1
    begun = await plan(env, match_id, first, f"place {mine}8a", f"place {mine}8b")
    assert not begun.again
    elsewhere, its_first, _ = await waiting(env)
    await act(env, elsewhere, its_first, f"place {await seat_of(env, elsewhere, its_first)}8a")
    assert (await env.plans.read(match_id, first)).made_at == (1,)
    assert (await lines_of(env, match_id))[-1].endswith(f"place {mine}8a")
    assert await stored(env) == [(f"place {mine}8b", None)]


async def test_plan_is_refused_at_a_decision_not_seen(
    env: MatchFixture,
) -> None:
    match_id, first, other = await waiting(env)
    theirs = await seat_of(env, match_id, other)
    await act(env, match_id, first, f"place {await seat_of(env, match_id, first)}8a")
    decision = await env.decision(match_id, other)
    for seen, kind in ((NO_DECISION, "stale"), (decision - 1, "stale"), (decision, "done")):
        outcome = await env.plans.write(
            next(env.ids), match_id, other, f"place {theirs}8b", SeenPlan(Version(0), Version(seen))
        )
        assert outcome.kind == kind
        assert ("has moved on" in outcome.sentence) is (kind == "stale")
        assert (await env.queries.match(match_id)).awaits(other) is (kind == "stale")


async def test_suggested_plan_does_not_fire(env: MatchFixture) -> None:
    match_id, first, _ = await waiting(env)
    order = f"place {await seat_of(env, match_id, first)}8a"
    ids = next(env.ids), match_id, first
    assert (await env.plans.write(*ids, order, SeenPlan(Version(0)), suggested=True)).kind == "done"
    suggested = await env.plans.read(match_id, first)
    assert (str(suggested.plan), suggested.version, suggested.stopped) == (
        order,
        1,
        StopReason.SUGGESTED,
    )
    assert len(await lines_of(env, match_id)) == 1


@pytest.mark.parametrize("accepted_after", [1, 2])
async def test_plan_suggested_before_two_opponents_act(
    env: MatchFixture, accepted_after: int
) -> None:
    """It waits for its acceptance, and then for its own turn, whichever comes last."""
    match_id = await warp6(env, "", seats="3")
    players = (await env.queries.match(match_id)).players
    users = [players[seat].user_id for seat in "BYW"]
    third = users[users.index(await env.on_turn(match_id)) - 1]
    order = f"place {await seat_of(env, match_id, third)}8a"
    ids = match_id, third
    seen = SeenPlan(Version(0))
    assert (await env.plans.write(next(env.ids), *ids, order, seen, suggested=True)).kind == "done"
    for count in (1, 2):
        on_turn = await env.on_turn(match_id)
        assert on_turn != third
        await choose(env, match_id, on_turn)
        if count <= accepted_after:
            suggested = await env.plans.read(*ids)
            assert (suggested.version, suggested.stopped) == (1, StopReason.SUGGESTED)
        if count == accepted_after:
            assert (await plan(env, *ids, order)).kind == "done"
    assert (await lines_of(env, match_id))[-1].lower().endswith(order)
    assert await env.on_turn(match_id) != third


async def test_plans_of_other_players_and_matches_stay(env: MatchFixture) -> None:
    places = []
    for _ in range(2):
        match_id = await env.begin("standard", "warp6")
        for user in (ADA, BO):
            seat = await seat_of(env, match_id, user)
            await plan(env, match_id, user, f"if y8a b8a: place {seat}8a")
            places.append((match_id, user))
    cleared, *others = places
    assert (await plan(env, *cleared)).kind == "done"
    assert (await env.plans.read(*cleared)).version == 0
    assert [(await env.plans.read(*plan)).version for plan in others] == [1, 1, 1]


async def test_plan_of_an_earlier_version_is_not_overwritten(env: MatchFixture) -> None:
    match_id, first, other = await waiting(env)
    mine, theirs = await seat_of(env, match_id, first), await seat_of(env, match_id, other)
    await plan(env, match_id, other, *(f"place {die}" for die in dice(theirs)[:3]))
    seen = (await env.plans.read(match_id, other)).version
    await act(env, match_id, first, f"place {mine}8a")
    too_late = await env.plans.write(next(env.ids), match_id, other, "", SeenPlan(seen))
    assert too_late.kind == "stale"
    assert len(await stored(env)) == 1
    assert (await plan(env, match_id, other)).kind == "done"
    assert await stored(env) == []


async def test_repeated_delivery_writes_a_plan_once(env: MatchFixture) -> None:
    match_id, first, _ = await waiting(env)
    mine, number = await seat_of(env, match_id, first), next(env.ids)
    for _ in range(2):
        outcome = await env.plans.write(
            number, match_id, first, f"place {mine}8a\nplace {mine}8b", SeenPlan(Version(0))
        )
        assert outcome.kind == "done"
    assert len(await lines_of(env, match_id)) == 2


async def test_draw_offer_stops_a_plan_and_is_not_declined(env: MatchFixture) -> None:
    match_id, first, other = await waiting(env)
    mine, theirs = await seat_of(env, match_id, first), await seat_of(env, match_id, other)
    await plan(env, match_id, other, f"place {theirs}8a", f"place {theirs}8b")
    await act(env, match_id, first, "draw offer")
    assert [stopped for _, stopped in await stored(env)] == [None]
    await act(env, match_id, first, f"place {mine}8a")
    assert [stopped for _, stopped in await stored(env)] == ["draw"]
    assert (await env.queries.view(match_id)).view.offer == mine.upper()
    await plan(env, match_id, other, f"place {theirs}8a", f"place {theirs}8b")
    assert [stopped for _, stopped in await stored(env)] == ["draw"]
    await act(env, match_id, other, "draw decline")
    assert [stopped for _, stopped in await stored(env)] == ["draw"]
    await plan(env, match_id, other, f"place {theirs}8a", f"place {theirs}8b")
    assert await stored(env) == [(f"place {theirs}8b", None)]


async def test_takeback_of_a_planned_action_stops_the_plan(env: MatchFixture) -> None:
    match_id, first, other = await waiting(env)
    mine, theirs = await seat_of(env, match_id, first), await seat_of(env, match_id, other)
    await plan(env, match_id, other, f"place {theirs}8a", f"place {theirs}8b")
    await act(env, match_id, first, f"place {mine}8a")
    assert (await take_back(env, match_id, first)).kind == "ask"  # the other has moved since
    assert (await take_back(env, match_id, other)).kind == "done"
    assert await stored(env) == [(f"place {theirs}8a\nplace {theirs}8b", "takeback")]
    assert await env.on_turn(match_id) == other
    assert (await take_back(env, match_id, first)).kind == "done"
    await act(env, match_id, first, f"place {mine}8b")
    assert await env.on_turn(match_id) == other


async def resumed(env: MatchFixture, match_id: MatchId, user: UserId) -> None:
    """Continue a stopped plan."""
    own_plan = await env.plans.read(match_id, user)
    seen, text = SeenPlan(own_plan.version), str(own_plan.plan)
    assert (await env.plans.write(next(env.ids), match_id, user, text, seen)).kind == "done"


async def test_taken_back_orders_are_back_with_their_alternatives(env: MatchFixture) -> None:
    match_id, first, other = await waiting(env)
    mine, theirs = await seat_of(env, match_id, first), await seat_of(env, match_id, other)
    lines = [
        f"if {mine}6a: place {theirs}6a",
        f"if {mine}8a: place {theirs}8a or place {theirs}4a",
        f"if {mine}8a: place {theirs}8b",
        f"place {theirs}6a or place {theirs}6b",
    ]
    await plan(env, match_id, other, *lines)
    for _attempt in range(2):
        await act(env, match_id, first, f"place {mine}8a")
        assert await stored(env) == [("\n".join(lines[2:]), None)]
        assert (await take_back(env, match_id, other)).kind == "done"
        assert await stored(env) == [("\n".join(lines), "takeback")], "the last one, too"
        assert (await take_back(env, match_id, first)).kind == "done"
        await resumed(env, match_id, other)
    await act(env, match_id, first, f"place {mine}6a")
    assert (await stored(env))[0][0] == "\n".join(lines[1:])


async def test_finished_plan_is_back_after_a_takeback(env: MatchFixture) -> None:
    match_id, first, other = await waiting(env)
    mine, theirs = await seat_of(env, match_id, first), await seat_of(env, match_id, other)
    await plan(env, match_id, other, f"place {theirs}8a")
    await act(env, match_id, first, f"place {mine}8a")
    assert await stored(env) == []
    assert (await take_back(env, match_id, other)).kind == "done"
    assert await stored(env) == [(f"place {theirs}8a", "takeback")]


@pytest.mark.parametrize("orders", [["place {}8b"], []])
async def test_plan_written_since_stays_after_a_takeback(
    env: MatchFixture, orders: list[str]
) -> None:
    match_id, first, other = await waiting(env)
    mine, theirs = await seat_of(env, match_id, first), await seat_of(env, match_id, other)
    await plan(env, match_id, other, f"place {theirs}8a", f"place {theirs}6a")
    await act(env, match_id, first, f"place {mine}8a")
    await plan(env, match_id, other, *(line.format(theirs) for line in orders))
    assert (await take_back(env, match_id, other)).kind == "done"
    kept = [(line.format(theirs), "takeback") for line in orders]
    assert await stored(env) == kept


async def test_clock_of_the_mover_goes_on_with_its_increment(env: MatchFixture) -> None:
    match_id, first, other = await waiting(env, "3d+12h")
    mine, theirs = await seat_of(env, match_id, first), await seat_of(env, match_id, other)
    await plan(env, match_id, other, f"place {theirs}8a", f"place {theirs}8b")
    env.now += 20 * HOUR
    await act(env, match_id, first, f"place {mine}8a")
    clock = await time_of(env, match_id, first)
    assert (clock.seconds_left, clock.started_at) == (3 * DAY - 8 * HOUR, env.now)
    waits = await time_of(env, match_id, other)
    assert (waits.seconds_left, waits.started_at) == (3 * DAY + 12 * HOUR, None)
    assert (await scheduled(env, match_id))["flag"] == [env.now + 3 * DAY - 8 * HOUR]
    env.now += HOUR
    assert (await take_back(env, match_id, other)).kind == "done"
    clock = await time_of(env, match_id, first)
    assert (clock.seconds_left, clock.started_at) == (3 * DAY - 8 * HOUR, None)
    decides = await time_of(env, match_id, other)
    assert (decides.seconds_left, decides.started_at) == (3 * DAY, env.now - HOUR)
    assert (await take_back(env, match_id, first)).kind == "done"
    clock = await time_of(env, match_id, first)
    assert clock.started_at is not None
    assert clock.seconds_left - (env.now - clock.started_at) == 3 * DAY - 21 * HOUR


async def test_plans_end_with_the_match(env: MatchFixture) -> None:
    match_id, first, other = await waiting(env)
    theirs = await seat_of(env, match_id, other)
    await plan(env, match_id, other, f"place {theirs}8a")
    await act(env, match_id, first, "resign")
    assert await stored(env) == []
    assert (await plan(env, match_id, other, f"place {theirs}8a")).kind == "stale"


async def test_plan_ends_with_its_player_who_leaves(env: MatchFixture) -> None:
    match_id = await warp6(env, "", seats="3")
    first = await env.on_turn(match_id)
    others = [user for user in (ADA, BO, EVE) if user != first]
    for user in others:
        seat = await seat_of(env, match_id, user)
        await plan(env, match_id, user, f"place {seat}8a", f"place {seat}6a")
    await act(env, match_id, others[0], "leave")
    assert len(await stored(env)) == 1
    assert (await plan(env, match_id, others[0], "move b8a")).kind == "refused"
    mine = await seat_of(env, match_id, first)
    await act(env, match_id, first, f"place {mine}8a")
    assert await env.on_turn(match_id) == first


async def test_plan_fires_when_another_player_leaves(env: MatchFixture) -> None:
    match_id = await warp6(env, "", seats="3")
    first = await env.on_turn(match_id)
    match = await env.queries.match(match_id)
    order = "BYW"
    after = order[(order.index(match.seat_of(first)) + 1) % 3]
    user = match.players[after].user_id
    await plan(env, match_id, user, f"place {after.lower()}8a")
    await act(env, match_id, first, "leave")
    assert (await lines_of(env, match_id))[-1] == f"{after} place {after.lower()}8a"


async def test_plan_waits_for_its_player_to_be_back(env: MatchFixture) -> None:
    match_id, first, other = await waiting(env)
    mine, theirs = await seat_of(env, match_id, first), await seat_of(env, match_id, other)
    await plan(env, match_id, other, f"place {theirs}8a")
    await env.vacations.begin(other, env.now + DAY)
    await act(env, match_id, first, f"place {mine}8a")  # planned before the vacation
    assert (await lines_of(env, match_id))[-1].endswith(f"place {theirs}8a")


async def test_plan_stops_when_the_computer_stands_in(env: MatchFixture) -> None:
    match_id, first, other = await waiting(env)
    mine, theirs = await seat_of(env, match_id, first), await seat_of(env, match_id, other)
    await plan(env, match_id, other, f"place {theirs}8a")
    await env.vacations.begin(other, env.now + 10 * DAY, "cadet")
    match = await env.queries.match(match_id)
    seat = match.seat_of(other)
    agreed = await env.stand_ins.agree(next(env.ids), match_id, first, seat, is_gone=False)
    assert agreed.kind == "done", agreed
    await act(env, match_id, first, f"place {mine}8a")
    assert [stopped for _, stopped in await stored(env)] == ["stand_in"]


async def forced(env: MatchFixture) -> list[str]:
    """The actions that were made because they were forced."""
    async with env.database.read() as connection:
        query = select(actions.c.line).where(actions.c.automatic == "forced")
        return list((await connection.execute(query)).scalars())


async def placed_but_two(env: MatchFixture, clock: str = "") -> tuple[MatchId, UserId, UserId]:
    """A set-up of Warp 6 in which each player has one more choice, and then a last die."""
    match_id, first, other = await waiting(env, clock)
    for _ in range(14):
        await choose(env, match_id, await env.on_turn(match_id))
    assert await env.on_turn(match_id) == first
    return match_id, first, other


async def test_forced_choices_are_made_with_the_move_before(env: MatchFixture) -> None:
    match_id, first, other = await placed_but_two(env)
    await choose(env, match_id, first)
    before = await env.queries.match(match_id)
    await choose(env, match_id, other)
    match = await env.queries.match(match_id)
    assert len(await forced(env)) == 2
    assert match.version == before.version + 1
    assert (await env.queries.view(match_id)).view.turn == 1
    assert await env.on_turn(match_id) == first


async def test_forced_choice_waits_for_who_wants_to_make_it(env: MatchFixture) -> None:
    match_id, first, other = await placed_but_two(env)
    await Preferences(env.database).set(first, PreferenceKey.FORCED, "off")
    await choose(env, match_id, first)
    await choose(env, match_id, other)
    assert await forced(env) == []
    await choose(env, match_id, first)
    assert len(await forced(env)) == 1
    assert (await env.queries.view(match_id)).view.turn == 1


async def test_takeback_goes_back_to_the_last_real_choice(env: MatchFixture) -> None:
    match_id, first, other = await placed_but_two(env, "3d+12h")
    await choose(env, match_id, first)
    env.now += HOUR
    left = [await time_of(env, match_id, user) for user in (first, other)]
    lines = await lines_of(env, match_id)
    await choose(env, match_id, other)
    env.now += HOUR
    assert (await take_back(env, match_id, first)).kind == "refused"
    assert (await take_back(env, match_id, other)).kind == "done"
    assert await lines_of(env, match_id) == lines
    assert await env.on_turn(match_id) == other
    assert [await time_of(env, match_id, user) for user in (first, other)] == left
    await choose(env, match_id, other)
    assert len(await lines_of(env, match_id)) == len(lines) + 3


async def test_draw_offer_keeps_a_forced_choice_waiting(env: MatchFixture) -> None:
    match_id, first, other = await placed_but_two(env)
    await choose(env, match_id, first)
    await act(env, match_id, other, "draw offer")
    await choose(env, match_id, other)
    assert await forced(env) == []
    assert await env.on_turn(match_id) == first


@pytest.mark.slow
async def test_dice_of_planned_actions_are_those_of_the_seed(env: MatchFixture) -> None:
    match_id = await begun(env, "")
    for _ in range(40):
        user = await env.on_turn(match_id)
        for player in (ADA, BO):
            view = (await env.queries.view(match_id, player)).view
            if view.legal:
                lines = [action.notation for action in view.legal[:12]]
                await plan(env, match_id, player, " or ".join(lines), " or ".join(lines))
            else:
                ships = "SM" if view.seat == "O" else "CA"
                ways = [f"move {ship} {way}" for ship in ships for way in ("N", "E", "SE", "SW")]
                await plan(env, match_id, player, " or ".join(ways), " or ".join(ways))
        if await env.on_turn(match_id) == user and (await env.queries.match(match_id)).decisions:
            view = (await env.queries.view(match_id, user)).view
            await act(env, match_id, user, view.legal[-1].notation)
    record = await env.queries.record(match_id)
    assert len(record.actions) > 40
    await act(env, match_id, await env.on_turn(match_id), "resign")
    assert (await env.queries.record(match_id)).verify() > 1
