"""`/rules` and `/howto`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import discord
from discord import app_commands
from discord.app_commands import Choice, Command

from bot.answers import answering
from bot.panels import PAGE
from bot.rules.book import game_of, read
from bot.rules.lessons import steps
from bot.rules.presses import open_lesson, open_rules, playable
from bot.rules.search import complete
from bot.tables import RUNNING

if TYPE_CHECKING:
    from bot.client import Starpost

Interaction = discord.Interaction[Any]

LABEL = 100
"""Characters of a choice."""


def rules_commands(client: Starpost) -> list[Command[Any, ..., Any]]:
    """Both commands."""
    return [_rules(client), _howto(client)]


def _rules(client: Starpost) -> Command[Any, ..., Any]:
    @app_commands.command(name="rules", description="The rules of the games, to browse and search")
    @app_commands.describe(
        game="Which game; without it the one you play",
        topic="A word, a heading or a rule's number, such as W5.3",
    )
    @app_commands.choices(game=_choices(playable()))
    async def rules(
        interaction: Interaction, game: str | None = None, topic: str | None = None
    ) -> None:
        async with answering(interaction):
            chosen = await _meant(client, interaction, game, topic or "")
            await open_rules(client, interaction, chosen, topic or "")

    @rules.autocomplete("topic")
    async def topics(interaction: Interaction, typed: str) -> list[Choice[str]]:
        game = await _meant(client, interaction, interaction.namespace.game, typed)
        found = complete(read(game, interaction.locale.value), typed)
        return [Choice(name=label[:LABEL], value=key) for label, key in found[:PAGE]]

    return rules


async def _meant(client: Starpost, interaction: Interaction, game: str | None, topic: str) -> str:
    """The game that is named, or to which a rule belongs, or that this user plays, or the first."""
    mine = await client.tables.of(interaction.user.id, RUNNING)
    named = game or game_of(topic.strip().upper())
    possible = [named, *(match.game for match in mine), *playable()]
    return next(each for each in possible if each in playable())


def _howto(client: Starpost) -> Command[Any, ..., Any]:
    taught = {game: title for game, title in playable().items() if steps(game)}

    @app_commands.command(name="howto", description="A guided first match, a few steps, for you")
    @app_commands.describe(game="Which game; you go on where you were")
    @app_commands.choices(game=_choices(taught))
    async def howto(interaction: Interaction, game: str | None = None) -> None:
        async with answering(interaction):
            await open_lesson(client, interaction, game or next(iter(taught)))

    return howto


def _choices(titles: dict[str, str]) -> list[Choice[str]]:
    return [Choice(name=title, value=game) for game, title in titles.items()]
