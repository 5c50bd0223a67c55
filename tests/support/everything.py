"""A walk through most of what the bot can do."""

from __future__ import annotations

from random import Random
from typing import Any

from bot.domain.ids import MatchId
from bot.features.halls import service as halls
from bot.features.halls.service import Halls
from bot.features.replays.continuation_views import AGAINST, OTHERS, SAME
from tests.support.driver import lists, play_on
from tests.support.harness import Stage, ids, play
from tests.support.match_card import card_of, open_record
from tests.support.strategies import racing

TAGS = ("Warp 6", "Open seat", "Finished")
"""Tags of a forum."""


async def use_everything(stage: Stage) -> None:
    """Two matches, every command and most buttons."""
    match_id = await stage.begin(clock="3 days per turn", notes="on")
    await play_on(stage, match_id, Random(2), limit=34)
    for actor in (stage.ada, stage.bo, stage.eve):
        for command in ("games", "settings", "replay", "help", "privacy"):
            await actor.slash(stage.channel, command)
        for command in ("board", "draw", "takeback", "resign"):
            await actor.slash(stage.channel, command, match=match_id)
        await actor.slash(stage.channel, "board", match=match_id, text=True)
        await actor.slash(stage.channel, "do", action="nonsense", match=match_id)
        await actor.autocomplete(stage.channel, "wormholes move", "ship", "")
        await actor.slash(stage.channel, "do", match=match_id)
        await stage.click(actor, stage.board(match_id, stage.where), "since:")
        card = await card_of(stage, actor, stage.channel, match_id)
        for start in ("hand:", "nudge:", "abandon:"):  # the last one replaces the card
            if any(custom_id.startswith(start) for custom_id in ids(card.response)):
                await stage.click(actor, card.response, start)
    await stage.prefer(stage.ada, turns="on")
    question = await stage.ada.slash(stage.channel, "resign")
    await stage.click(stage.ada, question.response, "resign:")
    replay = await stage.click(stage.bo, stage.last(), "replay:")
    await stage.click(stage.bo, replay.response, "film:")
    sent = await stage.click(stage.bo, replay.response, "record:")
    await use_playing_on(stage, replay)
    (file,) = [f for f in sent.response.attachments if f.filename.endswith(".match")]
    opened = await open_record(stage, stage.bo, file.filename, await file.read())
    last = next(
        custom_id for custom_id in reversed(ids(opened.response)) if custom_id.startswith("import:")
    )
    await stage.bo.click(opened.response, custom_id=last)
    card = await stage.click(stage.bo, replay.response, "more:")
    await stage.click(stage.bo, card.response, "open")
    await stage.click(stage.bo, opened.response, "import:0:")
    window = await stage.click(stage.bo, opened.response, "playon:")
    await stage.bo.submit_modal(window, {"side": ["O"]})
    await stage.click(stage.bo, stage.last(), "withdraw:")
    await stage.click(stage.bo, stage.board(match_id), "rematch:")
    await stage.click(stage.bo, stage.last(), "decline:")
    await play(stage.ada, stage.channel, game="warp6", opponent=stage.bo, setup="secret", series=2)
    await stage.click(stage.bo, stage.last(), "accept:")
    for actor in (stage.ada, stage.bo):
        panel = await stage.click(actor, stage.last(), "menu:")
        await stage.click(actor, panel.response, "act:")
    await play_on(stage, MatchId(match_id + 5), Random(2), strategy=racing, limit=20)
    replay = await stage.click(stage.eve, stage.last(), "overlay:")
    ((custom_id, spaces),) = lists(replay.response).items()
    await stage.eve.select(replay.response, [spaces[0]], custom_id=custom_id)
    await stage.ada.slash(stage.channel, "warp6 warps", space="91")
    await stage.ada.slash(stage.channel, "warp6 warps", space="0")
    await stage.ada.autocomplete(stage.channel, "warp6 warps", "space", "")
    await use_halls(stage)


async def use_playing_on(stage: Stage, replay: Any) -> None:
    """Challenge the same player and others from a turn of a finished match."""
    following = next(custom_id for custom_id in ids(replay.response) if custom_id.endswith(":Next"))
    await stage.bo.click(replay.response, custom_id=following)
    list_id = next(
        custom_id for custom_id in ids(replay.response) if custom_id.endswith(f":{AGAINST}")
    )
    await stage.bo.select(replay.response, [SAME], custom_id=list_id)
    await stage.click(stage.bo, stage.last(), "withdraw:")
    window = await stage.bo.select(replay.response, [OTHERS], custom_id=list_id)
    await stage.bo.submit_modal(window, {})
    await stage.click(stage.bo, stage.last(), "withdraw:")


async def use_halls(stage: Stage) -> None:
    """A channel and a forum as halls, each with a match from the open seat to its end."""
    role = stage.guild.create_role("Pilots", mentionable=True)
    forum = stage.guild.create_forum_channel("matches")
    stage.leave_threads_as_they_are()
    plain = {"moderated": False, "emoji_id": None, "emoji_name": None}
    tags = [{"id": str(n), "name": name} | plain for n, name in enumerate(TAGS, 1)]
    stage.env.backend.edit_channel(forum.id, {"available_tags": tags})
    context, guild_id = stage.client.context, stage.guild.id
    await context.servers.choose(guild_id, hall_role=role.id)
    halls = context.of(Halls)
    for hall in (stage.guild.create_text_channel("hall"), forum):
        await halls.choose(guild_id, hall.id, is_forum=hall is forum, now=context.clock())
        await wait_for_halls(stage)
    await play(stage.ada, stage.channel, game="warp6")
    await wait_for_halls(stage)
    accept = next(custom_id for custom_id in ids(stage.last()) if custom_id.startswith("accept:"))
    await stage.click(stage.bo, stage.last(), accept)
    await wait_for_halls(stage)
    number = int(accept.partition(":")[2])
    question = await stage.bo.slash(stage.channel, "resign", match=number)
    await stage.click(stage.bo, question.response, "resign:")
    await wait_for_halls(stage)


async def wait_for_halls(stage: Stage) -> None:
    """Let time pass until the halls are up to date."""
    await stage.spend(halls.FIRST_LIST_SECONDS + 1)
    await stage.client.runtime.outbox.flush()
    await stage.env.settle()
