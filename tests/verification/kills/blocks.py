"""Users of a simulation block each other, and the bot must respect it."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable

from bot.services.preferences import blocked_by
from tests.verification.kills.payloads import tells
from tests.verification.kills.table import Answer, Table

NEWEST = "SELECT max(id) FROM matches WHERE challenger_id=?"

DECLINED = "Declined. {name} can no longer challenge you; you can change that in `/settings`."


async def block(
    table: Table, match: int, challenge: Callable[[int | None], Awaitable[Answer]]
) -> None:
    """Decline a challenge and block its sender, who tries in vain to play; then unblock all.

    Args:
        match: the challenge.
        challenge: has the first user of the table challenge another one, or anyone.
    """
    sender, other = table.users
    if not tells(await table.click(other, f"block:{match}"), DECLINED):
        table.count("blocks refused")
        return
    table.count("blocks")
    if sender not in _blocked(table, other):
        table.simulation.report.blame("lost", f"{other} has not blocked {sender}")
    before = table.rows(NEWEST, sender)
    await challenge(other)
    if table.finished:
        await table.click(sender, f"rematch:{table.finished}")
    if table.rows(NEWEST, sender) != before:
        table.simulation.report.blame("blocks_ignored", f"{sender} has challenged {other}")
    await _join(table, challenge)
    await table.click(other, "block:none")
    if _blocked(table, other):
        table.simulation.report.blame("lost", f"{other} could unblock no player")


async def _join(table: Table, challenge: Callable[[int | None], Awaitable[Answer]]) -> None:
    """Have a blocked user try to join an open seat of the player by whom they are blocked."""
    table.users = table.users[::-1]
    try:
        await challenge(None)
    finally:
        table.users = table.users[::-1]
    sender, other = table.users
    ((opened,),) = table.rows(NEWEST, other)
    if opened and table.now(opened).status == "challenge":
        await table.click(sender, f"accept:{opened}")
        table.count("open seats refused")
        if table.now(opened).status == "running":
            table.simulation.report.blame("blocks_ignored", f"{sender} has joined {other}")
        await table.click(other, f"withdraw:{opened}")


def _blocked(table: Table, user: int) -> list[int]:
    """Return whom a user has blocked."""
    for (stored,) in table.rows("SELECT preferences FROM players WHERE user_id=?", user):
        return list[int](blocked_by(json.loads(stored) if isinstance(stored, str) else stored))
    return []
