"""Which process asks Discord about the players of cups."""

from __future__ import annotations

from bot.guilds import Guilds
from bot.features.cups.member_check import LEASE_NAME, LEASE_SECONDS, CupMemberCheck
from bot.features.cups.members import CHECK_SECONDS, CupMembers
from bot.storage.leases import Leases
from tests.support.cups import PostFixture, user
from tests.support.deliveries import DeliveryFixture


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
    env.now += CHECK_SECONDS
    assert await leases("1").take(LEASE_NAME, LEASE_SECONDS)
    found = []
    for _ in range(2):
        await check.run()
        entrants = (await posts.cup.get(cup_id)).entrants
        found.append([each.user_id for each in entrants if each.has_left])
        env.now += LEASE_SECONDS + 1
    assert found == [[], [user(1)]]
