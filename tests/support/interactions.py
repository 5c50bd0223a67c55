"""Interactions as Discord sends them, and what the bot answers."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import Any

import simcord
from simcord import interactions
from simcord.backend import serializers
from sqlalchemy import select

from bot.storage.schema import actions, matches
from tests.support.harness import Stage, ids, words

COMMAND, AUTOCOMPLETE = 2, 4
"""Types of interactions."""


@asynccontextmanager
async def unchanged(stage: Stage) -> AsyncIterator[None]:
    """Nothing in the database, nothing in the channel."""

    async def look() -> Any:
        async with stage.database.read() as connection:
            rows = (await connection.execute(select(matches))).all()
            lines = (await connection.execute(select(actions))).all()
        return rows, lines, [(m.id, words(m)) for m in stage.public()]

    before = await look()
    yield
    assert await look() == before


def sentence(result: Any) -> str:
    """The one private answer."""
    assert result.acknowledged
    assert result.ephemeral
    text = words(result.response)
    assert 10 < len(text) < 400, text
    return text


def payload(stage: Stage, actor: Any, message: Any, start: str, custom_id: str = "") -> Any:
    """A click as Discord sends it; with a custom_id, a forged one."""
    backend = stage.env.backend
    channel = getattr(message, "channel", stage.channel)  # a private reply does not know its own
    stored = backend.get_message(channel.id, message.id)
    component_id = custom_id or next(
        candidate for candidate in ids(message) if candidate.startswith(start)
    )
    record, event = interactions.base_payload(
        backend,
        type=3,
        channel_id=stored.channel_id,
        guild_id=stage.guild.id,
        user_id=actor.id,
        data={"custom_id": component_id, "component_type": 2},
    )
    event["message"] = dict(serializers.message_payload(backend, stored))
    record.source_message_id = stored.id
    return record, event


def typed(
    stage: Stage,
    actor: Any,
    name: str,
    options: Sequence[dict[str, Any]] = (),
    kind: int = COMMAND,
    **data: Any,
) -> Any:
    """A command, or its autocomplete, as Discord sends it."""
    return interactions.base_payload(
        stage.env.backend,
        type=kind,
        channel_id=stage.channel.id,
        guild_id=stage.guild.id,
        user_id=actor.id,
        data={"id": "1", "name": name, "type": 1, "options": list(options), **data},
    )


async def click_released(stage: Stage, actor: Any, message: Any, custom_id: str) -> Any:
    """Click a button that an earlier version of the bot put on a message."""
    return await fire(stage, payload(stage, actor, message, "", custom_id))


async def fire(stage: Stage, click: Any) -> Any:
    record, event = click
    stage.env.backend.emit("INTERACTION_CREATE", event)
    await stage.env.settle()
    return simcord.InteractionResult(stage.env, record)
