"""Discord's answer after a deletion brings no deleted user back, whatever was sent.

Other senders (the lists of halls, posts in forums, positions of the day) store no user.
"""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest
from aiohttp import web
from sqlalchemy import select

from bot.app.registry import personal_data
from bot.domain.ids import MatchId, UserId
from bot.domain.outbox import OutboxKind, Target
from bot.features.cups.member_check import CupMemberCheck
from bot.features.cups.members import MEMBER_CHECK_SECONDS, CupMembers
from bot.features.leaderboards.rank_roles import RankRole, RankRoles
from bot.features.leaderboards.rank_sender import RankRoleSender
from bot.features.leaderboards.service import Leaderboards
from bot.features.privacy.service import user_id_columns
from bot.guilds import Guilds
from bot.storage.database import Database
from bot.storage.leases import Leases
from bot.storage.schema import rank_grants
from tests.support.cups import CHANNEL as CUP_CHANNEL
from tests.support.cups import PostFixture, user
from tests.support.deliveries import CHANNEL, DeliveryFixture
from tests.support.fake_objects import dm
from tests.support.leaderboards import CLUB, POOL, put
from tests.support.matches import ADA, BO, opponent_of
from tests.support.pings import called, hand_over, wait
from tests.support.privacy import privacy_of

pytestmark = pytest.mark.slow

GOLD = 70


class Deletion:
    """Deletes a user's data while the first reply to a request like this one is on its way."""

    def __init__(self, delivery: DeliveryFixture, user_id: UserId, method: str, path: str) -> None:
        self.delivery, self.user_id = delivery, user_id
        self.method, self.path = method, path
        self.is_done = False
        delivery.fake.before_reply = self

    async def __call__(self, request: web.Request) -> None:
        fits = request.method == self.method and self.path in request.path
        if fits and not self.is_done:
            self.is_done = True
            assert await privacy_of(self.delivery.env).erase(self.user_id)

    async def assert_no_trace(self) -> None:
        """Assert that it took place, and that nothing is stored about the user."""
        assert self.is_done
        assert await stored_columns(self.delivery.env.database, self.user_id) == []


async def stored_columns(database: Database, user_id: UserId) -> list[str]:
    """Return the columns that hold the ID of a user."""
    async with database.read() as connection:
        return [
            str(column)
            for column in user_id_columns(personal_data())
            if (await connection.execute(select(column).where(column == user_id))).first()
        ]


async def queue(
    delivery: DeliveryFixture, kind: OutboxKind, match_id: MatchId, to: int = 0
) -> None:
    """Queue a message about the match as it is now."""
    env = delivery.env
    payload = {"version": (await env.queries.match(match_id)).version, "action_count": 0}
    async with env.database.write() as connection:
        await env.match_store.queue(connection, match_id, kind, payload, Target(UserId(to)))


@pytest.mark.parametrize("refusal", [None, (403, 50007)])
@pytest.mark.parametrize("kind", [OutboxKind.PRIVATE_HAND, OutboxKind.TURN_DM])
async def test_dm_in_flight(
    delivery: DeliveryFixture, kind: OutboxKind, refusal: tuple[int, int] | None
) -> None:
    match_id = await delivery.env.begin()
    await delivery.worker.flush()
    deletion = Deletion(delivery, ADA, "POST", f"/channels/{dm(ADA)}/messages")
    if refusal:
        delivery.fake.refusals[dm(ADA)] = refusal
    await queue(delivery, kind, match_id, ADA)
    await delivery.worker.flush()
    await deletion.assert_no_trace()


async def board_by_dm(delivery: DeliveryFixture) -> MatchId:
    """A match whose channel is closed, so that its board is sent to both players."""
    match_id = await delivery.env.begin()
    delivery.fake.refusals[CHANNEL] = (403, 50013)
    await delivery.worker.flush()
    assert "posted_messages.user_id" in await stored_columns(delivery.env.database, ADA)
    return match_id


@pytest.mark.parametrize("deleted", [ADA, BO])
async def test_board_by_dm_in_flight(delivery: DeliveryFixture, deleted: UserId) -> None:
    await delivery.env.begin()
    delivery.fake.refusals[CHANNEL] = (403, 50013)
    deletion = Deletion(delivery, deleted, "POST", f"/channels/{dm(BO)}/messages")
    await delivery.worker.flush()
    await deletion.assert_no_trace()
    assert "posted_messages.user_id" in await stored_columns(
        delivery.env.database, opponent_of(deleted)
    )


async def test_edit_of_a_board_by_dm_in_flight(delivery: DeliveryFixture) -> None:
    match_id = await board_by_dm(delivery)
    deletion = Deletion(delivery, ADA, "PATCH", f"/channels/{dm(ADA)}/messages/")
    await queue(delivery, OutboxKind.EDIT_BOARD, match_id)
    await delivery.worker.flush()
    await deletion.assert_no_trace()


