"""The preferences of players."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from enum import StrEnum
from typing import NamedTuple

from sqlalchemy import bindparam, select

from bot.domain.clocks import HOUR, days_off_rule
from bot.domain.days_off import DaysOff, days_off_of
from bot.domain.ids import GuildId, UserId
from bot.domain.models import Switch
from bot.domain.quiet_hours import ActiveHours, active_hours, quiet_until
from bot.domain.time_zones import DEFAULT_ZONE, zones
from bot.i18n import ENGLISH, language_names, negotiate_locale
from bot.storage.connection import Connection, read_once
from bot.storage.database import Database, get_or_create, upsert
from bot.storage.schema import guilds, players, seats
from render.i18n import N_, NC_
from render.renderer import DEFAULT_STYLE, Style

AS_IN_DISCORD = "discord"
"""The value of a player or server that has not chosen a language."""


PUBLIC_STYLE = "public"
"""The value of a player who wants boards as a match's public ones are."""


class PreferenceKey(StrEnum):
    """The key of a stored preference; first the player's choices, then the bot's records."""

    HAND = "hand"
    TURNS = "turns"
    FORCED = "forced"
    REMIND = "remind"
    QUIET = "quiet"
    DAYS_OFF = "days_off"
    CHALLENGES = "challenges"
    ANALYSIS = "analysis"
    PROFILE = "profile"
    THEME = "theme"
    ORIENTATION = "orientation"
    ANIMATION = "animation"
    LANGUAGE = "language"
    TURNED = "turned"
    ACTIVE_HOURS = "active_hours"
    DM_FAILED = "dm_failed"
    """`yes` or `no`: whether the last DM failed."""
    BLOCKED = "blocked"
    """The ids of blocked players, separated by spaces."""
    ZONE = "zone"
    """The player's time zone."""
    LOCALE = "locale"
    """The player's Discord language when last seen."""


class Preference(NamedTuple):
    """A preference: its subject, and its values with their labels, the default first."""

    about: str
    values: Mapping[str, str]


PREFERENCES: Mapping[str, Preference] = {
    PreferenceKey.HAND: Preference(
        N_("When a match starts"),
        {
            Switch.ON: N_("Send me my hidden information by DM"),
            Switch.OFF: N_("Don't send me a DM"),
        },
    ),
    PreferenceKey.TURNS: Preference(
        N_("When it's my turn"),
        {Switch.OFF: N_("Only ping me in the channel"), Switch.ON: N_("Also send me a DM")},
    ),
    PreferenceKey.FORCED: Preference(
        N_("When I have only one legal move"),
        {Switch.ON: N_("Make it for me"), Switch.OFF: N_("Wait for me to make it")},
    ),
    PreferenceKey.REMIND: Preference(
        N_("Reminders"),
        {
            "24": N_("After one day"),
            "48": N_("After two days"),
            Switch.OFF: N_("Never"),
        },
    ),
    PreferenceKey.QUIET: Preference(
        N_("Quiet hours"),
        {
            Switch.OFF: NC_("quiet hours", "None"),
            "22-8": N_("22:00 to 8:00"),
            "23-7": N_("23:00 to 7:00"),
        },
    ),
    PreferenceKey.DAYS_OFF: Preference(
        N_("My days off, in matches that have them"),
        {
            Switch.OFF: NC_("days off", "None"),
            "56": N_("Saturday and Sunday"),
            "45": N_("Friday and Saturday"),
            "34": N_("Thursday and Friday"),
            "06": N_("Sunday and Monday"),
            "6": N_("Sunday"),
            "5": N_("Saturday"),
            "4": N_("Friday"),
            "2": N_("Wednesday"),
            "0": N_("Monday"),
        },
    ),
    PreferenceKey.ACTIVE_HOURS: Preference(
        N_("When I usually answer"),
        {
            Switch.OFF: N_("No one sees it"),
            Switch.ON: N_("My opponents see it: the hours between my quiet hours"),
        },
    ),
    PreferenceKey.CHALLENGES: Preference(
        N_("Who can challenge me"),
        {Switch.ON: N_("Everyone except players I've blocked"), Switch.OFF: N_("No one")},
    ),
    PreferenceKey.ANALYSIS: Preference(
        N_("My decisions in an analysis"),
        {Switch.OFF: N_("Only I see them"), Switch.ON: N_("Everyone who sees the match")},
    ),
    PreferenceKey.PROFILE: Preference(
        N_("Who can see my profile"),
        {
            Switch.OFF: N_("No one but me"),
            "met": N_("Players I have finished a match with, and others on servers that we share"),
            "everyone": N_("Everyone except players I've blocked"),
        },
    ),
    PreferenceKey.THEME: Preference(
        N_("Theme of my boards"),
        {"dark": N_("Dark"), "light": N_("Light"), "contrast": N_("High contrast")},
    ),
    PreferenceKey.ORIENTATION: Preference(
        N_("Orientation of my boards"),
        {
            PUBLIC_STYLE: N_("Same as public boards"),
            "landscape": N_("Landscape"),
            "portrait": N_("Portrait, for phones"),
        },
    ),
    PreferenceKey.ANIMATION: Preference(
        N_("The last turn, when I open my board"),
        {Switch.OFF: N_("A still picture with arrows"), Switch.ON: N_("Also an animation")},
    ),
    PreferenceKey.LANGUAGE: Preference(
        N_("Language"),
        {AS_IN_DISCORD: N_("Same as Discord"), **language_names()},
    ),
    PreferenceKey.TURNED: Preference(
        N_("View my boards from"),
        {
            Switch.OFF: N_("The same side as public boards"),
            Switch.ON: N_("My own side (at the left or the bottom)"),
        },
    ),
}

