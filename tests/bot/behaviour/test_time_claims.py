"""Claims of lost time: whose time was over first, and who may claim or agree at all."""

from __future__ import annotations

import pytest

from bot.services.clocks import DAY, HOUR
from bot.services.models import Time
from bot.services.timers import Timers
from bot.services.vacation import Vacations
from tests.support.harness import Stage, words
from tests.support.matches import ADA, BO, EVE, Club, choose, take_back, times, warp6


async def claim(club: Club, match_id: int, user: int, late: int) -> str:
    """A user claims the lost time of another; return the kind of the outcome."""
    seat = (await club.queries.match(match_id)).seat_of(late)
    return (await club.matches.claim(next(club.ids), match_id, user, seat)).kind


async def agree(club: Club, match_id: int, user: int) -> str:
    """A user agrees to the takeback that was asked for last."""
    version = (await club.queries.match(match_id)).version
    outcome = await club.matches.take_back(next(club.ids), match_id, user, asked_at=version)
    return outcome.kind


async def pass_time(club: Club, seconds: float) -> None:
    club.now += seconds
    await Timers(club.database, club.matches, lambda: club.now).fire()


@pytest.mark.parametrize("user", [ADA, BO])
async def test_claim_when_both_times_ended_together_is_refused(club: Club, user: int) -> None:
    match_id = await warp6(club, "1d", setup="secret")
    other = ADA + BO - user
    await pass_time(club, DAY + 1)
    assert await claim(club, match_id, user, other) == "refused"
    assert (await choose(club, match_id, user)).kind == "done"
    assert await claim(club, match_id, other, user) == "stale"
    assert await claim(club, match_id, user, other) == "done"
    assert (await club.queries.view(match_id)).view.result.startswith(
        (await club.queries.match(match_id)).seat_of(user)
    )


async def test_claim_goes_to_the_player_whose_time_was_over_later(club: Club) -> None:
    match_id = await warp6(club, "1d", setup="secret")
    away = Vacations(club.database, lambda: club.now)
    await away.begin(BO, club.now + HOUR)
    club.now += HOUR
    await away.end(BO)
    await pass_time(club, DAY + 1)
    assert await claim(club, match_id, ADA, BO) == "refused"
    assert await claim(club, match_id, BO, ADA) == "done"


async def test_claim_before_the_own_timer_fires_is_refused(club: Club) -> None:
    match_id = await warp6(club, "1d", setup="secret")
    club.now += DAY
    seat = (await club.queries.match(match_id)).seat_of(ADA)
    await club.strike("flag", match_id, seat, await club.decision(match_id, ADA))
    assert await claim(club, match_id, BO, ADA) == "refused"


async def test_lost_time_knows_when_it_was_over(club: Club) -> None:
    match_id = await warp6(club, "1d")
    first = await club.on_turn(match_id)
    end = club.now + DAY
    await pass_time(club, DAY + HOUR / 60)
    assert (await times(club, match_id))[first] == Time(0.0, end)
    assert (await times(club, match_id))[first].over


async def test_player_who_left_may_not_claim(club: Club) -> None:
    match_id = await warp6(club, "1d", seats="3")
    late = await club.on_turn(match_id)
    gone, stays = (user for user in (ADA, BO, EVE) if user != late)
    assert (await club.matches.act(next(club.ids), match_id, gone, "leave")).kind == "done"
    await pass_time(club, DAY + 1)
    assert await claim(club, match_id, gone, late) == "refused"
    assert (await club.queries.match(match_id)).status == "running"
    assert await claim(club, match_id, stays, late) == "done"
    assert (await club.queries.match(match_id)).status == "finished"


async def test_player_who_left_may_not_agree_to_a_takeback(club: Club) -> None:
    match_id = await warp6(club, "1d", seats="3", setup="secret")
    assert (await club.matches.act(next(club.ids), match_id, EVE, "leave")).kind == "done"
    for user in (ADA, BO):
        assert (await choose(club, match_id, user)).kind == "done"
    assert (await take_back(club, match_id, BO)).kind == "ask"
    assert await agree(club, match_id, EVE) == "refused"
    assert await agree(club, match_id, ADA) == "done"


async def test_player_without_time_may_not_agree_to_a_takeback(club: Club) -> None:
    match_id = await warp6(club, "3d+12h", setup="secret")
    for user in (ADA, BO):
        assert (await choose(club, match_id, user)).kind == "done"
    late = await club.on_turn(match_id)
    if late == BO:  # the one who asks
        assert (await choose(club, match_id, BO)).kind == "done"
        late = ADA
    club.now += 4 * DAY
    assert await agree(club, match_id, late) == "refused"
    assert await claim(club, match_id, ADA + BO - late, late) == "stale"  # no timer has fired


async def test_notice_offers_no_claim_to_players_who_are_late_too(stage: Stage) -> None:
    await stage.begin(game="warp6", setup="secret", clock="1 day a turn", side="Black")
    await stage.spend(25 * HOUR)
    await stage.env.advance_time(30)
    shown = words(stage.last())
    for name in ("Ada", "Bo"):
        assert f"The time of {name} is over, but a choice still counts." in shown
    assert "may claim" not in shown
    refused = await stage.click(stage.bo, stage.last(), "claim:")
    assert refused.ephemeral
    assert "Your own time was over no later" in words(refused.response)
