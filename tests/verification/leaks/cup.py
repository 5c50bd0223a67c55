"""A story of a match of a cup, whose players ask for profiles, leaderboards and standings."""

from __future__ import annotations

from typing import Any

from sqlalchemy import insert

from bot.domain.ids import NO_MATCH
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
        await stage.ada.slash(
            stage.channel, "cup create", name="Spring", game=GAME, clock="3 days per turn"
        )
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
        for name in CUP_JOBS:
            job = self.stage.client.runtime.jobs[name]
            await job.start()
            if job.task:
                await job.task
        await self.settle()

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