GROUPS: Mapping[str, tuple[str, tuple[PreferenceKey, ...]]] = {
    "play": (
        N_("Messages and moves"),
        (
            PreferenceKey.HAND,
            PreferenceKey.TURNS,
            PreferenceKey.FORCED,
            PreferenceKey.REMIND,
            PreferenceKey.QUIET,
        ),
    ),
    "time": (N_("Time"), (PreferenceKey.DAYS_OFF, PreferenceKey.ACTIVE_HOURS)),
    "looks": (
        N_("Boards"),
        (
            PreferenceKey.THEME,
            PreferenceKey.ORIENTATION,
            PreferenceKey.TURNED,
            PreferenceKey.ANIMATION,
        ),
    ),
    "others": (
        N_("Language, other players"),
        (
            PreferenceKey.LANGUAGE,
            PreferenceKey.CHALLENGES,
            PreferenceKey.ANALYSIS,
            PreferenceKey.PROFILE,
        ),
    ),
}
"""Groups of preferences that are changed together: key → title, keys of the preferences."""

STEP_PREFIX = "step:"
"""Prefix of the keys for the progress in a lesson, followed by the game."""

CARD_PREFIX = "card:"
"""Prefix of the keys for the terms of a player's last challenge, followed by the game."""

LAST_GAME = "game"
"""The key for the game of a player's last challenge."""

MAX_BLOCKED = 100
"""Maximum number of blocked players; beyond it, the oldest is unblocked."""

DEFAULTS = {name: next(iter(preference.values)) for name, preference in PREFERENCES.items()} | {
    PreferenceKey.DM_FAILED: "no",
    PreferenceKey.BLOCKED: "",
    PreferenceKey.ZONE: DEFAULT_ZONE,
    PreferenceKey.LOCALE: ENGLISH,
}

_CHOSEN = select(players.c.preferences).where(players.c.user_id == bindparam("user"))

_STYLE = select(
    _CHOSEN.scalar_subquery().label("chosen"),
    select(guilds.c.settings)
    .where(guilds.c.guild_id == bindparam("guild"))
    .scalar_subquery()
    .label("server"),
)

_ANY_SEAT = select(seats.c.match_id).where(seats.c.user_id == bindparam("user")).limit(1)


