"""Whole matches through the bot alone, on a simulated Discord and a real database file."""

from __future__ import annotations

from itertools import cycle
from random import Random
from typing import Any

import pytest
from discord import ChannelType

from engine.game import Action
from engine.record import Record
from tests.support.driver import by_click, play_on, silently
from tests.support.harness import Stage, ids, words
from tests.support.strategies import ahead, racing, wild

pytestmark = pytest.mark.slow

PNG = b"\x89PNG\r\n\x1a\n"


@pytest.mark.parametrize(
    ("rules", "seed"),
    [
        ("0.6", 2),
        pytest.param("0.6-long", 3, marks=pytest.mark.soak),
        pytest.param("0.5.2", 3, marks=pytest.mark.soak),
    ],
)
async def test_a_match_from_challenge_to_victory(stage: Stage, rules: str, seed: int) -> None:
    match_id = await stage.begin(rules=rules)
    boards: list[tuple[int, Any]] = []

    async def look(_: Action) -> None:
        turn = (await stage.perspective(match_id)).view.turn
        board = stage.last()
        picture = next(a for a in board.attachments if a.filename == "board.png")
        assert (await picture.read()).startswith(PNG)
        assert 0 < len(picture.description) <= 1024
        boards.append((turn, board.id))

    await play_on(stage, match_id, Random(seed), after=look)
    turns = {turn for turn, _ in boards}
    assert len({board for turn, board in boards if turn}) >= len(turns - {0})
    last = stage.last()
    match = await stage.client.context.queries.match(match_id)
    assert match.status == "finished"
    files = {file.filename: await file.read() for file in last.attachments}
    record = Record.parse(files[f"wormholes-{match_id}.match"].decode())
    assert record.headers["Result"].endswith(" base")
    dice = await stage.click(stage.ada, last, "dice:")
    assert record.headers["Seed"] in words(dice.response)
    assert record.verify() > 0


DECISIONS = {"first", "place", "declare", "act", "jump", "send"}


async def test_a_restart_in_the_middle_of_every_kind_of_decision(stage: Stage) -> None:
    random = Random(5)
    seen: set[str] = set()
    for strategy, limit in cycle(((wild, 80), (ahead, 160))):
        match_id = await stage.begin(rules="0.6-long")
        for _ in range(limit):
            view: Any = (await stage.perspective(match_id)).view
            if view.phase not in seen | {"over"}:
                seen.add(view.phase)
                before = stage.last()
                await stage.restart()
                assert stage.last().id == before.id  # nothing is sent twice
            if seen == DECISIONS:
                return
            await play_on(stage, match_id, random, ways=(by_click,), strategy=strategy, limit=1)


async def test_only_the_newest_board_has_controls(stage: Stage) -> None:
    match_id = await stage.begin()
    random = Random(1)
    while (await stage.perspective(match_id)).view.turn < 4:
        await play_on(stage, match_id, random, ways=(silently,), limit=1)
        await stage.client.runtime.outbox.flush()
    await stage.env.settle()
    boards = [m for m in stage.public() if any(i.startswith("text:") for i in ids(m))]
    assert len(boards) > 3
    for old in boards[:-1]:
        assert len(ids(old)) == 1
        assert [a.filename for a in old.attachments] == ["board.png"]


async def test_buttons_of_an_older_board_answer_with_the_present_one(stage: Stage) -> None:
    match_id = await stage.begin(game="warp6")
    await play_on(stage, match_id, Random(1), ways=(silently,), strategy=racing, limit=18)
    await stage.client.runtime.outbox.flush()
    await stage.env.settle()
    old = stage.last()
    actor = await stage.deciding(match_id)
    button = next(i for i in ids(old) if i.startswith(f"act:{match_id}:"))
    for path in ("/webhooks/*/*/messages/*", "/channels/*/messages/*"):
        stage.env.inject_error("PATCH", path, status=403, code=30046, times=1)
    await actor.click(old, custom_id=button)
    count = len(stage.public())
    result = await actor.click(old, custom_id=button)
    assert result.ephemeral
    assert "already been made" in words(result.response)
    assert [a.filename for a in result.response.attachments] == ["board.png"]
    assert len(stage.public()) == count


async def test_everything_works_in_a_dm_with_the_bot(stage: Stage) -> None:
    match_id = await stage.begin()
    for _ in range(30):
        actor = await stage.deciding(match_id)
        view = (await stage.perspective(match_id, actor)).view
        action = view.legal[0]
        answer = await actor.user.slash("board")
        assert answer.ephemeral
        assert [a.filename for a in answer.response.attachments] == ["board.png"]
        typed = " ".join((action.verb, *action.args))
        done = await actor.user.slash("do", action=typed)
        assert "Done" in words(done.response)


async def test_a_match_in_a_thread(stage: Stage) -> None:
    thread = await _thread(stage)
    match_id = await stage.begin(thread)
    stage.where = thread
    await play_on(stage, match_id, Random(2), limit=30)
    assert (await stage.client.context.queries.match(match_id)).channel_id == thread.id
    assert len([m for m in thread.history() if m.attachments]) >= 1


async def _thread(stage: Stage) -> Any:
    channel: Any = stage.client.get_channel(stage.channel.id)
    await channel.create_thread(name="A quiet place", type=ChannelType.public_thread)
    await stage.env.settle()
    return stage.channel.threads[0]
