"""Objects that end with a match, and effects of choices that do not end it."""

from __future__ import annotations

from typing import Any

import pytest
from sqlalchemy import func, select, update

from bot.domain.computer_players import computer_player
from bot.domain.ids import NO_MATCH, ChannelId, MatchId, UserId
from bot.domain.models import Rated
from bot.domain.outbox import OutboxKind
from bot.domain.outcomes import Confirmation
from bot.domain.terms import Terms
from bot.features.cups.rows import PairingStatus
from bot.services.challenges import OPEN_SEAT
from bot.services.clocks import update_seat
from bot.services.match_repository import seats_of
from bot.services.match_store import load
from bot.storage.schema import matches, outbox, rated_results
from engine.game import Action
from tests.support.cups import CupFixture
from tests.support.matches import (
    ADA,
    BO,
    PLAYERS,
    MatchFixture,
    choose,
    lines_of,
    terms,
    warp6,
)


async def count(env: MatchFixture, *where: Any) -> int:
    async with env.database.read() as connection:
        query = select(func.count()).where(*where)
        return int((await connection.execute(query)).scalar_one())


async def says(env: MatchFixture, match_id: MatchId, player: UserId, line: str) -> None:
    assert (await env.matches.act(next(env.ids), match_id, player, line)).kind == "done"


@pytest.mark.parametrize(
    ("line", "confirms", "kind", "status"),
    [
        ("resign", False, "done", "closed"),
        ("leave", False, "done", "closed"),
        ("resign", True, "refused", "running"),
        ("first place", False, "refused", "running"),
    ],
)
async def test_giving_up_ends_a_match_of_older_rules(
    env: MatchFixture, line: str, confirms: bool, kind: str, status: str
) -> None:
    match_id = await env.begin()
    async with env.database.write() as connection:
        await connection.execute(update(matches).values(engine_version=-1))
    player = await env.on_turn(match_id)
    outcome = await env.matches.act(
        next(env.ids), match_id, player, line, confirmation=Confirmation(confirms)
    )
    assert outcome.kind == kind
    assert (await env.queries.match(match_id)).status == status


async def test_end_updates_a_challenge_that_could_be_joined(env: MatchFixture) -> None:
    players = [PLAYERS[0], OPEN_SEAT]
    outcome = await env.challenges.challenge(next(env.ids), terms(), players, side="O")
    joinable, other = outcome.match_id, await env.begin()
    await env.computer_seats.play_computer(next(env.ids), joinable, ADA)

    async def updates() -> list[int]:
        kind = outbox.c.kind == OutboxKind.UPDATE_CHALLENGE
        return [
            await count(env, kind, outbox.c.match_id == match_id) for match_id in (joinable, other)
        ]

    count_before, before = await updates()
    for match_id in (joinable, other):
        await says(env, match_id, ADA, "draw offer")
    assert await updates() == [count_before, before]
    for match_id in (joinable, other):
        await says(env, match_id, ADA, "resign")
    assert await updates() == [count_before + 1, before]


async def test_match_that_only_computers_play_on_ends(env: MatchFixture) -> None:
    terms = Terms(game="warp6", options={"seats": "3"}, guild_id=None, channel_id=ChannelId(5))
    players = [PLAYERS[0], computer_player(), computer_player()]
    outcome = await env.challenges.challenge(next(env.ids), terms, players, side="B")
    await says(env, outcome.match_id, ADA, "leave")
    assert (await env.queries.match(outcome.match_id)).status == "finished"
    leaving = (await lines_of(env, outcome.match_id))[-2:]
    assert leaving[0] == "B leave"
    assert leaving[1] in ("Y leave", "W leave")


async def test_choice_settles_no_rated_match(env: MatchFixture) -> None:
    terms = Terms(game="warp6", guild_id=None, channel_id=ChannelId(5), rated=True)
    outcome = await env.challenges.challenge(next(env.ids), terms, PLAYERS, side="B")
    match_id = outcome.match_id
    await env.challenges.accept(next(env.ids), match_id, BO)
    await env.race(match_id)
    results = rated_results.c.match_id == match_id
    await choose(env, match_id, await env.on_turn(match_id))
    assert not await count(env, results)
    assert (await env.queries.match(match_id)).rated == Rated.RATED
    await says(env, match_id, ADA, "resign")
    assert await count(env, results) == len(PLAYERS)


async def test_choice_decides_no_pairing_of_a_cup(env: MatchFixture) -> None:
    cup = CupFixture(env)
    cup_id = await cup.begun(3)
    pairing = await cup.pairing(cup_id)
    match_id = pairing.match_id or NO_MATCH
    await choose(env, match_id, await env.on_turn(match_id))
    assert await cup.pairing(cup_id) == pairing
    await cup.resign(match_id)
    assert (await cup.pairing(cup_id)).status == PairingStatus.DONE


async def test_player_who_leaves_all_loses_waiting_pairings(env: MatchFixture) -> None:
    cup = CupFixture(env)
    cup_id = await cup.begun(3, max_open=1)
    initial_cup = await cup.get(cup_id)
    (running,) = initial_cup.running
    (waits,) = set(initial_cup.by_number) - set(running.seated)
    async with env.database.write() as connection:
        await env.matches.leave_all(connection, initial_cup.by_number[waits].user_id)
    stored_cup = await cup.get(cup_id)
    walked_over = [pairing for pairing in stored_cup.pairings if waits in pairing.numbers]
    assert len(walked_over) == 2
    assert all(pairing.status == PairingStatus.DONE for pairing in walked_over)
    assert stored_cup.running == [running]


async def test_player_who_leaves_all_withdraws_challenges(env: MatchFixture) -> None:
    challenge, running = await env.ask(), await env.begin()
    others = await env.challenges.challenge(
        next(env.ids), terms(), [PLAYERS[1], OPEN_SEAT], side="O"
    )
    async with env.database.write() as connection:
        await env.matches.leave_all(connection, ADA)
    statuses = [
        (await env.queries.match(match_id)).status
        for match_id in (challenge, running, others.match_id)
    ]
    assert statuses == ["closed", "finished", "challenge"]


@pytest.mark.parametrize("claims", [True, False])
async def test_player_who_acts_decides_again(env: MatchFixture, claims: bool) -> None:
    """Consents to a stand-in lapse as well, those for other players do not."""
    match_id = await warp6(env, "", seats="3")
    async with env.database.write() as connection:
        for player in await seats_of(connection, match_id):
            await update_seat(connection, player, agreed_by="BYW".replace(player.seat, ""))
    async with env.database.write() as connection:
        row = await load(connection, match_id)
        assert row
        if claims:
            await env.matches.apply(connection, row, Action("B", "flag", ()), by="Y")
        else:
            await env.matches.apply(connection, row, Action("Y", "draw", ("offer",)))
    async with env.database.read() as connection:
        agreements = {
            player.seat: player.agreed_by for player in await seats_of(connection, match_id)
        }
    assert agreements == {"B": "YW", "Y": "", "W": "BY"}
