"""Players whose data is deleted, and the traces of it."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from sqlalchemy import insert, select

from bot.app.registry import personal_data
from bot.domain.ids import MatchId, UserId
from bot.domain.models import Player
from bot.domain.outbox import OutboxKind, Target
from bot.features.privacy.exports import Exports, Progress
from bot.features.privacy.service import Privacy
from bot.storage.database import Database
from bot.storage.leases import Leases
from bot.storage.schema import (
    METADATA,
    absences,
    cup_entrants,
    cups,
    daily_answers,
    daily_positions,
    leaderboard_entries,
    match_notes,
    opponent_notes,
    plans,
    players,
    posted_messages,
    rank_grants,
    rated_results,
    vacations,
    written_plans,
)
from bot.storage.sqlite import SQLite
from tests.support.matches import BO, EVE, MatchFixture, terms

ADA = UserId(0x0A_DA_0A_DA_0A_DA_0A)
"""A number like those of Discord: as an integer it is eight bytes, which nothing else is."""

CORA = UserId(0x0C_0A_0C_0A_0C_0A_0C_0A)


PLAYERS = [Player(ADA, "Ada L."), Player(BO, "Bo")]


def privacy_of(env: MatchFixture) -> Privacy:
    leases = Leases(env.database, "", lambda: env.now)
    return Privacy(env.database, env.matches, leases, personal_data())


async def export_of(database: Database, user_id: UserId) -> dict[str, Any]:
    """Return the content of an export's file."""
    return await exported(Exports(database, personal_data()), user_id)


async def exported(exports: Exports, user_id: UserId) -> dict[str, Any]:
    """Return the content of an export's only file."""
    (file,) = [part async for part in exports.files(user_id, Progress())]
    content: dict[str, Any] = json.loads(file.content)
    return content


async def traces(database: Database, user_id: UserId) -> list[str]:
    """Return the places of an ID: tables, and for SQLite also files, even if deleted."""
    async with database.read() as connection:
        tables = [
            table.name
            for table in METADATA.sorted_tables
            for row in await connection.execute(select(table))
            if str(user_id) in str(tuple(row))
        ]
    if not isinstance(database, SQLite):
        return tables
    row = bytes((user_id >> 7 * at & 0x7F) | (0x80 if at else 0) for at in range(7, -1, -1))
    forms = (str(user_id).encode(), user_id.to_bytes(8, "big"), row)
    files = [database.path, database.path.with_name(f"{database.path.name}-wal")]
    return tables + [
        file.name
        for file in files
        if file.exists() and any(form in file.read_bytes() for form in forms)
    ]


async def tables_with(env: MatchFixture, user_id: UserId) -> dict[str, list[tuple[Any, ...]]]:
    """Return the rows in which an id or a name with it stands: table → rows.

    Its digits inside a number in hexadecimal digits, such as a seed or digest, are a coincidence.
    """
    number = re.compile(rf"(?<![0-9a-f]){user_id}(?![0-9a-f])")
    rows_by_table: dict[str, list[tuple[Any, ...]]] = {}
    async with env.database.read() as connection:
        for table in METADATA.sorted_tables:
            for row in await connection.execute(select(table)):
                if number.search(str(tuple(row))):
                    rows_by_table.setdefault(table.name, []).append(tuple(row))
    return rows_by_table


async def busy(env: MatchFixture) -> tuple[MatchId, MatchId, MatchId]:
    """Ada has a running match, a finished one and a challenge, settings, and a DM to come."""
    numbers = []
    for _ in range(3):
        outcome = await env.challenges.challenge(next(env.ids), terms(), PLAYERS, side="O")
        numbers.append(outcome.match_id)
    running, finished, asked = numbers
    await env.challenges.accept(next(env.ids), running, BO)
    await env.challenges.accept(next(env.ids), finished, BO)
    await env.matches.act(next(env.ids), finished, ADA, "resign")
    async with env.database.write() as connection:
        await connection.execute(players.insert().values(user_id=ADA, preferences={"hand": "on"}))
    return running, finished, asked


