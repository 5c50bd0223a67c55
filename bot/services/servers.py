"""The settings of servers."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

from sqlalchemy import select

from bot.domain.clocks import DEFAULT_CLOCK
from bot.domain.ids import ChannelId, GuildId
from bot.domain.models import Switch
from bot.i18n import language_names, negotiate_locale
from bot.services.preferences import AS_IN_DISCORD
from bot.storage.connection import Connection
from bot.storage.database import Database, get_or_create, upsert
from bot.storage.schema import guilds
from render.i18n import N_
from render.renderer import DEFAULT_STYLE, Style

THREAD_CHOICES: Mapping[str, str] = {
    Switch.ON: N_("Each in its own thread"),
    Switch.OFF: N_("In the channel where each started"),
}
"""Values of the setting, with their labels."""

RATED_CHOICES: Mapping[str, str] = {
    Switch.OFF: N_("Casual, unless players choose otherwise"),
    Switch.ON: N_("Rated, unless players choose otherwise"),
}
"""Values of the setting, with their labels."""

ORIENTATION_CHOICES: Mapping[str, str] = {
    "landscape": N_("Landscape"),
    "portrait": N_("Portrait, for phones"),
}
"""Values of the setting, with their labels."""

LANGUAGE_CHOICES = {AS_IN_DISCORD: N_("Same as this server"), **language_names()}
"""Values of the setting, with their labels."""


class ServerSettings(NamedTuple):
    """The settings of a server.

    Attributes:
        channels: channels where matches may begin; empty for all.
        role: role whose members may play; 0 for everyone.
        clock: default clock of matches; see `bot.domain.clocks.Clock.parse`.
        threads: whether each match gets its own thread.
        language: language of public messages; see `LANGUAGE_CHOICES`.
        rated: whether the card of a new challenge begins with a rated match.
        orientation: orientation of public boards.
        stored: all settings as they are stored, including features' settings.
    """

    channels: tuple[ChannelId, ...] = ()
    role: int = 0
    clock: str = DEFAULT_CLOCK
    threads: bool = True
    language: str = AS_IN_DISCORD
    rated: bool = False
    orientation: str = DEFAULT_STYLE.orientation
    stored: Mapping[str, Any] = MappingProxyType({})

    @classmethod
    def of(cls, stored: Mapping[str, Any]) -> ServerSettings:
        """Return the stored settings."""
        return cls(
            channels=tuple(stored.get("channels", ())),
            role=stored.get("role", 0),
            clock=stored.get("clock", DEFAULT_CLOCK),
            threads=stored.get("threads", Switch.ON) == Switch.ON,
            language=stored.get("language", AS_IN_DISCORD),
            rated=stored.get("rated", Switch.OFF) == Switch.ON,
            orientation=stored.get("orientation", DEFAULT_STYLE.orientation),
            stored=stored,
        )

    @property
    def style(self) -> Style:
        """The style of public boards."""
        return Style(orientation=self.orientation)

    def language_for(self, locale: object) -> str:
        """Return the language of public messages in a server with this locale."""
        language = self.language
        return negotiate_locale(str(locale)) if language == AS_IN_DISCORD else language


async def settings_of(connection: Connection, guild_id: GuildId) -> ServerSettings:
    """Return the settings of a server."""
    query = select(guilds.c.settings).where(guilds.c.guild_id == guild_id)
    return ServerSettings.of((await connection.execute(query)).scalar_one_or_none() or {})


class Servers:
    """Reads and writes the settings of servers."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def settings(self, guild_id: GuildId) -> ServerSettings:
        """Return the settings of a server."""
        async with self._database.read() as connection:
            return await settings_of(connection, guild_id)

    async def language(self, guild_id: GuildId | None, locale: object) -> str:
        """Return the language of public messages in a server.

        Args:
            guild_id: id of the server; None in a DM.
            locale: the server's locale on Discord; English if unknown.
        """
        settings = ServerSettings() if guild_id is None else await self.settings(guild_id)
        return settings.language_for(locale)

    async def choose(self, guild_id: GuildId, **changes: Any) -> None:
        """Change the given settings of a server."""
        async with self._database.write() as connection:
            row = await get_or_create(connection, guilds, guild_id=guild_id, settings={})
            await upsert(connection, guilds, guild_id=guild_id, settings=row.settings | changes)
