"""Open requests to each player of a match, even if their message was lost."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from sqlalchemy import insert

from bot.domain.ids import MatchId, UserId, Version
from bot.services.requests import Requests
from bot.storage.schema import absences
from bot.views import private_boards
from bot.views.controls import button
from bot.views.custom_ids import ClaimId
from bot.views.images import Drawn
from bot.views.private_boards import Opened
from bot.views.requests import NOTHING_ASKED, Asked, asked, challenge_answers
from engine import games
from render.renderer import DEFAULT_STYLE
from tests.support.limits import check_limits
from tests.support.matches import ADA, BO, EVE, MatchFixture, choose, takeback_asked, warp6


async def asked_of(
    env: MatchFixture, match_id: MatchId, user: UserId, *, computers: bool = True
) -> Asked:
    perspective = await env.queries.view(match_id, user)
    requests = await env.queries.requests(match_id)
    return asked(perspective, requests, computers=computers)


def ids(buttons: Any) -> list[str]:
    return [button.custom_id for button in buttons]


async def seat_of(env: MatchFixture, match_id: MatchId, user: UserId) -> str:
    return (await env.queries.match(match_id)).seat_of(user)


async def test_challenge_is_answered_by_its_players_only(env: MatchFixture) -> None:
    match = await env.queries.match(await env.ask())
    assert ids(challenge_answers(match, ADA)) == ["withdraw:1"]
    assert ids(challenge_answers(match, BO)) == ["accept:1", "decline:1"]
    assert challenge_answers(match, EVE) == []


async def test_accepted_challenge_can_still_be_declined(env: MatchFixture) -> None:
    """Another player has yet to accept."""
    match = await env.queries.match(await env.ask())
    assert ids(challenge_answers(replace(match, unaccepted=""), BO)) == ["decline:1"]


async def test_running_match_is_no_challenge(env: MatchFixture) -> None:
    match = await env.queries.match(await env.begin())
    assert challenge_answers(match, ADA) == challenge_answers(match, BO) == []


async def test_nothing_is_asked_of_the_public(env: MatchFixture) -> None:
    match_id, _ = await takeback_asked(env)
    assert await asked_of(env, match_id, EVE) == NOTHING_ASKED


async def test_nothing_is_asked_in_a_finished_match(env: MatchFixture) -> None:
    match_id, _ = await takeback_asked(env)
    await env.matches.act(next(env.ids), match_id, BO, "resign")
    perspective = await env.queries.view(match_id, ADA)
    requests = Requests("Y", "Y")
    assert asked(perspective, requests, computers=True) == NOTHING_ASKED


async def test_takeback_is_asked_of_the_other_player(env: MatchFixture) -> None:
    match_id, version = await takeback_asked(env)
    opponent, player = await asked_of(env, match_id, ADA), await asked_of(env, match_id, BO)
    assert opponent.lines == ("**Bo** asks to take back the last move.",)
    assert ids(opponent.buttons) == [f"agree:{match_id}:{version}"]
    assert player.lines == ("You've asked to take back your last move.",)
    assert player.buttons == ()


async def test_end_is_asked_of_those_who_have_not_agreed(env: MatchFixture) -> None:
    match_id = await warp6(env, "", seats="3")
    version = (await env.queries.match(match_id)).version
    for user in (ADA, BO):
        await env.abandoning.agree(next(env.ids), match_id, user, version)
    (line,), (button,) = await asked_of(env, match_id, EVE)
    assert line == "**Ada and Bo** asked to end the match without a result."
    assert button.custom_id == f"abandon:{match_id}"
    (line,), buttons = await asked_of(env, match_id, BO)
    assert line == "You've asked to end the match without a result."
    assert not buttons


async def test_draw_is_asked_of_those_who_may_answer(env: MatchFixture) -> None:
    match_id = await env.begin()
    await env.matches.act(next(env.ids), match_id, ADA, "draw offer")
    (line,), buttons = await asked_of(env, match_id, BO)
    assert line == "Ada offers a draw."
    assert ids(buttons) == [f"act:{match_id}:-:draw accept", f"act:{match_id}:-:draw decline"]
    assert await asked_of(env, match_id, ADA) == NOTHING_ASKED


async def test_claim_is_for_the_others_of_a_late_player(env: MatchFixture) -> None:
    match_id = await warp6(env, "1d")
    late = await env.on_turn(match_id)
    seat, other = await seat_of(env, match_id, late), BO if late == ADA else ADA
    assert await asked_of(env, match_id, other) == NOTHING_ASKED
    await env.change_seat(match_id, seat, seconds_left=0.0)
    (line,), (button,) = await asked_of(env, match_id, other)
    assert line.endswith("is out of time.")
    assert button.custom_id == f"claim:{match_id}:{seat}"
    assert await asked_of(env, match_id, late) == NOTHING_ASKED


async def test_no_claim_while_the_computer_plays(env: MatchFixture) -> None:
    match_id = await warp6(env, "1d")
    late = await env.on_turn(match_id)
    seat, other = await seat_of(env, match_id, late), BO if late == ADA else ADA
    await env.change_seat(match_id, seat, seconds_left=0.0, level="cadet")
    assert await asked_of(env, match_id, other) == NOTHING_ASKED


async def test_stand_in_is_asked_of_those_who_have_not_agreed(env: MatchFixture) -> None:
    match_id = await warp6(env, "", seats="3")
    seat = await seat_of(env, match_id, EVE)
    async with env.database.write() as connection:
        away = {"user_id": EVE, "ends_at": 1e9, "stand_in": "cadet"}
        await connection.execute(insert(absences).values(**away))
    (line,), (button,) = await asked_of(env, match_id, ADA)
    assert line == "The computer can play for Eve if all other players agree."
    assert button.custom_id == f"standin:{match_id}:{seat}"
    assert await asked_of(env, match_id, ADA, computers=False) == NOTHING_ASKED
    assert await asked_of(env, match_id, EVE) == NOTHING_ASKED
    player = await seat_of(env, match_id, ADA)
    await env.change_seat(match_id, seat, agreed_by=player)
    assert await asked_of(env, match_id, ADA) == NOTHING_ASKED
    assert ids((await asked_of(env, match_id, BO)).buttons) == [f"standin:{match_id}:{seat}"]


async def test_stand_in_for_who_left_is_asked_once_proposed(env: MatchFixture) -> None:
    """Whether the player has left is checked on the click."""
    match_id = await warp6(env, "", seats="3")
    seat, player = await seat_of(env, match_id, EVE), await seat_of(env, match_id, ADA)
    assert await asked_of(env, match_id, BO) == NOTHING_ASKED
    await env.change_seat(match_id, seat, agreed_by=player)
    assert ids((await asked_of(env, match_id, BO)).buttons) == [f"standin:{match_id}:{seat}"]


async def test_only_requests_at_this_version_count(env: MatchFixture) -> None:
    match_id, _ = await takeback_asked(env)
    other = await warp6(env, "", setup="secret")
    assert await env.queries.requests(match_id) == Requests("Y")
    assert await env.queries.requests(other) == Requests()
    await choose(env, match_id, await env.on_turn(match_id))
    assert await env.queries.requests(match_id) == Requests()


@pytest.mark.parametrize("name", games.names())
async def test_board_with_all_requests_keeps_to_the_limits(env: MatchFixture, name: str) -> None:
    match_id = await env.begin(games.get(name).rules[0], name)
    perspective = await env.queries.view(match_id, await env.on_turn(match_id))
    buttons = [button(f"{number}", ClaimId(match_id, "R", Version(number))) for number in range(8)]
    answers = Asked(["A line about a request."] * 6, buttons)
    drawn = Drawn(b"png", DEFAULT_STYLE)
    check_limits(private_boards.board(perspective, drawn, opened=Opened(asked=answers)))
