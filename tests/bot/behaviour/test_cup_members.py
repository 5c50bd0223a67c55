"""Players of cups who leave the server, on Discord."""

from __future__ import annotations

from typing import Any

import pytest

from bot.services.cup_members import CHECK_SECONDS
from bot.services.cup_rows import CupStatus
from tests.support.harness import Stage, words
from tests.support.staged_cups import begun, create, finish, play, post

pytestmark = pytest.mark.usefixtures("long_pauses")


async def check(stage: Stage) -> None:
    """Let the bot ask Discord again, and update the post."""
    await stage.spend(CHECK_SECONDS + 1)
    await finish(stage)
    await finish(stage)


async def details(stage: Stage, actor: Any) -> str:
    return words((await actor.slash(stage.channel, "cup status")).response)


async def test_a_player_who_has_left_is_in_no_standings(stage: Stage) -> None:
    await begun(stage)
    assert "Bo" in words(post(stage, "cupmine:"))
    stage.guild.remove_member(stage.bo)
    await check(stage)
    shown = post(stage, "cupmine:")
    (picture,) = shown.attachments
    for text in (words(shown), picture.description, await details(stage, stage.eve)):
        assert "Former member" in text
        assert "Bo" not in text
    assert "Ada" in words(shown)


async def test_the_organiser_is_told_who_has_left(stage: Stage) -> None:
    await begun(stage)
    stage.guild.remove_member(stage.bo)
    await check(stage)
    told = f"<@{stage.bo.id}> has left this server"
    assert told in await details(stage, stage.ada)
    assert told not in await details(stage, stage.eve)


async def test_a_player_who_comes_back_has_their_name_again(stage: Stage) -> None:
    await begun(stage)
    stage.guild.remove_member(stage.bo)
    await check(stage)
    stage.guild.add_member(stage.bo.user)
    await check(stage)
    assert "Bo" in words(post(stage, "cupmine:"))
    assert "Former member" not in words(post(stage, "cupmine:"))


async def test_a_player_who_leaves_before_the_start_is_not_drawn(stage: Stage) -> None:
    await create(stage)
    for actor in (stage.ada, stage.bo, stage.eve):
        await stage.click(actor, post(stage), "cupjoin:")
    stage.guild.remove_member(stage.bo)
    await check(stage)
    assert "Players (2 of 16)" in words(post(stage))


async def test_matches_of_a_player_who_has_left_go_on(stage: Stage) -> None:
    await begun(stage)
    stage.guild.remove_member(stage.bo)
    await check(stage)
    await play(stage)
    cup = await stage.client.context.cups.get(1)
    assert cup
    assert cup.row.status == CupStatus.FINISHED


async def test_players_are_asked_about_once_in_a_while(stage: Stage) -> None:
    await begun(stage)
    stage.guild.remove_member(stage.bo)
    await finish(stage)
    assert "Bo" in words(post(stage, "cupmine:"))


async def test_no_answer_changes_nothing(stage: Stage) -> None:
    await begun(stage)
    path = f"/guilds/{stage.guild.id}/members/{stage.bo.id}"
    stage.env.inject_error("GET", path, status=403, code=50001, times=None)
    await check(stage)
    assert "Bo" in words(post(stage, "cupmine:"))
