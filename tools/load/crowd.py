"""A database with many matches in progress, and its servers and messages on Discord.

Some matches of each game are really played, each to another depth; the others are copies of them
with separate players, channels and messages.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from itertools import count, cycle, islice
from random import Random
from typing import Any, NamedTuple

from sqlalchemy import Table as SQLTable
from sqlalchemy import delete, func, insert, select, update

from bot.app.run import open_database
from bot.domain.ids import COMPUTER_USER_ID, ChannelId, GuildId, MatchId, UserId
from bot.domain.models import Player, TimerKind
from bot.domain.terms import Terms
from bot.i18n import ENGLISH, negotiate_locale
from bot.services.factory import services_on
from bot.services.preferences import PreferenceKey
from bot.services.queries import Queries
from bot.storage.database import Database
from bot.storage.schema import (
    actions,
    analyses,
    matches,
    outbox,
    players,
    posted_messages,
    seats,
    timers,
)
from engine import games
from engine.computer.analysis import VERSION
from engine.game import CHANCE
from tests.support.fake_objects import BOT_USER
from tests.verification.kills.payloads import locale_of, name_of

PLAYED = 60
"""Number of matches that are really played."""

DEEPEST = 60
"""Most choices in them."""

COMPUTER_LEVEL = "admiral"
"""The strongest level, which needs most time."""

SEATS = 3
"""Most seats of a match."""

AT_ONCE = 2000
"""Number of rows written together."""

SHARDED = 1 << 22
"""Servers whose numbers differ by this lie on neighbouring shards."""

CHANNELS, ROLES = 20, 10
"""Of each server."""


class Crowd(NamedTuple):
    """The size of the crowd.

    Attributes:
        matches: number of matches in progress, numbered from 1.
        servers: number of servers that they are spread over.
    """

    matches: int
    servers: int

    def server(self, match_id: int) -> int:
        """Return the server of a match."""
        return (match_id % self.servers + 1) * SHARDED

    @staticmethod
    def channel(match_id: int) -> int:
        """Return the thread of a match."""
        return 10**12 + match_id

    @staticmethod
    def message(match_id: int) -> int:
        """Return the message that shows its board."""
        return 10**13 + match_id

    @staticmethod
    def player(match_id: int, place: int) -> int:
        """Return the player at that seat of a match."""
        return 10**14 + 4 * match_id + place

    def messages(self) -> dict[int, dict[int, dict[str, Any]]]:
        """Return channel → message → the message as Discord stores it."""
        return {
            self.channel(number): {
                self.message(number): _message(self.channel(number), self.message(number))
            }
            for number in range(1, self.matches + 1)
        }

    def servers_as_sent(self) -> Iterator[dict[str, Any]]:
        """Yield the gateway's data about each server."""
        return (_server((number + 1) * SHARDED) for number in range(self.servers))


async def fill(url: str, crowd: Crowd, random: Random) -> None:
    """Make the database."""
    async with open_database(url) as database:
        async with database.read() as connection:
            there = select(func.count()).select_from(matches)
            assert not (await connection.execute(there)).scalar_one(), "the database is not empty"
        played = await _play(database, min(PLAYED, crowd.matches), random)
        async with database.write() as connection:
            await connection.execute(delete(outbox))
            await connection.execute(delete(posted_messages))
            # All would be pinged in the first minute; players whose turn it is have been.
            await connection.execute(delete(timers).where(timers.c.kind == TimerKind.PING))
            originals = {
                table.name: [dict(row._mapping) for row in await connection.execute(select(table))]
                for table in (matches, seats, actions, timers)
            }
            for table in (timers, actions, seats, matches):
                await connection.execute(delete(table))
        for table in (matches, seats, actions, timers):
            await _write(database, table, _copies(table, originals[table.name], played, crowd))
        await _write(database, players, _players(crowd))
        await _write(
            database, posted_messages, _posted_messages(originals[actions.name], played, crowd)
        )
        async with database.write() as connection:
            if connection.dialect.name == "postgresql":
                for table in (matches, posted_messages, timers):
                    name = f"{table.name}_id_seq"
                    highest = select(func.setval(name, func.max(table.c.id) + 1))
                    await connection.execute(highest)