async def test_ping_by_dm_in_flight(delivery: DeliveryFixture) -> None:
    match_id, _ = await called(delivery)
    delivery.fake.refusals[CHANNEL] = (403, 50013)
    await delivery.worker.flush()
    on_turn = await hand_over(delivery, match_id)
    await delivery.worker.flush()
    await wait(delivery)
    deletion = Deletion(delivery, on_turn, "POST", f"/channels/{dm(on_turn)}/messages")
    await delivery.worker.flush()
    await deletion.assert_no_trace()


async def test_challenge_by_dm_in_flight(delivery: DeliveryFixture) -> None:
    await delivery.env.ask()
    delivery.fake.refusals[CHANNEL] = (403, 50013)
    deletion = Deletion(delivery, ADA, "POST", f"/channels/{dm(ADA)}/messages")
    await delivery.worker.flush()
    await deletion.assert_no_trace()


async def test_post_of_a_cup_in_flight(delivery: DeliveryFixture) -> None:
    posts = PostFixture(delivery)
    cup_id = await posts.cup.begun(3)
    deletion = Deletion(delivery, user(1), "POST", f"/channels/{CUP_CHANNEL}/messages")
    await posts.sender.run()
    await deletion.assert_no_trace()
    cup = await posts.cup.get(cup_id)
    assert cup.row.shown_version < cup.row.version, "the post is edited again, without the name"


@pytest.mark.parametrize("has_left", [True, False])
async def test_answer_about_a_player_of_a_cup_in_flight(
    delivery: DeliveryFixture, has_left: bool
) -> None:
    posts, env = PostFixture(delivery), delivery.env
    cup_id = await posts.cup.begun(3)
    if has_left:
        delivery.fake.left |= {user(1)}
    guild_id = (await posts.cup.get(cup_id)).row.guild_id
    deletion = Deletion(delivery, user(1), "GET", f"/guilds/{guild_id}/members/{user(1)}")
    env.now += MEMBER_CHECK_SECONDS
    leases = Leases(env.database, "1", lambda: env.now)
    members = CupMembers(env.database, lambda: env.now)
    await CupMemberCheck(members, Guilds(delivery.client), leases).run()
    await deletion.assert_no_trace()
    assert not any(entrant.has_left for entrant in (await posts.cup.get(cup_id)).entrants)


@pytest.mark.parametrize("name", ["Ada", None])
async def test_answer_about_a_leaderboard_in_flight(
    delivery: DeliveryFixture, name: str | None
) -> None:
    env = delivery.env
    leaderboards = Leaderboards(env.database, lambda: env.now)
    await leaderboards.join(CLUB, ADA, "Ada")
    assert await privacy_of(env).erase(ADA)
    await leaderboards.store_check(CLUB, {ADA: name}, env.now)
    assert await stored_columns(env.database, ADA) == []


class Roles:
    """A server that gives every role, and calls a function before it answers."""

    def __init__(self, before_reply: Any) -> None:
        self.made: list[tuple[int, bool]] = []
        self._before_reply = before_reply

    async def own_member(self, _guild_id: int) -> Any:
        return SimpleNamespace(guild=SimpleNamespace(get_role=lambda number: number))

    async def change_role(
        self, _guild: int, user_id: UserId, _role: int, _reason: str, *, give: bool
    ) -> None:
        """Make the change; the reply comes later."""
        self.made.append((user_id, give))
        await self._before_reply()


@pytest.mark.parametrize("is_wanted", [True, False])
async def test_role_in_flight(
    delivery: DeliveryFixture, monkeypatch: pytest.MonkeyPatch, is_wanted: bool
) -> None:
    env = delivery.env
    ranks, leaderboards = (
        RankRoles(env.database, lambda: env.now),
        Leaderboards(env.database, lambda: env.now),
    )
    await ranks.choose(CLUB, RankRole(GOLD, POOL, 0))
    await put(env.database, ADA, 2000.0, ended_at=env.now)

    async def nothing() -> None:
        pass

    async def erase() -> None:
        await privacy_of(env).erase(ADA)

    def sender(roles: Roles) -> RankRoleSender:
        leases: Any = Leases(env.database, "1", lambda: env.now)
        guilds: Any = roles
        return RankRoleSender(guilds, ranks, leases)

    monkeypatch.setattr("bot.features.leaderboards.rank_sender.may_give", lambda _me, _role: True)
    if not is_wanted:
        await sender(Roles(nothing)).run()
        await leaderboards.leave(CLUB, ADA)
    in_flight, later = Roles(erase), Roles(nothing)
    await sender(in_flight).run()
    async with env.database.read() as connection:
        assert (await connection.execute(select(rank_grants.c.erased))).scalars().all() == (
            [True] if is_wanted else []
        )
    await sender(later).run()
    assert in_flight.made == [(ADA, is_wanted)]
    assert later.made == ([(ADA, False)] if is_wanted else [])
    assert await stored_columns(env.database, ADA) == []
