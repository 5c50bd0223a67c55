"""Finished matches, turn by turn and as an animation."""

from __future__ import annotations

import io
import re
from random import Random
from typing import Any

import pytest
from PIL import Image

from bot.domain.ids import MatchId
from bot.features.replays import commands as replays
from engine import games
from engine.game import CHANCE, Action
from tests.support.driver import play_on, silently
from tests.support.harness import Stage, ids, walk, words

pytestmark = pytest.mark.slow


async def finished(stage: Stage) -> MatchId:
    """A match of some turns that ended by resignation."""
    match_id = await stage.begin()
    await play_on(stage, match_id, Random(1), ways=(silently,), limit=40)
    question = await stage.ada.slash(stage.channel, "resign")
    await stage.click(stage.ada, question.response, "resign:")
    return match_id


def button(message: Any, label: str) -> dict[str, Any]:
    return next(
        component for component in walk(message.components) if component.get("label") == label
    )


async def test_a_finished_match_can_be_stepped_through(stage: Stage) -> None:
    match_id = await finished(stage)
    page = await stage.bo.slash(stage.channel, "replay")
    assert page.ephemeral
    assert ": step 1 of " in words(page.response)
    assert button(page.response, "Back")["disabled"]
    pictures = set()
    for place in range(2, 6):
        result = await stage.bo.click(page.response, label="Next")
        assert result.acknowledged
        assert f": step {place} of " in words(page.response)
        pictures.add(await page.response.attachments[0].read())
    assert len(pictures) == 4
    await stage.bo.click(page.response, label="Last")
    assert button(page.response, "Next")["disabled"]
    assert "wins by resignation" in words(page.response)
    await stage.bo.click(page.response, label="First")
    assert ": step 1 of " in words(page.response)
    assert match_id


@pytest.mark.parametrize("name", games.names())
async def test_step_says_its_turn_and_who_moved(stage: Stage, name: str) -> None:
    game, match_id = games.get(name), await stage.begin(game=name)

    def choose(state: Any, random: Random) -> Action:
        return game.fill(random.choice(game.legal(state)), random.randrange)

    while (await stage.perspective(match_id)).view.turn < 4:
        await play_on(stage, match_id, Random(1), strategy=choose, ways=(silently,), limit=1)
    names = (await stage.perspective(match_id)).match.names
    log = (await stage.client.context.queries.record(match_id)).actions
    question = await stage.ada.slash(stage.channel, "resign")
    await stage.click(stage.ada, question.response, "resign:")
    page = await stage.bo.slash(stage.channel, "replay")
    assert re.search(rf"\*\*{game.title} #1\*\*: step 1 of \d+ · setup$", title(page.response))
    await stage.bo.click(page.response, label="Last")
    assert re.search(r": step (\d+) of \1 · turn 4 · Ada$", title(page.response))
    await stage.bo.click(page.response, label="Back")
    mover = names[next(action.actor for action in reversed(log) if action.actor != CHANCE)]
    assert title(page.response).endswith(f" · turn 3 · {mover}")


def title(message: Any) -> str:
    """Return the first line of a message."""
    return words(message).splitlines()[0]


async def test_the_ending_leads_to_the_replay_for_anyone_there(stage: Stage) -> None:
    await finished(stage)
    page = await stage.click(stage.eve, stage.last(), "replay:")
    assert page.ephemeral
    assert ": step 1 of " in words(page.response)


async def test_the_whole_match_is_an_animation(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(replays, "PROGRESS_SECONDS", 0.0)
    await finished(stage)
    page = await stage.bo.slash(stage.channel, "replay")
    film = await stage.bo.click(page.response, label="Animation")
    assert film.ephemeral
    (file,) = film.response.attachments
    picture = Image.open(io.BytesIO(await file.read()))
    assert picture.format == "GIF"
    assert picture.n_frames > 20  # type: ignore[attr-defined]
    edits = [r for r in stage.env.http_requests if "Drawing" in str(r.json)]
    assert edits


async def test_an_animation_that_discord_would_not_play_is_refused(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(replays, "ANIMATION_BYTES_LIMIT", 100)
    await finished(stage)
    film = await stage.click(
        stage.bo, (await stage.bo.slash(stage.channel, "replay")).response, "film:"
    )
    assert "too long" in words(film.response)


async def test_running_matches_and_those_of_others_are_not_replayed(stage: Stage) -> None:
    nothing = await stage.ada.slash(stage.channel, "replay")
    assert "n't finished" in words(nothing.response)
    match_id = await stage.begin()
    running = await stage.ada.slash(stage.channel, "replay", match=match_id)
    assert "n't over" in words(running.response)
    elsewhere = stage.env.create_guild("Elsewhere")
    channel = elsewhere.create_text_channel("games")
    stranger = elsewhere.add_member(stage.env.create_user("mallory"))
    for command in ("replay", "board"):
        hidden = await stranger.slash(channel, command, match=match_id)
        assert "no such match" in words(hidden.response)


async def test_the_replay_button_survives_a_restart(stage: Stage) -> None:
    await finished(stage)
    await stage.restart()
    page = await stage.click(stage.ada, stage.last(), "replay:")
    assert any(i.startswith("film:") for i in ids(page.response))


async def test_end_during_the_set_up_is_shown_once(stage: Stage) -> None:
    match_id = await stage.begin()
    question = await stage.ada.slash(stage.channel, "resign")
    await stage.click(stage.ada, question.response, "resign:")
    _, turns = await stage.client.context.queries.turns(match_id)
    assert [bool(turn.view.result) for turn in turns].count(True) == 1
