"""Pages of a leaderboard name only members of the server, as Discord knows them."""

from __future__ import annotations

import sys
from types import SimpleNamespace
from typing import Any

import pytest
from sqlalchemy import insert, update

from bot.domain.ids import GuildId, UserId
from bot.features.leaderboards.commands import MAX_LOOKUPS, _list_me, _page
from bot.features.leaderboards.ids import ListMeId
from bot.features.leaderboards.service import Leaderboards
from bot.features.leaderboards.views import PAGE_SIZE
from bot.guilds import Guilds
from bot.services.player_names import MEMBERSHIP_SECONDS
from bot.storage.schema import rated_results
from tests.support.leaderboards import CLUB, NOW, POOL, put
from tests.support.matches import MatchFixture

READER = 9999

COMMANDS = sys.modules[_page.__module__]
"""The package has a function of the same name."""


class Reader:
    """A member who reads a leaderboard; whom Discord is asked about, and who has left."""

    def __init__(self, env: MatchFixture, monkeypatch: pytest.MonkeyPatch) -> None:
        self.now = NOW
        self.database = env.database
        self.boards = Leaderboards(env.database, lambda: self.now)
        self.asked: list[UserId] = []
        self.left: set[int] = set()
        self.is_down = False
        context: Any = SimpleNamespace(of={Leaderboards: self.boards}.get, clock=lambda: self.now)
        self.context = context

        async def member_name(_guilds: Guilds, guild_id: GuildId, user_id: UserId) -> str | None:
            assert guild_id == CLUB
            self.asked.append(user_id)
            if self.is_down:
                raise TimeoutError
            return None if user_id in self.left else f"Name{user_id}"

        async def look_up(ask: Any, users: Any) -> dict[int, Any]:
            answers = {}
            for user_id in users:
                try:
                    answers[user_id] = await ask(user_id)
                except TimeoutError:
                    continue
            return answers

        monkeypatch.setattr(Guilds, "member_name", member_name)
        monkeypatch.setattr(COMMANDS, "look_up", look_up)

    @property
    def interaction(self) -> Any:
        user = SimpleNamespace(id=READER, display_name="Reader")
        return SimpleNamespace(guild_id=CLUB, user=user, client=None)

    async def page(self, number: int = 0) -> str:
        message = await _page(self.context, self.interaction, POOL, number)
        layout: Any = message.layout
        return str(layout.to_components())

    async def fill(self, count: int) -> None:
        """List some players, whose ratings fall with their numbers."""
        for number in range(1, count + 1):
            await put(self.database, number, 2500 - number)


@pytest.fixture
def reader(env: MatchFixture, monkeypatch: pytest.MonkeyPatch) -> Reader:
    return Reader(env, monkeypatch)


async def test_players_who_left_are_on_no_page(reader: Reader) -> None:
    await reader.fill(3)
    reader.now += MEMBERSHIP_SECONDS + 1
    reader.left = {2}
    text = await reader.page()
    assert [f"Name{number}" in text for number in (1, 2, 3)] == [True, False, True]
    assert "P2" not in text
    assert "left out" not in text
    assert sorted(reader.asked) == [1, 2, 3]
    await reader.page()
    assert len(reader.asked) == 3, "answers hold for a while"


async def test_players_who_cannot_be_checked_are_left_out(reader: Reader) -> None:
    await reader.fill(2)
    assert "P1" in await reader.page()
    reader.now += MEMBERSHIP_SECONDS + 1
    reader.is_down = True
    text = await reader.page()
    assert "P1" not in text
    assert "P2" not in text
    assert "2 players are left out" in text


async def test_those_on_the_page_are_asked_about_first(reader: Reader) -> None:
    await reader.fill(MAX_LOOKUPS + 3)
    reader.now += MEMBERSHIP_SECONDS + 1
    await reader.page(1)
    assert len(reader.asked) == MAX_LOOKUPS
    behind = range(PAGE_SIZE + 1, MAX_LOOKUPS + 4)
    assert reader.asked[: len(behind)] == [*behind]
    assert reader.asked[len(behind) :] == [*range(1, MAX_LOOKUPS - len(behind) + 1)]


async def test_page_beyond_the_last_is_the_last(reader: Reader) -> None:
    await reader.fill(PAGE_SIZE + 1)
    text = await reader.page(9)
    assert f"P{PAGE_SIZE + 1}" in text
    assert "Page 2 of 2" in text


@pytest.mark.parametrize("listed", [0, 1])
async def test_player_is_listed_or_not_as_asked(
    reader: Reader, monkeypatch: pytest.MonkeyPatch, listed: int
) -> None:
    async def answer(*_given: Any) -> None:
        pass

    monkeypatch.setattr(COMMANDS, "edit_reply", answer)
    if not listed:
        await reader.boards.join(CLUB, UserId(READER), "Reader")
    await _list_me(reader.context, reader.interaction, ListMeId(listed, POOL))
    assert await reader.boards.is_listed(CLUB, UserId(READER)) is bool(listed)


async def test_results_are_numbered_in_each_pool(reader: Reader) -> None:
    """The same number in another pool is another result."""
    await put(reader.database, 1, 2000)
    await put(reader.database, 2, 1000, number=7, pool="warp6/3", listed=0)
    async with reader.database.write() as connection:
        other = update(rated_results).where(rated_results.c.match_id == 7)
        await connection.execute(other.values(user_id=1, number=1))
    (place,) = await reader.boards.read(CLUB, POOL)
    assert (place.rating.mu, place.results) == (2000, 1)


async def test_usual_pool_is_that_of_most_players(reader: Reader) -> None:
    """Not that of most results."""
    pools = {2: "warp6/3", 3: "warp6/3"}
    for user in (1, 2, 3):
        await put(reader.database, user, 2000, pool=pools.get(user, POOL))
    async with reader.database.write() as connection:
        for seat in "YWRG":
            row = {"match_id": 1, "seat": seat, "number": 1, "pool": POOL, "user_id": 1}
            row |= {"rank": 0, "ended_at": NOW, "mu": 1.0, "sigma": 1.0}
            await connection.execute(insert(rated_results).values(row))
    assert await reader.boards.usual_pool(CLUB, UserId(READER)) == "warp6/3"