class Preferences:
    """Reads and writes preferences."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def preferences(self, user_id: UserId) -> dict[str, str]:
        """Return all preferences of a player."""
        async with self._database.read() as connection:
            result = await read_once(connection, _CHOSEN, {"user": user_id})
            return _filled(result.scalar_one_or_none())

    async def language(self, user_id: UserId, locale: str = "", *, remember: bool = True) -> str:
        """Return the language for messages to a player.

        Args:
            locale: the player's Discord locale, if known.
            remember: whether to store the locale.
        """
        preferences = await self.preferences(user_id)
        if locale and preferences[PreferenceKey.LOCALE] != negotiate_locale(locale):
            preferences[PreferenceKey.LOCALE] = negotiate_locale(locale)
            if remember:
                await self._store(user_id, PreferenceKey.LOCALE, negotiate_locale(locale))
        return language_of(preferences)

    async def style(self, user_id: UserId, guild_id: GuildId | None) -> Style:
        """Return a player's style for private images.

        Args:
            guild_id: the server of the match, or of the interaction; None in a DM.
        """
        async with self._database.read() as connection:
            result = await read_once(connection, _STYLE, {"user": user_id, "guild": guild_id})
            row = result.one()
        preferences = _filled(row.chosen)
        orientation = preferences[PreferenceKey.ORIENTATION]
        if orientation == PUBLIC_STYLE:
            orientation = (row.server or {}).get("orientation", DEFAULT_STYLE.orientation)
        return Style(
            preferences[PreferenceKey.THEME],
            orientation,
            own_side=preferences[PreferenceKey.TURNED] == Switch.ON,
        )

    async def active_hours(self, user_id: UserId, now: float) -> ActiveHours | None:
        """Return a player's active hours, for opponents; None if the player does not show them."""
        preferences = await self.preferences(user_id)
        if preferences[PreferenceKey.ACTIVE_HOURS] != Switch.ON:
            return None
        return active_hours(preferences[PreferenceKey.QUIET], preferences[PreferenceKey.ZONE], now)

    async def set(self, user_id: UserId, name: str, value: str) -> dict[str, str]:
        """Change one preference and return all of them.

        Raises:
            KeyError: there is no such preference or no such value.
        """
        return await self.set_all(user_id, {name: value})

    async def set_all(self, user_id: UserId, changes: Mapping[str, str]) -> dict[str, str]:
        """Change some preferences and return all of them.

        Raises:
            KeyError: there is no such preference or no such value.
        """
        for name, value in changes.items():
            PREFERENCES[name].values[value]
        async with self._database.write() as connection:
            for name, value in changes.items():
                await change_preference(connection, user_id, name, value)
            return await preferences_of(connection, user_id)

    async def set_time_zone(self, user_id: UserId, zone: str) -> dict[str, str]:
        """Store a player's time zone and return all preferences.

        Raises:
            KeyError: there is no such zone.
        """
        if zone not in zones():
            raise KeyError(zone)
        return await self._store(user_id, PreferenceKey.ZONE, zone)

    async def lesson_step(self, user_id: UserId, game: str) -> int:
        """Return a player's last step in a game's lesson; 0 at its beginning."""
        return int((await self.preferences(user_id)).get(f"{STEP_PREFIX}{game}", "0"))

    async def set_lesson_step(self, user_id: UserId, game: str, step: int) -> None:
        """Store a player's step in a game's lesson; the game is the one used last."""
        async with self._database.write() as connection:
            await change_preference(connection, user_id, LAST_GAME, game)
            await change_preference(connection, user_id, f"{STEP_PREFIX}{game}", str(step))

    async def last_game(self, user_id: UserId, among: Collection[str]) -> str:
        """Return the game that a player learnt or played last; empty if it is none of these.

        Args:
            among: names of games.
        """
        last = (await self.preferences(user_id)).get(LAST_GAME, "")
        return last if last in among else ""

    async def remember_game(self, user_id: UserId, game: str) -> None:
        """Store the game that a player uses, unless it is stored already; see `last_game`."""
        if (await self.preferences(user_id)).get(LAST_GAME) != game:
            await self._store(user_id, LAST_GAME, game)

    async def remember_card(self, user_id: UserId, game: str, card: str) -> None:
        """Store a player's last terms for a game, see `bot.views.challenge_card`."""
        async with self._database.write() as connection:
            await change_preference(connection, user_id, LAST_GAME, game)
            await change_preference(connection, user_id, f"{CARD_PREFIX}{game}", card)

    async def record_dm_result(self, user_id: UserId, *, by_dm: bool) -> None:
        """Store whether a DM was delivered.

        Nothing is stored if the player's data was deleted while the DM was being sent.
        """
        async with self._database.write() as connection:
            if (await connection.execute(_ANY_SEAT, {"user": user_id})).first() is not None:
                await change_preference(
                    connection, user_id, PreferenceKey.DM_FAILED, "no" if by_dm else "yes"
                )

    async def block(self, user_id: UserId, other_id: UserId) -> None:
        """Block another player from challenging this one."""
        async with self._database.write() as connection:
            row = await get_or_create(connection, players, user_id=user_id, preferences={})
            blocked = [number for number in blocked_by(row.preferences) if number != other_id]
            numbers = [*blocked, other_id][-MAX_BLOCKED:]
            value = " ".join(map(str, numbers))
            await change_preference(connection, user_id, PreferenceKey.BLOCKED, value)

    async def unblock_all(self, user_id: UserId) -> dict[str, str]:
        """Remove all blocks and return all preferences."""
        return await self._store(user_id, PreferenceKey.BLOCKED, "")

    async def _store(self, user_id: UserId, name: str, value: str) -> dict[str, str]:
        async with self._database.write() as connection:
            return DEFAULTS | await change_preference(connection, user_id, name, value)


