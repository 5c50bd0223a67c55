"""A process dies between the end of a match and its posts, and the host leaves a feature out.

The result is posted once, by whichever process comes next; what the feature had queued is dropped
or waits for it to come back, and nothing of the match is lost.
"""

from __future__ import annotations

from unittest.mock import AsyncMock

import pytest
from sqlalchemy import select, update

from bot.app.registry import FEATURES, features_named
from bot.app.settings import EVERY_FEATURE
from bot.domain.ids import MatchId
from bot.domain.outbox import OutboxKind
from bot.outbox.worker import LEASE_SECONDS, WORKER_CLOCK_SKEW_SECONDS
from bot.services.servers import Servers
from bot.storage.schema import outbox
from tests.support.harness import Stage, actor_bot, ids
from tests.support.rated import place_dice, results

OPTIONAL = [feature.name for feature in FEATURES if not feature.is_required]
MATCH = MatchId(1)


async def restart(stage: Stage, names: str) -> None:
    """Restart with these features, after all leases of the former process."""
    await stage.stop_computers()
    stage.clock.now += LEASE_SECONDS + WORKER_CLOCK_SKEW_SECONDS + 1
    bot = actor_bot(stage.database, stage.clock, features=features_named(names))
    await stage.env.restart_bot(bot)
    await stage.env.advance_time(60)
    await stage.client.runtime.outbox.flush()
    await stage.env.settle()


async def killed_at_the_end(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    """Finish a rated match on a server with a hall; the process dies with all its posts claimed."""
    hall = stage.guild.create_text_channel("hall")
    await Servers(stage.database).choose(stage.guild.id, hall=hall.id)
    assert await stage.begin(game="warp6", rated=True) == MATCH
    await place_dice(stage, MATCH)
    monkeypatch.setattr(stage.client.runtime.outbox, "_advance", AsyncMock(return_value=None))
    question = await stage.ada.slash(stage.channel, "resign")
    await stage.click(stage.ada, question.response, "resign:")
    assert OutboxKind.POST_RESULT in await queued(stage)
    async with stage.database.write() as connection:
        expires = stage.clock.now + LEASE_SECONDS
        await connection.execute(
            update(outbox).values(
                worker_id="dead", lease_expires_at=expires, first_attempt_at=stage.clock.now
            )
        )


async def queued(stage: Stage) -> list[str]:
    """Return the kinds of the messages in the outbox."""
    async with stage.database.read() as connection:
        return list((await connection.execute(select(outbox.c.kind))).scalars())


def posted(stage: Stage) -> int:
    """Return the number of results that were posted where the match was played."""
    return sum(f"rematch:{MATCH}" in ids(message) for message in stage.public())


@pytest.mark.slow
@pytest.mark.parametrize("left_out", ["none of them is there", *OPTIONAL])
async def test_result_is_posted_once_without_a_feature(
    stage: Stage,
    left_out: str,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    await killed_at_the_end(stage, monkeypatch)
    assert posted(stage) == 0
    names = [name for name in OPTIONAL if name != left_out] if left_out in OPTIONAL else ["none"]
    caplog.clear()
    await restart(stage, ",".join(names))
    assert posted(stage) == 1
    assert await queued(stage) == []
    assert await results(stage) == 2
    await restart(stage, EVERY_FEATURE)
    assert posted(stage) == 1
    assert await results(stage) == 2
    assert not [row for row in caplog.records if row.levelname in ("ERROR", "CRITICAL")]
    again = await stage.click(stage.bo, stage.last(), "rematch:")
    assert again
    assert (await stage.client.context.queries.match(MatchId(2))).players
