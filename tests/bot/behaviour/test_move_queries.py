"""Database costs of a move, from the click to the posted board."""

from __future__ import annotations

from random import Random

import pytest

from bot.domain.ids import MatchId
from tests.support.driver import play_on, silently
from tests.support.harness import Stage, ids
from tests.support.strategies import racing
from tests.support.tally import Tally


async def race(stage: Stage) -> None:
    """Begin a match of Warp 6 and play its set-up: from now on each choice is a turn."""
    match_id = await stage.begin(game="warp6")
    await play_on(stage, match_id, Random(1), ways=(silently,), strategy=racing, limit=18)
    await stage.client.runtime.outbox.flush()
    await stage.env.settle()


async def move(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> Tally:
    """Make a move that begins a turn by a click on the board of a match, and count."""
    before, actor, tally = stage.last(), await stage.deciding(MatchId(1)), Tally()
    with monkeypatch.context() as patch:
        tally.watch(stage.database, patch)
        await stage.click(actor, before, "act:1:")
    assert stage.last().id != before.id
    stripped = next(message for message in stage.public() if message.id == before.id)
    assert not any(custom_id.startswith("act:") for custom_id in ids(stripped))
    return tally


@pytest.mark.slow
@pytest.mark.parametrize("with_forced", [False, True])
async def test_move_to_posted_board_costs_few_statements(
    stage: Stage, monkeypatch: pytest.MonkeyPatch, with_forced: bool
) -> None:
    """The last die of the set-up has only one space; the story asks for forced choices then."""
    if not with_forced:
        await stage.without_forced_moves()
    await race(stage)
    tally = await move(stage, monkeypatch)
    assert 0 < tally.writes <= 2, tally
    assert 0 < tally.reads <= 2, tally
    assert 0 < len(tally.statements) <= 19 + with_forced, tally
    assert tally.replays == 0, tally
    assert 0 < tally.trips <= 18 + with_forced, tally


@pytest.mark.slow
async def test_former_board_of_an_earlier_process_is_replayed(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    await race(stage)
    await stage.restart()
    assert (await move(stage, monkeypatch)).replays > 0
