"""Halls on a Discord that forgets and fails: their lists, and the calls of the role."""

from __future__ import annotations

import logging

import pytest
from sqlalchemy import select

from bot.app.client import RATE_LIMIT_WAIT_SECONDS
from bot.domain.ids import GuildId, MatchId
from bot.features.halls.message_kinds import HallKind
from bot.features.halls.service import CALL_PAUSE_SECONDS, LIST_PAUSE_SECONDS, Halls
from bot.services.servers import Servers
from bot.storage.schema import halls
from tests.support.deliveries import DeliveryFixture
from tests.support.fake_log import CALM, Trouble
from tests.support.fake_objects import GUILD
from tests.support.halls import (
    FAR,
    HALL,
    ROLE,
    begin,
    challenge,
    choose,
    join,
    open_hall,
    said,
    settle,
    the_list,
    the_post,
)
from tests.support.matches import ADA
from tests.support.privacy import privacy_of

AWAY = 12
"""A channel of another server."""


async def move_away(delivery: DeliveryFixture, match_id: MatchId) -> None:
    """Move a match to a server without a hall."""
    boards = delivery.env.boards
    moved = await boards.move(next(delivery.env.ids), match_id, ADA, (GUILD + 1, AWAY))
    assert moved.kind == "done"


@pytest.mark.slow
async def test_list_is_edited_in_place_once_in_a_while(delivery: DeliveryFixture) -> None:
    await open_hall(delivery)
    await begin(delivery)
    for _ in range(3):
        await begin(delivery)
    await settle(delivery)
    (first,) = said(delivery)
    assert all(f"Wormholes #{number}]" in first for number in (1, 2, 3, 4))
    assert first.count("Turn: ") == first.count(" (<t:1000:R>)") == 4
    before, edits = delivery.fake.requests, []
    for _ in range(5):
        await delivery.play(MatchId(1))
        await delivery.worker.flush()
        edits += said(delivery)
    assert set(edits) == {first}
    assert delivery.fake.requests > before
    await settle(delivery)
    (after,) = said(delivery)
    assert after != first
    assert len([p for p in delivery.fake.posted if p.channel == HALL]) == 1
    assert await delivery.left() == []


async def test_list_whose_reply_was_lost_is_not_posted_again(delivery: DeliveryFixture) -> None:
    await open_hall(delivery)
    await begin(delivery)
    await delivery.worker.flush()
    delivery.env.now += LIST_PAUSE_SECONDS
    delivery.fake.trouble = Trouble(dropped=1.0)
    await delivery.worker.flush()
    delivery.fake.trouble = CALM
    await begin(delivery)
    await settle(delivery, 3600.0)
    (text,) = said(delivery)
    assert "#2" in text


async def test_list_is_sent_after_an_outage(delivery: DeliveryFixture) -> None:
    await open_hall(delivery)
    await begin(delivery)
    delivery.fake.refusals[HALL] = (503, 0)
    await settle(delivery)
    assert [state for _, state in await delivery.left()] == ["waiting"]
    del delivery.fake.refusals[HALL]
    await settle(delivery)
    assert "#1" in said(delivery)[0]
    assert await delivery.left() == []


async def test_list_is_edited_after_an_outage(delivery: DeliveryFixture) -> None:
    await open_hall(delivery)
    match_id = await begin(delivery)
    await settle(delivery)
    (listed,) = delivery.fake.channels[HALL]
    delivery.fake.edit_refusals[listed] = (503, 0)
    await delivery.env.matches.act(next(delivery.env.ids), match_id, ADA, "resign")
    await settle(delivery)
    assert "#1" in said(delivery)[0]
    del delivery.fake.edit_refusals[listed]
    await settle(delivery)
    assert [*delivery.fake.channels[HALL]] == [listed]
    assert "#1" not in said(delivery)[0]
    assert await delivery.left() == []


async def test_list_of_a_former_hall_is_deleted_after_an_outage(delivery: DeliveryFixture) -> None:
    await open_hall(delivery)
    await begin(delivery)
    await settle(delivery)
    delivery.fake.refusals[HALL] = (503, 0)
    await choose(delivery, FAR)
    await settle(delivery)
    assert len(said(delivery)) == 1
    del delivery.fake.refusals[HALL]
    await settle(delivery)
    assert not said(delivery)
    assert len(said(delivery, FAR)) == 1
    assert await delivery.left() == []


