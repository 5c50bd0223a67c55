"""Refusals of a connection by Discord that no retry ends, as sentences for the host."""

from __future__ import annotations

import discord

TOKEN_REFUSED = "DISCORD_TOKEN: Discord does not accept this token; copy it from the portal again."  # noqa: S105 - no token

OUTDATED = "Discord no longer accepts connections of this version: install the newest Starpost."

INTENTS_REFUSED = (
    "Discord does not allow the bot its intents: look at “Privileged Gateway Intents” in the "
    "portal, and install the newest Starpost."
)

_BY_CODE = {
    4004: TOKEN_REFUSED,
    4010: "SHARD_COUNT: Discord does not accept this number of shards, or SHARD_IDS; change them.",
    4011: "SHARD_COUNT: the bot is on too many servers for this number of shards; set one for each "
    "2,500 servers.",
    4012: OUTDATED,
    4013: OUTDATED,
    4014: INTENTS_REFUSED,
}
"""Close codes of the gateway that forbid another attempt to connect."""


def sentence_of(error: Exception) -> str:
    """Return an instruction for the host to fix a refused connection, or an empty string."""
    if isinstance(error, discord.LoginFailure):
        return TOKEN_REFUSED
    if isinstance(error, discord.PrivilegedIntentsRequired):
        return INTENTS_REFUSED
    if isinstance(error, discord.ConnectionClosed):
        return _BY_CODE.get(error.code, "")
    return ""