async def _play(database: Database, number: int, random: Random) -> list[int]:
    """Play a number of matches, each for a while, and return the ids of those that go on.

    They are as many of each game, and the games take turns.
    """
    services, tables, ids = services_on(database, time.time), Queries(database), count(1)
    played: dict[str, list[int]] = {name: [] for name in games.names()}
    for name, _ in zip(cycle(games.names()), range(number), strict=False):
        game = games.get(name)
        people = [
            Player(UserId(10 + seat), f"Player {seat}") for seat in range(len(game.seats({})))
        ]
        terms = Terms(game=game.name, guild_id=GuildId(1), channel_id=ChannelId(1), clock="7d")
        match_id = (await services.challenges.challenge(next(ids), terms, people)).match_id
        for person in people[1:]:
            await services.challenges.accept(next(ids), match_id, person.user_id)
        for _ in range(random.randrange(DEEPEST)):
            match = await tables.match(match_id)
            if not match.decisions:
                break
            user = match.players[next(iter(match.decisions))].user_id
            legal = (await tables.view(match_id, user)).view.legal
            action = random.choice(legal)
            line = " ".join((action.verb, *action.args))
            assert (await services.matches.act(next(ids), match_id, user, line)).kind == "done"
        if (await tables.match(match_id)).decisions:
            played[name].append(match_id)
    return [
        match_id
        for of_each_game in zip(*played.values(), strict=False)
        for match_id in of_each_game
    ]


async def _write(database: Database, table: SQLTable, rows: Iterator[dict[str, Any]]) -> None:
    """Write many rows."""
    while batch := list(islice(rows, AT_ONCE)):
        async with database.write() as connection:
            await connection.execute(insert(table), batch)


async def seat_computers(url: str, numbers: range) -> list[int]:
    """Give all seats but the deciding player's to the computer, and return the matches changed.

    Only matches are changed in which a choice ends the player's turn, so that each asks for a turn
    of the computer.
    """
    changed = []
    async with open_database(url) as database, database.write() as connection:
        query = select(matches).where(matches.c.id.in_(numbers))
        for row in (await connection.execute(query)).all():
            if _asks(row):
                changed.append(row.id)
                (seat,) = row.decisions
                theirs = (seats.c.match_id == row.id) & (seats.c.seat != seat)
                clock = {"seconds_left": None, "clock_started_at": None}
                computer = {"user_id": COMPUTER_USER_ID, "level": COMPUTER_LEVEL}
                await connection.execute(update(seats).where(theirs).values(**computer, **clock))
    return changed


async def request_analyses(url: str, crowd: Crowd, numbers: range) -> None:
    """Finish these matches, and request their analyses."""
    async with open_database(url) as database:
        ids, services = count(1 << 60), services_on(database, time.time)
        for match_id in numbers:
            done = await services.matches.act(
                next(ids), MatchId(match_id), UserId(crowd.player(match_id, 0)), "resign"
            )
            assert done.kind == "done", done
        requested = {"version": VERSION, "requested_at": time.time(), "attempts": 0}
        async with database.write() as connection:
            await connection.execute(delete(outbox))
            await connection.execute(
                insert(analyses), [{"match_id": number, **requested} for number in numbers]
            )


def _asks(row: Any) -> bool:
    """Return whether the next choice ends the turn of the only player who has to decide."""
    game = games.get(row.game)
    state = game.load(row.position)
    if len(row.decisions) > 1:
        return False
    (seat,) = row.decisions
    legal = [action for action in game.view(state, seat).legal if not action.is_form]
    return bool(legal) and game.pending(game.apply(state, legal[0])[0]) not in (seat, CHANCE)