async def known_everywhere(env: MatchFixture) -> MatchId:
    """Ada and Cora have played a match, and are in each table that may name a person.

    Return the match. The first cup is Ada's, the second Cora's, and both have played in the third.
    Eve's place in the third is offered to Ada, the one in the second to Cora.
    """
    both = [Player(ADA, f"A{ADA}"), Player(CORA, f"C{CORA}")]
    match_id = (await env.challenges.challenge(next(env.ids), terms(), both, side="O")).match_id
    await env.challenges.accept(next(env.ids), match_id, CORA)
    await env.matches.act(next(env.ids), match_id, ADA, "resign")
    day: dict[str, Any] = {"guild_id": 5, "channel_id": 6, "day": 1, "position": "x"}
    day |= {"status": "solved", "first_attempt_at": 0, "closes_at": 0}
    cup: dict[str, Any] = {"guild_id": 5, "channel_id": 6, "name": "Spring", "game": "warp6"}
    cup |= {"rules": "0.6", "options": {}, "clock": "", "rounds": 1, "format": "knock_out"}
    cup |= {"max_open": 1, "status": "finished", "seed": "5eed", "version": 7}
    cup |= {"created_at": 0, "shown_version": 7, "announced": 0}
    async with env.database.write() as connection:
        await connection.execute(insert(daily_positions).values(id=1, **day))
        for number, organiser in enumerate((ADA, CORA, EVE), 1):
            await connection.execute(insert(cups).values(id=number, organiser_id=organiser, **cup))
        for number, (seat, (user, name, _)) in enumerate(zip("OD", both, strict=True), 1):
            match = {"match_id": match_id}
            result = {"number": 1, "pool": "p", "ended_at": 0, "mu": 1, "sigma": 1} | match
            place = {"cup_id": 3, "joined_by": 8, "has_left": True}
            personal_rows: list[tuple[Any, dict[str, Any]]] = [
                (players, {"preferences": {"hand": "on"}}),
                (absences, {"ends_at": env.now + 1000}),
                (vacations, {"started_at": env.now, "seconds": 9}),
                (posted_messages, {"kind": "board", "channel_id": 6, "action_count": 0} | match),
                (daily_answers, {"daily_id": 1, "line": f"place {name}", "answered_at": env.now}),
                (match_notes, {"text": f"fell for {name}"} | match),
                (opponent_notes, {"opponent_id": EVE, "text": f"waits for {name}"}),
                (leaderboard_entries, {"guild_id": 5, "name": name, "checked_at": env.now}),
                (rank_grants, {"guild_id": 5, "role_id": 6, "given": True}),
                (rated_results, {"seat": seat, "rank": number} | result),
                (cup_entrants, {"number": number, "name": name} | place),
            ]
            for table, row in personal_rows:
                await connection.execute(insert(table).values(user_id=user, **row))
            offered = {"cup_id": 4 - number, "number": 9, "name": "Eve", "substitute_id": user}
            await connection.execute(insert(cup_entrants).values(user_id=EVE, **place | offered))
            noted = {"user_id": EVE, "opponent_id": user, "text": "hides high coins"}
            await connection.execute(insert(opponent_notes).values(**noted))
            planned = {"seat": seat, "orders": f"place {name}", "version": 1, "changed_at": 0}
            await connection.execute(insert(plans).values(**match, **planned))
            kept = {"user_id": user, "orders": f"place {name}"}
            await connection.execute(insert(written_plans).values(**match, **kept))
            await env.match_store.queue(
                connection, match_id, OutboxKind.PRIVATE_HAND, {}, Target(user)
            )
    return match_id


def noted_purges(env: MatchFixture, monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """Return the times at which the database files are purged from now on; they are left alone."""
    calls: list[float] = []

    async def purge() -> bool:
        calls.append(env.now)
        return True

    monkeypatch.setattr(env.database, "purge", purge)
    return calls
