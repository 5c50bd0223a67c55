"""Positions of the day in a simulation, in a channel of the first server."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from bot.app.run import open_database
from bot.domain.ids import ChannelId, GuildId
from bot.features.daily.service import DailyPositions, DailyStatus
from tests.support.fake_objects import texts

if TYPE_CHECKING:
    from tests.verification.kills.simulation import Simulation

SQUARE = ChannelId(4003)

SHOWN = {
    DailyStatus.OPEN: "What's best?",
    DailyStatus.SOLVED: "The best choice for ",
}
"""Status of a position → text of its message."""


async def choose_square(simulation: Simulation) -> None:
    """Have the host of the first server choose the channel."""
    guild_id = int(simulation.fake.servers[0]["id"])
    simulation.open_channel(guild_id, SQUARE)
    async with open_database(simulation.audit_log.url) as database:
        await DailyPositions(database, simulation.now).choose(GuildId(guild_id), SQUARE)


class DailyAudit:
    """Compares the messages with the positions that are stored."""

    def __init__(self, simulation: Simulation) -> None:
        self._simulation = simulation
        self._fake = simulation.fake

    def unsettled(self) -> Iterator[str]:
        """Yield the steps left until the latest position is posted, and all others are solved.

        The latest one is solved if it closed while the clock was ahead; the next one is not due.
        """
        *earlier, last = [status for status, _ in self._rows()] or [""]
        for status in earlier:
            if status != DailyStatus.SOLVED:
                yield f"an earlier position of the day, {status}"
        if last not in {DailyStatus.OPEN, DailyStatus.SOLVED}:
            yield f"the position of the day, {last or 'not chosen'}"
        now = self._simulation.now()
        query = "SELECT guild_id FROM guilds WHERE daily_due_at <= ?"
        for (guild_id,) in self._simulation.audit_log.rows(query, now):
            yield f"a position of the day that is due in {guild_id}"

    def wrong(self) -> Iterator[str]:
        """Yield all faults: each position must have one message, which shows its solution.

        The next one may be on its way when the last process is told to stop.
        """
        rows = self._rows()
        self._simulation.report.done["positions of the day"] = len(rows)
        messages = self._fake.channels[SQUARE]
        keys = {post.mark for post in self._fake.posted if post.channel == SQUARE}
        stored_ids = {message for _, message in rows if message}
        on_its_way = sum(status == DailyStatus.WAITING for status, _ in rows)
        more = len(messages.keys() - stored_ids)
        if stored_ids - messages.keys() or more > on_its_way or len(keys) != len(messages):
            yield f"{len(rows)} positions of the day, {len(messages)} messages, {len(keys)} keys"
        for status, message in rows:
            text = " ".join(texts(messages[message]["components"])) if message in messages else ""
            if SHOWN.get(DailyStatus(status), "") not in text:
                yield f"a position of the day, {status}, shows {text}"

    def _rows(self) -> list[tuple[str, int]]:
        query = "SELECT status, message_id FROM daily_positions ORDER BY id"
        return [(status, message) for status, message in self._simulation.audit_log.rows(query)]
