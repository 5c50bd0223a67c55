"""*Move here* takes a match only to where all its players are and can see it."""

from __future__ import annotations

from typing import Any

import discord
import pytest

from bot.domain.clocks import DAY, HOUR
from bot.domain.ids import MatchId
from bot.services.servers import Servers
from tests.support.harness import NOW, Stage, ids, words
from tests.support.match_card import on_card

HIDDEN = discord.PermissionOverwrite(view_channel=False)


async def refused(stage: Stage, where: Any, match_id: MatchId) -> str:
    """What Ada is told who wants to go on in another channel; the match stays where it was."""
    before = await stage.client.context.queries.match(match_id)
    answer = await on_card(stage, stage.ada, where, "move:", match_id)
    after = await stage.client.context.queries.match(match_id)
    assert (after.guild_id, after.channel_id) == (before.guild_id, before.channel_id)
    assert not where.history()
    return words(answer.response)


async def test_move_to_a_server_without_the_other_player_is_refused(stage: Stage) -> None:
    match_id = await stage.begin()
    guild = stage.env.create_guild("Ada's own")
    ada = guild.add_member(stage.ada.user)
    channel = guild.create_text_channel("alone")
    answer = await on_card(stage, ada, channel, "move:", match_id)
    assert "Bo would be missing" in words(answer.response)
    assert (await stage.client.context.queries.match(match_id)).guild_id == stage.guild.id
    assert not channel.history()


@pytest.mark.slow
async def test_move_to_a_server_with_both_players_is_done(stage: Stage) -> None:
    match_id = await stage.begin()
    guild = stage.env.create_guild("Another")
    ada, _ = guild.add_member(stage.ada.user), guild.add_member(stage.bo.user)
    channel = guild.create_text_channel("both")
    answer = await on_card(stage, ada, channel, "move:", match_id)
    assert "continues here" in words(answer.response)
    assert (await stage.client.context.queries.match(match_id)).guild_id == guild.id
    assert f"<@{stage.bo.id}>" in words(channel.last_message)
    assert ">: From now on, this match continues here" in words(channel.last_message)


@pytest.mark.slow
async def test_days_off_move_with_the_match(stage: Stage) -> None:
    """The deadline stays where the weekend has put it, in a channel here and on another server."""
    match_id = await stage.begin(clock="1 day per turn", days_off="w")
    (seat,) = (await stage.client.context.queries.match(match_id)).decisions
    monday = NOW + 3 * DAY  # it begins on a Friday
    line = f"<t:{monday:.0f}:R>"
    assert line in words(stage.last())
    await stage.spend(1.5 * DAY)
    guild = stage.env.create_guild("Another")
    ada, _ = guild.add_member(stage.ada.user), guild.add_member(stage.bo.user)
    for mover, home in ((stage.ada, stage.guild), (ada, guild)):
        where = home.create_text_channel("other")
        answer = await on_card(stage, mover, where, "move:", match_id)
        assert "continues here" in words(answer.response)
        match = await stage.client.context.queries.match(match_id)
        assert (match.channel_id, match.clock_end(seat)) == (where.id, monday)
        assert line in words(where.last_message)
        await stage.spend(HOUR)


@pytest.mark.slow
async def test_move_to_a_channel_hidden_from_a_player_is_refused(stage: Stage) -> None:
    match_id = await stage.begin()
    hidden = stage.guild.create_text_channel("hidden", overwrites={stage.bo: HIDDEN})
    refusal = await refused(stage, hidden, match_id)
    assert "hidden from Bo" in refusal
    assert "*View Channel*" in refusal


@pytest.mark.slow
async def test_move_after_the_other_player_has_left_is_refused(stage: Stage) -> None:
    match_id = await stage.begin()
    other = stage.guild.create_text_channel("other")
    stage.guild.remove_member(stage.bo)
    assert "Bo would be missing" in await refused(stage, other, match_id)


