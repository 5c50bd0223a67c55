"""What each player has chosen for themselves."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.clocks import HOUR
from bot.quiet import HOME, quiet_until, zones
from bot.storage.database import Database, hold, put
from bot.storage.schema import absences, players
from render.renderer import Style


class Preference(NamedTuple):
    """Something to choose: what it is about, and each value with its words, the default first."""

    about: str
    values: Mapping[str, str]


PREFERENCES: Mapping[str, Preference] = {
    "hand": Preference(
        "When a match begins",
        {"on": "Send me my secrets by DM", "off": "Send me no DM"},
    ),
    "turns": Preference(
        "At each of my turns",
        {"off": "A ping in the channel is enough", "on": "Send me a DM as well"},
    ),
    "remind": Preference(
        "If I take long",
        {"24": "Ping me again after a day", "48": "After two days", "off": "Never again"},
    ),
    "quiet": Preference(
        "When not to remind me",
        {"off": "At no special hours", "22-8": "From 22 to 8 o'clock", "23-7": "From 23 to 7"},
    ),
    "theme": Preference(
        "My own pictures",
        {"dark": "Dark", "light": "Light", "contrast": "High contrast"},
    ),
    "orientation": Preference(
        "Shape of my own pictures",
        {"landscape": "Landscape, as the public ones", "portrait": "Portrait, for a phone"},
    ),
    "turned": Preference(
        "Which way my own pictures lie",
        {"off": "As the public ones", "on": "My own side at the left or at the bottom"},
    ),
}

NO_DM = "closed"
"""Noted beside the preferences, `yes` or `no`: the last DM did not get through."""

STEP = "step:"
"""Noted beside the preferences, by game: how far a guided match has come."""

ZONE = "zone"
"""Noted beside the preferences: the player's time zone."""

DEFAULTS = {name: next(iter(each.values)) for name, each in PREFERENCES.items()} | {
    NO_DM: "no",
    ZONE: HOME,
}


class Players:
    """Reads and writes preferences.

    Args:
        database: where they are.
    """

    def __init__(self, database: Database) -> None:
        self._database = database

    async def preferences(self, user_id: int) -> dict[str, str]:
        """All of a player's preferences."""
        async with self._database.read() as connection:
            return await _preferences(connection, user_id)

    async def style(self, user_id: int) -> Style:
        """How a player wants pictures that nobody else sees."""
        chosen = await self.preferences(user_id)
        return Style(chosen["theme"], chosen["orientation"], own_side=chosen["turned"] == "on")

    async def prefer(self, user_id: int, name: str, value: str) -> dict[str, str]:
        """Change one preference; gives all of them.

        Raises:
            KeyError: there is no such preference or no such value.
        """
        PREFERENCES[name].values[value]
        return await self._note(user_id, name, value)

    async def live_in(self, user_id: int, zone: str) -> dict[str, str]:
        """Note a player's time zone; gives all preferences.

        Raises:
            KeyError: there is no such zone.
        """
        if zone not in zones():
            raise KeyError(zone)
        return await self._note(user_id, ZONE, zone)

    async def step(self, user_id: int, game: str) -> int:
        """The step of a game's guided match at which a player was last; 0 at its beginning."""
        return int((await self.preferences(user_id)).get(f"{STEP}{game}", "0"))

    async def step_to(self, user_id: int, game: str, step: int) -> None:
        """Note a player's step in a game's guided match."""
        await self._note(user_id, f"{STEP}{game}", str(step))

    async def reached(self, user_id: int, *, by_dm: bool) -> None:
        """Note whether a DM has got through."""
        await self._note(user_id, NO_DM, "no" if by_dm else "yes")

    async def _note(self, user_id: int, name: str, value: str) -> dict[str, str]:
        async with self._database.write() as connection:
            held = await hold(connection, players, user_id=user_id, preferences={})
            changed = {**held.preferences, name: value}
            if changed != held.preferences:
                await put(connection, players, user_id=user_id, preferences=changed)
            return DEFAULTS | changed


async def wants(connection: AsyncConnection, user_id: int, name: str) -> bool:
    """Whether a player has switched something on, inside a transaction."""
    return (await _preferences(connection, user_id))[name] == "on"


async def is_away(connection: AsyncConnection, user_id: int) -> bool:
    """Whether a player is away, so that clocks stand still."""
    found = select(absences).where(absences.c.user_id == user_id)
    return (await connection.execute(found)).first() is not None


async def reminder(connection: AsyncConnection, user_id: int) -> float:
    """Seconds after which a player wants to be called again; 0 for never."""
    hours = (await _preferences(connection, user_id))["remind"]
    return 0.0 if hours == "off" else int(hours) * HOUR


async def rests_until(connection: AsyncConnection, user_id: int, now: float) -> float | None:
    """When the quiet hours of a player end; None if now is none of them."""
    chosen = await _preferences(connection, user_id)
    return quiet_until(chosen["quiet"], chosen[ZONE], now)


async def _preferences(connection: AsyncConnection, user_id: int) -> dict[str, str]:
    found = select(players.c.preferences).where(players.c.user_id == user_id)
    return DEFAULTS | ((await connection.execute(found)).scalar_one_or_none() or {})