@pytest.mark.slow
async def test_match_that_moves_leaves_the_list_of_its_server(delivery: DeliveryFixture) -> None:
    await open_hall(delivery)
    match_id = await begin(delivery)
    await begin(delivery)
    await settle(delivery)
    assert "#1" in said(delivery)[0]
    await move_away(delivery, match_id)
    await settle(delivery)
    (text,) = said(delivery)
    assert "#1" not in text
    assert "#2" in text


@pytest.mark.slow
async def test_list_is_posted_though_the_match_that_asked_moves(delivery: DeliveryFixture) -> None:
    await open_hall(delivery)
    match_id = await begin(delivery)
    await begin(delivery)
    await delivery.worker.flush()
    await move_away(delivery, match_id)
    await settle(delivery)
    (text,) = said(delivery)
    assert "#2" in text
    assert await delivery.left() == []


@pytest.mark.slow
async def test_match_in_a_hidden_channel_is_not_listed(delivery: DeliveryFixture) -> None:
    await open_hall(delivery)
    delivery.fake.hidden[FAR] = {333}
    await begin(delivery, FAR)
    await challenge(delivery, channel=FAR)
    await begin(delivery)
    await settle(delivery, CALL_PAUSE_SECONDS)
    (text,) = said(delivery)
    assert "#3" in text
    assert "#1" not in text
    assert "#2" not in text


async def test_match_whose_channel_was_hidden_leaves_the_list(delivery: DeliveryFixture) -> None:
    await open_hall(delivery)
    await begin(delivery, FAR)
    await settle(delivery)
    assert "#1" in said(delivery)[0]
    delivery.fake.hidden[FAR] = {333}
    for guild_id in (GUILD, GUILD + 1):
        await Halls(delivery.env.database).refresh(GuildId(guild_id), delivery.env.now)
    await settle(delivery)
    (text,) = said(delivery)
    assert "#1" not in text
    assert await delivery.left() == []


@pytest.mark.slow
async def test_match_by_dm_is_not_listed(delivery: DeliveryFixture) -> None:
    await open_hall(delivery)
    direct = await delivery.env.begin()
    match_id = await begin(delivery)
    await settle(delivery)
    (text,) = said(delivery)
    assert f"#{match_id}" in text
    assert f"#{direct}]" not in text
    await delivery.play(direct)
    assert HallKind.UPDATE_LIST not in dict(await delivery.left())


async def test_hall_that_is_hidden_as_well_lists_the_match(delivery: DeliveryFixture) -> None:
    await open_hall(delivery)
    delivery.fake.hidden[FAR] = delivery.fake.hidden[HALL] = {333}
    await begin(delivery, FAR)
    await settle(delivery)
    (text,) = said(delivery)
    assert "#1" in text


@pytest.mark.slow
async def test_role_is_called_once_an_hour_for_open_seats(delivery: DeliveryFixture) -> None:
    await open_hall(delivery)
    await begin(delivery)
    first = await challenge(delivery)
    await settle(delivery)
    await challenge(delivery)
    assert delivery.fake.role_pings.count({ROLE}) == 1
    assert sum(f"<@&{ROLE}>" in text for text in said(delivery)) == 1
    await settle(delivery, CALL_PAUSE_SECONDS - LIST_PAUSE_SECONDS - 1)
    assert len([p for p in delivery.fake.posted if p.channel == HALL]) == 2
    assert delivery.fake.role_pings.count({ROLE}) == 1
    await settle(delivery, 2)
    assert delivery.fake.role_pings.count({ROLE}) == 2
    assert sum(f"<@&{ROLE}>" in text for text in said(delivery)) == 1  # the former one is deleted
    await join(delivery, first)
    await delivery.env.challenges.withdraw(next(delivery.env.ids), MatchId(first + 1), ADA)
    await settle(delivery)
    assert not any(f"<@&{ROLE}>" in text for text in said(delivery))
    await settle(delivery, 2 * CALL_PAUSE_SECONDS)
    assert delivery.fake.role_pings.count({ROLE}) == 2


