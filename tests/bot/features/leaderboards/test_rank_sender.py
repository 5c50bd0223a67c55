"""Updates of roles for ranks, even after refusals and beside other processes."""

from __future__ import annotations

from typing import Any
from unittest.mock import AsyncMock, MagicMock

import discord
import pytest
from sqlalchemy import select

from bot.discord_errors import UNKNOWN_MEMBER
from bot.domain.ids import GuildId, UserId
from bot.features.leaderboards import rank_sender as sender
from bot.features.leaderboards.rank_roles import RankRoles, RoleChange
from bot.features.leaderboards.rank_sender import RankRoleSender
from bot.guilds import Guilds
from bot.storage.leases import Leases
from bot.storage.schema import guilds
from tests.support.harness import Stage
from tests.support.rank_roles import may_manage_roles, rate, ready, roles_of, work

HOUR = 3600.0
DAY = 24 * HOUR


async def next_update(stage: Stage) -> float:
    """Seconds until the roles are updated again."""
    async with stage.database.read() as connection:
        due = (await connection.execute(select(guilds.c.ranks_due_at))).scalar_one()
    return float(due) - stage.clock.now


@pytest.mark.slow
async def test_update_whose_changes_just_fit_is_the_last_for_a_day(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sender, "MAX_CHANGES", 1)
    await ready(stage)
    await rate(stage, stage.ada, 2000)
    await work(stage)
    assert await next_update(stage) == pytest.approx(DAY)


@pytest.mark.slow
async def test_role_that_is_not_given_is_tried_an_hour_later(stage: Stage) -> None:
    gold, *_ = await ready(stage)
    await rate(stage, stage.ada, 2000)
    may_manage_roles(stage, allowed=False)
    await work(stage)
    assert await next_update(stage) == pytest.approx(HOUR)
    may_manage_roles(stage, allowed=True)
    await stage.spend(HOUR + 1)
    await work(stage)
    assert gold.id in roles_of(stage, stage.ada)


def refuse(stage: Stage, actor: Any, role: Any, status: int, code: int) -> None:
    """Let the next gift of a role fail."""
    path = f"/guilds/{stage.guild.id}/members/{actor.id}/roles/{role.id}"
    stage.env.inject_error("PUT", path, status=status, code=code)


@pytest.mark.slow
async def test_refused_change_is_repeated_and_logged_each_time(
    stage: Stage, caplog: pytest.LogCaptureFixture
) -> None:
    gold, *_ = await ready(stage)
    for number, actor in enumerate((stage.ada, stage.bo), start=1):
        await rate(stage, actor, 2000)
        refuse(stage, actor, gold, 403, 50013)
        await work(stage)
        assert await next_update(stage) == pytest.approx(HOUR)
        assert caplog.text.count("roles of a server cannot be changed") == number
        await stage.spend(HOUR + 1)
        await work(stage)
        assert gold.id in roles_of(stage, actor)


@pytest.mark.slow
async def test_member_stays_listed_if_the_role_is_unknown(stage: Stage) -> None:
    gold, *_ = await ready(stage)
    await rate(stage, stage.ada, 2000)
    refuse(stage, stage.ada, gold, 404, 10011)
    await work(stage)
    await stage.spend(HOUR + 1)
    await work(stage)
    assert gold.id in roles_of(stage, stage.ada)


@pytest.mark.slow
async def test_roles_are_changed_by_one_process_at_a_time(stage: Stage) -> None:
    gold, *_ = await ready(stage)
    await stage.spend(sender.LEASE_SECONDS + 1)
    other = Leases(stage.database, "another", stage.clock)
    assert await other.take(sender.LEASE_NAME, sender.LEASE_SECONDS)
    await rate(stage, stage.ada, 2000)
    await work(stage)
    assert gold.id not in roles_of(stage, stage.ada)
    await stage.spend(sender.LEASE_SECONDS + 1)
    await work(stage)
    assert gold.id in roles_of(stage, stage.ada)


GUILD, CLAIMED, GOLD, USER = GuildId(3), 5.0, 70, 9

GIVE = RoleChange(UserId(USER), GOLD, give=True)

Sent = tuple[RankRoleSender, AsyncMock, AsyncMock]


