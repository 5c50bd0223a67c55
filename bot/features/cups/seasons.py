"""Cups that repeat each month: opening the next season, its groups, and standings of the year.

A season opens in one transaction with the players of the last one, who confirm by joining. At its
start, in one transaction as well, its cup becomes one for each group.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from datetime import UTC, datetime
from secrets import token_hex
from typing import Any

from sqlalchemy import Select, delete, insert, select, update

from bot.domain.clocks import DAY
from bot.domain.ids import UserId
from bot.features.cups.drafts import CupDraft
from bot.features.cups.formats import draw_lots
from bot.features.cups.leagues import (
    League,
    Season,
    SeasonResult,
    divided,
    month_after,
    moving_count,
    next_order,
    year_standings,
)
from bot.features.cups.rows import Cup, CupStatus, StoredCup, StoredEntrant, load_cup
from bot.storage.connection import Connection
from bot.storage.due import NOW
from bot.storage.schema import cup_entrants, cups, leagues
from engine import games

SIGN_UP_SECONDS = 7 * DAY
"""Seconds between the opening of the sign-up for a season and its start."""

OPENING = select(leagues.c.id).where(leagues.c.opens_at <= NOW)
"""The leagues whose next season is to open."""

_LETTERS = "ABC"

_COPIED = (
    "guild_id", "channel_id", "parent_channel_id", "organiser_id", "game", "options", "clock",
    "rounds", "rated", "format", "max_open", "league_id", "season",
)  # fmt: skip
"""Columns that the cups of all seasons have in common."""


async def create_league(connection: Connection, draft: CupDraft) -> dict[str, Any]:
    """Store a new league; return the columns of the cup of its first season."""
    values = {
        "guild_id": draft.guild_id,
        "name": draft.name,
        "divisions": draft.divisions,
        "season": 1,
    }
    new = insert(leagues).values(values).returning(leagues.c.id)
    league_id = (await connection.execute(new)).scalar_one()
    name = season_name(draft.name, 1)
    return {"league_id": league_id, "season": 1, "division": 1, "name": name}


def season_name(name: str, season: int, division: int = 0) -> str:
    """Return the name of the cup of a season, or of one of its groups.

    Example:
        >>> season_name("Spring", 3), season_name("Spring", 3, 2)
        ('Spring · 3', 'Spring · 3 B')
    """
    letter = f" {_LETTERS[division - 1]}" if division else ""
    return f"{name} · {season}{letter}"


async def end_league(connection: Connection, cup_id: int) -> None:
    """Open no further season after a cup that is cancelled."""
    league = select(cups.c.league_id).where(cups.c.id == cup_id).scalar_subquery()
    await connection.execute(update(leagues).where(leagues.c.id == league).values(opens_at=None))


async def open_season(connection: Connection, league_id: int, now: float) -> bool:
    """Open the sign-up for the next season of a league, once; return whether it was due.

    Its players are those of the last season who are still there. They have not confirmed yet.
    """
    league = await _league(connection, league_id, lock=True)
    if league is None or league.opens_at is None or league.opens_at > now:
        return False
    groups = await _groups(connection, league, league.season)
    first, season = groups[0].row, league.season + 1
    values = (
        _common(first)
        | _new(now)
        | {
            "name": season_name(league.name, season),
            "season": season,
            "division": 1,
            "rules": games.get(first.game).rules[0],
            "starts_at": first.ends_at,
        }
    )
    new = insert(cups).values(values).returning(cups.c.id)
    cup_id = (await connection.execute(new)).scalar_one()
    players = [
        {
            "cup_id": cup_id,
            "number": number,
            "user_id": entrant.user_id,
            "name": entrant.name,
            "joined_by": 0,
            "checked_at": entrant.checked_at,
        }
        for number, entrant in enumerate(_returning(groups), 1)
    ]
    if players:
        await connection.execute(insert(cup_entrants), players)
    is_league = leagues.c.id == league_id
    await connection.execute(update(leagues).where(is_league).values(season=season, opens_at=None))
    return True


def _returning(groups: Sequence[Cup]) -> list[StoredEntrant]:
    """Return the players of the groups of a season who can play in the next one."""
    return [
        entrant
        for cup in groups
        for entrant in cup.entrants
        if entrant.is_active and entrant.is_person and not entrant.has_left
    ]


async def begin_season(connection: Connection, cup: Cup, now: float) -> list[Cup]:
    """Divide the players of a cup that starts into groups; return the cup of each group, locked.

    Players who have not confirmed are left out. A cup that does not repeat has one group.
    """
    league = await _league(connection, cup.row.league_id, lock=True)
    if league is None:
        return [cup]
    cup_id, unconfirmed = cup.row.id, cup_entrants.c.joined_by == 0
    await connection.execute(
        delete(cup_entrants).where(cup_entrants.c.cup_id == cup_id, unconfirmed)
    )
    order = await _order(connection, league, cup)
    divisions = divided(order, league.divisions)
    first_at = now if league.first_at is None else league.first_at
    ends_at = month_after(first_at, cup.row.season)
    is_league = leagues.c.id == league.id
    opens_at = ends_at - SIGN_UP_SECONDS
    await connection.execute(
        update(leagues).where(is_league).values(opens_at=opens_at, first_at=first_at)
    )
    numbers = [cup_id]
    for division, players in enumerate(divisions, 1):
        letter = division if len(divisions) > 1 else 0
        values: dict[str, Any] = {
            "name": season_name(league.name, cup.row.season, letter),
            "ends_at": ends_at,
        }
        if division == 1:
            await connection.execute(update(cups).where(cups.c.id == cup_id).values(values))
            continue
        values |= _common(cup.row) | _new(now) | {"division": division, "rules": cup.row.rules}
        new = insert(cups).values(values).returning(cups.c.id)
        numbers.append((await connection.execute(new)).scalar_one())
        moved = (cup_entrants.c.cup_id == cup_id) & cup_entrants.c.number.in_(players)
        await connection.execute(update(cup_entrants).where(moved).values(cup_id=numbers[-1]))
    stored = [await load_cup(connection, number, lock=True) for number in numbers]
    return [group for group in stored if group]


async def _order(connection: Connection, league: League, cup: Cup) -> list[int]:
    """Return the numbers of the players of a season that starts, the best first.

    It follows from the last season; new players are the last ones, in random order.
    """
    numbers = {entrant.user_id: entrant.number for entrant in cup.confirmed}
    groups = await _groups(connection, league, cup.row.season - 1)
    former = [[entrant.user_id for entrant in _by_place(group)] for group in groups]
    order = [numbers[user_id] for user_id in next_order(former) if user_id in numbers]
    newcomers = set(numbers.values()) - set(order)
    return order + draw_lots(cup.row.seed, newcomers, "groups")


def _by_place(cup: Cup) -> list[StoredEntrant]:
    """Return the players of a group by their final places; those without one are the last."""
    return sorted(cup.entrants, key=lambda e: (e.place is None, e.place or 0, e.number))


async def plays_in_another_group(connection: Connection, cup: StoredCup, user_id: UserId) -> bool:
    """Return whether a user has a place in another group of a season; its league is locked."""
    if await _league(connection, cup.league_id, lock=True) is None:
        return False
    query = (
        select(cup_entrants.c.number)
        .join(cups, cups.c.id == cup_entrants.c.cup_id)
        .where(cups.c.league_id == cup.league_id, cups.c.season == cup.season)
        .where(cups.c.id != cup.id, cup_entrants.c.user_id == user_id)
    )
    return (await connection.execute(query)).first() is not None


async def unfinished_before(connection: Connection, cup: StoredCup) -> list[int]:
    """Return the cups of earlier seasons of a league that are still in progress."""
    query = select(cups.c.id).where(
        cups.c.league_id == cup.league_id,
        cups.c.season < cup.season,
        cups.c.status == CupStatus.RUNNING,
    )
    return list((await connection.execute(query.order_by(cups.c.id))).scalars())


async def season_of(connection: Connection, cup: Cup) -> Season | None:
    """Return the season of a cup with the standings of its year; None for other cups."""
    league = await _league(connection, cup.row.league_id)
    if league is None:
        return None
    shown_at = cup.row.started_at or cup.row.starts_at or cup.row.created_at
    year = datetime.fromtimestamp(shown_at, UTC).year
    results = [SeasonResult(*row) for row in await connection.execute(_results(league.id, year))]
    sizes = defaultdict[int, int](int)
    for result in results:
        if result.season == cup.row.season:
            sizes[result.division] += 1
    moving = moving_count(sizes.values()) if sizes else 0
    return Season(league, len(sizes) or 1, moving, year, year_standings(results))


def _results(league_id: int, year: int) -> Select[Any]:
    """Select the players' places in the seasons that started in a year."""
    start, end = (datetime(number, 1, 1, tzinfo=UTC).timestamp() for number in (year, year + 1))
    entrants = cup_entrants.c
    return (
        select(
            cups.c.season,
            cups.c.division,
            entrants.place,
            entrants.user_id,
            entrants.name,
            entrants.withdrawn_at.is_not(None),
            entrants.has_left,
        )
        .join(cups, cups.c.id == entrants.cup_id)
        .where(cups.c.league_id == league_id, cups.c.started_at >= start, cups.c.started_at < end)
        .where(cups.c.status.in_((CupStatus.RUNNING, CupStatus.FINISHED)))
        .order_by(cups.c.season, cups.c.division, entrants.number)
    )


async def _league(
    connection: Connection, league_id: int | None, *, lock: bool = False
) -> League | None:
    if league_id is None:
        return None
    query = select(leagues).where(leagues.c.id == league_id)
    query = query.with_for_update() if lock else query
    row = (await connection.execute(query)).one_or_none()
    return None if row is None else League(*row)


async def _groups(connection: Connection, league: League, season: int) -> list[Cup]:
    """Return the cups of a season that has started, the best group first."""
    query = select(cups.c.id).where(
        cups.c.league_id == league.id, cups.c.season == season, cups.c.started_at.is_not(None)
    )
    numbers = (await connection.execute(query.order_by(cups.c.division))).scalars().all()
    groups = [await load_cup(connection, number) for number in numbers]
    return [group for group in groups if group]


def _common(row: StoredCup) -> dict[str, Any]:
    """Return the columns of a cup that the cups of all seasons have in common."""
    return {name: getattr(row, name) for name in _COPIED}


def _new(now: float) -> dict[str, Any]:
    """Return the first values of the columns of a new cup that change later."""
    return {
        "status": CupStatus.SIGN_UP,
        "seed": token_hex(8),
        "version": 1,
        "created_at": now,
        "shown_version": 0,
        "announced": 0,
    }
