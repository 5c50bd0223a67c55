"""Positions of the day in a channel of the server of `DeliveryFixture`."""

from __future__ import annotations

from sqlalchemy import select

from bot.clicked_messages import ClickedMessages
from bot.domain.ids import ChannelId
from bot.features.daily.posts import DailySender
from bot.features.daily.service import DailyPosition, DailyPositions, closing_time
from bot.guilds import Guilds
from bot.outbox.refusals import Refusals
from bot.outbox.transport import Transport
from bot.rulebook.lessons import Place
from bot.rulebook.positions import find
from bot.services.servers import Servers
from bot.storage.database import Database
from bot.storage.leases import Leases
from bot.storage.schema import daily_positions
from tests.support.deliveries import DAYS, DeliveryFixture
from tests.support.fake_objects import GUILD

SQUARE = ChannelId(6)
"""The channel."""


class DailyFixture:
    """The services and one process that posts; `now` is the time of `delivery`."""

    def __init__(self, delivery: DeliveryFixture) -> None:
        self.delivery = delivery
        self.fake = delivery.fake
        self.database: Database = delivery.env.database
        self.positions = DailyPositions(self.database, lambda: delivery.env.now)
        self.sender = self.process("1")

    def process(self, name: str) -> DailySender:
        """Return the sender of another process."""
        delivery = self.delivery

        def clock() -> float:
            return delivery.env.now

        return DailySender(
            self.positions,
            Servers(self.database),
            Leases(self.database, name, clock),
            images=delivery.images,
            transport=Transport(
                delivery.client, clock, ClickedMessages(), Refusals(delivery.env.database)
            ),
            guilds=Guilds(delivery.client, clock),
            clock=clock,
        )

    async def open(self, channel: int = SQUARE) -> None:
        """Choose the channel, and post the first position."""
        self.fake.text_channels |= {SQUARE, channel}
        await self.positions.choose(GUILD, ChannelId(channel))
        await self.sender.run()

    def pass_days(self, days: int = 1) -> None:
        """Let time pass until the open position closes, and some days more."""
        env = self.delivery.env
        env.now = closing_time(env.now) + (days - 1) * DAYS + 1

    async def rows(self) -> list[DailyPosition]:
        """All that is stored, the oldest first."""
        return await stored(self.database)

    def said(self, channel: int = SQUARE) -> list[str]:
        """Return the current texts of a channel's messages."""
        return self.fake.texts(channel)


async def stored(database: Database) -> list[DailyPosition]:
    """All positions that are stored, the oldest first."""
    async with database.read() as connection:
        rows = await connection.execute(select(daily_positions).order_by(daily_positions.c.id))
        return [DailyPosition(*row) for row in rows]


def place_of(daily: DailyPosition) -> Place:
    """The position of a message."""
    place = find(daily.position)
    assert place
    return place


def lines_of(daily: DailyPosition) -> list[str]:
    """The choices worth a thought, the best first."""
    return [line for line, _value in place_of(daily).step.values]
