"""Around a match: DMs, settings, challenges that expire, missing permissions."""

from __future__ import annotations

from random import Random
from typing import Any

import discord
import pytest

from bot.domain.clocks import DAY
from bot.domain.ids import MatchId
from render import for_game
from tests.support.driver import by_click, play_on
from tests.support.harness import Stage, ids, play, words


@pytest.mark.slow
async def test_both_get_their_own_coins_by_dm_when_a_match_begins(stage: Stage) -> None:
    match_id = await stage.begin()
    for actor in (stage.ada, stage.bo):
        (message,) = actor.user.dm_channel.history()
        hand = for_game("wormholes").hand((await stage.perspective(match_id, actor)).view)
        assert hand in words(message)
        assert f"#{match_id}" in words(message)


@pytest.mark.slow
async def test_the_hand_out_can_be_turned_off(stage: Stage) -> None:
    answer = await stage.prefer(stage.ada, hand="off")
    assert answer.acknowledged
    await stage.begin()
    assert not stage.ada.user.dm_channel or not stage.ada.user.dm_channel.history()
    assert stage.bo.user.dm_channel.history()


@pytest.mark.slow
@pytest.mark.parametrize("game", ["warp6", "tomtube"])
async def test_where_nothing_is_hidden_no_dm_is_sent_about_it(stage: Stage, game: str) -> None:
    await stage.begin(game=game)
    for actor in (stage.ada, stage.bo):
        assert not actor.user.dm_channel or not actor.user.dm_channel.history()


@pytest.mark.slow
async def test_who_wants_it_gets_a_dm_at_each_own_turn(stage: Stage) -> None:
    await stage.prefer(stage.ada, turns="on")
    match_id = await stage.begin()
    for _ in range(8):
        await play_on(stage, match_id, Random(1), ways=(by_click,), limit=1)
        await stage.ping()
    mine = [words(m) for m in stage.ada.user.dm_channel.history()]
    assert len(mine) > 3
    assert all("https://discord.com/channels/" in text for text in mine[1:])
    assert all("coins" in text.lower() or "Suns" in text for text in mine[1:])
    assert len(stage.bo.user.dm_channel.history()) == 1


@pytest.mark.slow
@pytest.mark.parametrize("code", [50007, 50278])
async def test_a_closed_dm_is_noticed_and_blocks_nothing(stage: Stage, code: int) -> None:
    await stage.bo.user.send_dm("Hello!")
    stage.env.inject_error(
        "POST",
        f"/channels/{stage.bo.user.dm_channel.id}/messages",
        status=403,
        code=code,
        message="Cannot send messages to this user",
        times=None,
    )
    match_id = await stage.begin()
    hand = await stage.click(stage.bo, stage.last(), "hand:")
    assert "couldn't reach you by DM" in words(hand.response)
    assert "closed" in words((await stage.bo.slash(stage.channel, "settings")).response)
    await play_on(stage, match_id, Random(1), limit=4)


@pytest.mark.slow
async def test_a_challenge_without_an_answer_lapses(stage: Stage) -> None:
    challenge = await stage.challenge()
    match_id = int(next(i for i in ids(challenge) if i.startswith("accept:")).split(":")[1])
    await stage.spend(DAY + 1)
    await stage.env.advance_time(30)
    assert "challenge expired" in words(stage.last())
    assert (await stage.client.context.queries.match(MatchId(match_id))).status == "closed"
    assert not any(i.startswith("accept:") for i in ids(stage.last()))


async def test_a_channel_where_the_bot_may_not_write_is_named_at_once(stage: Stage) -> None:
    silent = stage.guild.create_text_channel(
        "silent",
        overwrites={stage.env.bot.user: discord.PermissionOverwrite(attach_files=False)},
    )
    result = await play(stage.ada, silent, opponent=stage.bo)
    assert result.ephemeral
    assert "Attach Files" in words(result.response)
    assert not silent.history()


