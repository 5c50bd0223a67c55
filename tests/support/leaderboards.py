"""Results of players on a leaderboard, stored without their matches being played."""

from __future__ import annotations

from typing import Any

from sqlalchemy import insert

from bot.domain.ids import GuildId
from bot.storage.database import Database
from bot.storage.schema import leaderboard_entries, matches, rated_results

CLUB = GuildId(7)
POOL = "warp6/2"
NOW = 1_000_000_000.0


async def put(
    database: Database, user: int, mu: float, sigma: float = 80.0, **columns: Any
) -> None:
    """Store a result of a user, after those before."""
    fields: dict[str, Any] = {"pool": POOL, "ended_at": NOW - 5, "listed": CLUB} | columns
    listed = fields.pop("listed")
    async with database.write() as connection:
        number = columns.get("number", user)
        match = {
            "id": number,
            "game": "warp6",
            "engine_version": 1,
            "rules": "",
            "options": {},
            "status": "finished",
            "version": 1,
            "decisions": {},
            "chance_count": 0,
            "seed": b"",
            "salt": "",
            "challenger_id": user,
            "channel_id": 5,
            "clock": "",
            "round": 1,
            "rounds": 1,
            "created_at": 0.0,
            "changed_at": 0.0,
        }
        await connection.execute(insert(matches).values(match))
        row = {"match_id": number, "seat": "B", "number": number, "user_id": user, "rank": 0}
        row |= {"mu": mu, "sigma": sigma} | fields
        await connection.execute(insert(rated_results).values(row))
        if listed:
            entry = {"guild_id": listed, "user_id": user, "name": f"P{user}", "checked_at": NOW}
            await connection.execute(insert(leaderboard_entries).values(entry))
