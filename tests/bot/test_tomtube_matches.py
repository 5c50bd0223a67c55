"""Tom Tube through the bot: narrowing down to a place, the bonus count, stranding, a restart."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from engine.game import Action
from engine.record import Record
from engine.tomtube.game import TomTube
from tests.bot.driver import by_click, by_command, play_on, silently
from tests.bot.stage import Stage, ids, words
from tests.engine.tomtube.games import greedy

GAME = TomTube()


async def begin(stage: Stage) -> int:
    """A match of Tom Tube that has begun."""
    await stage.ada.slash(stage.channel, "play", game="tomtube", opponent=stage.bo)
    asked = stage.last()
    await stage.click(stage.bo, asked, "accept:")
    return int(next(i for i in ids(asked) if i.startswith("accept:")).split(":")[1])


def anything(state: Any, random: Random) -> Action:
    """Any legal action."""
    return random.choice(GAME.legal(state))


def building(state: Any, random: Random) -> Action:
    """Build where that goes."""
    legal = GAME.legal(state)
    return random.choice([a for a in legal if a.verb in ("build", "rhomb")] or legal)


def eager(state: Any, random: Random) -> Action:
    """What brings the most points at once."""
    return greedy(state, GAME.legal(state), random)


async def test_a_place_is_found_in_three_clicks_with_a_preview(stage: Stage) -> None:
    match_id = await begin(stage)
    while not any(a.verb == "rhomb" for a in GAME.legal(await stage.state(match_id))):
        await play_on(stage, match_id, Random(1), ways=(by_click,), plan=building, limit=1)
    actor = await stage.deciding(match_id)
    before = await stage.state(match_id)
    panel = (await stage.click(actor, stage.last(), "menu:")).response
    pictures = set()
    for clicks in range(6):  # noqa: B007 - looked at afterwards
        pictures.add(await panel.attachments[0].read())
        inner = [i for i in ids(panel) if i.startswith(("part:", "see:")) and not i.endswith(":")]
        if not inner:
            break
        await actor.click(panel, custom_id=inner[0])
    assert clicks <= 3
    assert len(pictures) >= 3
    assert await stage.state(match_id) == before
    done = await stage.click(actor, panel, "act:")
    assert "Done" in words(done.response)
    assert await stage.state(match_id) != before


async def test_a_match_to_the_end_with_a_restart(stage: Stage) -> None:
    match_id = await begin(stage)
    random = Random(3)
    await play_on(stage, match_id, random, ways=(by_click, by_command), plan=anything, limit=24)
    before = stage.last().id
    await stage.restart()
    assert stage.last().id == before
    await play_on(stage, match_id, random, ways=(by_click,), plan=anything, limit=10)
    await play_on(stage, match_id, random, ways=(silently,), plan=anything)
    files = {file.filename: await file.read() for file in stage.last().attachments}
    record = Record.parse(files[f"tomtube-{match_id}.match"].decode())
    assert record.verify() > 0
    assert record.replay().state == await stage.state(match_id)
    assert "Points" in record.headers


async def test_a_bonus_count_and_a_stranding(stage: Stage) -> None:
    random = Random(1)
    seen: set[str] = set()
    for _ in range(20):
        match_id = await begin(stage)
        await play_on(stage, match_id, random, ways=(by_click,), plan=eager, limit=6)
        await play_on(stage, match_id, random, ways=(silently,), plan=eager)
        state: Any = await stage.state(match_id)
        if state.bonus or state.result.endswith("stranded"):
            seen.add("bonus" if state.bonus else "stranded")
            assert words(stage.last()).count("wins") or state.result.startswith("-")
        if seen == {"bonus", "stranded"}:
            return
    pytest.fail(f"only {seen}")
