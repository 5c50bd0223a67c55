"""`starpost ratings`: compute all ratings again."""

from __future__ import annotations

from bot.app.run import open_database
from bot.services.rated_results import Difference, correct, differences


async def recompute(url: str, *, write: bool) -> tuple[int, list[Difference]]:
    """Rate all results again and compare with the stored ratings.

    Args:
        url: database URL; no other process may have the database open.
        write: whether to store the corrected ratings.

    Returns:
        The number of results, and the stored ratings that differ.
    """
    async with open_database(url) as database:
        async with database.write(exclusive=True) as connection:
            count, differing = await differences(connection)
            if write:
                await correct(connection, differing)
        return count, differing
