"""When the roles for ranks are updated, also after refusals and beside other processes."""

from __future__ import annotations

from typing import Any

import pytest
from sqlalchemy import select

from bot.outbox import rank_roles as sender
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
