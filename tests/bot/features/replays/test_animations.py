"""Animations: one for each person, few in all, boards first, kept for the next who asks."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from itertools import count
from random import Random
from typing import Any

import pytest

from bot.domain.ids import MatchId
from bot.domain.models import Match
from bot.features.replays import animations
from bot.features.replays.animations import (
    Animation,
    Animations,
    StoppedError,
)
from engine import games
from engine.record import Record
from render.renderer import DEFAULT_STYLE, Style
from render.themes import THEMES
from tests.support.driver import play_on, silently
from tests.support.harness import Stage, words
from tests.support.interactions import payload
from tests.support.match_card import on_card

LIGHT = Style("light")


class Studio(Animations):
    """Animations whose drawing waits for a gate."""

    def __init__(self, idle: threading.Event) -> None:
        super().__init__(idle)
        self.gate = threading.Event()
        self.drawings = 0

    def _draw(self, animation: Animation, match: Match, record: Record, style: Style) -> bytes:
        self.gate.wait(10)
        self.drawings += 1
        return super()._draw(animation, match, record, style)


@pytest.fixture
def studio(stage: Stage) -> Studio:
    """Animations of the bot on the stage, which begin when the test opens the gate."""
    context = stage.client.context
    new_studio = Studio(context.images.idle)
    vars(context)["services"] = {**context.services, Animations: new_studio}
    return new_studio


NUMBERS = count(10**6)  # above those of the driver, below Discord's


async def finished(stage: Stage) -> MatchId:
    """Return the number of a match of some turns that Ada has given up."""
    match_id = await stage.begin()
    await play_on(stage, match_id, Random(1), ways=(silently,), limit=12)
    await stage.client.context.matches.act(next(NUMBERS), match_id, stage.ada.id, "resign")
    await stage.client.runtime.outbox.flush()
    await stage.env.settle()
    return match_id


async def asked(stage: Stage, match_id: MatchId) -> tuple[Match, Record]:
    perspective, record = await stage.client.context.queries.log(match_id)
    return perspective.match, record


def said(stage: Stage, text: str) -> bool:
    """Return whether a request to Discord has this text."""
    return any(text in str(request.json) for request in stage.env.http_requests)


async def until(condition: Callable[[], object]) -> None:
    async with asyncio.timeout(10):
        while not condition():  # noqa: ASYNC110 - a thread changes it
            await asyncio.sleep(0)


@pytest.mark.slow
async def test_animation_second_click_gets_a_sentence(stage: Stage, studio: Studio) -> None:
    match_id = await finished(stage)
    clicks = [payload(stage, stage.bo, stage.last(), "", f"film:{match_id}") for _ in range(2)]
    stage.env.backend.emit("INTERACTION_CREATE", clicks[0][1])
    await until(lambda: studio._in_progress)
    stage.env.backend.emit("INTERACTION_CREATE", clicks[1][1])
    await until(lambda: said(stage, "still drawing an animation for you"))
    studio.gate.set()
    await stage.env.settle()
    assert studio.drawings == 1


@pytest.mark.slow
async def test_animation_twice_is_drawn_once(stage: Stage, studio: Studio) -> None:
    studio.gate.set()
    match_id = await finished(stage)
    for who in (stage.ada, stage.bo, stage.bo):
        reply = await stage.click(
            who, (await who.slash(stage.channel, "replay", match=match_id)).response, "film:"
        )
        assert reply.response.attachments
    assert studio.drawings == 1


@pytest.mark.slow
async def test_animation_that_was_shown_frees_its_viewer(stage: Stage, studio: Studio) -> None:
    studio.gate.set()
    match_id = await finished(stage)
    for _ in range(2):
        replay = await stage.bo.slash(stage.channel, "replay", match=match_id)
        reply = await stage.click(stage.bo, replay.response, "film:")
        assert reply.response.attachments
        studio.clear_cache()
    assert studio.drawings == 2


@pytest.mark.slow
async def test_board_is_drawn_while_animations_wait(stage: Stage, studio: Studio) -> None:
    match_id = await finished(stage)
    match, record = await asked(stage, match_id)
    animation = studio.begin(match, record, DEFAULT_STYLE)
    drawn = await stage.client.context.images.board(await stage.perspective(match_id))
    assert drawn.png
    assert not animation.drawing.done()
    studio.gate.set()
    assert await animation.drawing


@pytest.mark.slow
async def test_animation_frames_wait_for_boards(
    stage: Stage, studio: Studio, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(animations, "BOARD_WAIT_SECONDS", 10.0)
    match, record = await asked(stage, await finished(stage))
    studio.gate.set()
    stage.client.context.images.idle.clear()
    animation = studio.begin(match, record, DEFAULT_STYLE)
    await until(lambda: studio.drawings)
    assert animation.done == 0
    stage.client.context.images.idle.set()
    assert await animation.drawing
    assert animation.progress == 1


async def test_images_are_not_idle_while_a_board_is_drawn(stage: Stage) -> None:
    images = stage.client.context.images
    idle = await asyncio.gather(*(images.draw(lambda: bytes([images.idle.is_set()])) for _ in "ab"))
    assert idle == [b"\0", b"\0"]
    assert images.idle.is_set()
    assert stage.client.context.of(Animations)._boards_idle is images.idle


@pytest.mark.slow
async def test_animations_of_many_users_wait_for_each_other(stage: Stage, studio: Studio) -> None:
    match, record = await asked(stage, await finished(stage))
    styles = [Style(theme, *side) for theme in THEMES for side in ((), ("portrait",))]
    begun = [studio.begin(match, record, style) for style in styles]
    joined = studio.begin(match, record, styles[0])
    assert joined is begun[0]
    assert [animation.viewers for animation in begun] == [2, *[1] * (len(styles) - 1)]
    studio.gate.set()
    await asyncio.gather(*(animation.drawing for animation in begun))
    assert studio.drawings == len(styles)


@pytest.mark.slow
async def test_animation_without_viewers_is_stopped(stage: Stage, studio: Studio) -> None:
    match, record = await asked(stage, await finished(stage))
    animation = studio.begin(match, record, DEFAULT_STYLE)
    studio.leave(animation)
    studio.gate.set()
    with pytest.raises(StoppedError):
        await animation.drawing
    assert studio.cached(match, record, DEFAULT_STYLE) is None
    assert studio.begin(match, record, DEFAULT_STYLE) is not animation


@pytest.mark.slow
async def test_animations_are_kept_within_bounds(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    match, record = await asked(stage, await finished(stage))
    now = 0.0
    kept = Animations(stage.client.context.images.idle, lambda: now)
    sizes = []
    for style in (DEFAULT_STYLE, LIGHT):
        animation = kept.begin(match, record, style)
        sizes.append(len(await animation.drawing))
        kept.leave(animation)
        monkeypatch.setattr(animations, "CACHE_BYTES", sizes[0] + 1)
    assert kept.cached(match, record, DEFAULT_STYLE) is None
    assert len(kept.cached(match, record, LIGHT) or b"") == sizes[1]
    now = animations.CACHE_SECONDS + 1
    assert kept.cached(match, record, LIGHT) is None
    kept.close()


@pytest.mark.slow
async def test_animation_of_a_deleted_player_is_forgotten(stage: Stage) -> None:
    match_id = await finished(stage)
    match, record = await asked(stage, match_id)
    animation = stage.client.context.of(Animations).begin(match, record, DEFAULT_STYLE)
    await animation.drawing
    stage.client.context.of(Animations).leave(animation)
    assert stage.client.context.of(Animations).cached(match, record, DEFAULT_STYLE)
    panel = await stage.ada.slash(stage.channel, "privacy")
    sure = await stage.click(stage.ada, panel.response, "erase:ask")
    await stage.click(stage.ada, sure.response or panel.response, "erase:yes")
    assert stage.client.context.of(Animations).cached(match, record, DEFAULT_STYLE) is None


def slow(monkeypatch: pytest.MonkeyPatch, match: Match) -> list[str]:
    """Note in which thread each line of a match is replayed."""
    threads: list[str] = []
    kind: Any = type(games.get(match.game))
    apply = kind.apply

    def noted(self: Any, state: Any, action: Any) -> Any:
        threads.append(threading.current_thread().name)
        return apply(self, state, action)

    monkeypatch.setattr(kind, "apply", noted)
    return threads


@pytest.mark.slow
async def test_replay_is_done_beside_the_event_loop(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    match_id = await finished(stage)
    match, record = await asked(stage, match_id)
    threads = slow(monkeypatch, match)
    page = await stage.bo.slash(stage.channel, "replay")
    for _ in range(4):
        await stage.bo.click(page.response, label="Next")
    await on_card(stage, stage.bo, stage.channel, "verify:")
    assert threading.current_thread().name not in threads
    assert len(threads) <= 4 * len(record.actions)


@pytest.mark.slow
async def test_since_last_turn_replays_new_lines_only(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    match_id = await stage.begin()
    match, _ = await asked(stage, match_id)
    await stage.click(stage.bo, stage.last(), "since:")
    threads = slow(monkeypatch, match)
    for _ in range(3):
        page = await stage.click(stage.bo, stage.last(), "since:")
        assert "**What happened**" in words(page.response)
    assert not threads
