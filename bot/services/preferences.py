"""What each player has chosen for themselves."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from sqlalchemy import bindparam, select

from bot.i18n import ENGLISH, language_names, negotiate_locale
from bot.services.clocks import HOUR
from bot.services.quiet_hours import HOME, quiet_until, zones
from bot.storage.database import Connection, Database, get_or_create, upsert
from bot.storage.schema import players, seats
from render.i18n import N_
from render.renderer import Style

AS_IN_DISCORD = "discord"
"""The language of a player who has chosen none."""


class Preference(NamedTuple):
    """Something to choose: what it is about, and each value with its words, the default first."""

    about: str
    values: Mapping[str, str]


PREFERENCES: Mapping[str, Preference] = {
    "hand": Preference(
        N_("When a match begins"),
        {"on": N_("Send me my secrets by DM"), "off": N_("Send me no DM")},
    ),
    "turns": Preference(
        N_("At each of my turns"),
        {"off": N_("A ping in the channel is enough"), "on": N_("Send me a DM as well")},
    ),
    "remind": Preference(
        N_("If I take long"),
        {
            "24": N_("Ping me again after a day"),
            "48": N_("After two days"),
            "off": N_("Never again"),
        },
    ),
    "quiet": Preference(
        N_("When not to remind me"),
        {
            "off": N_("At no special hours"),
            "22-8": N_("From 22 to 8 o'clock"),
            "23-7": N_("From 23 to 7"),
        },
    ),
    "challenges": Preference(
        N_("Who may challenge me"),
        {"on": N_("Everybody but players I have blocked"), "off": N_("Nobody")},
    ),
    "theme": Preference(
        N_("My own pictures"),
        {"dark": N_("Dark"), "light": N_("Light"), "contrast": N_("High contrast")},
    ),
    "orientation": Preference(
        N_("Shape of my own pictures"),
        {
            "landscape": N_("Landscape, as the public ones"),
            "portrait": N_("Portrait, for a phone"),
        },
    ),
    "language": Preference(
        N_("The language in which I talk to you"),
        {AS_IN_DISCORD: N_("The one of your Discord"), **language_names()},
    ),
    "turned": Preference(
        N_("Which way my own pictures lie"),
        {
            "off": N_("As the public ones"),
            "on": N_("My own side at the left or at the bottom"),
        },
    ),
}

NO_DM = "closed"
"""Noted beside the preferences, `yes` or `no`: the last DM did not get through."""

STEP = "step:"
"""Noted beside the preferences, by game: how far a guided match has come."""

BLOCKED = "blocked"
"""Noted beside the preferences: the numbers of blocked players, separated by spaces."""

BLOCKED_LIMIT = 100
"""Maximum number of blocked players; the oldest is unblocked."""

ZONE = "zone"
"""Noted beside the preferences: the player's time zone."""

LOCALE = "locale"
"""Noted beside the preferences: the language of the player's Discord when it was last seen."""

DEFAULTS = {name: next(iter(each.values)) for name, each in PREFERENCES.items()} | {
    NO_DM: "no",
    BLOCKED: "",
    ZONE: HOME,
    LOCALE: ENGLISH,
}

_CHOSEN = select(players.c.preferences).where(players.c.user_id == bindparam("user"))

_SITS = select(seats.c.match_id).where(seats.c.user_id == bindparam("user")).limit(1)


