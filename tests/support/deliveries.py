"""Matches whose outbox is delivered to a fake Discord."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import discord
from sqlalchemy import select, update

from bot.app.registry import FEATURES
from bot.clicked_messages import ClickedMessages
from bot.domain.ids import ChannelId, MatchId, UserId
from bot.domain.outbox import OutboxKind, PostedKind, Target
from bot.feature import Feature
from bot.outbox.sender import DiscordSender, SenderServices
from bot.outbox.worker import OutboxWorker
from bot.services.deliveries import MessageState, posted_of
from bot.services.match_store import load
from bot.services.preferences import Preferences
from bot.storage.database import Database
from bot.storage.schema import matches, outbox
from bot.views.images import BoardImages
from engine import games
from engine.game import CHANCE
from tests.support.fake_discord import FakeDiscord
from tests.support.fake_objects import GUILD, dm, marks
from tests.support.matches import MatchFixture

CHANNEL = ChannelId(5)


DAYS = 86_400.0


class DeliveryFixture:
    """An environment whose outbox is carried to a Discord."""

    def __init__(
        self, env: MatchFixture, fake_discord: FakeDiscord, client: discord.Client
    ) -> None:
        self.env = env
        self.fake = fake_discord
        self.client = client
        self.images = BoardImages()
        self.sender = self.sender_with(*FEATURES)
        self.worker = OutboxWorker(env.database, self.sender, lambda: env.now)

    def sender_with(
        self, *features: Feature, clock: Callable[[], float] | None = None
    ) -> DiscordSender:
        """Return a sender of a bot with only these features."""
        return DiscordSender(
            self.client,
            self.env.database,
            SenderServices(
                self.env.queries,
                Preferences(self.env.database),
                self.images,
                ClickedMessages(),
                clock or (lambda: self.env.now),
            ),
            messages=[feature.messages for feature in features if feature.messages],
            end_buttons=[feature.end_button for feature in features if feature.end_button],
        )

    def worker_behind(self, seconds: float, worker_id: str = "1-1/2") -> OutboxWorker:
        """Return a worker of another process, whose clock is behind."""

        def clock() -> float:
            return self.env.now - seconds

        return OutboxWorker(
            self.env.database, self.sender_with(*FEATURES, clock=clock), clock, worker_id
        )

    def leave_out(self, name: str) -> None:
        """Leave out a feature, as after a restart with other settings."""
        features = [feature for feature in FEATURES if feature.name != name]
        self.env.database.hooks.subscribe(name, {})
        self.sender = self.sender_with(*features)
        self.worker = OutboxWorker(self.env.database, self.sender, lambda: self.env.now)

    async def play(self, match_id: MatchId) -> None:
        """Make the first legal choice after which no die is rolled for the player on turn."""
        user = await self.env.on_turn(match_id)
        async with self.env.database.write() as connection:
            row = await load(connection, match_id)
        assert row
        game, state = games.get(row.game), row.state()
        legal = (await self.env.queries.view(match_id, user)).view.legal
        calm = [action for action in legal if game.pending(game.apply(state, action)[0]) != CHANCE]
        action = (calm or legal)[0]
        line = " ".join((action.verb, *action.args))
        outcome = await self.env.matches.act(next(self.env.ids), match_id, user, line)
        assert outcome.kind == "done"

    def refuse(
        self, status: int, code: int, error: str = "no", users: Sequence[UserId] = ()
    ) -> None:
        """Refuse messages in the channel, and by DM to these users."""
        for channel in (CHANNEL, *map(dm, users)):
            self.fake.refusals[channel] = (status, code, error)

    async def left(self) -> list[tuple[str, str]]:
        """Return kind and state of the rows still in the outbox."""
        async with self.env.database.read() as connection:
            query = select(outbox.c.kind, outbox.c.status).order_by(outbox.c.id)
            return [(kind, state) for kind, state in await connection.execute(query)]

    async def queue(self, kind: OutboxKind, match_id: MatchId, target: Target) -> None:
        """Put something into the outbox."""
        async with self.env.database.write() as connection:
            await self.env.match_store.queue(connection, match_id, kind, target=target)

    def boards(self, match_id: MatchId) -> list[set[str]]:
        """The marks that the boards of a match in the channel carry now, in order."""
        messages = self.fake.channels[CHANNEL].values()
        marks_of_messages = [marks(message["components"]) for message in messages]
        return [
            custom_ids
            for custom_ids in marks_of_messages
            if any(m.startswith(f"text:{match_id}:") for m in custom_ids)
        ]

    def moments(self, match_id: MatchId, channel: int = CHANNEL) -> list[str]:
        """The moments that were told of in a channel, in order."""
        start = f"text:{match_id}:"
        posted = [post.marks for post in self.fake.posted if post.channel == channel]
        return [mark.removeprefix(start) for marks in posted for mark in marks if start in mark]


async def ask(delivery: DeliveryFixture, **options: str) -> MatchId:
    """A challenge on a server, whose message has been posted."""
    match_id = await delivery.env.ask(**options)
    async with delivery.env.database.write() as connection:
        there = update(matches).where(matches.c.id == match_id)
        await connection.execute(there.values(guild_id=GUILD))
    await delivery.worker.flush()
    return match_id


async def accept(delivery: DeliveryFixture, match_id: MatchId) -> None:
    """Let the other player agree, and send the messages that follow."""
    await delivery.env.challenges.accept(next(delivery.env.ids), match_id, UserId(22))
    await delivery.worker.flush()


async def race(delivery: DeliveryFixture) -> MatchId:
    """A match in which each choice posts a board; its first board is posted."""
    match_id = await delivery.env.begin("standard", "warp6")
    await delivery.worker.flush()
    await delivery.env.race(match_id)
    await delivery.worker.flush()
    return match_id


async def posted(database: Database, match_id: MatchId, kind: PostedKind) -> MessageState:
    """Return the stored state of a message that is kept up to date."""
    async with database.read() as connection:
        return (await posted_of(connection, match_id))[kind]
