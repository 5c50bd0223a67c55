"""Roles for ranks: what managers choose, without a connection to Discord."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from bot.domain.ids import GuildId
from bot.features.leaderboards import rank_commands as rank_roles
from bot.features.leaderboards.ids import RankEndId, RankRoleId, RankTypedId
from bot.features.leaderboards.rank_roles import MAX_RATING, MAX_ROLES, RankRole, RankRoles
from bot.interactions.replies import UserError
from tests.support.matches import MatchFixture

GUILD, GOLD, SILVER, POOL, THREE = GuildId(2), 70, 71, "warp6/2", "warp6/3"


class Manager:
    """A member who manages a server; which roles were shown, and which window was opened."""

    def __init__(self, env: MatchFixture, monkeypatch: pytest.MonkeyPatch) -> None:
        self.ranks = RankRoles(env.database, env.clock)
        context: Any = SimpleNamespace(of={RankRoles: self.ranks}.get)
        self.context = context
        self.windows: list[int | None] = []
        self.chosen = self.problem = self.giver = ""
        roles = {number: SimpleNamespace(id=number, name="Role") for number in (GOLD, SILVER)}
        guild = SimpleNamespace(get_role=roles.get, me=SimpleNamespace())
        self.interaction: Any = SimpleNamespace(guild=guild, guild_id=GUILD, user=None)

        async def answer(*_given: Any) -> None:
            pass

        def window(_pool: str, _role: int, _name: str, rating: int | None) -> None:
            self.windows.append(rating)

        for name, stub in {
            "managed_guild_id": lambda _interaction: GUILD,
            "edit_reply": answer,
            "open_window": answer,
            "selected": lambda _interaction: self.chosen,
            "typed": lambda _interaction: self.chosen,
            "rank_problem": lambda _me, _role: self.problem,
            "giver_problem": lambda _user, _role: self.giver,
        }.items():
            monkeypatch.setattr(rank_roles, name, stub)
        monkeypatch.setattr("bot.features.leaderboards.rank_views.window", window)

    async def type(self, text: str) -> list[RankRole]:
        """Type the lowest rating for the golden role."""
        self.chosen = text
        await rank_roles._store(self.context, self.interaction, RankTypedId(GOLD, POOL))
        return await self.ranks.of_server(GUILD)


@pytest.fixture
def manager(env: MatchFixture, monkeypatch: pytest.MonkeyPatch) -> Manager:
    return Manager(env, monkeypatch)


@pytest.mark.parametrize("text", ["0", " 1500 ", str(MAX_RATING)])
async def test_typed_rating_is_stored(manager: Manager, text: str) -> None:
    assert await manager.type(text) == [RankRole(GOLD, POOL, int(text))]


@pytest.mark.parametrize("text", ["", "-1", "1.5", "²", "many", str(MAX_RATING + 1)])
async def test_other_words_are_refused(manager: Manager, text: str) -> None:
    with pytest.raises(UserError, match="whole number"):
        await manager.type(text)
    assert await manager.ranks.of_server(GUILD) == []


@pytest.mark.parametrize(("problem", "giver"), [("bot", ""), ("", "user")])
async def test_role_that_one_of_both_cannot_give_is_refused(
    manager: Manager, problem: str, giver: str
) -> None:
    manager.problem, manager.giver = problem, giver
    with pytest.raises(UserError, match=problem or giver):
        await manager.type("1500")
    manager.chosen = str(GOLD)
    with pytest.raises(UserError, match=problem or giver):
        await rank_roles._choose(manager.context, manager.interaction, RankRoleId(POOL))
    assert await manager.ranks.of_server(GUILD) == []


async def test_one_role_too_many_is_refused(manager: Manager) -> None:
    for number in range(MAX_ROLES):
        assert await manager.ranks.choose(GUILD, RankRole(100 + number, POOL, number))
    with pytest.raises(UserError, match=f"can have {MAX_ROLES} roles"):
        await manager.type("1500")


async def test_window_shows_the_rating_of_the_same_pool(manager: Manager) -> None:
    await manager.ranks.choose(GUILD, RankRole(GOLD, THREE, 1600))
    await manager.ranks.choose(GUILD, RankRole(SILVER, POOL, 1400))
    for role_id, pool in ((GOLD, POOL), (GOLD, THREE), (SILVER, POOL)):
        manager.chosen = str(role_id)
        await rank_roles._choose(manager.context, manager.interaction, RankRoleId(pool))
    assert manager.windows == [None, 1600, 1400]


async def test_only_the_chosen_role_is_removed(manager: Manager) -> None:
    await manager.ranks.choose(GUILD, RankRole(GOLD, POOL, 1700))
    await manager.ranks.choose(GUILD, RankRole(SILVER, POOL, 1400))
    manager.chosen = str(SILVER)
    await rank_roles._remove(manager.context, manager.interaction, RankEndId(POOL))
    assert await manager.ranks.of_server(GUILD) == [RankRole(GOLD, POOL, 1700)]
