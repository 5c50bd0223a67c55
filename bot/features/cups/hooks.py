"""The handlers of cups in the transactions of matches, names and clocks."""

from __future__ import annotations

from sqlalchemy import Column, ColumnElement, Select, and_, case, or_, select, update

from bot.feature import Foundation
from bot.features.cups.matches import TOPIC, CupMatches
from bot.features.cups.rows import CupStatus, update_cup
from bot.services.events import (
    ClockShifted,
    MatchEnded,
    MatchEnding,
    NameChanged,
    NameSeen,
    PlayerSilent,
    UserLeaving,
    UserLeft,
)
from bot.storage.connection import Connection
from bot.storage.database import Database
from bot.storage.hooks import Handlers
from bot.storage.schema import cup_entrants, cups, leagues
from render.i18n import _

_UNFINISHED = cups.c.status.in_((CupStatus.SIGN_UP, CupStatus.RUNNING))


def handlers(foundation: Foundation) -> Handlers:
    """Return the handlers for events of the core."""
    database, core = foundation.database, foundation.core
    matches = CupMatches(core.match_store, core.challenges)
    return {
        MatchEnding: lambda connection, event: matches.lock(connection, event.match_id),
        MatchEnded: lambda connection, event: matches.match_ended(connection, event.match_id),
        PlayerSilent: lambda connection, event: _keep_to_clock(connection, event, matches),
        UserLeaving: lambda connection, event: matches.withdraw_all(connection, event.user_id),
        UserLeft: lambda connection, event: matches.advance_cups_without(connection, event.user_id),
        NameSeen: _has_other_name,
        NameChanged: lambda connection, event: _rename(connection, event, database),
        ClockShifted: _shift_dates,
    }


async def _keep_to_clock(connection: Connection, event: PlayerSilent, matches: CupMatches) -> None:
    """Let only the clock decide in a match of a cup."""
    if await matches.lock(connection, event.match_id):
        event.refusals.append(_("This match belongs to a cup, where only the clock decides."))


async def _has_other_name(connection: Connection, event: NameSeen) -> bool:
    """Return whether an unfinished cup has another name of a user."""
    return (await connection.execute(_with_other_name(event))).first() is not None


async def _rename(connection: Connection, event: NameChanged, database: Database) -> None:
    """Store the name of a user in unfinished cups; their posts show it."""
    cup_ids = (await connection.execute(_with_other_name(event))).scalars().all()
    for cup_id in cup_ids:
        entrant = and_(cup_entrants.c.cup_id == cup_id, cup_entrants.c.user_id == event.user_id)
        await connection.execute(update(cup_entrants).where(entrant).values(name=event.name))
        await update_cup(connection, cup_id)
    if cup_ids:
        database.notify(TOPIC)


def _with_other_name(event: NameSeen | NameChanged) -> Select[int]:
    """Return a query for the unfinished cups of a server that have another name of a user."""
    return (
        select(cups.c.id)
        .join(cup_entrants, cup_entrants.c.cup_id == cups.c.id)
        .where(cup_entrants.c.user_id == event.user_id, cup_entrants.c.name != event.name)
        .where(cups.c.guild_id == event.guild_id, _UNFINISHED)
        .order_by(cups.c.id)
    )


async def _shift_dates(connection: Connection, event: ClockShifted) -> None:
    """Add a gap to the dates of unfinished cups that are ahead; their posts show it.

    The last day of a cup ends the time of all its players, so it moves like their clocks.
    """
    since = min(event.last, event.last + event.gap)

    def moved(date: Column[float | None]) -> ColumnElement[float | None]:
        return case((date > since, date + event.gap), else_=date)

    is_ahead = or_(cups.c.starts_at > since, cups.c.ends_at > since)
    dates = {"starts_at": moved(cups.c.starts_at), "ends_at": moved(cups.c.ends_at)}
    later = update(cups).where(event.shards.serve(cups.c.guild_id), _UNFINISHED, is_ahead)
    await connection.execute(later.values(version=cups.c.version + 1, **dates))
    is_ahead = (leagues.c.opens_at > since) & event.shards.serve(leagues.c.guild_id)
    opens_at = leagues.c.opens_at + event.gap
    await connection.execute(update(leagues).where(is_ahead).values(opens_at=opens_at))