@pytest.mark.slow
async def test_games_lists_own_matches_and_whose_turn_it_is(stage: Stage) -> None:
    assert "no matches in progress" in words(
        (await stage.ada.slash(stage.channel, "games")).response
    )
    match_id = await stage.begin()
    actor = await stage.deciding(match_id)
    assert "**Your turn**" in words((await actor.slash(stage.channel, "games")).response)
    other: Any = stage.bo if actor is stage.ada else stage.ada
    assert f"Turn: {stage.name(actor)}" in words(
        (await other.slash(stage.channel, "games")).response
    )


@pytest.mark.slow
async def test_resigning_asks_once_more_and_ends_the_match(stage: Stage) -> None:
    match_id = await stage.begin()
    confirmation = await stage.ada.slash(stage.channel, "resign")
    assert (await stage.client.context.queries.match(match_id)).status == "running"
    await stage.click(stage.ada, confirmation.response, "resign:")
    assert (await stage.client.context.queries.match(match_id)).status == "finished"
    assert [a.filename for a in stage.last().attachments] == [
        "board.png",
        f"wormholes-{match_id}.match",
    ]
    late = await stage.bo.slash(stage.channel, "resign", match=match_id)
    assert "over" in words(late.response)


@pytest.mark.slow
async def test_two_matches_at_once_are_told_apart(stage: Stage) -> None:
    await stage.begin()
    stage.clock.now += 60
    await stage.begin()
    for actor in (stage.ada, stage.bo):
        match_ids = [number for number in (1, 2) if await stage.deciding(MatchId(number)) is actor]
        result = await actor.slash(stage.channel, "board")
        assert result.ephemeral
        if len(match_ids) == 1:  # the one where it is their turn is meant
            assert any(i.startswith(f"act:{match_ids[0]}:") for i in ids(result.response))
        else:
            assert "This is Wormholes #2. The same in another" in words(result.response)
    choices = await stage.ada.autocomplete(stage.channel, "board", "match", "")
    assert [choice["value"] for choice in choices] == [2, 1]
    clear = await stage.ada.slash(stage.channel, "board", match=2)
    assert clear.response.attachments


@pytest.mark.slow
@pytest.mark.usefixtures("old_cards")
async def test_own_board_has_the_public_orientation_unless_chosen(
    stage: Stage,
) -> None:
    match_id = await stage.begin()
    await play_on(stage, match_id, Random(1), limit=12)
    perspective = await stage.perspective(match_id)
    second = stage.people[perspective.match.players["D"].user_id]
    before = await second.slash(stage.channel, "board")
    await stage.prefer(second, turned="on")
    after = await second.slash(stage.channel, "board")
    pictures = [await answer.response.attachments[0].read() for answer in (before, after)]
    assert pictures[0] != pictures[1]


@pytest.mark.slow
async def test_who_waits_for_a_player_that_has_left_hears_of_it(stage: Stage) -> None:
    match_id = await stage.begin()
    slow = await stage.deciding(match_id)
    stage.guild.remove_member(slow)
    await stage.spend(1.1 * DAY)
    await stage.env.advance_time(30)
    assert f"{stage.name(slow)} has left this server" in words(stage.last())


@pytest.mark.slow
async def test_of_a_player_who_only_takes_long_nothing_is_said(stage: Stage) -> None:
    await stage.begin()
    before = stage.last().id
    await stage.spend(1.1 * DAY)
    await stage.env.advance_time(30)
    assert stage.last().id != before
    assert "has left" not in words(stage.last())


@pytest.mark.slow
async def test_a_board_that_was_deleted_comes_back_when_a_player_asks(stage: Stage) -> None:
    match_id = await stage.begin()
    board = stage.last()
    await stage.ada.slash(stage.channel, "board")
    assert stage.last().id == board.id
    stage.env.backend.delete_message(stage.channel.id, board.id)
    await stage.eve.slash(stage.channel, "board", match=match_id)
    assert not any(custom_id.startswith("hand:") for custom_id in ids(stage.last()))
    await stage.ada.slash(stage.channel, "board")
    assert any(custom_id.startswith("hand:") for custom_id in ids(stage.last()))
