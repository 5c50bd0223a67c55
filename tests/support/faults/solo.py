"""A player who plays match after match against the computer; sometimes a friend joins."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from tests.support.fake_discord import until
from tests.support.faults.expected import Expected
from tests.support.faults.payloads import tells
from tests.support.faults.people import Pair

if TYPE_CHECKING:
    from tests.support.faults.kills import Simulation

GAMES: dict[str, dict[str, Any]] = {
    "wormholes": {},
    "warp6": {"setup": "secret"},
    "tomtube": {},
    "warp6 for three": {"seats": "3", "setup": "secret"},
}
"""The games and their options; in a secret set-up for three, two computers choose at once."""

EXITS = {"resign": "You've resigned match {match}.", "leave": "You've left match {match}."}
"""What ends a player's part in a match → what the bot says."""

MEANWHILE = 0.4
"""How often a match of two is open to a friend, and the computer plays meanwhile."""


class Solo(Pair):
    """A player at a table, and a friend who may join.

    Args:
        simulation: in which they live.
        number: of the table.
        guild_id: their server.
    """

    def __init__(self, simulation: Simulation, number: int, guild_id: int) -> None:
        super().__init__(simulation, number, guild_id)
        self._both = self.users
        self._habits = {
            self._choose: 60,
            self._wait: 30,
            self._plan: 6,
            self._take_back: 10,
            self._look: 5,
            self._offer_draw: 4,
            self._join: 8,
            self._be_away: 2,
            self._forget: 0.5,
        }

    async def _begin(self) -> int:
        """Begin a match against the computer."""
        self.users = (self._both[0], self._both[0])  # until the friend joins
        await self._withdraw_challenges()
        await self._leave_unknown()
        name = self._random.choice(list(GAMES))
        is_open = name.split()[1:] == [] and self._random.random() < MEANWHILE
        level = "" if is_open else "cadet"
        answer = await self._challenge(name.split()[0], (), GAMES[name], level)
        words = "Match {match} is open to anyone." if is_open else "Match {match} has started."
        found = tells(answer, words)
        assert found, answer
        match = int(found["match"])
        self.simulation.expected[match] = Expected(
            users=set(self._both), channels={self.place.channel_id}
        )
        if is_open:
            await self._click(self.users[0], f"computer:{match}")
        assert self._now(match).status != "challenge", match
        self._did("matches against the computer")
        return match

    async def _leave_unknown(self) -> None:
        """Resign matches of whose beginning the player was never told."""
        query = (
            "SELECT id FROM matches JOIN seats ON match_id = id"
            " WHERE status='running' AND user_id=?"
        )
        for (match,) in self._audit_log.rows(query, self.users[0]):
            await self._give_up(match)

    async def _wait(self, match: int) -> None:
        """Wait for the computer to play, whatever happens to the bot meanwhile."""
        await until(partial(self._may_act, match))
        self._did("turns of the computer awaited")

    def _may_act(self, match: int) -> bool:
        """Return whether a player has to decide, or the match is over."""
        now = self._now(match)
        return now.status != "running" or any(self._user(match, each) > 0 for each in now.decisions)

    async def _join(self, match: int) -> None:
        """Have the friend take over the computer's seat, if it is free."""
        query = "SELECT seat FROM seats WHERE match_id=? AND joinable"
        if self._audit_log.rows(query, match):
            await self._click(self._both[1], f"accept:{match}")
            if not self._audit_log.rows(query, match):
                self.users = self._both
                self._did("seats taken over")

    async def _offer_draw(self, match: int) -> None:
        """Offer a draw, which the computer answers."""
        answer = await self._command(self.users[0], "draw", match=match)
        if self._settle(
            match, "draw offer", answer, counted=bool(tells(answer, "Done: {choice}."))
        ):
            self._did("draws offered")

    async def _take_back(self, match: int) -> None:
        """Take the last choice back; the computer agrees, a friend is not asked in time."""
        answer = await self._command(self.users[0], "takeback", match=match)
        self._settle_takeback(match, answer, counted=bool(tells(answer, "Taken back.")))

    async def _forget(self, match: int) -> None:
        """Have the own data deleted, while the computer does not end the match."""
        await self._wait(match)
        seats = self._audit_log.rows("SELECT seat FROM seats WHERE match_id=?", match)
        alone = self.users[0] == self.users[1] and len(seats) == 2
        if alone and self._now(match).status == "running":
            await super()._forget(match)

    async def _resign(self, match: int) -> None:
        """Resign or leave; again, if the computer's turn came between."""
        while self._now(match).status == "running":
            await self._give_up(match)

    async def _give_up(self, match: int) -> None:
        version = self._now(match).version
        answer = await self._click(self.users[0], f"resign:{match}:{version}")
        for line, words in EXITS.items():
            if match in self.simulation.expected:
                self._settle(match, line, answer, counted=bool(tells(answer, words)))