@pytest.mark.slow
@pytest.mark.parametrize("invited", [True, False])
async def test_move_to_a_private_thread_needs_its_members(stage: Stage, *, invited: bool) -> None:
    match_id = await stage.begin()
    channel = stage.client.get_channel(stage.channel.id)
    assert isinstance(channel, discord.TextChannel)
    thread = await channel.create_thread(name="secret", type=discord.ChannelType.private_thread)
    for actor in (stage.ada, *([stage.bo] if invited else [])):
        await thread.add_user(discord.Object(actor.id))
    (target,) = stage.channel.threads
    if not invited:
        assert "hidden from Bo" in await refused(stage, target, match_id)
        return
    answer = await on_card(stage, stage.ada, target, "move:", match_id)
    assert "continues here" in words(answer.response)
    match = await stage.client.context.queries.match(match_id)
    assert (match.channel_id, match.parent_channel_id) == (thread.id, stage.channel.id)


@pytest.mark.slow
async def test_move_while_discord_does_not_answer_is_refused(stage: Stage) -> None:
    match_id = await stage.begin()
    other = stage.guild.create_text_channel("other")
    stage.env.inject_error("GET", "/guilds/*/members/*", status=503, times=None)
    assert "couldn't check" in await refused(stage, other, match_id)


@pytest.mark.slow
async def test_player_who_has_left_the_match_hinders_no_move(stage: Stage) -> None:
    challenge = await stage.challenge(game="warp6", seats="3", opponent2=stage.eve)
    await stage.click(stage.bo, challenge, "accept:")
    await stage.click(stage.eve, challenge, "accept:")
    match_id = MatchId(1)
    outcome = await stage.client.context.matches.act(90_001, match_id, stage.eve.id, "leave")
    assert outcome.kind == "done"
    other = stage.guild.create_text_channel("other", overwrites={stage.eve: HIDDEN})
    answer = await on_card(stage, stage.ada, other, "move:", match_id)
    assert "continues here" in words(answer.response)


@pytest.mark.slow
async def test_move_informs_the_other_player_in_both_channels(stage: Stage) -> None:
    match_id = await stage.begin()
    other = stage.guild.create_text_channel("elsewhere")
    await on_card(stage, stage.ada, other, "move:")
    assert f"<@{stage.ada.id}>" in words(other.last_message)
    assert f"<@{stage.bo.id}>" in words(other.last_message)
    match = await stage.client.context.queries.match(match_id)
    assert match.link
    link = f"https://discord.com/channels/{stage.guild.id}/{other.id}/{match.link[1]}"
    assert f"This match continues [here]({link})." in words(stage.last())


@pytest.mark.slow
async def test_board_of_a_deleted_thread_is_posted_above_at_once(stage: Stage) -> None:
    await Servers(stage.database).choose(stage.guild.id, threads="on")
    match_id = await stage.begin()
    (thread,) = stage.channel.threads
    stage.env.backend.delete_channel(thread.id)
    await stage.env.settle()
    assert "I can no longer post where this match was played" in words(stage.last())
    assert any(i.startswith(("act:", "menu:", "pick:")) for i in ids(stage.last()))
    match = await stage.client.context.queries.match(match_id)
    assert (match.channel_id, match.parent_channel_id) == (stage.channel.id, None)


@pytest.mark.slow
async def test_no_thread_is_made_where_the_bot_may_not_write_in_it(stage: Stage) -> None:
    await Servers(stage.database).choose(stage.guild.id, threads="on")
    may_not = discord.PermissionOverwrite(send_messages_in_threads=False)
    stage.channel = stage.guild.create_text_channel(
        "narrow", overwrites={stage.env.bot.user: may_not}
    )
    await stage.begin()
    assert not stage.channel.threads
    assert any(i.startswith("hand:") for i in ids(stage.last()))


async def test_match_begun_in_a_thread_knows_the_channel_above(stage: Stage) -> None:
    channel = stage.client.get_channel(stage.channel.id)
    assert isinstance(channel, discord.TextChannel)
    await channel.create_thread(name="talk", type=discord.ChannelType.public_thread)
    (thread,) = stage.channel.threads
    match_id = await stage.begin(thread)
    match = await stage.client.context.queries.match(match_id)
    assert (match.channel_id, match.parent_channel_id) == (thread.id, stage.channel.id)
