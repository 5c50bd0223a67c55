"""A walk through most of what the bot can do."""

from __future__ import annotations

from random import Random

from tests.support.driver import lists, play_on
from tests.support.harness import Stage, ids, play
from tests.support.plans import racing


async def use_everything(stage: Stage) -> None:
    """Two matches, every command and most buttons."""
    match_id = await stage.begin(clock="3 days per turn", notes="on")
    await play_on(stage, match_id, Random(2), limit=34)
    for actor in (stage.ada, stage.bo, stage.eve):
        for command in ("games", "settings", "replay", "about", "privacy"):
            await actor.slash(stage.channel, command)
        for command in ("board", "coins", "nudge", "draw", "takeback", "abandon", "resign"):
            await actor.slash(stage.channel, command, match=match_id)
        await actor.slash(stage.channel, "board", match=match_id, text=True)
        await actor.slash(stage.channel, "do", action="nonsense", match=match_id)
        await actor.autocomplete(stage.channel, "wormholes move", "ship", "")
        await actor.slash(stage.channel, "do", match=match_id)
        await stage.click(actor, stage.board(match_id, stage.where), "since:")
    settings = await stage.ada.slash(stage.channel, "settings")
    await stage.ada.select(settings.response, ["on"], custom_id="prefer:turns")
    asked = await stage.ada.slash(stage.channel, "resign")
    await stage.click(stage.ada, asked.response, "resign:")
    shown = await stage.click(stage.bo, stage.last(), "replay:")
    await stage.click(stage.bo, shown.response, "film:")
    sent = await stage.click(stage.bo, shown.response, "record:")
    (file,) = sent.response.attachments
    opened = await stage.bo.slash(
        stage.channel, "import", record=(file.filename, await file.read())
    )
    last = next(each for each in reversed(ids(opened.response)) if each.startswith("import:"))
    await stage.bo.click(opened.response, custom_id=last)
    await stage.bo.slash(stage.channel, "import")
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
    await play_on(stage, match_id + 3, Random(2), plan=racing, limit=20)
    shown = await stage.click(stage.eve, stage.last(), "overlay:")
    ((custom_id, spaces),) = lists(shown.response).items()
    await stage.eve.select(shown.response, [spaces[0]], custom_id=custom_id)
    await stage.ada.slash(stage.channel, "warp6 warps", space="91")
    await stage.ada.slash(stage.channel, "warp6 warps", space="0")
    await stage.ada.autocomplete(stage.channel, "warp6 warps", "space", "")
