"""Matches of cups: which one begins after which, and how the end of each decides its pairing."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from sqlalchemy import Select, select, update

from bot.domain.client_seed import client_seed_numbers
from bot.domain.clocks import DAY
from bot.domain.ids import NO_MATCH, MatchId, UserId
from bot.domain.models import Player, Rated
from bot.features.cups.formats import CupFormat, Pairing, draw_lots
from bot.features.cups.matches import TOPIC, CupMatches
from bot.features.cups.rows import CupStatus, PairingStatus, StoredPairing
from bot.features.cups.service import Actor
from bot.features.cups.standings import PairingReason
from bot.storage.schema import cups, matches, rated_results
from tests.support.cups import ORGANISER, CupFixture, user
from tests.support.matches import MatchFixture, act, warp6

SECOND = "Y"
"""The second seat of Warp 6."""


@pytest.fixture
def cup(env: MatchFixture) -> CupFixture:
    return CupFixture(env)


async def rows(env: MatchFixture, query: Select[Any]) -> list[tuple[Any, ...]]:
    """The rows that a query finds."""
    async with env.database.read() as connection:
        return [tuple(row) for row in await connection.execute(query)]


def end(pairing: StoredPairing) -> tuple[Pairing, PairingReason | None, Pairing]:
    """Winners, reason and forfeits of a decided pairing."""
    assert pairing.status == PairingStatus.DONE
    return pairing.winners, pairing.reason, pairing.forfeits


async def user_of(cup: CupFixture, cup_id: int, number: int) -> UserId:
    """The user ID of the player with a number."""
    return (await cup.get(cup_id)).by_number[number].user_id


async def withdraw(cup: CupFixture, cup_id: int, number: int) -> None:
    """Have the player with a number withdraw."""
    outcome = await cup.withdraw(cup_id, await user_of(cup, cup_id, number))
    assert outcome.kind == "done"


async def agree(env: MatchFixture, match_id: MatchId) -> None:
    """Have all players of a match agree to end it without a result."""
    match = await env.queries.match(match_id)
    for player in match.players.values():
        await env.abandoning.agree(next(env.ids), match_id, player.user_id, match.version)


async def play_for_long(env: MatchFixture, match_id: MatchId) -> None:
    """Make so many choices that a rated match counts, until the second seat must decide."""
    await env.race(match_id)
    for _ in range(8):
        await act(env, match_id)
    while SECOND not in (await env.queries.match(match_id)).decisions:
        await act(env, match_id)


# Which match begins


async def test_matches_apart_from_cups_are_left_alone(cup: CupFixture, env: MatchFixture) -> None:
    apart, cup_id = await warp6(env, "3d"), await cup.begun(3)
    before = await cup.get(cup_id)
    async with env.database.write() as connection:
        assert await cup.cup_matches.match_ended(connection, apart) is False
    assert await cup.get(cup_id) == before


async def test_each_match_of_a_series_follows_the_last(cup: CupFixture, env: MatchFixture) -> None:
    cup_id = await cup.begun(3, rounds=3, max_open=1)
    played = []
    for _ in range(3):
        pairing = await cup.pairing(cup_id)
        played.append(pairing.match_id)
        await cup.resign(pairing.match_id)
    done = await cup.pairing(cup_id)
    assert end(done) == (done.seated[:1], PairingReason.RESIGNED, ())
    (other,) = (await cup.get(cup_id)).running
    one, two, three = played
    first, of_other = [await user_of(cup, cup_id, pairing.seated[0]) for pairing in (done, other)]
    query = select(matches.c.id, matches.c.parent_id, matches.c.round, matches.c.challenger_id)
    assert await rows(env, query.order_by(matches.c.id)) == [
        (one, None, 1, first),
        (two, one, 2, first),
        (three, two, 3, first),
        (other.match_id, None, 1, of_other),
    ]


@pytest.mark.parametrize(("rules", "played"), [("0.5.2", "0.5.2"), ("0.1", "0.6")])
async def test_rules_that_are_gone_become_the_newest(
    cup: CupFixture, env: MatchFixture, rules: str, played: str
) -> None:
    cup_id = await cup.create(3, game="wormholes")
    async with env.database.write() as connection:
        await connection.execute(update(cups).where(cups.c.id == cup_id).values(rules=rules))
    await cup.start(cup_id)
    assert set(await rows(env, select(matches.c.rules))) == {(played,)}


async def test_nothing_begins_in_a_cup_that_is_over(cup: CupFixture, env: MatchFixture) -> None:
    cup_id = await cup.begun(4, max_open=1)
    running = await cup.pairing(cup_id)
    waiting = next(
        pairing for pairing in (await cup.get(cup_id)).pairings if pairing.match_id is None
    )
    leaver = await user_of(cup, cup_id, waiting.known[0])
    async with env.database.write() as connection:
        await cup.cup_matches.withdraw_all(connection, leaver)
        await cup.cups.close(connection, cup_id)
    query = select(matches.c.id).order_by(matches.c.id)
    over, begun = await cup.get(cup_id), await rows(env, query)
    assert over.row.status == CupStatus.CANCELLED
    await cup.resign(running.match_id)
    async with env.database.write() as connection:
        for number in (cup_id, cup_id + 1):
            await cup.cup_matches.advance_cup(connection, number)
    assert await cup.get(cup_id) == over
    assert await rows(env, query) == begun


async def test_each_change_of_a_cup_is_notified(cup: CupFixture, env: MatchFixture) -> None:
    changes: list[str] = []
    env.database.listen(TOPIC, lambda: changes.append("change"))
    cup_id = await cup.create(3)
    assert len(changes) == 4, "the cup, and three players who join"
    await cup.start(cup_id)
    assert len(changes) == 5
    await cup.resign((await cup.pairing(cup_id)).match_id)
    assert len(changes) == 6


# The end of a match


async def test_a_group_is_won_by_its_last_player(cup: CupFixture) -> None:
    cup_id = await cup.begun(3, format=CupFormat.GROUPS, max_open=1)
    await cup.win(cup_id, await cup.pairing(cup_id), 2)
    assert end(await cup.pairing(cup_id)) == ((2,), PairingReason.RESIGNED, ())


async def test_only_withdrawals_from_a_group_are_forfeits(cup: CupFixture) -> None:
    cup_id = await cup.begun(3, format=CupFormat.GROUPS, max_open=1)
    await withdraw(cup, cup_id, 3)
    await cup.win(cup_id, await cup.pairing(cup_id), 1)
    assert end(await cup.pairing(cup_id)) == ((1,), PairingReason.RESIGNED, (3,))


async def test_time_that_is_up_is_a_forfeit(cup: CupFixture, env: MatchFixture) -> None:
    cup_id, _, seat = await cup.out_of_time()
    env.now += DAY
    await cup.dates.run()
    pairing = await cup.pairing(cup_id)
    late = pairing.seated["BY".index(seat)]
    (other,) = {*pairing.seated} - {late}
    assert end(pairing) == ((other,), PairingReason.TIME, (late,))


async def test_an_agreed_end_ends_a_series(cup: CupFixture, env: MatchFixture) -> None:
    cup_id = await cup.begun(3, rounds=2, max_open=1)
    pairing = await cup.pairing(cup_id)
    await agree(env, pairing.match_id or NO_MATCH)
    after = await cup.pairing(cup_id)
    assert after.match_id == pairing.match_id
    assert end(after) == (pairing.seated, PairingReason.AGREED, ())


async def test_a_withdrawal_ends_a_series(cup: CupFixture, env: MatchFixture) -> None:
    cup_id = await cup.begun(3, rounds=2)
    pairing = await cup.pairing(cup_id)
    stays, leaves = pairing.seated
    await withdraw(cup, cup_id, leaves)
    after = await cup.pairing(cup_id)
    assert after.match_id == pairing.match_id
    assert end(after) == ((stays,), PairingReason.WITHDRAWN, (leaves,))
    assert set(await rows(env, select(matches.c.rated))) == {(Rated.CASUAL,)}


@pytest.mark.parametrize("rounds", [1, 2])
async def test_a_withdrawal_is_one_rated_loss(
    cup: CupFixture, env: MatchFixture, rounds: int
) -> None:
    cup_id = await cup.begun(3, rated=True, rounds=rounds)
    pairing = await cup.pairing(cup_id)
    await play_for_long(env, pairing.match_id or NO_MATCH)
    await withdraw(cup, cup_id, pairing.seated[0])
    columns = rated_results.c
    query = select(columns.number, columns.match_id, columns.seat, columns.rank > 0)
    assert await rows(env, query.order_by(columns.seat)) == [
        (1, pairing.match_id, "B", True),
        (1, pairing.match_id, "Y", False),
    ]


async def leading(cup: CupFixture) -> tuple[int, StoredPairing]:
    """A cup, and a pairing in whose last match the second player must decide, and leads."""
    cup_id = await cup.begun(3, rounds=2, max_open=1)
    await cup.resign((await cup.pairing(cup_id)).match_id, 0)
    last = await cup.pairing(cup_id)
    await play_for_long(cup.env, last.match_id or NO_MATCH)
    return cup_id, last


async def test_a_player_who_withdraws_while_leading_loses(cup: CupFixture) -> None:
    cup_id, pairing = await leading(cup)
    stays, leader = pairing.seated
    await withdraw(cup, cup_id, leader)
    assert end(await cup.pairing(cup_id)) == ((stays,), PairingReason.WITHDRAWN, (leader,))


async def test_a_leader_whose_time_is_up_wins_the_series(
    cup: CupFixture, env: MatchFixture
) -> None:
    cup_id, pairing = await leading(cup)
    match = await env.queries.match(pairing.match_id or NO_MATCH)
    env.now += 3 * DAY + 1
    await env.strike("flag", match.id, SECOND, match.decisions[SECOND])
    env.now += DAY
    await cup.dates.run()
    assert end(await cup.pairing(cup_id)) == (pairing.seated[1:], PairingReason.TIME, ())


# Knockouts


async def test_a_second_draw_in_a_knock_out_draws_lots(cup: CupFixture) -> None:
    cup_id = await cup.begun(4, format=CupFormat.KNOCK_OUT)
    first = await cup.pairing(cup_id)
    await cup.draw(first)
    replayed = await cup.pairing(cup_id)
    assert (replayed.status, replayed.replays) == (PairingStatus.RUNNING, 1)
    assert replayed.seated == first.seated[::-1]
    assert replayed.match_id != first.match_id
    await cup.draw(replayed)
    done, final = await cup.pairing(cup_id), await cup.pairing(cup_id, 2)
    (winner,) = done.winners
    assert end(done) == ((winner,), PairingReason.LOT, ())
    assert (final.status, final.numbers) == (PairingStatus.WAITING, (winner, None))


async def test_the_last_day_ends_a_knock_out(cup: CupFixture, env: MatchFixture) -> None:
    """The winner of a semi-final has withdrawn, and the other one is still being played."""
    cup_id = await cup.begun(4, format=CupFormat.KNOCK_OUT, ends_at=env.now + DAY)
    first, second = [await cup.pairing(cup_id, 1, place) for place in (0, 1)]
    await cup.win(cup_id, first, first.seated[0])
    await withdraw(cup, cup_id, first.seated[0])
    match = await env.queries.match(second.match_id or NO_MATCH)
    (seat,) = match.decisions
    late = second.seated["BY".index(seat)]
    (winner,) = {*second.seated} - {late}
    env.now += DAY
    await cup.dates.run()
    over = await cup.get(cup_id)
    assert over.row.status == CupStatus.FINISHED
    assert [end(pairing) for pairing in over.pairings] == [
        (first.seated[:1], PairingReason.RESIGNED, ()),
        ((winner,), PairingReason.LATE, (late,)),
        ((winner,), PairingReason.WITHDRAWN, ()),
    ]


async def test_matches_are_played_where_the_cup_is(cup: CupFixture, env: MatchFixture) -> None:
    cup_id = await cup.begun(3, channel_id=61, parent_channel_id=6)
    pairing = await cup.pairing(cup_id)
    match = await env.queries.match(pairing.match_id or NO_MATCH)
    assert (match.channel_id, match.parent_channel_id) == (61, 6)
    entrants = [(await cup.get(cup_id)).by_number[number] for number in pairing.seated]
    query = select(matches.c.salt).where(matches.c.id == match.id)
    ((salt,),) = await rows(env, query)
    assert sorted(client_seed_numbers(salt, "BY").values()) == sorted(e.joined_by for e in entrants)


# Players who leave all cups


async def test_a_user_leaves_all_cups_and_offers(cup: CupFixture, env: MatchFixture) -> None:
    cup_id, kim, mo = await cup.begun(4), Player(UserId(77), "Kim"), Player(UserId(78), "Mo")
    for number, substitute in ((1, kim), (2, mo)):
        offer = (Actor(ORGANISER), user(number), substitute)
        assert (await cup.cups.offer_place(next(env.ids), cup_id, *offer)).kind == "done"
    await cup.withdraw(cup_id, user(3))
    withdrawn_at = env.now
    env.now += DAY
    async with env.database.write() as connection:
        await cup.cup_matches.withdraw_all(connection, user(3))
        await cup.cup_matches.withdraw_all(connection, kim.user_id)
    entrants = (await cup.get(cup_id)).entrants
    assert {
        entrant.user_id: (entrant.withdrawn_at, entrant.substitute_id) for entrant in entrants
    } == {
        user(1): (None, None),
        user(2): (None, mo.user_id),
        user(3): (withdrawn_at, None),
        user(4): (None, None),
    }


async def test_a_user_leaves_only_cups_that_are_not_over(
    cup: CupFixture, env: MatchFixture
) -> None:
    joined, running, over = await cup.create(2), await cup.begun(3), await cup.begun(3)
    await cup.cups.cancel(next(env.ids), over, Actor(ORGANISER))
    before = [(await cup.get(number)).row.version for number in (joined, running)]
    async with env.database.write() as connection:
        await cup.cup_matches.withdraw_all(connection, user(1))
    left = [(await cup.get(number)).entrant_of(user(1)) for number in (joined, running, over)]
    assert [entrant and entrant.withdrawn_at for entrant in left] == [None, env.now, None]
    assert [entrant is None for entrant in left] == [True, False, False]
    after = [(await cup.get(number)).row.version for number in (joined, running)]
    assert all(new > old for new, old in zip(after, before, strict=True)), "the posts change"


async def test_only_running_cups_go_on_without_a_player(
    cup: CupFixture, env: MatchFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    await cup.create(2)
    running, over = await cup.begun(3), await cup.begun(3)
    await cup.cups.cancel(next(env.ids), over, Actor(ORGANISER))
    continued: list[int] = []

    async def advance_cup(_matches: CupMatches, _connection: Any, cup_id: int) -> None:
        continued.append(cup_id)

    monkeypatch.setattr(CupMatches, "advance_cup", advance_cup)
    async with env.database.write() as connection:
        for user_id in (user(1), ORGANISER):
            await cup.cup_matches.withdraw_all(connection, user_id)
            await cup.cup_matches.advance_cups_without(connection, user_id)
    assert continued == [running]


# Lots


async def set_seed(env: MatchFixture, cup_id: int, seed: str) -> None:
    async with env.database.write() as connection:
        await connection.execute(update(cups).where(cups.c.id == cup_id).values(seed=seed))


@pytest.mark.parametrize("seed", ["5eed", "0ther"])
async def test_numbers_are_drawn_from_the_stored_seed(
    cup: CupFixture, env: MatchFixture, seed: str
) -> None:
    cup_id = await cup.create(6)
    await set_seed(env, cup_id, seed)
    before = {entrant.user_id: entrant for entrant in (await cup.get(cup_id)).entrants}
    await cup.start(cup_id)
    after = await cup.get(cup_id)
    order = draw_lots(seed, range(1, 7))
    assert [entrant.user_id for entrant in after.entrants] == [user(number) for number in order]
    for entrant in after.entrants:
        renumbered = replace(before[entrant.user_id], number=entrant.number)
        assert entrant == renumbered, "only the number changes"


@pytest.mark.parametrize("seed", ["a", "b", "c", "d"])
async def test_lots_decide_what_the_last_day_leaves_open(
    cup: CupFixture, env: MatchFixture, seed: str
) -> None:
    """In a secret set-up all players have to decide."""
    options = {"format": CupFormat.KNOCK_OUT, "options": {"setup": "secret"}}
    cup_id = await cup.create(4, ends_at=env.now + DAY, **options)
    await set_seed(env, cup_id, seed)
    await cup.start(cup_id)
    env.now += DAY
    await cup.dates.run()
    for pairing in (await cup.get(cup_id)).pairings:
        drawn = draw_lots(seed, pairing.known, f"{pairing.round}/{pairing.place}")
        assert end(pairing)[:2] == ((drawn[0],), PairingReason.LOT)


async def test_pairing_whose_players_leave_at_once_is_void(
    cup: CupFixture, env: MatchFixture
) -> None:
    cup_id = await cup.begun(4)
    waiting = [p for p in (await cup.get(cup_id)).pairings if p.status == PairingStatus.WAITING]
    leavers = [await user_of(cup, cup_id, number) for number in waiting[0].known]
    async with env.database.write() as connection:
        for leaver in leavers:
            await cup.cup_matches.withdraw_all(connection, leaver)
        await cup.cup_matches.advance_cups_without(connection, leavers[0])
    pairing = next(p for p in (await cup.get(cup_id)).pairings if p.id == waiting[0].id)
    assert end(pairing) == ((), PairingReason.VOID, waiting[0].known)


@pytest.mark.parametrize("seed", ["a", "b"])
async def test_lots_on_the_last_day_pass_over_withdrawn_players(
    cup: CupFixture, env: MatchFixture, seed: str
) -> None:
    """Their matches still run, as between the two steps of a deletion."""
    options = {"format": CupFormat.KNOCK_OUT, "options": {"setup": "secret"}}
    cup_id = await cup.create(4, ends_at=env.now + DAY, **options)
    await set_seed(env, cup_id, seed)
    await cup.start(cup_id)
    first, second, _final = (await cup.get(cup_id)).pairings
    drawn, other = draw_lots(seed, first.known, f"{first.round}/{first.place}")
    async with env.database.write() as connection:
        for number in (drawn, *second.known):
            leaver = await user_of(cup, cup_id, number)
            await cup.cup_matches.withdraw_all(connection, leaver)
    env.now += DAY
    await cup.dates.run()
    first, second, final = (await cup.get(cup_id)).pairings
    assert end(first)[:2] == ((other,), PairingReason.WITHDRAWN)
    assert end(second)[:2] == ((), PairingReason.VOID)
    assert end(final)[0] == (other,)


async def test_a_second_withdrawal_keeps_the_date(cup: CupFixture, env: MatchFixture) -> None:
    cup_id = await cup.begun(4)
    leaver = await user_of(cup, cup_id, 2)
    await withdraw(cup, cup_id, 2)
    since = env.now
    env.now += 5
    assert (await cup.withdraw(cup_id, leaver)).kind == "refused"
    async with env.database.write() as connection:
        await cup.cup_matches.withdraw_all(connection, leaver)
    dates = [entrant.withdrawn_at for entrant in (await cup.get(cup_id)).entrants]
    assert dates == [None, since, None, None]
