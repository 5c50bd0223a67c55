"""The timers of clocks: set once, at the right moment, and kept when the decision stays."""

from __future__ import annotations

import pytest
from sqlalchemy import func, select

from bot.services.clocks import DAY, HOUR, warning
from bot.services.terms import Terms
from bot.services.timers import Timers
from bot.services.vacation import Vacations
from bot.storage.schema import outbox
from tests.support.matches import (
    ADA,
    BO,
    PLAYERS,
    Club,
    armed,
    begun,
    choose,
    take_back,
    times,
    warp6,
)


async def notices(club: Club, match_id: int) -> int:
    """How many notices with a ping were queued."""
    same = (outbox.c.match_id == match_id) & (outbox.c.kind == "post_board")
    async with club.database.read() as connection:
        counted = select(func.count()).select_from(outbox).where(same)
        return int((await connection.execute(counted)).scalar_one())


async def fire(club: Club) -> None:
    await Timers(club.database, club.matches, lambda: club.now).fire()


async def draws(club: Club, match_id: int, *lines: str) -> None:
    """Players offer a draw and decline it."""
    for line in lines:
        user, words = (ADA, line) if line == "draw offer" else (BO, line)
        assert (await club.matches.act(next(club.ids), match_id, user, words)).kind == "done"


@pytest.mark.parametrize(
    ("left", "before"), [(4 * DAY, DAY), (30 * DAY, DAY), (2 * DAY, DAY / 2), (DAY, 6 * HOUR)]
)
def test_warning_comes_a_day_or_a_quarter_before_the_end(left: float, before: float) -> None:
    assert warning(left) == before


@pytest.mark.parametrize(
    ("clock", "moment"),
    [("1d", 18 * HOUR), ("3d", 54 * HOUR), ("7d", 6 * DAY), ("7d+12h", 6 * DAY)],
)
async def test_warning_is_posted_at_its_moment_and_once(
    club: Club, clock: str, moment: float
) -> None:
    match_id = await begun(club, clock)
    start = club.now
    club.now = start + moment - 1
    await fire(club)
    posted = await notices(club, match_id)
    assert (await armed(club, match_id))["warn"] == [start + moment]
    club.now = start + moment
    await fire(club)
    assert await notices(club, match_id) == posted + 1
    await draws(club, match_id, "draw offer", "draw decline", "draw offer")
    posted = await notices(club, match_id)
    club.now += 60
    await fire(club)
    assert await notices(club, match_id) == posted
    assert "warn" not in await armed(club, match_id)


async def test_draw_offer_leaves_clocks_and_timers_alone(club: Club) -> None:
    match_id = await begun(club, "3d")
    user = await club.on_turn(match_id)
    club.now += HOUR
    await club.matches.snooze(next(club.ids), match_id, user)
    before, clocks = await armed(club, match_id), await times(club, match_id)
    club.now += HOUR
    await draws(club, match_id, "draw offer")
    club.now += HOUR
    await draws(club, match_id, "draw decline")
    assert await armed(club, match_id) == before
    assert await times(club, match_id) == clocks
    club.now += 3 * DAY
    await fire(club)
    assert (await times(club, match_id))[user].over


async def test_secret_choice_of_another_player_repeats_no_warning(club: Club) -> None:
    match_id = await warp6(club, "1d", setup="secret")
    club.now += 20 * HOUR
    await fire(club)
    before = await armed(club, match_id)
    assert "warn" not in before
    await choose(club, match_id, ADA)
    await take_back(club, match_id, ADA)
    await choose(club, match_id, ADA)
    after = await armed(club, match_id)
    assert "warn" not in after
    assert after["flag"] == [before["flag"][0]]


async def test_clock_runs_on_over_the_choices_of_a_turn(club: Club) -> None:
    terms = Terms(game="tomtube", clock="3d+12h", guild_id=None, channel_id=5)
    asked = await club.matches.challenge(next(club.ids), terms, PLAYERS)
    await club.matches.accept(next(club.ids), asked.match_id, BO)
    match_id = asked.match_id
    for _ in range(30):
        user, before = await club.on_turn(match_id), await times(club, match_id)
        decision = await club.decision(match_id, user)
        view = (await club.queries.view(match_id, user)).view
        line = next((a for a in view.legal if a.verb == "build"), view.legal[0])
        words = " ".join((line.verb, *line.args))
        club.now += HOUR
        assert (await club.matches.act(next(club.ids), match_id, user, words)).kind == "done"
        if await club.on_turn(match_id) == user:
            break
    else:
        pytest.fail("no turn had two choices")
    assert await club.decision(match_id, user) != decision
    assert (await times(club, match_id))[user] == before[user]
    start = before[user].since
    assert start is not None
    due = await armed(club, match_id)
    assert due["flag"] == [start + before[user].left]
    assert due["warn"] == [start + before[user].left - DAY * min(1.0, before[user].left / 4 / DAY)]
    assert due["remind"] == [club.now + DAY]
    club.now = due["flag"][0]
    await fire(club)
    assert (await times(club, match_id))[user].over


async def test_timers_after_a_vacation_are_those_of_the_time_left(club: Club) -> None:
    match_id = await begun(club, "7d")
    away = Vacations(club.database, lambda: club.now)
    user = await club.on_turn(match_id)
    club.now += HOUR
    await away.begin(user, club.now + 2 * DAY)
    club.now += 2 * DAY
    await away.end_due()
    due = await armed(club, match_id)
    assert due["flag"] == [club.now + 7 * DAY - HOUR]
    assert due["warn"] == [club.now + 6 * DAY - HOUR]
    assert due["remind"] == [club.now + DAY]


async def test_timers_after_a_takeback_are_those_before_the_choice(club: Club) -> None:
    match_id = await warp6(club, "3d")
    user, before = await club.on_turn(match_id), await armed(club, match_id)
    club.now += HOUR
    await choose(club, match_id, user)
    club.now += HOUR
    await take_back(club, match_id, user)
    after = await armed(club, match_id)
    assert after["flag"] == before["flag"]
    assert after["warn"] == before["warn"]
    assert after["remind"] == [club.now + DAY]