@pytest.fixture
def sent(monkeypatch: pytest.MonkeyPatch) -> Sent:
    """A sender to a server with the role gold, what tells it the changes, and the server."""
    ranks, server, leases = AsyncMock(spec=RankRoles), AsyncMock(spec=Guilds), AsyncMock()
    ranks.due.return_value, ranks.claim.return_value = [GUILD], CLAIMED
    ranks.begin_change.return_value = True
    ranks.changes.return_value = [GIVE]
    me = MagicMock()
    me.guild.get_role = {GOLD: "gold"}.get
    server.own_member.return_value = me
    monkeypatch.setattr("bot.features.leaderboards.rank_sender.may_give", lambda _me, _role: True)
    return RankRoleSender(server, ranks, leases), ranks, server


def not_found(code: int) -> discord.NotFound:
    return discord.NotFound(MagicMock(status=404, reason=""), {"code": code, "message": ""})


@pytest.mark.parametrize(("count", "pause"), [(0, ()), (1, ()), (50, ()), (51, (HOUR,))])
async def test_a_server_is_done_unless_changes_are_left(
    sent: Sent, count: int, pause: tuple[float, ...]
) -> None:
    roles, ranks, server = sent
    ranks.changes.return_value = [GIVE] * count
    await roles.run()
    ranks.finish.assert_awaited_once_with(GUILD, CLAIMED, *pause)
    assert server.change_role.await_count == ranks.end_change.await_count == min(count, 50)


async def test_a_role_that_was_deleted_is_forgotten(sent: Sent) -> None:
    roles, ranks, server = sent
    ranks.changes.return_value = [GIVE._replace(role_id=71)]
    await roles.run()
    ranks.forget_role.assert_awaited_once_with(GUILD, 71)
    server.change_role.assert_not_awaited()
    ranks.finish.assert_awaited_once_with(GUILD, CLAIMED)


@pytest.mark.parametrize("is_last", [False, True])
async def test_a_role_out_of_reach_is_given_up_for_deleted_players(
    sent: Sent, monkeypatch: pytest.MonkeyPatch, *, is_last: bool
) -> None:
    monkeypatch.setattr("bot.features.leaderboards.rank_sender.may_give", lambda _me, _role: False)
    roles, ranks, server = sent
    ranks.changes.return_value = [GIVE._replace(give=False, is_last=is_last)]
    await roles.run()
    server.change_role.assert_not_awaited()
    assert ranks.end_change.await_count == is_last
    ranks.finish.assert_awaited_once_with(GUILD, CLAIMED, *(() if is_last else (HOUR,)))


async def test_a_change_that_is_not_wanted_any_more_is_not_made(sent: Sent) -> None:
    roles, ranks, server = sent
    ranks.begin_change.return_value = False
    await roles.run()
    server.change_role.assert_not_awaited()
    ranks.end_change.assert_not_awaited()


async def test_a_member_who_has_left_is_forgotten(sent: Sent) -> None:
    roles, ranks, server = sent
    server.change_role.side_effect = not_found(min(UNKNOWN_MEMBER))
    await roles.run()
    ranks.forget_member.assert_awaited_once_with(GUILD, USER)
    ranks.end_change.assert_not_awaited()
    ranks.finish.assert_awaited_once_with(GUILD, CLAIMED)


async def test_a_server_that_refuses_is_logged_once(
    sent: Sent, caplog: pytest.LogCaptureFixture
) -> None:
    roles, ranks, server = sent
    refused = not_found(10011)
    for refusal, logged in ((refused, 1), (refused, 1), (None, 1), (refused, 2)):
        server.change_role.side_effect = refusal
        await roles.run()
        assert len(caplog.messages) == logged
        pause = (HOUR,) if refusal else ()
        ranks.finish.assert_awaited_with(GUILD, CLAIMED, *pause)
    assert ranks.forget_erased.await_count == 3
    ranks.forget_member.assert_not_awaited()


async def test_another_process_with_the_lease_does_the_work(sent: Sent) -> None:
    roles, ranks, _ = sent
    leases: Any = roles._leases
    leases.take.return_value = None
    ranks.due.return_value = [GUILD, GUILD + 1]
    await roles.run()
    leases.take.assert_awaited_once()
    ranks.claim.assert_not_awaited()