async def test_call_offers_only_seats_that_are_open(delivery: DeliveryFixture) -> None:
    await open_hall(delivery)
    first, second = await challenge(delivery), await challenge(delivery)
    await settle(delivery)
    assert [f"#{number}]" in the_call(delivery) for number in (first, second)] == [True, True]
    async with delivery.env.database.read() as connection:
        call = (await connection.execute(select(halls.c.call_message_id))).scalar_one()
    await settle(delivery)
    edits = delivery.fake.edited.count(call)
    await begin(delivery)
    await settle(delivery)
    assert delivery.fake.edited.count(call) == edits, "the same seats are open"
    await join(delivery, first)
    await settle(delivery)
    assert delivery.fake.edited.count(call) == edits + 1
    assert [f"#{number}]" in the_call(delivery) for number in (first, second)] == [False, True]
    assert delivery.fake.role_pings.count({ROLE}) == 1


def the_call(delivery: DeliveryFixture) -> str:
    """The current text of the only call of the role."""
    (text,) = (text for text in said(delivery) if f"<@&{ROLE}>" in text)
    return text


async def test_call_whose_reply_was_lost_is_not_repeated(delivery: DeliveryFixture) -> None:
    await open_hall(delivery)
    await begin(delivery)
    await settle(delivery)
    await challenge(delivery)
    delivery.fake.lost_replies.add(HALL)
    await delivery.worker.flush()
    delivery.fake.lost_replies.clear()
    await settle(delivery, 300.0)
    assert delivery.fake.role_pings.count({ROLE}) == 1
    assert sum(f"<@&{ROLE}>" in text for text in said(delivery)) == 1


async def test_call_in_a_forum_is_in_the_post_of_the_list(delivery: DeliveryFixture) -> None:
    await open_hall(delivery, forum=True)
    await challenge(delivery)
    await settle(delivery)
    assert delivery.fake.role_pings.count({ROLE}) == 0
    await settle(delivery)
    assert delivery.fake.role_pings.count({ROLE}) == 1
    assert f"<@&{ROLE}>" in said(delivery, the_list(delivery))[1]


async def test_call_waits_for_the_list_of_a_renewed_forum(
    delivery: DeliveryFixture,
) -> None:
    await open_hall(delivery, forum=True)
    await begin(delivery)
    await settle(delivery)
    delivery.fake.silenced.add(FAR)
    await choose(delivery, FAR)
    await settle(delivery)
    await choose(delivery, HALL, forum=True)
    await challenge(delivery)
    await settle(delivery)
    await settle(delivery)
    assert delivery.fake.role_pings.count({ROLE}) == 1
    assert f"<@&{ROLE}>" in said(delivery, the_list(delivery))[1]


async def test_role_that_is_not_chosen_is_not_called(delivery: DeliveryFixture) -> None:
    await open_hall(delivery)
    await Servers(delivery.env.database).choose(GUILD, hall_role=0)
    await challenge(delivery)
    await settle(delivery)
    (text,) = said(delivery)
    assert "Open seats" in text


async def test_call_goes_with_the_hall(delivery: DeliveryFixture) -> None:
    await open_hall(delivery)
    await challenge(delivery)
    await settle(delivery)
    assert len(said(delivery)) == 2
    await choose(delivery, 0)
    await settle(delivery)
    assert not said(delivery)


async def test_seat_taken_at_once_is_neither_called_nor_searched_for(
    delivery: DeliveryFixture,
) -> None:
    await open_hall(delivery)
    match_id = await challenge(delivery)
    await join(delivery, match_id)
    await delivery.worker.flush()
    assert (HallKind.CALL_ROLE, "waiting") not in await delivery.left()
    assert HALL not in {request.channel for request in delivery.fake.asked}


@pytest.mark.parametrize("forum", [False, True])
async def test_what_was_deleted_is_not_deleted_again(
    delivery: DeliveryFixture, caplog: pytest.LogCaptureFixture, forum: bool
) -> None:
    await open_hall(delivery, forum=forum)
    match_id = await challenge(delivery)
    for _ in range(2):
        await settle(delivery)
    assert delivery.fake.role_pings.count({ROLE}) == 1
    with caplog.at_level(logging.INFO):
        await join(delivery, match_id)
        await settle(delivery)
        await delivery.play(match_id)
        await settle(delivery)
        await choose(delivery, FAR)
        await settle(delivery)
    assert not said(delivery)
    assert "a message of a hall stays" not in caplog.text


