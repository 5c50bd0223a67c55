"""*Find me a match*: the oldest seat that suits the player, or a new one."""

from __future__ import annotations

from typing import Any

import discord
import pytest
from simcord import InteractionResult

from bot.domain.ids import GuildId, MatchId
from bot.interactions.guild_turns import GuildTurns
from tests.support.harness import Stage, ids, play, words
from tests.support.interactions import payload
from tests.support.matches import ListingQueries


async def seek(stage: Stage, actor: Any) -> Any:
    """Click *Find me a match* in an empty list, and return the reply."""
    page = (await actor.slash(stage.channel, "games")).response
    return (await actor.click(page, custom_id="seek")).response


async def seek_at_once(stage: Stage, *actors: Any) -> list[str]:
    """Click *Find me a match* before the bot handles any of these clicks; return the replies."""
    pages = [(await actor.slash(stage.channel, "games")).response for actor in actors]
    clicks = [payload(stage, *pair, "seek") for pair in zip(actors, pages, strict=True)]
    for _, event in clicks:
        stage.env.backend.emit("INTERACTION_CREATE", event)
    await stage.env.settle()
    return [words(InteractionResult(stage.env, record).response) for record, _ in clicks]


async def listed(stage: Stage, actor: Any, status: str) -> list[int]:
    """Return the numbers of an actor's matches with a status."""
    rows = await ListingQueries(stage.database).list_for(actor.id, status)
    return sorted(match.id for match in rows)


async def test_list_without_matches_has_buttons_to_begin(stage: Stage) -> None:
    page = (await stage.ada.slash(stage.channel, "games")).response
    assert ids(page) == ["seek"]
    await stage.challenge()
    page = (await stage.ada.slash(stage.channel, "games")).response
    assert "seek" not in ids(page)


async def test_seeker_takes_the_oldest_seat_that_is_visible(stage: Stage) -> None:
    hidden = discord.PermissionOverwrite(view_channel=False)
    secret = stage.guild.create_text_channel("secret", overwrites={stage.bo: hidden})
    await play(stage.ada, secret)
    await play(stage.ada, stage.channel, game="tomtube")
    await play(stage.ada, stage.channel)
    answer = await seek(stage, stage.bo)
    assert await listed(stage, stage.bo, "running") == [2]
    assert "Bo: build, or move." in words(answer) or "Ada: build" in words(answer)


@pytest.mark.slow
async def test_seat_of_a_player_who_blocks_the_seeker_is_passed_over(stage: Stage) -> None:
    await stage.client.context.preferences.block(stage.ada.id, stage.bo.id)
    await play(stage.ada, stage.channel)
    await play(stage.eve, stage.channel)
    await seek(stage, stage.bo)
    assert await listed(stage, stage.bo, "running") == [2]


async def test_seeker_without_a_seat_to_take_opens_one(stage: Stage) -> None:
    await stage.client.context.preferences.remember_card(stage.ada.id, "tomtube", "")
    answer = await seek(stage, stage.ada)
    match = await stage.client.context.queries.match(MatchId(1))
    assert (match.status, match.game, match.unaccepted) == ("challenge", "tomtube", "D")
    assert words(answer) == "Tom Tube #1 is open to anyone."
    assert await listed(stage, stage.ada, "challenge") == [1]
    await seek(stage, stage.bo)
    assert await listed(stage, stage.ada, "running") == await listed(stage, stage.bo, "running")


async def test_seeker_opens_no_second_seat(stage: Stage) -> None:
    page = (await stage.ada.slash(stage.channel, "games")).response
    await stage.ada.click(page, custom_id="seek")
    again = (await stage.bo.slash(stage.channel, "games")).response
    await play(stage.bo, stage.guild.create_text_channel("other"))
    context = stage.client.context
    await context.challenges.withdraw(7, MatchId(1), stage.ada.id)
    answer = (await stage.bo.click(again, custom_id="seek")).response
    assert "You already have an open seat: [Wormholes #2]" in words(answer)
    assert await listed(stage, stage.bo, "challenge") == [2]


async def test_seeker_who_clicks_twice_at_once_opens_one_seat(stage: Stage) -> None:
    replies = await seek_at_once(stage, stage.ada, stage.ada)
    assert await listed(stage, stage.ada, "challenge") == [1]
    opened, refused = sorted(replies)  # either click may be the first
    assert opened == "Wormholes #1 is open to anyone."
    assert refused.startswith("You already have an open seat: ")


async def test_two_seekers_at_once_get_one_match(stage: Stage) -> None:
    await seek_at_once(stage, stage.ada, stage.bo)
    for actor in (stage.ada, stage.bo):
        assert await listed(stage, actor, "running") == [1]
        assert await listed(stage, actor, "challenge") == []


async def test_seekers_take_turns_on_each_server_for_itself() -> None:
    turns = GuildTurns()
    guild_id, other_id = GuildId(1), GuildId(2)
    async with turns.of(guild_id):
        assert turns.of(guild_id).locked()
        assert not turns.of(other_id).locked()
    assert not turns.of(guild_id).locked()
    assert not turns._locks, "none is kept"
