"""Registering the commands with Discord, only when they have changed since the last time."""

from __future__ import annotations

import hashlib
import json
from typing import Any

from discord import app_commands
from sqlalchemy import select

from bot.i18n import catalogue_file, languages
from bot.interactions.command import CommandTranslator
from bot.storage.database import Database, upsert
from bot.storage.leases import Leases
from bot.storage.schema import facts
from bot.version import version

LEASE_SECONDS = 60.0
"""Lease duration for registering the commands."""

FACT = "commands"
"""Name of the fact that holds the digest of the registered commands, and of the lease."""


class CommandSync:
    """Registers the commands; one process does it for all.

    If processes have different commands, the one that starts last wins.

    Args:
        tree: the commands; its client must be logged in when they are registered.
    """

    def __init__(
        self, tree: app_commands.CommandTree[Any], database: Database, leases: Leases
    ) -> None:
        self._tree = tree
        self._database = database
        self._leases = leases
        self.done = False

    async def run(self) -> None:
        """Register the commands, unless Discord has them or another process registers them.

        Raises:
            discord.DiscordException: Discord refuses them, or is rate-limiting the bot.
        """
        if self.done:
            return
        digest = self._digest()
        async with self._database.read() as connection:
            query = select(facts.c.value).where(facts.c.name == FACT)
            self.done = (await connection.execute(query)).scalar_one_or_none() == digest
        if self.done or not (lease := await self._leases.take(FACT, LEASE_SECONDS)):
            return
        await self._tree.set_translator(CommandTranslator())
        await self._tree.sync()
        async with self._database.write() as connection:
            await lease.fence(connection)
            await upsert(connection, facts, name=FACT, value=digest)
        self.done = True

    def _digest(self) -> str:
        """Return a SHA-256 over the application, all commands, and what translates them.

        Most starts register nothing, so they need not read the catalogues of all languages.
        """
        commands = [command.to_dict(self._tree) for command in self._tree.get_commands()]
        described = [self._tree.client.application_id, version(), commands]
        digest = hashlib.sha256(json.dumps(described, sort_keys=True).encode())
        for language in languages()[1:]:
            digest.update(catalogue_file(language).read_bytes())
        return digest.hexdigest()


async def command_payloads(tree: app_commands.CommandTree[Any]) -> list[dict[str, Any]]:
    """Return all commands with their translations, as Discord gets them."""
    translator = CommandTranslator()
    await tree.set_translator(translator)
    return [
        await command.get_translated_payload(tree, translator) for command in tree.get_commands()
    ]
