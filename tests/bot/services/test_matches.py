"""The match service on a real database file."""

from __future__ import annotations

import asyncio

import pytest
from sqlalchemy import select

from bot.app.run import open_database
from bot.services.models import Player
from bot.services.queries import NoMatchError
from bot.storage.schema import outbox
from engine.record import Record
from tests.support.matches import ADA, BO, EVE, PLAYERS, Club, terms


async def test_a_match_from_challenge_to_victory_verifies(club: Club) -> None:
    match_id = await club.begin()
    while True:
        user = await club.on_turn(match_id)
        perspective = await club.queries.view(match_id, user)
        action = perspective.view.legal[len(perspective.view.legal) // 2]
        line = " ".join((action.verb, *action.args))
        outcome = await club.matches.act(
            next(club.ids), match_id, user, line, await club.decision(match_id, user)
        )
        assert outcome.kind == "done"
        if (await club.queries.view(match_id)).view.result or next(club.ids) > 1500:
            break
    if not (await club.queries.view(match_id)).view.result:
        await club.matches.act(next(club.ids), match_id, ADA, "resign")
    record = Record.parse(str(await club.queries.record(match_id)))
    assert record.headers["Seat O"] == "Ada"
    assert record.verify() > 0


async def test_an_interaction_delivered_twice_counts_once(club: Club) -> None:
    match_id = await club.begin()
    user = await club.on_turn(match_id)
    first = await club.matches.act(500, match_id, user, "first place")
    stored = await club.lines()
    assert await club.matches.act(500, match_id, user, "first place") == first
    assert await club.lines() == stored


async def test_an_older_button_is_stale_and_changes_nothing(club: Club) -> None:
    match_id = await club.begin()
    user = await club.on_turn(match_id)
    decision = await club.decision(match_id, user)
    assert (await club.matches.act(600, match_id, user, "first place", decision)).kind == "done"
    stored = await club.lines()
    assert (await club.matches.act(601, match_id, user, "first place", decision)).kind == "stale"
    assert await club.lines() == stored


@pytest.mark.parametrize("line", ["place S4 a18", "place C4 a18", "move S N", "nonsense"])
async def test_what_the_rules_refuse_is_said_with_their_number(club: Club, line: str) -> None:
    match_id = await club.begin()
    user = await club.on_turn(match_id)
    await club.matches.act(next(club.ids), match_id, user, "first place")
    stored = await club.lines()
    outcome = await club.matches.act(next(club.ids), match_id, user, line)
    assert outcome.kind == "refused"
    assert outcome.sentence
    assert outcome.rule
    assert await club.lines() == stored


async def test_others_do_not_play(club: Club) -> None:
    match_id = await club.begin()
    assert (await club.matches.act(700, match_id, EVE, "resign")).kind == "unknown"
    assert (await club.matches.act(701, 999, ADA, "resign")).kind == "unknown"


async def test_only_the_challenged_player_accepts_and_only_in_time(club: Club) -> None:
    match_id = await club.ask()
    assert (await club.matches.accept(800, match_id, ADA)).kind == "refused"
    assert (await club.matches.accept(801, match_id, EVE)).kind == "unknown"
    await club.strike("expire", match_id)
    assert (await club.matches.accept(802, match_id, BO)).kind == "stale"


async def test_a_declined_challenge_cannot_be_accepted(club: Club) -> None:
    match_id = await club.ask()
    assert (await club.matches.decline(900, match_id, BO)).kind == "done"
    assert (await club.matches.accept(901, match_id, BO)).kind == "stale"


@pytest.mark.parametrize(
    ("players", "side", "words"),
    [
        ([Player(ADA, "Ada"), Player(ADA, "Ada")], "", "somebody else"),
        ([Player(ADA, "Ada")], "", "for 2 players"),
        (PLAYERS, "X", "no side"),
    ],
)
async def test_who_cannot_play_is_told_why(
    club: Club, players: list[Player], side: str, words: str
) -> None:
    outcome = await club.matches.challenge(1, terms(), players, side=side)
    assert outcome.kind == "refused"
    assert words in outcome.sentence


async def test_an_expired_challenge_is_closed_once(club: Club) -> None:
    match_id = await club.ask()
    await club.strike("expire", match_id)
    await club.strike("expire", match_id)
    assert (await club.queries.match(match_id)).status == "closed"
    begun = await club.begin()
    await club.strike("expire", begun)
    assert (await club.queries.match(begun)).status == "running"


async def test_a_draw_offer_leaves_the_buttons_of_both_alive(club: Club) -> None:
    match_id = await club.begin()
    user = await club.on_turn(match_id)
    decision = await club.decision(match_id, user)
    other = ADA + BO - user
    assert (await club.matches.act(next(club.ids), match_id, other, "draw offer")).kind == "done"
    assert await club.decision(match_id, user) == decision
    late = await club.matches.act(next(club.ids), match_id, user, "first place", decision)
    assert late.kind == "done"


async def test_both_can_agree_on_a_draw(club: Club) -> None:
    match_id = await club.begin()
    await club.matches.act(next(club.ids), match_id, ADA, "draw offer")
    await club.matches.act(next(club.ids), match_id, BO, "draw accept")
    assert (await club.queries.view(match_id)).view.result == "- agreed"


async def test_nobody_claims_the_clock(club: Club) -> None:
    match_id = await club.begin()
    assert (await club.matches.act(next(club.ids), match_id, ADA, "flag")).kind == "refused"


async def test_a_button_of_the_other_player_says_whose_it_is(club: Club) -> None:
    match_id = await club.begin()
    user = await club.on_turn(match_id)
    decision = await club.decision(match_id, user)
    outcome = await club.matches.act(
        next(club.ids), match_id, ADA + BO - user, "first place", decision
    )
    assert outcome.kind == "refused"
    assert "to decide" in outcome.sentence


async def test_how_a_match_stood_can_be_seen_later(club: Club) -> None:
    match_id = await club.begin()
    before = (await club.queries.view(match_id)).view
    lines = await club.lines()
    await club.matches.act(next(club.ids), match_id, await club.on_turn(match_id), "first place")
    assert (await club.queries.view(match_id, lines=lines)).view == before


async def test_what_does_not_exist_cannot_be_seen(club: Club) -> None:
    with pytest.raises(NoMatchError):
        await club.queries.match(99)
    with pytest.raises(NoMatchError):
        await club.queries.view(await club.ask())


async def test_w9_1_what_is_queued_holds_no_secret(club: Club) -> None:
    match_id = await club.begin()
    user = await club.on_turn(match_id)
    await club.matches.act(next(club.ids), match_id, user, "first place")
    async with club.database.read() as connection:
        rows = (await connection.execute(select(outbox.c.payload))).scalars().all()
    assert rows
    assert all(set(row) <= {"action_count", "version"} for row in rows)


async def test_the_seed_stays_secret_while_the_match_goes_on(club: Club) -> None:
    match_id = await club.begin()
    assert bytes(32).hex() not in str(await club.queries.record(match_id, ADA))
    await club.matches.act(next(club.ids), match_id, ADA, "resign")
    assert bytes(32).hex() in str(await club.queries.record(match_id, ADA))


async def test_an_interaction_that_two_processes_get_at_once_counts_once(url: str) -> None:
    async with open_database(url) as database:
        clubs = [Club(database) for _ in range(4)]
        asked = await asyncio.gather(
            *(each.matches.challenge(1, terms(), PLAYERS) for each in clubs)
        )
        assert len(set(asked)) == 1
        accepted = await asyncio.gather(
            *(each.matches.accept(2, asked[0].match_id, BO) for each in clubs)
        )
        assert [each.kind for each in accepted] == ["done"] * len(clubs)
        assert len(await clubs[0].queries.list_for(ADA, "challenge", "running")) == 1


async def test_of_many_choices_at_once_one_counts(url: str) -> None:
    async with open_database(url) as database:
        club = Club(database)
        match_id = await club.begin()
        user = await club.on_turn(match_id)
        decision = await club.decision(match_id, user)
        outcomes = await asyncio.gather(
            *(club.matches.act(600 + n, match_id, user, "first place", decision) for n in range(8))
        )
    assert sorted(each.kind for each in outcomes) == ["done"] + ["stale"] * 7