async def test_list_whose_post_cannot_be_deleted_is_deleted_in_it(
    delivery: DeliveryFixture,
) -> None:
    await open_hall(delivery, forum=True)
    await begin(delivery)
    await settle(delivery)
    post = the_list(delivery)
    delivery.fake.may_manage = False
    await choose(delivery, FAR)
    await settle(delivery)
    assert post in delivery.fake.posts(HALL)
    assert not said(delivery, post)
    assert len(said(delivery, FAR)) == 1


async def test_deleted_list_is_posted_again(delivery: DeliveryFixture) -> None:
    await open_hall(delivery)
    await begin(delivery)
    await settle(delivery)
    delivery.fake.channels[HALL].clear()
    await delivery.play(MatchId(1))
    await settle(delivery)
    assert len(said(delivery)) == 1


@pytest.mark.slow
@pytest.mark.parametrize("forum", [False, True])
async def test_closed_hall_is_logged_once_and_matches_go_on(
    delivery: DeliveryFixture, caplog: pytest.LogCaptureFixture, forum: bool
) -> None:
    await open_hall(delivery, forum=forum)
    delivery.fake.silenced.add(HALL)
    with caplog.at_level(logging.WARNING):
        match_id = await begin(delivery)
        for _ in range(3):
            await settle(delivery)
            await delivery.play(match_id)
        await settle(delivery)
    assert caplog.text.count("the hall of a server cannot be used") == 1
    assert await delivery.left() == []
    delivery.fake.silenced.clear()
    await delivery.play(match_id)
    await settle(delivery)
    place = the_list(delivery) if forum else HALL
    assert "#1" in said(delivery, place)[0]
    delivery.fake.refusals[place] = (403, 50013)
    await delivery.play(match_id)
    await settle(delivery)
    assert caplog.text.count("the hall of a server cannot be used") == 2


async def test_list_follows_the_hall_and_goes_with_it(delivery: DeliveryFixture) -> None:
    await open_hall(delivery)
    await begin(delivery)
    await settle(delivery)
    await choose(delivery, FAR)
    await settle(delivery)
    assert not said(delivery)
    assert len(said(delivery, FAR)) == 1
    await choose(delivery, 0)
    await settle(delivery)
    assert not said(delivery, FAR)
    await delivery.play(MatchId(1))
    await delivery.worker.flush()
    assert await delivery.left() == []


@pytest.mark.slow
async def test_archived_list_is_woken(delivery: DeliveryFixture) -> None:
    await open_hall(delivery, forum=True)
    await begin(delivery)
    await settle(delivery)
    delivery.fake.asleep.add(the_list(delivery))
    before = said(delivery, the_list(delivery))
    await delivery.play(MatchId(1))
    await settle(delivery)
    assert said(delivery, the_list(delivery)) != before
    assert not delivery.fake.asleep


async def test_hall_speaks_the_language_of_the_server(delivery: DeliveryFixture) -> None:
    delivery.fake.locales[GUILD] = "de"
    await open_hall(delivery)
    await begin(delivery)
    await settle(delivery)
    assert "Am Zug: " in said(delivery)[0]


@pytest.mark.slow
async def test_name_of_a_deleted_player_leaves_the_hall(delivery: DeliveryFixture) -> None:
    await open_hall(delivery, forum=True)
    match_id = await begin(delivery)
    await settle(delivery)
    await privacy_of(delivery.env).erase(ADA)
    await settle(delivery)
    for post in (the_list(delivery), the_post(delivery)):
        assert "Ada" not in said(delivery, post)[0]
    assert match_id


@pytest.mark.slow
@pytest.mark.parametrize("forum", [False, True])
@pytest.mark.parametrize("pause", [0.01, 600.0])
async def test_list_edited_too_often_is_replaced(
    delivery: DeliveryFixture, pause: float, forum: bool
) -> None:
    delivery.client.http.max_ratelimit_timeout = RATE_LIMIT_WAIT_SECONDS
    await open_hall(delivery, forum=forum)
    await begin(delivery)
    await settle(delivery)
    delivery.fake.worn_out |= delivery.fake.channels[the_list(delivery) if forum else HALL].keys()
    delivery.fake.edit_pause = pause
    await begin(delivery)
    await settle(delivery)
    places = delivery.fake.posts(HALL) if forum else [HALL]
    lists = [text for place in places for text in said(delivery, place) if "in progress" in text]
    assert len(lists) == 1
    assert "#2" in lists[0]
    assert await delivery.left() == []
