"""What each player has chosen for themselves."""

from __future__ import annotations

from collections.abc import Mapping

from sqlalchemy import insert, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.storage.database import Database
from bot.storage.schema import players

DEFAULTS: Mapping[str, bool] = {"hand": True, "turns": False, "closed": False}
"""`hand`: a DM with the own secret pieces when a match begins; `turns`: a DM at each own turn;
`closed`: the last DM did not get through."""


class Players:
    """Reads and writes preferences.

    Args:
        database: where they are.
    """

    def __init__(self, database: Database) -> None:
        self._database = database

    async def preferences(self, user_id: int) -> dict[str, bool]:
        """All of a player's preferences."""
        async with self._database.read() as connection:
            return await _preferences(connection, user_id)

    async def prefer(self, user_id: int, name: str, value: bool) -> dict[str, bool]:
        """Change one preference; gives all of them.

        Raises:
            KeyError: there is no such preference.
        """
        DEFAULTS[name]
        async with self._database.write() as connection:
            found = select(players.c.preferences).where(players.c.user_id == user_id)
            stored = (await connection.execute(found)).scalar_one_or_none()
            changed = {**(stored or {}), name: value}
            if stored is None:
                await connection.execute(
                    insert(players).values(user_id=user_id, preferences=changed)
                )
            elif stored != changed:
                await connection.execute(
                    update(players).where(players.c.user_id == user_id).values(preferences=changed)
                )
            return {**DEFAULTS, **changed}


async def wants(connection: AsyncConnection, user_id: int, name: str) -> bool:
    """One preference of a player, inside a transaction."""
    return (await _preferences(connection, user_id))[name]


async def _preferences(connection: AsyncConnection, user_id: int) -> dict[str, bool]:
    found = select(players.c.preferences).where(players.c.user_id == user_id)
    return {**DEFAULTS, **((await connection.execute(found)).scalar_one_or_none() or {})}
