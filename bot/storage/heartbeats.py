"""Times of the last heartbeats, as stored in the database."""

from __future__ import annotations

from sqlalchemy import select
from sqlalchemy.exc import SQLAlchemyError

from bot.shards import Shards
from bot.storage.database import DatabaseError
from bot.storage.factory import connect
from bot.storage.schema import facts

HEARTBEAT = "heartbeat"
"""Name of the facts with the time of a shard's last heartbeat: `heartbeat:COUNT:SHARD`."""

ANY_HEARTBEAT = f"{HEARTBEAT}:any"
"""Name of the fact with the last heartbeat time of any process."""


async def last_heartbeat(url: str, shards: Shards) -> float | None:
    """Return the last heartbeat time of all of these shards; None if there was none.

    Raises:
        DatabaseError: the database at this URL cannot be read.
    """
    database = connect(url)
    names = [f"{HEARTBEAT}:{shards.count}:{shard}" for shard in shards.ids]
    try:
        async with database.read() as connection:
            noted = select(facts.c.value).where(facts.c.name.in_(names))
            values = (await connection.execute(noted)).scalars().all()
    except SQLAlchemyError as error:
        raise DatabaseError(f"{database.name} does not answer.") from error
    finally:
        await database.close()
    return min(map(float, values)) if len(values) == len(names) else None
