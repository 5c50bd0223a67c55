"""Set-ups by clicks: few messages, and nothing that the others must not know."""

from __future__ import annotations

from random import Random

import pytest

from tests.support.driver import by_click, by_command, play_on
from tests.support.harness import Stage, ids, words

pytestmark = pytest.mark.slow


@pytest.mark.parametrize(
    "placing", [pytest.param("one", marks=pytest.mark.soak), "three", "secret", "random"]
)
async def test_set_up_is_played_by_clicks_on_one_board(stage: Stage, placing: str) -> None:
    match_id = await stage.begin(placing=placing)
    posts, random = len(stage.public()), Random(3)
    while not (await stage.perspective(match_id)).view.turn:
        assert len(stage.public()) == posts
        await play_on(stage, match_id, random, ways=(by_click, by_command), limit=1)
    assert len(stage.public()) == posts + 1
    assert await stage.replayed(match_id) == await stage.state(match_id)


async def test_coins_in_secret_are_shown_to_their_owner_alone(stage: Stage) -> None:
    match_id = await stage.begin(placing="secret")
    actor = await stage.deciding(match_id)
    await play_on(stage, match_id, Random(3), ways=(by_click,), limit=2)
    assert await stage.deciding(match_id) is actor
    for reader in (stage.ada, stage.bo, stage.eve):
        board = stage.board(match_id)
        text = words((await stage.click(reader, board, f"text:{match_id}:")).response)
        assert ("Coins with the suit up" in text) is (reader is actor)
    assert "placed a coin in secret" in words(board)


async def test_ready_is_offered_where_the_coins_are_seen(stage: Stage) -> None:
    match_id = await stage.begin(placing="random")
    assert not any(custom_id.startswith("act:") for custom_id in ids(stage.board(match_id)))
    actor = await stage.deciding(match_id)
    menu = await actor.click(stage.board(match_id), custom_id=f"menu:{match_id}")
    assert menu.ephemeral
    (ready,) = [custom_id for custom_id in ids(menu.response) if custom_id.endswith(":ready")]
    await actor.click(menu.response, custom_id=ready)
    assert await stage.deciding(match_id) is not actor
