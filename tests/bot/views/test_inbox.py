"""The list of `/games` at the limits of a message."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from bot.domain.ids import MatchId, UserId, Version
from bot.domain.models import Perspective, SeatClock
from bot.features.cups.offers import MAX_JOINABLE, offers_of
from bot.features.cups.rows import CupStatus
from bot.services.match_summaries import MatchSummary
from bot.services.nudges import NUDGE_PAUSE_SECONDS
from bot.services.requests import Requests
from bot.views import inbox
from bot.views.inbox import MAX_OPEN_SEATS, PAGE_SIZE, InboxRow, Offers
from bot.views.listings import state_of
from engine import games
from tests.support.cups import CupFixture
from tests.support.fake_objects import GUILD
from tests.support.harness import walk
from tests.support.limits import check_limits, components
from tests.support.matches import ADA, BO, EVE, MatchFixture, takeback_asked

PICTURE = b"png"


def shown(rows: list[InboxRow], offers: list[Offers], user: UserId = ADA, pages: int = 2) -> Any:
    message = inbox.inbox(rows, offers, user, (0, pages), now=1e6, computers=True)
    check_limits(message)
    return list(walk(components(message)))


def ids(parts: Any) -> list[str]:
    return [part["custom_id"] for part in parts if part.get("custom_id")]


async def busy_row(env: MatchFixture) -> InboxRow:
    """A match with more requests than there is room for."""
    match_id, _ = await takeback_asked(env)
    (summary,) = (await env.queries.page_of(ADA, 0, 9)).rows
    perspective = await env.queries.view(match_id, ADA)
    return InboxRow(summary._replace(requests=Requests("Y", "Y")), perspective, PICTURE)


def numbered(row: InboxRow, number: int) -> InboxRow:
    """The same match with another number."""
    assert row.perspective
    match = replace(row.summary.match, id=MatchId(number))
    perspective: Perspective = row.perspective._replace(match=match)
    return row._replace(summary=row.summary._replace(match=match), perspective=perspective)


async def open_seats(env: MatchFixture, count: int) -> list[MatchSummary]:
    match = await env.queries.match(await env.ask())
    return [
        MatchSummary(replace(match, id=MatchId(100 + number)), 0.0, None) for number in range(count)
    ]


async def test_full_page_of_requests_has_no_room_for_seats(env: MatchFixture) -> None:
    row = await busy_row(env)
    rows = [numbered(row, number) for number in range(1, PAGE_SIZE + 1)]
    parts = shown(rows, [inbox.open_seats(await open_seats(env, MAX_OPEN_SEATS))])
    assert sum(custom_id.startswith("abandon:") for custom_id in ids(parts)) == PAGE_SIZE
    assert not any(custom_id.startswith("accept:") for custom_id in ids(parts))


@pytest.mark.parametrize(("matches", "seats"), [(3, 3), (4, 0)])
async def test_seats_fill_the_room_that_is_left(
    env: MatchFixture, matches: int, seats: int
) -> None:
    row = await busy_row(env)
    rows = [numbered(row, number) for number in range(1, matches + 1)]
    parts = shown(rows, [inbox.open_seats(await open_seats(env, MAX_OPEN_SEATS))])
    assert sum(custom_id.startswith("accept:") for custom_id in ids(parts)) == seats
    texts = [part.get("content") for part in parts]
    assert ("### Open seats on this server" in texts) == bool(seats)


async def test_cups_come_before_seats(env: MatchFixture) -> None:
    await CupFixture(env).create(1)
    (cup,) = await env.cups.joinable(GUILD, EVE, 5)
    cups = [replace(cup, id=number) for number in range(1, MAX_JOINABLE + 1)]
    parts = shown(
        [], [offers_of(cups), inbox.open_seats(await open_seats(env, MAX_OPEN_SEATS))], pages=1
    )
    assert ids(parts)[:MAX_JOINABLE] == ["cupjoin:1", "cupjoin:2"]
    assert len(ids(parts)) == MAX_JOINABLE + MAX_OPEN_SEATS
    text = " ".join(part.get("content", "") for part in parts)
    assert "the sign-up is open" in text
    running = [replace(cup, status=CupStatus.RUNNING)]
    parts = shown([], [offers_of(running)], pages=1)
    assert "you can take over a place" in " ".join(part.get("content", "") for part in parts)


async def test_cups_take_room_from_seats(env: MatchFixture) -> None:
    row = await busy_row(env)
    rows = [numbered(row, number) for number in range(1, PAGE_SIZE)]
    await CupFixture(env).create(1)
    (cup,) = await env.cups.joinable(GUILD, EVE, 5)
    cups = [replace(cup, id=number) for number in range(1, MAX_JOINABLE + 1)]
    parts = shown(rows, [offers_of(cups), inbox.open_seats(await open_seats(env, MAX_OPEN_SEATS))])
    assert sum(custom_id.startswith("cupjoin:") for custom_id in ids(parts)) == MAX_JOINABLE
    assert sum(custom_id.startswith("accept:") for custom_id in ids(parts)) == 1


@pytest.mark.parametrize("user", [ADA, BO])
async def test_unposted_challenge_says_so(env: MatchFixture, user: UserId) -> None:
    match_id = await env.ask()
    match = await env.queries.match(match_id)
    for unposted in (False, True):
        parts = shown([InboxRow(MatchSummary(match, 0.0, None, unposted))], [], user, 1)
        text = " ".join(part.get("content", "") for part in parts)
        assert ("I couldn't post this challenge in <#5>" in text) == unposted
        assert ("please tell the other players" in text) == (unposted and user == ADA)


async def test_nudge_gives_way_to_answers(env: MatchFixture) -> None:
    row = await busy_row(env)
    assert row.perspective
    user = ADA if await env.on_turn(row.summary.match.id) == BO else BO
    calm = row._replace(summary=row.summary._replace(requests=Requests(), since=0.0))
    row_for_user = calm._replace(perspective=await env.queries.view(row.summary.match.id, user))
    at = NUDGE_PAUSE_SECONDS
    for now, nudge in ((at - 1, False), (at, True)):
        message = inbox.inbox([row_for_user], [], user, (0, 1), now=now)
        assert ("nudge:1" in ids(walk(components(message)))) == nudge


async def test_turn_with_a_clock_says_the_deadline(env: MatchFixture) -> None:
    match = await env.queries.match(await env.begin())
    (seat,) = match.decisions
    user, other = match.players[seat].user_id, "OD".replace(seat, "")
    summary = MatchSummary(match, 500.0, None)

    def text(summary: MatchSummary, reader: UserId) -> str:
        parts = shown([InboxRow(summary)], [], reader, 1)
        return " ".join(part.get("content", "") for part in parts)

    assert "**Your turn** (<t:500:R>)" in text(summary, user)
    times = {seat: SeatClock(60.0, 1000.0), other: SeatClock(9.0, None)}
    timed = summary._replace(match=replace(match, times=times))
    assert "**Your turn** (deadline <t:1060:R>)" in text(timed, user)
    turn = f"Turn: {match.names[seat]} (deadline <t:1060:R>)"
    assert turn in text(timed, match.players[other].user_id)
    both = replace(
        timed.match,
        decisions={seat: Version(1), other: Version(1)},
        times={seat: SeatClock(60.0, 1000.0), other: SeatClock(9.0, 1000.0)},
    )
    assert "**Your turn** (deadline <t:1060:R>)" in text(summary._replace(match=both), user)
    assert "Turn: Ada and Bo (deadline <t:1009:R>)" in state_of(summary._replace(match=both))


@pytest.mark.parametrize(("on_server", "computers"), [(1, 1), (1, 0), (0, 1)])
async def test_empty_list_has_ways_to_begin(on_server: int, computers: int) -> None:
    message = inbox.inbox(
        [], [], ADA, (0, 1), now=1e6, computers=bool(computers), on_server=bool(on_server)
    )
    check_limits(message)
    now = [f"now:{name}" for name in games.names()]
    assert ids(walk(components(message))) == [*now * computers, "seek"] * on_server


async def test_list_with_matches_has_no_ways_to_begin(env: MatchFixture) -> None:
    row = await busy_row(env)
    message = inbox.inbox([row], [], ADA, (0, 1), now=1e6, computers=True, on_server=True)
    assert "seek" not in ids(walk(components(message)))
