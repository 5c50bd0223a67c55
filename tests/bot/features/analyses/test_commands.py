"""Analyses of finished matches, made by a real process."""

from __future__ import annotations

import io
from random import Random
from typing import Any

import pytest
from PIL import Image
from sqlalchemy import select, update

from bot.app.client import Starpost
from bot.domain.ids import MatchId
from bot.features.analyses.service import FAILED, MAX_ATTEMPTS
from bot.services.match_repository import NoMatchError
from bot.storage.database import Database
from bot.storage.schema import analyses
from bot.views.attachments import RECORD_FILE
from bot.workers.pool import WorkerPool
from engine import games
from engine.game import Action
from engine.record import Record
from engine.tomtube.state import State
from tests.support.computers import failing_worker
from tests.support.driver import play_on, silently
from tests.support.harness import Stage, actor_bot, ids, words
from tests.support.strategies import ahead, racing


@pytest.fixture
def simcord_bot(database: Database) -> Starpost:
    return actor_bot(database, workers=WorkerPool(1))


def building(state: State, random: Random) -> Action:
    """Place rhombs in Tom Tube; without one, do anything."""
    legal = games.get("tomtube").legal(state)
    return next((action for action in legal if action.verb == "build"), random.choice(legal))


STRATEGIES: dict[str, Any] = {"warp6": racing, "tomtube": building}


async def finished(stage: Stage, **options: Any) -> MatchId:
    match_id = await stage.begin(**options)
    strategy = STRATEGIES.get(options["game"], ahead)
    await play_on(stage, match_id, Random(1), ways=(silently,), limit=36, strategy=strategy)
    asked = await stage.ada.slash(stage.channel, "resign")
    await stage.click(stage.ada, asked.response, "resign:")
    return match_id


async def rows(stage: Stage) -> list[Any]:
    async with stage.database.read() as connection:
        return list(await connection.execute(select(analyses)))


async def sizes(message: Any) -> list[tuple[int, int]]:
    pictures = [io.BytesIO(await attachment.read()) for attachment in message.attachments]
    return [Image.open(picture).size for picture in pictures]


@pytest.mark.slow
async def test_ending_leads_to_the_analysis(stage: Stage) -> None:
    await finished(stage, game="warp6")
    page = await stage.click(stage.ada, stage.last(), "analyse:")
    assert page.ephemeral
    text = words(page.response)
    assert "luck and play" in text
    assert "- Luck: **" in text
    assert f"{stage.name(stage.bo)}'s mistakes are shown to" in text
    (first, *boards) = await sizes(page.response)
    assert first == (1400, 700)
    assert len(boards) == text.count("** of 100.\n") == text.count("reen ") > 0


@pytest.mark.slow
@pytest.mark.first(check=1)
@pytest.mark.parametrize("game", games.names()[::-1])
async def test_better_choice_is_tried_in_private(stage: Stage, game: str) -> None:
    match_id = await finished(stage, game=game)
    analysis = await stage.click(stage.ada, stage.last(), "analyse:")
    queries = stage.client.context.queries
    result, seat = (
        await queries.analysis(match_id),
        (await queries.match(match_id)).seat_of(stage.ada.id),
    )
    assert result
    worst = max(result.of(seat), key=lambda decision: decision.loss)
    assert "Better: **" in words(analysis.response)
    public = len(stage.public())
    board = await stage.click(stage.ada, analysis.response, f"playon:{worst.place}:")
    assert board.ephemeral
    assert "Trying a line" in words(board.response)
    await stage.click(stage.ada, board.response, f"trylineact:{seat}:{worst.place}:better:")
    (record,) = [file for file in board.response.attachments if file.filename == RECORD_FILE]
    lines = Record.parse((await record.read()).decode()).actions
    assert str(worst.best) in map(str, lines[worst.place :])
    assert len(stage.public()) == public
    with pytest.raises(NoMatchError):
        await queries.match(MatchId(match_id + 1))


@pytest.mark.soak
async def test_analysis_is_made_once(stage: Stage) -> None:
    match_id = await finished(stage, game="warp6")
    one = await stage.bo.slash(stage.channel, "analyse", match=match_id)
    (row,) = await rows(stage)
    again = await stage.bo.slash(stage.channel, "analyse", match=match_id)
    assert await rows(stage) == [row]
    assert words(one.response) == words(again.response)
    assert row.attempts == 1


@pytest.mark.slow
async def test_decisions_are_shown_to_others_if_their_player_allows_it(stage: Stage) -> None:
    match_id = await finished(stage, game="warp6")
    hidden = await stage.eve.slash(stage.channel, "analyse", match=match_id)
    assert "** of 100.\n" not in words(hidden.response)
    assert words(hidden.response).count("alone") == 2
    await stage.prefer(stage.ada, analysis="on")
    page = await stage.eve.slash(stage.channel, "analyse", match=match_id)
    assert words(page.response).count("alone") == 1
    assert f"**1.** {stage.name(stage.ada)}" in words(page.response)
    assert f".** {stage.name(stage.bo)}" not in words(page.response)


@pytest.mark.slow
async def test_running_match_is_not_analysed(stage: Stage) -> None:
    match_id = await stage.begin(game="warp6")
    for player in (stage.ada, stage.bo, stage.eve):
        refused = await player.slash(stage.channel, "analyse", match=match_id)
        assert "isn't over yet" in words(refused.response)
    assert not await rows(stage)


@pytest.mark.soak
async def test_earlier_version_is_made_again(stage: Stage) -> None:
    match_id = await finished(stage, game="warp6")
    await stage.ada.slash(stage.channel, "analyse", match=match_id)
    (row,) = await rows(stage)
    async with stage.database.write() as connection:
        await connection.execute(update(analyses).values(version=0, result="{}"))
    await stage.ada.slash(stage.channel, "analyse", match=match_id)
    assert [stored_row.result for stored_row in await rows(stage)] == [row.result]


class TestFailing:
    @pytest.fixture
    def simcord_bot(self, database: Database) -> Starpost:
        program = failing_worker("answer = '{}'", "analyse")
        return actor_bot(database, workers=WorkerPool(1, program))

    @pytest.mark.slow
    async def test_failed_analysis_is_tried_again_on_request(self, stage: Stage) -> None:
        match_id = await finished(stage, game="warp6")
        page = await stage.ada.slash(stage.channel, "analyse", match=match_id)
        assert "Try again" in words(page.response)
        (row,) = await rows(stage)
        assert (row.attempts, row.result) == (MAX_ATTEMPTS, FAILED)
        await stage.ada.slash(stage.channel, "analyse", match=match_id)
        (row,) = await rows(stage)
        assert row.attempts == MAX_ATTEMPTS


class TestWithoutComputers:
    @pytest.fixture
    def simcord_bot(self, database: Database) -> Starpost:
        return actor_bot(database)

    @pytest.mark.slow
    async def test_analysis_is_not_offered_and_refused(self, stage: Stage) -> None:
        match_id = await finished(stage, game="warp6")
        assert not [
            custom_id for custom_id in ids(stage.last()) if custom_id.startswith("analyse:")
        ]
        refused = await stage.ada.slash(stage.channel, "analyse", match=match_id)
        assert "turned off" in words(refused.response)
