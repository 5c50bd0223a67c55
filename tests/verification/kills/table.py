"""Two users at a table: their channel, their requests, and the rows of their matches."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

from engine.game import Action
from tests.verification.kills.expected import Expected
from tests.verification.kills.payloads import Place

if TYPE_CHECKING:
    from tests.verification.kills.simulation import Simulation

Answer = dict[str, Any]

ROOMS = 1000
"""Difference between the numbers of two channels of the same people."""


class Now(NamedTuple):
    """A match as it is stored."""

    status: str
    game: str
    position: str
    decisions: dict[str, int]
    version: int


class Table:
    """Two users who play match after match, and the channel in which they do so.

    Attributes:
        users: those who play the current match; twice the same one while a friend may join.
        clicked_in: the channel of the last click; it may have been left since.
        finished: the last match that was played to its end; 0 if there is none.
    """

    def __init__(self, simulation: Simulation, number: int, guild_id: int) -> None:
        self.simulation = simulation
        self.random = simulation.random
        self.members = 100 + 2 * number, 101 + 2 * number
        self.users = self.members
        self.place = self.clicked_in = Place(guild_id, 5000 + number)
        self.finished = 0
        self.open(self.place)

    @property
    def rooms(self) -> tuple[int, int]:
        """The channels in which they play now: that of new matches, and another one."""
        return self.place.channel_id, self.place.channel_id + ROOMS // 2

    def leave_channel(self) -> None:
        """Play the next matches in another channel."""
        self.place = self.place._replace(channel_id=self.place.channel_id + ROOMS)
        self.open(self.place)

    def open(self, place: Place) -> None:
        """Have a channel on Discord that all members of the server see."""
        self.simulation.open_channel(place.guild_id, place.channel_id)

    def other(self, user: int) -> int:
        """Return the other one of the users who play."""
        return sum(self.users) - user

    # What there is

    def rows(self, query: str, *values: object) -> list[Any]:
        """Return rows of the bot's database."""
        return self.simulation.audit_log.rows(query, *values)

    def now(self, match: int) -> Now:
        """Return a match as it is stored."""
        query = "SELECT status, game, position, decisions, version FROM matches WHERE id=?"
        ((status, game, position, decisions, version),) = self.rows(query, match)
        return Now(status, game, position, json.loads(decisions), version)

    def expected(self, match: int) -> Expected:
        """Return the users' knowledge of a match."""
        return self.simulation.expected[match]

    def user(self, match: int, seat: str) -> int:
        """Return the user at a seat; negative for the computer."""
        query = "SELECT user_id FROM seats WHERE match_id=? AND seat=?"
        ((user,),) = self.rows(query, match, seat)
        return int(user)

    def seat(self, match: int, user: int) -> str:
        """Return the seat of a user; empty if there is none."""
        rows = self.rows("SELECT seat FROM seats WHERE match_id=? AND user_id=?", match, user)
        return rows[0][0] if rows else ""

    def taken_over(self, match: int) -> list[str]:
        """Return the choices of people with which a match begins that was played on.

        Those that the bot has made since then are not among them.
        """
        query = (
            "SELECT line FROM actions JOIN matches ON matches.id = match_id"
            " WHERE match_id=? AND number <= lines_taken_over ORDER BY number"
        )
        lines = [Action.parse(line) for (line,) in self.rows(query, match)]
        people = "SELECT seat FROM seats WHERE match_id=? AND user_id >= 0"
        seats = {seat for (seat,) in self.rows(people, match)}
        return [action.notation for action in lines if action.actor in seats]

    def stood_in(self, match: int) -> list[str]:
        """Return the seats of people for whom the computer plays."""
        query = "SELECT seat FROM seats WHERE match_id=? AND level IS NOT NULL AND user_id > 0"
        return [seat for (seat,) in self.rows(query, match)]

    def is_posted(self, match: int, mark: str) -> bool:
        """Return whether there is a message with this button, or it can never be posted."""
        failed = "SELECT 1 FROM outbox WHERE match_id=? AND status='failed'"
        return any(mark in post.marks for post in self.simulation.fake.posted[-999:]) or bool(
            self.rows(failed, match)
        )

    # Requests

    async def click(
        self, user: int, custom_id: str, *values: str, files: Sequence[Answer] = ()
    ) -> Answer:
        """Click on a button, or choose from a list, perhaps of a message with files."""
        return await self.simulation.do(partial(self._clicked, user, custom_id, values, files))

    def _clicked(
        self, user: int, custom_id: str, values: Sequence[str], files: Sequence[Answer]
    ) -> Answer:
        self.clicked_in = self.place
        payload = self.simulation.click(user, self.place, custom_id)
        payload["data"] |= {"values": list(values)} if values else {}
        payload["message"]["attachments"] = list(files)
        return payload

    async def fill_in(
        self,
        user: int,
        custom_id: str,
        fields: Mapping[str, Sequence[str]],
        files: Sequence[Answer] = (),
    ) -> Answer:
        """Select values in a window, which a message with files has opened."""

        def make() -> Answer:
            self.clicked_in = self.place
            payload = self.simulation.form(user, self.place, custom_id, fields)
            payload["message"]["attachments"] = list(files)
            return payload

        return await self.simulation.do(make)

    async def submit(self, user: int, custom_id: str, text: str) -> Answer:
        """Type a text into a window."""
        return await self.simulation.do(
            partial(self.simulation.window, user, self.place, custom_id, text)
        )

    async def command(
        self,
        user: int,
        name: str,
        place: Place | None = None,
        *,
        at_once: bool = False,
        **values: Any,
    ) -> Answer:
        """Type a slash command, here or in another place, perhaps without thinking."""
        command = partial(self.simulation.command, user, place or self.place, name, **values)
        return await self.simulation.do(command, at_once=at_once)

    def count(self, what: str) -> None:
        """Count in the report a deed other than a choice."""
        self.simulation.report.done[what] += 1
