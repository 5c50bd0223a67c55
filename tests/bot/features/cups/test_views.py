"""Messages of cups: whom they notify, and which matches they name."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from bot.domain.days_off import DaysOffRule
from bot.domain.ids import DELETED_USER_ID, NO_MATCH
from bot.features.cups import views as cups
from bot.features.cups.ids import CupWithdrawId
from bot.features.cups.rows import Cup, CupStatus
from bot.views.message import Message
from tests.support.cups import CupFixture
from tests.support.matches import MatchFixture


def text(message: Message) -> str:
    layout: Any = message.layout
    return str(layout.to_components())


def changed(cup: Cup, number: int, **fields: Any) -> Cup:
    """Return a cup with other columns of a player."""
    entrants = [
        replace(entrant, **fields) if entrant.number == number else entrant
        for entrant in cup.entrants
    ]
    return Cup(cup.row, entrants, cup.pairings)


async def running(env: MatchFixture) -> Cup:
    cup = CupFixture(env)
    return await cup.get(await cup.begun(4))


ABSENT: list[dict[str, Any]] = [
    {"has_left": True},
    {"user_id": DELETED_USER_ID},
]
"""Players who have left the server, or whose data was deleted."""


@pytest.mark.parametrize("fields", [*ABSENT, {"withdrawn_at": 1.0}])
async def test_start_notifies_only_players_who_are_there(
    env: MatchFixture, fields: dict[str, Any]
) -> None:
    cup = await running(env)
    absent = cup.by_number[1].user_id
    present = {entrant.user_id for entrant in cup.entrants} - {absent}
    message = cups.started(changed(cup, 1, **fields))
    assert set(message.pings) == present
    assert f"<@{absent}>" not in text(message)
    assert message.informs


@pytest.mark.parametrize("fields", [{}, *ABSENT])
async def test_end_notifies_the_winner_who_is_there(
    env: MatchFixture, fields: dict[str, Any]
) -> None:
    cup = await running(env)
    cup = Cup(replace(cup.row, status=CupStatus.FINISHED), cup.entrants, cup.pairings)
    winner = cup.winner
    assert winner
    message = cups.ended(changed(cup, winner.number, **fields))
    assert message.pings == (() if fields else (winner.user_id,))
    assert (f"<@{winner.user_id}>" in text(message)) is (not fields)


@pytest.mark.parametrize("vacations", [True, False])
async def test_post_says_if_vacations_do_not_count(env: MatchFixture, *, vacations: bool) -> None:
    fixture = CupFixture(env)
    cup_id = await fixture.create(3, vacations=vacations)
    sign_up = text(cups.post(await fixture.get(cup_id), {}, None))
    await fixture.start(cup_id)
    running = text(cups.post(await fixture.get(cup_id), {}, None))
    assert (cups.NO_VACATIONS in sign_up) is not vacations
    assert ("3 days per turn, even on vacation" in sign_up) is not vacations
    assert ("3 days per turn, even on vacation" in running) is not vacations
    confirmed = text(cups.joined(await fixture.get(cup_id)))
    assert "You're in: **Spring**" in confirmed
    assert (cups.NO_VACATIONS in confirmed) is not vacations


@pytest.mark.parametrize("rule", DaysOffRule)
async def test_post_says_whether_clocks_have_days_off(env: MatchFixture, rule: DaysOffRule) -> None:
    fixture = CupFixture(env)
    cup_id = await fixture.create(3, days_off=rule)
    sign_up = text(cups.post(await fixture.get(cup_id), {}, None))
    await fixture.start(cup_id)
    running = text(cups.post(await fixture.get(cup_id), {}, None))
    words = {DaysOffRule.WEEKENDS: "not on weekends", DaysOffRule.OWN: "player's days off"}
    assert (cups.NO_DAYS_OFF in sign_up) is (rule == DaysOffRule.NONE)
    for post in (sign_up, running):
        assert [word for word in words.values() if word in post] == [
            words[rule] for _ in [rule] if rule in words
        ]
    (match, *_) = [
        await env.queries.match(pairing.match_id or NO_MATCH)
        for pairing in (await fixture.get(cup_id)).running
    ]
    assert match.clock == f"3d{rule}"
    weekend = rule == DaysOffRule.WEEKENDS
    assert {str(days) for days in match.days_off.values()} == ({"56 UTC"} if weekend else set())


async def test_cup_that_never_began_does_not_take_place(env: MatchFixture) -> None:
    cup = await running(env)
    cancelled = replace(cup.row, status=CupStatus.CANCELLED)
    for row, words in ((cancelled, "was cancelled"), (replace(cancelled, started_at=None), "take")):
        assert words in text(cups.ended(Cup(row, cup.entrants, cup.pairings)))


@pytest.mark.parametrize("is_self", [False, True])
async def test_question_names_whose_undecided_matches_are_lost(
    env: MatchFixture, is_self: bool
) -> None:
    fixture = CupFixture(env)
    cup = await running(env)
    first = cup.running[0]
    await fixture.win(cup.row.id, first, first.seated[0])
    cup = await fixture.get(cup.row.id)
    player = cup.by_number[first.seated[0]]
    question = text(cups.ask_withdrawal(cup, player.user_id, is_self=is_self))
    assert " 2 unfinished matches" in question, "one of three is decided"
    assert ("Withdraw from" in question) is is_self
    assert (player.name in question) is not is_self
    assert str(CupWithdrawId(cup.row.id, player.user_id)) in question


async def test_links_lead_to_the_own_matches(env: MatchFixture) -> None:
    cup = await running(env)
    entrant = cup.by_number[1]
    places = await env.cups.open_matches(cup)
    places = {
        number: place._replace(message_id=900 + number, awaits_board=False)
        for number, place in places.items()
    }
    content = text(cups.own_matches(cup, entrant, places))
    for pairing in cup.running:
        assert (f"/{900 + (pairing.match_id or 0)}" in content) is (1 in pairing.seated)
    assert f"P{entrant.user_id}" not in content, "a match is called by the other player"
    assert "1 more starts automatically" in content, "all others of the cup are other players'"
