"""The kinds and targets of halls' messages; their stored values never change."""

from __future__ import annotations

from enum import StrEnum

from bot.domain.ids import GuildId
from bot.domain.outbox import OutboxKind, Target, server_target


class HallKind(StrEnum):
    """The kind of a message to a hall."""

    UPDATE_LIST = "update_hall"
    CALL_ROLE = "call_role"


COALESCED = frozenset({OutboxKind.UPDATE_POST, *HallKind})
"""Kinds that supersede queued messages to the same target."""


def hall_list(guild_id: GuildId) -> Target:
    """Return the target for the list in the hall of a server."""
    return server_target(guild_id)


def hall_call(guild_id: GuildId) -> Target:
    """Return the target for pings of a role in a server's hall."""
    return server_target(guild_id, "-call")


def guild_of(target: Target) -> GuildId:
    """Return the server of a hall's message, whose match may have moved to another one."""
    return GuildId(int(target.place.rpartition(":")[2]))
