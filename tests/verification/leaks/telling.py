"""A match of a story: its place, its people, queries about it, and its acts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Awaitable, Callable, Mapping
from random import Random
from typing import Any

from sqlalchemy import func, select

from bot.app.client import Starpost
from bot.domain.ids import MatchId
from bot.domain.models import Match
from bot.features.halls.service import Halls
from bot.storage.database import Database
from bot.storage.schema import actions, timers
from tests.support.driver import by_command, silently
from tests.support.harness import Stage, actor_bot, ids, words
from tests.verification.leaks.choices import coins_lying, next_choice
from tests.verification.leaks.world import Watcher

Act = Callable[[], Awaitable[None]]


class Telling:
    """One match in one of the two worlds, and the people around it.

    Attributes:
        owner_is_ada: whether the values that differ are Ada's; else they are the computer's.
        hall: the channel with the list of matches, or the forum with their posts; perhaps None.
        hidden: permissions of a channel that Zed cannot see.
        turned: whether the last choice has turned over a coin of Bo's.
        done: how often each act has come about.
    """

    owner_is_ada = True

    def __init__(
        self,
        stage: Stage,
        watcher: Watcher,
        random: Random,
        cast: Mapping[str, Any],
        *,
        swapped: bool,
    ) -> None:
        self.stage = stage
        self.watcher = watcher
        self.random = random
        self.zed, self.root = cast["Zed"], cast["Root"]
        self.lobby, self.annex = cast["lobby"], cast["annex"]
        self.hidden = cast["hidden"]
        self.hall: Any = None
        self.has_posts = False
        self.swapped = swapped
        self.match_id = MatchId(1)
        self.turned = False
        self.done: Counter[str] = Counter()

    @staticmethod
    def bot(database: Database) -> Starpost:
        """Make the bot of the story."""
        return actor_bot(database)

    @property
    def where(self) -> Any:
        """The place in which the match is played."""
        return self.stage.where or self.stage.channel

    async def open_hall(self, *, forum: bool) -> None:
        """Make a channel the hall, which Zed cannot see; or a forum, which all see.

        In a forum, each match has a post; all see the channel of the match, too.
        """
        guild, context = self.stage.guild, self.stage.client.context
        if forum:
            self.hall = guild.create_forum_channel("matches")
            self.stage.channel = guild.create_text_channel("open club")
            self.stage.leave_threads_as_they_are()
        else:
            self.hall = guild.create_text_channel("hall", overwrites=self.hidden)
        self.has_posts = forum
        await context.of(Halls).choose(guild.id, self.hall.id, is_forum=forum, now=context.clock())

    def listed(self) -> list[str]:
        """Return the texts of the list and the posts of the hall."""
        places = self.hall.threads if self.has_posts else [self.hall]
        return [words(message) for place in places for message in place.history()]

    async def begin(self, **options: Any) -> None:
        """Begin the match, in a thread or post of its own."""
        self.match_id = await self.stage.begin(**options)
        places = self.hall.threads if self.has_posts else self.stage.channel.threads
        thread_id = (await self.match()).channel_id
        (self.stage.where,) = [place for place in places if place.id == thread_id]
        self.watcher.note()

    async def act(self, act: Act) -> None:
        """Do one act; its consequences are noted under its name."""
        await self.settle()
        self.watcher.act = getattr(act, "__name__", "")
        await act()
        await self.settle()
        self.watcher.act = "play"

    async def settle(self) -> None:
        """Wait until everything has arrived."""
        await self.stage.client.runtime.outbox.flush()
        await self.stage.env.settle()
        self.watcher.note()

    async def choose(self, way: Any = silently) -> bool:
        """Make the next choice; return whether there was one that turns over no coin of Ada's."""
        stage = self.stage
        if way is not silently:
            await self.settle()
            if any(custom_id.startswith("agree:") for custom_id in ids(stage.last(stage.where))):
                way = by_command  # a request for a takeback is newer than the board
        actor, state = await stage.deciding(self.match_id), await stage.state(self.match_id)
        swapped = self.swapped and actor is stage.ada
        action = next_choice(state, self.random, swapped=swapped)
        if action is None:
            return False
        before = coins_lying(state, "CA")
        await way(stage, self.match_id, actor, action)
        self.turned = bool(before - coins_lying(await stage.state(self.match_id), "CA"))
        await self.settle()  # else the posts depend on the time that pictures take
        self.done["choice"] += 1
        return True

    async def is_placing(self) -> bool:
        """Return whether coins are still in hand."""
        return bool((await self.stage.state(self.match_id)).hand)

    # queries about the match

    async def match(self) -> Match:
        """Return the match as it is stored."""
        return await self.stage.client.context.queries.match(self.match_id)

    async def count(self, query: Any) -> int:
        """Return the number of rows of a query."""
        async with self.stage.database.read() as connection:
            counted = select(func.count()).select_from(query.subquery())
            return int((await connection.execute(counted)).scalar_one())

    async def undone(self) -> int:
        """Return the number of choices that were taken back."""
        return await self.count(select(actions.c.number).where(actions.c.undone_at.is_not(None)))

    def posted(self) -> int:
        """Return the number of messages sent, edits not counted."""
        sent = [request for request in self.stage.env.http_requests if request.method == "POST"]
        return sum(request.path.endswith("/messages") for request in sent)

    async def due(self) -> list[str]:
        """Return the kinds of the timers that are about to fire."""
        match, now = await self.match(), self.stage.clock.now
        query = select(timers).where(timers.c.match_id == self.match_id, timers.c.due_at <= now)
        async with self.stage.database.read() as connection:
            rows = (await connection.execute(query)).all()
        return [row.kind for row in rows if match.decisions.get(row.seat) == row.version]
