"""A public message pings those it is for, once, and no other player."""

from __future__ import annotations

from typing import Any

import discord

from bot.services.clocks import DAY
from tests.support.harness import Stage, ids, play, words


def pinged(stage: Stage, message: Any) -> list[int]:
    """Those whom a message pings: mentioned in its text, and allowed to be."""
    stored = stage.env.backend.get_message(stage.channel.id, message.id)
    return sorted(stored.ping_user_ids)


async def test_challenge_pings_the_challenged(stage: Stage) -> None:
    assert pinged(stage, await stage.challenge()) == [stage.bo.id]


async def test_end_pings_both_players_once(stage: Stage) -> None:
    match_id = await stage.begin()
    for actor in (stage.bo, stage.ada):
        before = stage.public()
        asked = await actor.slash(stage.channel, "resign", match=match_id)
        await stage.click(actor, asked.response, "resign:")
        (end,) = stage.public()[len(before) :]
        assert pinged(stage, end) == sorted([stage.ada.id, stage.bo.id])
        await stage.restart()
        await stage.env.advance_time(60)
        assert len(stage.public()) == len(before) + 1
        match_id = await stage.begin()


async def test_reminder_pings_the_one_who_decides(stage: Stage) -> None:
    match_id = await stage.begin()
    actor, before = await stage.deciding(match_id), stage.last().id
    await stage.spend(DAY + 1)
    await stage.env.advance_time(30)
    reminder = stage.last()
    assert reminder.id != before
    assert pinged(stage, reminder) == [actor.id]


async def test_board_without_read_history_posts_nothing(stage: Stage) -> None:
    match_id = await stage.begin()
    before = [each.id for each in stage.public()]
    stage.env.inject_error("GET", "/channels/*/messages/*", status=403, code=50001, times=None)
    for _ in range(2):
        await stage.bo.slash(stage.channel, "board", match=match_id)
    assert [each.id for each in stage.public()] == before


async def test_match_without_read_history_is_not_begun(stage: Stage) -> None:
    match_id = await stage.begin()
    forbidden = discord.PermissionOverwrite(read_message_history=False)
    narrow = stage.guild.create_text_channel("narrow", overwrites={stage.env.bot.user: forbidden})
    asked = await play(stage.ada, narrow, opponent=stage.bo)
    moved = await stage.ada.slash(narrow, "move-here", match=match_id)
    for answer in (asked, moved):
        assert "missing: Read Message History" in words(answer.response)
    assert stage.last(narrow) is None
    assert any(each.startswith("hand:") for each in ids(stage.last()))
