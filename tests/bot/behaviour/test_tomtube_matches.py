"""Tom Tube through the bot: narrowing down to a place, the bonus count, stranding, a restart."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from engine.game import Action
from engine.record import Record
from engine.tomtube.game import TomTube
from tests.support.driver import by_click, by_command, foresee, lists, play_on
from tests.support.harness import Stage, ids, play, words
from tests.support.tomtube.games import greedy

GAME = TomTube()


async def begin(stage: Stage) -> int:
    """A match of Tom Tube that has begun."""
    await play(stage.ada, stage.channel, game="tomtube", opponent=stage.bo)
    asked = stage.last()
    await stage.click(stage.bo, asked, "accept:")
    return int(next(i for i in ids(asked) if i.startswith("accept:")).split(":")[1])


def building(state: Any, random: Random) -> Action:
    """Build where that goes."""
    legal = GAME.legal(state)
    return random.choice([a for a in legal if a.verb in ("build", "rhomb")] or legal)


def eager(state: Any, random: Random) -> Action:
    """What brings the most points at once."""
    return greedy(state, GAME.legal(state), random)


async def test_a_rhomb_is_laid_with_three_clicks_and_was_seen_before(stage: Stage) -> None:
    match_id = await begin(stage)
    actor = await stage.deciding(match_id)
    build = next(i for i in ids(stage.last()) if i.endswith(":build"))
    panel = (await stage.click(actor, stage.last(), build)).response
    places = lists(panel)
    assert len(places) == 6
    assert all(len(values) == 17 for values in places.values())
    everywhere = await panel.attachments[0].read()
    before = await stage.state(match_id)
    custom_id, values = next(iter(places.items()))
    await actor.select(panel, [values[3]], custom_id=custom_id)
    assert await panel.attachments[0].read() != everywhere
    assert await stage.state(match_id) == before
    done = await stage.click(actor, panel, "act:")
    assert "Done" in words(done.response)
    assert len((await stage.state(match_id)).rhombs) == 1


async def test_a_move_is_one_click_that_says_where_it_leads(stage: Stage) -> None:
    match_id = await begin(stage)
    actor = await stage.deciding(match_id)
    assert "drift to a gate of " in words(stage.last())
    move = next(i for i in ids(stage.last()) if ":drift " in i)
    await stage.click(actor, stage.last(), move)
    assert await stage.deciding(match_id) is not actor


async def test_a_list_of_places_leads_back_and_nowhere_else(stage: Stage) -> None:
    match_id = await begin(stage)
    await play_on(stage, match_id, Random(1), ways=(by_click,), plan=building, limit=1)
    actor = await stage.deciding(match_id)
    panel = (await stage.click(actor, stage.last(), "menu:")).response
    custom_id, values = next(iter(lists(panel).items()))
    await actor.select(panel, [values[0]], custom_id=custom_id)
    await stage.click(actor, panel, f"part:{match_id}:")
    assert len(lists(panel)) == 6


@pytest.mark.slow
@pytest.mark.parametrize("end", ["bonus", "stranded"])
async def test_a_match_by_clicks_to_the_end_with_a_restart(stage: Stage, end: str) -> None:
    """T5.1, T5.2: once one is home and the other's turns count, once no astronaut can get home."""
    ends = {"bonus": lambda state: state.bonus, "stranded": _stranded}
    match_id = await begin(stage)
    random = await foresee(stage, match_id, eager, ends[end])
    await play_on(stage, match_id, random, ways=(by_click, by_command), plan=eager, limit=40)
    before = stage.last().id
    await stage.restart()
    assert stage.last().id == before
    await play_on(stage, match_id, random, ways=(by_click,), plan=eager)
    state: Any = await stage.state(match_id)
    assert ends[end](state)
    files = {file.filename: await file.read() for file in stage.last().attachments}
    record = Record.parse(files[f"tomtube-{match_id}.match"].decode())
    assert record.verify() > 0
    assert record.replay().state == state
    assert "Points" in record.headers
    assert words(stage.last()).count("wins") or state.result.startswith("-")


def _stranded(state: Any) -> bool:
    return str(state.result).endswith("stranded")