def language_of(stored: Mapping[str, str] | None) -> str:
    """Return the language of a player from their stored preferences."""
    preferences = _filled(stored)
    language = preferences[PreferenceKey.LANGUAGE]
    return preferences[PreferenceKey.LOCALE] if language == AS_IN_DISCORD else language


def blocked_by(stored: Mapping[str, str] | None) -> list[UserId]:
    """Return the user IDs that a player has blocked, from their stored preferences."""
    return [
        UserId(int(user_id)) for user_id in (stored or {}).get(PreferenceKey.BLOCKED, "").split()
    ]


def wants(stored: Mapping[str, str] | None, name: PreferenceKey) -> bool:
    """Return whether a player's stored preferences have a switch turned on."""
    return _filled(stored)[name] == Switch.ON


def reminder(stored: Mapping[str, str] | None) -> float:
    """Return the seconds until a player is reminded, 0 for never; see `wants`."""
    hours = _filled(stored)[PreferenceKey.REMIND]
    return 0.0 if hours == Switch.OFF else int(hours) * HOUR


def is_unreachable(stored: Mapping[str, str] | None) -> bool:
    """Return whether the last DM to a player failed; see `wants`."""
    return _filled(stored)[PreferenceKey.DM_FAILED] == "yes"


def rests_until(stored: Mapping[str, str] | None, now: float) -> float | None:
    """Return the end of a player's current quiet hours; None outside of them; see `wants`."""
    preferences = _filled(stored)
    return quiet_until(preferences[PreferenceKey.QUIET], preferences[PreferenceKey.ZONE], now)


def days_off_in(stored: Mapping[str, str] | None, clock: str) -> DaysOff:
    """Return a player's days off in a match that begins with a clock; see `wants`."""
    preferences = _filled(stored)
    days = preferences[PreferenceKey.DAYS_OFF].replace(Switch.OFF, "")
    return days_off_of(days_off_rule(clock), days, preferences[PreferenceKey.ZONE])


async def change_preference(
    connection: Connection, user_id: UserId, name: str, value: str
) -> dict[str, str]:
    """Store a preference of a player in a transaction; return all that are stored."""
    row = await get_or_create(connection, players, user_id=user_id, preferences={})
    changed = {**row.preferences, name: value}
    if changed != row.preferences:
        await upsert(connection, players, user_id=user_id, preferences=changed)
    return changed


async def preferences_of(connection: Connection, user_id: UserId) -> dict[str, str]:
    """Return all preferences of a player."""
    result = await connection.execute(_CHOSEN, {"user": user_id})
    return _filled(result.scalar_one_or_none())


def _filled(stored: Mapping[str, str] | None) -> dict[str, str]:
    return {**DEFAULTS, **(stored or {})}
