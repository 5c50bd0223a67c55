"""The time that a match took, and which results were posted."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from sqlalchemy import func, select

from bot.domain.ids import MatchId
from bot.storage.database import Database
from bot.storage.schema import actions

MAX_POSTED = 1000
"""Maximum number of matches that are remembered as posted."""


class AlreadyPostedError(Exception):
    """The result of a match was posted before, or is being posted."""


class Scorecards:
    """Reads the facts on the pictures of finished matches, and has each posted once.

    Which results were posted is kept in memory; a restart resets it.
    """

    def __init__(self, database: Database) -> None:
        self._database = database
        self._posted: dict[MatchId, None] = {}

    @contextmanager
    def posting(self, match_id: MatchId) -> Iterator[None]:
        """Post the result of a match inside the block; after an error it can be posted again.

        Raises:
            AlreadyPostedError: it was posted before, or another click is posting it.
        """
        if match_id in self._posted:
            raise AlreadyPostedError(match_id)
        self._posted[match_id] = None
        if len(self._posted) > MAX_POSTED:
            del self._posted[next(iter(self._posted))]
        try:
            yield
        except BaseException:
            self._posted.pop(match_id, None)
            raise

    async def seconds(self, match_id: MatchId) -> float:
        """Return the seconds from the first action of a match to the last, of those that stand."""
        live = (actions.c.match_id == match_id) & actions.c.undone_at.is_(None)
        query = select(func.max(actions.c.made_at) - func.min(actions.c.made_at)).where(live)
        async with self._database.read() as connection:
            return float((await connection.execute(query)).scalar() or 0)