class Preferences:
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

    async def language(self, user_id: int, locale: str = "", *, note: bool = True) -> str:
        """In which language a player is talked to.

        Args:
            user_id: who.
            locale: of their Discord, if it is known just now.
            note: whether the locale is noted for later.
        """
        chosen = await self.preferences(user_id)
        if locale and chosen[LOCALE] != negotiate_locale(locale):
            chosen[LOCALE] = negotiate_locale(locale)
            if note:
                await self._note(user_id, LOCALE, negotiate_locale(locale))
        own = chosen["language"]
        return chosen[LOCALE] if own == AS_IN_DISCORD else own

    async def style(self, user_id: int) -> Style:
        """Return the style in which a player wants private pictures."""
        chosen = await self.preferences(user_id)
        return Style(chosen["theme"], chosen["orientation"], own_side=chosen["turned"] == "on")

    async def set(self, user_id: int, name: str, value: str) -> dict[str, str]:
        """Change one preference; gives all of them.

        Raises:
            KeyError: there is no such preference or no such value.
        """
        PREFERENCES[name].values[value]
        return await self._note(user_id, name, value)

    async def set_time_zone(self, user_id: int, zone: str) -> dict[str, str]:
        """Note a player's time zone; gives all preferences.

        Raises:
            KeyError: there is no such zone.
        """
        if zone not in zones():
            raise KeyError(zone)
        return await self._note(user_id, ZONE, zone)

    async def lesson_step(self, user_id: int, game: str) -> int:
        """The step of a game's guided match at which a player was last; 0 at its beginning."""
        return int((await self.preferences(user_id)).get(f"{STEP}{game}", "0"))

    async def set_lesson_step(self, user_id: int, game: str, step: int) -> None:
        """Note a player's step in a game's guided match."""
        await self._note(user_id, f"{STEP}{game}", str(step))

    async def record_dm_result(self, user_id: int, *, by_dm: bool) -> None:
        """Note whether a DM has got through.

        The player may have been deleted while it was sent; then nothing is noted.
        """
        async with self._database.write() as connection:
            if (await connection.execute(_SITS, {"user": user_id})).first() is not None:
                await _change(connection, user_id, NO_DM, "no" if by_dm else "yes")

    async def block(self, user_id: int, other_id: int) -> None:
        """Let a player challenge this one no more."""
        blocked = blocked_by(await self.preferences(user_id))
        kept = [*(each for each in blocked if each != other_id), other_id][-BLOCKED_LIMIT:]
        await self._note(user_id, BLOCKED, " ".join(map(str, kept)))

    async def unblock_all(self, user_id: int) -> dict[str, str]:
        """Remove all blocks; return all preferences."""
        return await self._note(user_id, BLOCKED, "")

    async def _note(self, user_id: int, name: str, value: str) -> dict[str, str]:
        async with self._database.write() as connection:
            return DEFAULTS | await _change(connection, user_id, name, value)


def blocked_by(stored: Mapping[str, str] | None) -> list[int]:
    """Return the numbers of the players that a player has blocked, by what is stored."""
    return [int(each) for each in (stored or {}).get(BLOCKED, "").split()]


def wants(stored: Mapping[str, str] | None, name: str) -> bool:
    """Whether a player has switched something on, by what is stored of their preferences."""
    return _filled(stored)[name] == "on"


def reminder(stored: Mapping[str, str] | None) -> float:
    """Seconds after which a player wants to be called again; 0 for never; see `wants`."""
    hours = _filled(stored)["remind"]
    return 0.0 if hours == "off" else int(hours) * HOUR


def rests_until(stored: Mapping[str, str] | None, now: float) -> float | None:
    """When the quiet hours of a player end; None if now is none of them; see `wants`."""
    chosen = _filled(stored)
    return quiet_until(chosen["quiet"], chosen[ZONE], now)


async def _change(connection: Connection, user_id: int, name: str, value: str) -> dict[str, str]:
    held = await get_or_create(connection, players, user_id=user_id, preferences={})
    changed = {**held.preferences, name: value}
    if changed != held.preferences:
        await upsert(connection, players, user_id=user_id, preferences=changed)
    return changed


async def _preferences(connection: Connection, user_id: int) -> dict[str, str]:
    found = await connection.execute(_CHOSEN, {"user": user_id})
    return _filled(found.scalar_one_or_none())


def _filled(stored: Mapping[str, str] | None) -> dict[str, str]:
    return {**DEFAULTS, **(stored or {})}
