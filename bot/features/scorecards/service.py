"""How long a match took."""

from __future__ import annotations

from sqlalchemy import func, select

from bot.domain.ids import MatchId
from bot.storage.database import Database
from bot.storage.schema import actions


class Scorecards:
    """Reads the facts on the pictures of finished matches.

    Args:
        database: the database to read.
    """

    def __init__(self, database: Database) -> None:
        self._database = database

    async def seconds(self, match_id: MatchId) -> float:
        """Return the seconds from the first action of a match to the last, of those that stand."""
        live = (actions.c.match_id == match_id) & actions.c.undone_at.is_(None)
        query = select(func.max(actions.c.made_at) - func.min(actions.c.made_at)).where(live)
        async with self._database.read() as connection:
            return float((await connection.execute(query)).scalar() or 0)
