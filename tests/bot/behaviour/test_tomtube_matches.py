"""Tom Tube through the bot: narrowing down to a place, the bonus count, stranding, a restart."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from bot.domain.ids import MatchId
from bot.views.choices import narrow_view
from engine.game import Action
from engine.record import Record
from engine.tomtube.game import TomTube
from render.tomtube.terms import place_name
from tests.support.driver import by_click, by_command, foresee, play_on
from tests.support.harness import Stage, ids, play, walk, words
from tests.support.interactions import fire, payload
from tests.support.tomtube.games import greedy

pytestmark = pytest.mark.slow

GAME = TomTube()


async def begin(stage: Stage) -> MatchId:
    """A match of Tom Tube that has begun."""
    await play(stage.ada, stage.channel, game="tomtube", opponent=stage.bo)
    challenge = stage.last()
    await stage.click(stage.bo, challenge, "accept:")
    custom_id = next(i for i in ids(challenge) if i.startswith("accept:"))
    return MatchId(int(custom_id.split(":")[1]))


def building(state: Any, random: Random) -> Action:
    """Build where that goes."""
    legal = GAME.legal(state)
    return random.choice([a for a in legal if a.verb in ("build", "rhomb")] or legal)


def eager(state: Any, random: Random) -> Action:
    """What brings the most points at once."""
    return greedy(state, GAME.legal(state), random)


async def test_a_whole_turn_takes_two_clicks(stage: Stage) -> None:
    match_id = await begin(stage)
    actor = await stage.deciding(match_id)
    build = next(i for i in ids(stage.last()) if i.endswith(":build"))
    panel = (await stage.click(actor, stage.last(), build)).response
    assert "Choose a number on the picture" in words(panel)
    public = ids(stage.last())
    assert not any("rhomb" in custom_id for custom_id in public), "places only on the picture"
    again = (await stage.click(actor, stage.last(), f"menu:{match_id}")).response
    assert "Choose a number on the picture" in words(again)
    panel = again
    await stage.click(actor, panel, "act:")
    assert len((await stage.state(match_id)).rhombs) == 1


async def test_any_place_takes_three_clicks(stage: Stage) -> None:
    """*Build*, how the rhomb lies, the number of the place."""
    match_id = await begin(stage)
    actor = await stage.deciding(match_id)
    build = next(i for i in ids(stage.last()) if i.endswith(":build"))
    panel = (await stage.click(actor, stage.last(), build)).response
    numbered = {i for i in ids(panel) if i.startswith("act:")}
    view = (await stage.perspective(match_id, actor)).view
    first = await panel.attachments[0].read()
    section = next(i for i in ids(panel) if i.startswith(f"part:{match_id}:2:rhomb/"))
    await actor.click(panel, custom_id=section)
    assert "Choose a number on the picture:" in words(panel)
    assert await panel.attachments[0].read() != first
    placings = narrow_view(view, section.split(":", 3)[3]).legal
    offered = {i for i in ids(panel) if i.startswith("act:")}
    assert {f"act:{match_id}:2:{action.notation}" for action in placings} == offered
    await actor.click(panel, custom_id=min(offered - numbered))
    assert len((await stage.state(match_id)).rhombs) == 1


async def test_a_move_is_one_click_that_says_where_it_leads(stage: Stage) -> None:
    match_id = await begin(stage)
    actor = await stage.deciding(match_id)
    move = next(e for e in walk(stage.last().components) if ":drift " in e.get("custom_id", ""))
    view = (await stage.perspective(match_id, actor)).view
    goals = {place_name(a.args[0]): a.notation for a in view.legal if a.verb == "drift"}
    assert move["custom_id"].endswith(goals[move["label"]])
    await stage.click(actor, stage.last(), move["custom_id"])
    assert await stage.deciding(match_id) is not actor


async def test_sections_lead_back_and_those_of_earlier_versions_to_all(stage: Stage) -> None:
    match_id = await begin(stage)
    await play_on(stage, match_id, Random(1), ways=(by_click,), strategy=building, limit=1)
    actor = await stage.deciding(match_id)
    panel = (await stage.click(actor, stage.last(), f"menu:{match_id}")).response
    first = ids(panel)
    parts = [custom_id for custom_id in first if custom_id.startswith("part:")]
    await actor.click(panel, custom_id=parts[-1])
    assert ids(panel) != first
    back = next(custom_id for custom_id in ids(panel) if custom_id.startswith("part:"))
    assert back == f"part:{match_id}:2:"
    await actor.click(panel, custom_id=back)
    assert ids(panel) == first
    for path in ("rhomb/5", "rhomb/5/5a", "rhomb/"):
        earlier = payload(stage, actor, panel, "", f"part:{match_id}:2:{path}")
        await fire(stage, earlier)
        assert [i for i in ids(panel) if i not in first or i in parts] >= parts


@pytest.mark.parametrize("end", [pytest.param("bonus", marks=pytest.mark.soak), "stranded"])
async def test_a_match_by_clicks_to_the_end_with_a_restart(stage: Stage, end: str) -> None:
    """T5.1, T5.2: once one is home and the other's turns count, once no astronaut can get home."""
    ends = {"bonus": lambda state: state.bonus, "stranded": _stranded}
    match_id = await begin(stage)
    random = await foresee(stage, match_id, eager, ends[end])
    await play_on(stage, match_id, random, ways=(by_click, by_command), strategy=eager, limit=40)
    before = stage.last().id
    await stage.restart()
    assert stage.last().id == before
    await play_on(stage, match_id, random, ways=(by_click,), strategy=eager)
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
