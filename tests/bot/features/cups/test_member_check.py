"""The bot asks Discord about the players of cups, in one process and before replies."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from bot.domain.clocks import DAY
from bot.domain.ids import GuildId, UserId
from bot.features.cups.member_check import (
    LEASE_NAME,
    LEASE_SECONDS,
    CupMemberCheck,
    with_known_members,
)
from bot.features.cups.members import MEMBER_CHECK_SECONDS, CupMembers
from bot.features.cups.service import Cups
from bot.guilds import Guilds
from bot.storage.leases import Leases
from tests.support.cups import CupFixture, PostFixture, user
from tests.support.deliveries import DeliveryFixture
from tests.support.fake_objects import GUILD
from tests.support.matches import MatchFixture


async def test_only_the_process_with_the_lease_asks(delivery: DeliveryFixture) -> None:
    posts, env = PostFixture(delivery), delivery.env

    def clock() -> float:
        return env.now

    def leases(name: str) -> Leases:
        return Leases(env.database, name, clock)

    guilds = Guilds(delivery.client, clock)
    check = CupMemberCheck(CupMembers(env.database, clock), guilds, leases("2"))
    await check.run()
    assert await leases("1").take(LEASE_NAME, LEASE_SECONDS), "without work, it is left to others"
    cup_id = await posts.cup.begun(3)
    delivery.fake.left |= {user(1)}
    env.now += MEMBER_CHECK_SECONDS
    assert await leases("1").take(LEASE_NAME, LEASE_SECONDS)
    absent = []
    for _ in range(2):
        await check.run()
        entrants = (await posts.cup.get(cup_id)).entrants
        absent.append([entrant.user_id for entrant in entrants if entrant.has_left])
        env.now += LEASE_SECONDS + 1
    assert absent == [[], [user(1)]]


async def test_players_of_a_cup_are_stored_as_discord_knows_them(
    env: MatchFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    requests: list[int] = []

    async def has_left(_guilds: Guilds, guild_id: GuildId, user_id: UserId) -> bool:
        assert guild_id == GUILD
        requests.append(user_id)
        return user_id == user(2)

    monkeypatch.setattr(Guilds, "has_left", has_left)
    cup, members = CupFixture(env), CupMembers(env.database, env.clock)
    cup_id = await cup.begun(3)
    services: dict[type[Any], Any] = {Cups: env.cups, CupMembers: members}
    context: Any = SimpleNamespace(of=services.__getitem__)
    interaction: Any = SimpleNamespace(client=None)
    env.now += DAY
    stored = await with_known_members(context, interaction, await cup.get(cup_id))
    assert [entrant.user_id for entrant in stored.entrants if entrant.has_left] == [user(2)]
    assert stored == await cup.get(cup_id)
    await with_known_members(context, interaction, stored)
    assert len(requests) == 3, "they are known for a while"
