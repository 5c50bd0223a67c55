"""A story of a match of a cup, whose players ask for profiles, leaderboards and standings."""

from __future__ import annotations

from typing import Any

from sqlalchemy import insert

from bot.domain.clocks import DAY, HOUR
from bot.domain.ids import NO_MATCH
from bot.features.cups.seasons import SIGN_UP_SECONDS
from bot.features.cups.service import Cups
from bot.features.leaderboards.service import Leaderboards
from bot.storage.schema import rated_results
from tests.support.harness import ids, words
from tests.support.staged_cups import CUP_JOBS
from tests.verification.leaks.story import Story

GAME, POOL = "wormholes", "wormholes/2"


class CupStory(Story):
    """Ada, Bo and Eve play a cup; Ada has a profile for everyone, and is on the leaderboard."""

    async def begin(self, **options: Any) -> None:
        """Finish a match, then begin the cup."""
        stage = self.stage
        await stage.prefer(stage.ada, profile="everyone", analysis="on")
        await self._finish_one()
        terms = {"name": "Spring", "game": GAME, "clock": "3 days per turn"} | options
        await stage.ada.slash(stage.channel, "cup create", **terms)
        await self.settle_cup()
        for user in (stage.ada, stage.bo, stage.eve):
            await stage.click(user, self._post(), "cupjoin:")
        await stage.click(stage.ada, self._post(), "cupstart:")
        await self.settle_cup()
        cup = await stage.client.context.of(Cups).get(1)
        assert cup
        ada, bo = (cup.entrant_of(user.id) for user in (stage.ada, stage.bo))
        assert ada
        assert bo
        (pairing,) = [
            candidate for candidate in cup.running if candidate.seated == (ada.number, bo.number)
        ]
        self.match_id = pairing.match_id or NO_MATCH
        thread_id = (await self.match()).channel_id
        (stage.where,) = [thread for thread in stage.channel.threads if thread.id == thread_id]
        self.watcher.note()

    async def _finish_one(self) -> None:
        """Bo resigns a match at once; Ada gets a rating, as if it had counted."""
        stage = self.stage
        match_id = await stage.begin(game=GAME)
        question = await stage.bo.slash(stage.channel, "resign", match=match_id)
        await stage.click(stage.bo, question.response, "resign:")
        row = {"match_id": match_id, "seat": "O", "number": 1, "pool": POOL, "rank": 0}
        row |= {"user_id": stage.ada.id, "ended_at": stage.clock.now, "mu": 1900.0, "sigma": 60.0}
        async with stage.database.write() as connection:
            await connection.execute(insert(rated_results).values(row))
        await stage.client.context.of(Leaderboards).join(stage.guild.id, stage.ada.id, "Ada")
        await self.settle()

    async def settle_cup(self) -> None:
        """Wait until the post of the cup is up to date, too."""
        await self.settle()
        await self._run_jobs()
        await self.settle()

    async def _run_jobs(self) -> None:
        for name in CUP_JOBS:
            job = self.stage.client.runtime.jobs[name]
            await job.start()
            if job.task:
                await job.task

    def _post(self) -> Any:
        return next(
            message
            for message in reversed(self.stage.channel.history())
            if any(custom_id.startswith("cup") for custom_id in ids(message))
        )

    async def ask_for_figures(self) -> None:
        """All ask for the profile of Ada, their own one, the leaderboard and the standings."""
        stage = self.stage
        for user in (stage.ada, stage.bo, stage.eve, self.zed, self.root):
            other = await user.slash(self.lobby, "profile", player=stage.ada)
            await user.slash(self.lobby, "profile")
            board = await user.slash(self.lobby, "leaderboard")
            standings = await user.slash(self.lobby, "cup status")
            await user.autocomplete(self.lobby, "cup status", "cup", "")
            self.done["profile"] += "Ada" in words(other.response)
            self.done["leaderboard"] += "Ada" in words(board.response)
            self.done["standings"] += "Spring" in words(standings.response)
        await self.settle_cup()


class SeasonStory(CupStory):
    """The cup repeats: the next season opens, and begins, while the match of Ada and Bo goes on."""

    async def begin(self, **options: Any) -> None:
        """Begin the first season; from now on jobs run when the story says so.

        Eve loses her matches at once, so that one message waits at a time.
        """
        context = self.stage.client.context
        self.stage.client.runtime.heartbeat.beat.cancel()
        await super().begin(season="1", clock="7 days per turn", **options)
        cup = await context.of(Cups).get(1)
        eve = cup and cup.entrant_of(self.stage.eve.id)
        assert cup
        assert eve
        for pairing in cup.running:
            if eve.number in pairing.seated:
                number = self.stage.env.backend.snowflake()
                match_id = pairing.match_id or NO_MATCH
                await context.matches.act(number, match_id, self.stage.eve.id, "resign")
                await self.settle_cup()

    async def play_until(self, moment: float) -> None:
        """Play on, a choice every three days."""
        while self.stage.clock.now < moment:
            await self.wait(min(3 * DAY, moment - self.stage.clock.now))
            await self.settle_cup()
            await self.choose()

    async def confirm(self) -> None:
        """All confirm their places in the next season, on a post that all have looked at."""
        stage = self.stage
        self.done["season opened"] += "Spring · 2" in words(self._post())
        for user in (stage.ada, stage.bo, stage.eve):
            details = await stage.click(user, self._post(), "cupstatus:")
            self.done["details"] += "Spring · 2" in words(details.response)
            await stage.click(user, self._post(), "cupjoin:")
        await self.settle_cup()

    async def begin_next(self) -> None:
        """Begin the next season; its matches begin in any order, with nothing hidden."""
        await self.stage.spend(2 * HOUR)
        await self._run_jobs()
        await self.stage.client.runtime.outbox.flush()
        await self.stage.env.settle()
        self.watcher.skip()
        cup = await self.stage.client.context.of(Cups).get(2)
        self.done["season begun"] += cup is not None and cup.row.started_at is not None


async def in_a_season(story: SeasonStory) -> None:
    """Two seasons: the match of the first one is played on until the second has begun."""
    await story.begin()
    first = await story.stage.client.context.of(Cups).get(1)
    assert first
    end = first.row.ends_at or 0.0
    await story.play_until(end - SIGN_UP_SECONDS + HOUR)
    for act in (story.confirm, story.ask_for_figures):
        await story.act(act)
    await story.play_until(end - HOUR)
    await story.act(story.begin_next)
    await story.choose()
    for act in (story.ask_for_figures, story.agree_on_draw):
        await story.act(act)


async def in_a_cup(story: CupStory) -> None:
    """All ask again and again while the match goes on; Bo looks at his matches."""
    await story.begin()
    for number in range(24):
        if not await story.choose():
            break
        if number % 8 == 3:
            await story.act(story.own_takeback)
            await story.act(story.ask_for_figures)
    await story.act(story.agree_on_draw)
