"""`/rules` and `/howto`."""

from __future__ import annotations

from typing import Any

from discord.app_commands import Choice, Command

from bot.i18n import current
from bot.interactions.command import Interaction, Option, command
from bot.interactions.context import Context
from bot.interactions.rules import open_lesson, open_rules, playable
from bot.rulebook.book import game_of, read
from bot.rulebook.lessons import steps
from bot.rulebook.search import complete
from bot.services.models import RUNNING
from render.i18n import later

LABEL = 100
"""Characters of a choice."""


def rules_commands(context: Context) -> list[Command[Any, ..., Any]]:
    """Both commands."""
    return [_rules(context), _howto(context)]


def _rules(context: Context) -> Command[Any, ..., Any]:
    async def run(
        interaction: Interaction, game: str | None = None, topic: str | None = None
    ) -> None:
        chosen = await _meant(context, interaction, game, topic or "")
        await open_rules(context, interaction, chosen, topic or "")

    async def topics(interaction: Interaction, typed: str) -> list[Choice[Any]]:
        game = await _meant(context, interaction, interaction.namespace.game, typed)
        found = [
            Choice(name=label[:LABEL], value=key)
            for label, key in complete(read(game, current()), typed)
        ]
        if not interaction.namespace.game and typed.strip():
            found += _elsewhere(game, typed)
        return found

    about = later("Which game; without it the one you play")
    words = later("A word, a heading or a rule's number, such as W5.3")
    options = (
        Option(later("game"), about, choices=_by_title(playable())),
        Option(later("topic"), words, complete=topics),
    )
    meaning = later("The rules of the games, to browse and search")
    return command(later("rules"), meaning, run, options)


def _elsewhere(game: str, typed: str) -> list[Choice[Any]]:
    """Propose the sections of the other games, with the name of each."""
    return [
        Choice(name=f"{title}: {label}"[:LABEL], value=key)
        for other, title in playable().items()
        if other != game
        for label, key in complete(read(other, current()), typed)
        if game_of(key) == other
    ]


async def _meant(context: Context, interaction: Interaction, game: str | None, topic: str) -> str:
    """The game that is named, or to which a rule belongs, or that this user plays, or the first."""
    mine = await context.queries.of(interaction.user.id, RUNNING)
    named = game or game_of(topic.strip().upper())
    possible = [named, *(match.game for match in mine), *playable()]
    return next(each for each in possible if each in playable())


def _howto(context: Context) -> Command[Any, ..., Any]:
    taught = {game: title for game, title in playable().items() if steps(game)}

    async def run(interaction: Interaction, game: str | None = None) -> None:
        await open_lesson(context, interaction, game or next(iter(taught)))

    about = later("Which game; you go on where you were")
    option = Option(later("game"), about, choices=_by_title(taught))
    meaning = later("Learn a game in a few steps, just for you")
    return command(later("howto"), meaning, run, (option,))


def _by_title(titles: dict[str, str]) -> dict[str, str]:
    return {title: game for game, title in titles.items()}