def _copies(
    table: SQLTable, rows: list[dict[str, Any]], played: list[int], crowd: Crowd
) -> Iterator[dict[str, Any]]:
    """Yield the rows of a table for each match of the crowd."""
    key = "id" if table is matches else "match_id"
    by_match = {match_id: [row for row in rows if row[key] == match_id] for match_id in played}
    for new in range(1, crowd.matches + 1):
        for place, row in enumerate(by_match[played[new % len(played)]]):
            changed: dict[str, Any] = {key: new}
            if table is matches:
                there = {"guild_id": crowd.server(new), "channel_id": crowd.channel(new)}
                changed |= there | {"challenger_id": crowd.player(new, 0)}
            if table is seats:
                user = crowd.player(new, place)
                changed |= {"user_id": user, "name": name_of(user)}  # as the clicks say
            new_row = row | changed
            if table is timers:
                del new_row["id"]
            yield new_row


def _players(crowd: Crowd) -> Iterator[dict[str, Any]]:
    """Yield the players whose language the bot has stored: those that are not English."""
    numbers = range(1, crowd.matches + 1)
    for user in (crowd.player(number, place) for number in numbers for place in range(SEATS)):
        if (locale := negotiate_locale(locale_of(user))) != ENGLISH:
            yield {"user_id": user, "preferences": {PreferenceKey.LOCALE: locale}}


def _posted_messages(
    lines: list[dict[str, Any]], played: list[int], crowd: Crowd
) -> Iterator[dict[str, Any]]:
    """Yield the message that shows the board of each match."""
    line_counts = {number: sum(row["match_id"] == number for row in lines) for number in played}
    for new in range(1, crowd.matches + 1):
        yield {
            "match_id": new,
            "kind": "board",
            "channel_id": crowd.channel(new),
            "message_id": crowd.message(new),
            "action_count": line_counts[played[new % len(played)]],
        }


def _message(channel: int, number: int) -> dict[str, Any]:
    message: dict[str, Any] = {"id": str(number), "channel_id": str(channel), "author": BOT_USER}
    message |= {"content": "", "timestamp": "2026-01-01T00:00:00+00:00", "edited_timestamp": None}
    message |= {"tts": False, "embeds": [], "mention_everyone": False, "mentions": []}
    message |= {"mention_roles": [], "pinned": False, "type": 0, "flags": 0, "attachments": []}
    return message | {"components": []}


def _server(number: int) -> dict[str, Any]:
    """Return a server with its roles and channels, as the gateway sends it."""
    everything = str((1 << 53) - 1)
    role: dict[str, Any] = {"color": 0, "colors": {"primary_color": 0}, "hoist": False}
    role |= {"permissions": everything, "managed": False, "mentionable": False, "flags": 0}
    roles = [
        role | {"id": str(number + place), "name": f"role {place}", "position": place}
        for place in range(ROLES)
    ]
    channels = [
        {
            "id": str(number + 100 + place),
            "type": 0,
            "name": f"channel-{place}",
            "position": place,
            "permission_overwrites": [],
        }
        for place in range(CHANNELS)
    ]
    me = {"user": BOT_USER, "roles": [], "joined_at": "2026-01-01T00:00:00+00:00", "deaf": False}
    me |= {"mute": False, "flags": 0}
    guild: dict[str, Any] = {"id": str(number), "name": f"server {number}", "owner_id": "5"}
    guild |= {"roles": roles, "channels": channels, "members": [me], "member_count": 100}
    guild |= {"emojis": [], "stickers": [], "features": [], "threads": [], "presences": []}
    guild |= {"voice_states": [], "stage_instances": [], "guild_scheduled_events": []}
    guild |= {"verification_level": 0, "default_message_notifications": 0, "mfa_level": 0}
    guild |= {"explicit_content_filter": 0, "afk_timeout": 0, "premium_tier": 0, "nsfw_level": 0}
    guild |= {"preferred_locale": "en-US", "system_channel_flags": 0, "large": False}
    return guild | {"unavailable": False, "soundboard_sounds": []}
