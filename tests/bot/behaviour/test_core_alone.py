"""The bot without optional features: matches, rules, replays, settings and deletion."""

from __future__ import annotations

from functools import partial
from random import Random
from typing import Any

import pytest
from sqlalchemy import select

from bot.app.client import Starpost
from bot.app.registry import FEATURES, features_named
from bot.domain.ids import MatchId, UserId
from bot.features.analyses.service import Analyses
from bot.storage.database import Database
from bot.storage.schema import analyses, outbox
from bot.workers.pool import WorkerPool
from engine import games
from engine.game import Action
from engine.record import Record
from tests.support.driver import by_click, by_command, play_on
from tests.support.harness import Stage, actor_bot, ids, words
from tests.support.match_card import card_of
from tests.support.privacy import tables_with
from tests.support.strategies import ahead, racing

STRATEGIES: dict[str, Any] = {"warp6": racing, "wormholes": ahead}

OPTIONAL = [feature for feature in FEATURES if not feature.is_required]


@pytest.fixture
def simcord_bot(database: Database) -> Starpost:
    """A bot without optional features, but with computers."""
    return actor_bot(database, workers=WorkerPool(1), features=features_named("none"))


def anything(game: str, state: Any, random: Random) -> Action:
    """Return any legal choice."""
    return random.choice(games.get(game).legal(state))


async def finished(stage: Stage, game: str) -> MatchId:
    """Play a match to its end, with a takeback and a restart; return its number."""
    match_id, random = await stage.begin(game=game), Random(1)
    strategy = STRATEGIES.get(game, partial(anything, game))
    ways = (by_click, by_command)
    await play_on(stage, match_id, random, ways=ways, strategy=strategy, limit=6)
    last = (await stage.client.context.queries.record(match_id)).actions[-1].actor
    match = await stage.client.context.queries.match(match_id)
    by = match.players[last].user_id if last in match.players else 0
    for actor in (stage.ada, stage.bo):
        if actor.id == by:
            await actor.slash(stage.channel, "takeback")
    await stage.restart()
    await play_on(stage, match_id, random, ways=ways, strategy=strategy, limit=60)
    if (await stage.client.context.queries.match(match_id)).status == "running":
        confirmation = await stage.ada.slash(stage.channel, "resign")
        await stage.click(stage.ada, confirmation.response, "resign:")
    assert (await stage.client.context.queries.match(match_id)).status == "finished"
    return match_id


@pytest.mark.slow
@pytest.mark.parametrize("game", games.names())
async def test_match_is_played_replayed_and_deleted(stage: Stage, game: str) -> None:
    match_id = await finished(stage, game)
    end = stage.last()
    files = {file.filename: await file.read() for file in end.attachments}
    record = Record.parse(files[f"{game}-{match_id}.match"].decode())
    assert record.replay().state == await stage.state(match_id)
    replay = await stage.click(stage.bo, end, "replay:")
    assert "step 1 of" in words(replay.response)
    assert await stage.click(stage.bo, end, "rematch:")
    answer = await stage.ada.slash(stage.channel, "privacy")
    confirm = await stage.click(stage.ada, answer.response, "erase:ask")
    deleted = await stage.click(stage.ada, confirm.response, "erase:yes")
    assert "Your data is deleted" in words(deleted.response)
    assert not await tables_with_user(stage, stage.ada.id)
    async with stage.database.read() as connection:
        assert not (await connection.execute(select(outbox))).all()


async def tables_with_user(stage: Stage, user_id: UserId) -> list[str]:
    """Return the tables that name a user."""
    env: Any = stage
    return list(await tables_with(env, user_id))


async def test_rules_settings_and_games_are_shown(stage: Stage) -> None:
    await stage.begin(game="warp6")
    for name, text in (("rules", "Warp 6"), ("games", "Warp 6"), ("settings", ""), ("help", "")):
        options = {"game": "warp6"} if name == "rules" else {}
        answer = await stage.bo.slash(stage.channel, name, **options)
        assert text in words(answer.response)


async def test_no_control_of_an_optional_feature_is_handled(stage: Stage) -> None:
    match_id = await stage.begin(game="warp6")
    confirmation = await stage.ada.slash(stage.channel, "resign")
    await stage.click(stage.ada, confirmation.response, "resign:")
    assert (await stage.client.context.queries.match(match_id)).status == "finished"
    prefixes = {kind.prefix for feature in OPTIONAL for kind in feature.components}
    kinds = {custom_id.partition(":")[0] for custom_id in ids(stage.last())}
    card = await card_of(stage, stage.ada, stage.channel, match_id)
    kinds |= {custom_id.partition(":")[0] for custom_id in ids(card.response)}
    assert {"replay", "verify", "open", "dice"} <= kinds
    assert not kinds & prefixes
    names = {command.name for command in stage.client.tree.get_commands()}
    assert names >= {"play", "rules", "replay", "privacy", "server"}
    assert not names & {"leaderboard", "profile", "analyse", "cup"}


class TestAnalysesLeftOut:
    """A host leaves analyses out while one is queued and one is made, then takes them back."""

    @pytest.fixture
    def simcord_bot(self, database: Database) -> Starpost:
        return actor_bot(database)

    async def resigned(self, stage: Stage) -> MatchId:
        """Return a match that Ada has resigned."""
        match_id = await stage.begin(game="warp6")
        confirmation = await stage.ada.slash(stage.channel, "resign", match=match_id)
        await stage.click(stage.ada, confirmation.response, "resign:")
        return match_id

    async def restart(self, stage: Stage, names: str) -> None:
        """Restart with these features."""
        await stage.stop_computers()
        bot = actor_bot(stage.database, stage.clock, features=features_named(names))
        await stage.env.restart_bot(bot)

    async def after_a_minute(self, stage: Stage) -> list[tuple[int, str | None]]:
        """Let background jobs run; return the attempts and results of all analyses."""
        await stage.spend(60)
        await stage.env.advance_time(60)
        async with stage.database.read() as connection:
            rows = await connection.execute(select(analyses).order_by(analyses.c.match_id))
            return [(row.attempts, row.result) for row in rows]

    async def requested(self, stage: Stage) -> list[MatchId]:
        """Return two matches whose analyses are requested; a process has begun with the first."""
        match_ids = [await self.resigned(stage) for _ in range(2)]
        service = stage.client.context.of(Analyses)
        for user_id, match_id in zip((stage.ada.id, stage.bo.id), match_ids, strict=True):
            assert await service.request(match_id, user_id)
            stage.clock.now += 1
        taken = await service.take()
        assert taken
        assert taken[0] == match_ids[0]
        return match_ids

    async def test_requests_wait_until_the_feature_is_back(self, stage: Stage) -> None:
        first, second = await self.requested(stage)
        end = stage.last()
        await self.restart(stage, "none")
        assert await self.after_a_minute(stage) == [(1, None), (0, None)]
        replay = await stage.click(stage.ada, end, "replay:")
        assert "step 1 of" in words(replay.response)
        assert "analyse" not in {command.name for command in stage.client.tree.get_commands()}
        await self.restart(stage, "all")
        assert await self.after_a_minute(stage) == [(1, None), (0, None)]
        service = stage.client.context.of(Analyses)
        assert await service.request(first, stage.bo.id), "who waits is not stored"
        for match_id in (second, first, second):
            taken = await service.take()
            assert taken
            assert taken[0] == match_id
