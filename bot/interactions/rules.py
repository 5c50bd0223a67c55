"""Clicks in the rules and in lessons: all that is needed is in the custom_id."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import Any

import discord

from bot.i18n import catalogue, current, sides
from bot.interactions.context import Context
from bot.interactions.replies import UnclearError, rewrite, show_to_all, whisper
from bot.rulebook.book import Book, Section, read, titles
from bot.rulebook.lessons import Place, attempt, place, steps
from bot.rulebook.search import lookup, search
from bot.text import clean, escape
from bot.views import rules
from bot.views.choices import narrowed
from bot.views.images import Drawn
from bot.views.message import Message
from engine import games
from engine.game import View
from render.i18n import _, later, speaking

Interaction = discord.Interaction[Any]

GONE = later("This page is not in the rules any more; `/rules` opens them.")
CHANGED = later("This lesson has changed; `/howto` begins it anew.")
TOPIC_LIMIT = 70
"""Characters of a topic that a button keeps."""

SILENT = later("You may not write here, so I do not write for you.")


def playable() -> dict[str, str]:
    """The games that can be played here and have a text, with their names for people."""
    return {game: titles()[game] for game in games.names() if game in titles()}


async def open_rules(context: Context, interaction: Interaction, game: str, topic: str) -> None:
    """Answer with the section that a topic names, or with what is found about it."""
    await whisper(interaction, await _about(context, interaction.user.id, game, topic))


async def _about(context: Context, user_id: int, game: str, topic: str) -> Message:
    """Return the section that a topic names, or what is found about it in a game's rules."""
    book = read(game, current())
    section = lookup(book, topic) if topic else book.sections[0]
    if section is None:
        others = [read(other, current()) for other in playable() if other != game]
        counted = [(other, len(search(other, topic))) for other in others]
        return rules.results(book, clean(topic, TOPIC_LIMIT), search(book, topic), counted)
    drawn = await _diagram(context, user_id, book, section)
    return rules.page(book, section, drawn)


async def _find(context: Context, interaction: Interaction, fields: list[str]) -> None:
    """`find:GAME:TOPIC`: search the rules of another game."""
    game, topic = "".join(fields[:1]), ":".join(fields[1:])
    if game not in playable() or not topic:
        raise UnclearError(_(GONE))
    await _turn(interaction, await _about(context, interaction.user.id, game, topic))


async def _rules(context: Context, interaction: Interaction, fields: list[str]) -> None:
    """`rules:GAME:SECTION`, or the section as the value of a list; then `:open` or `:show`."""
    game, name, how = (*fields, "", "", "")[:3]
    name = _value(interaction) or name
    if how == "show":
        await _show(context, interaction, game, name)
        return
    book, section = _section(game, name)
    drawn = await _diagram(context, interaction.user.id, book, section)
    if how == "open":
        await whisper(interaction, rules.page(book, section, drawn))
    else:
        await _turn(interaction, rules.page(book, section, drawn))


async def _show(context: Context, interaction: Interaction, game: str, name: str) -> None:
    """Show a section to everybody, in the language of the server."""
    _may_write(interaction)
    guild_id, locale = interaction.guild_id, interaction.guild_locale or interaction.locale
    with speaking(catalogue(await context.servers.language(guild_id, locale))):
        book, section = _section(game, name)
        drawn = await _diagram(context, 0, book, section)
        shower = escape(clean(interaction.user.display_name))
        await show_to_all(interaction, rules.public_page(book, section, drawn, shower))


def _section(game: str, name: str) -> tuple[Book, Section]:
    """A section in the current language.

    Raises:
        UnclearError: it is not in the rules any more.
    """
    book = read(game, current()) if game in playable() else None
    section = book.find(name) if book else None
    if book is None or section is None:
        raise UnclearError(_(GONE))
    return book, section


def _may_write(interaction: Interaction) -> None:
    """Whoever shows something to all must be allowed to write there.

    Raises:
        UnclearError: they are not.
    """
    allowed = interaction.permissions
    if isinstance(interaction.channel, discord.Thread):
        may = allowed.send_messages_in_threads
    else:
        may = allowed.send_messages
    if interaction.guild_id is not None and not may:
        raise UnclearError(_(SILENT))


async def _diagram(context: Context, user_id: int, book: Book, section: Section) -> bytes | None:
    """A section's picture as a user wants it, 0 for the public; None if it has none."""
    if section.diagram is None:
        return None
    theme = (await context.preferences.style(user_id)).theme
    return await context.images.diagram(book.game, section.diagram.name, theme)


async def open_lesson(context: Context, interaction: Interaction, game: str) -> None:
    """Answer with the step of a lesson at which this user was."""
    number = await context.preferences.step(interaction.user.id, game)
    here = place(game, number if number < len(steps(game)) else 0)
    await whisper(interaction, await _lesson(context, interaction, here))


async def _howto(context: Context, interaction: Interaction, fields: list[str]) -> None:
    """`howto:GAME:STEP`: go to a step of a lesson; without a step to where this user was."""
    if len(fields) == 1 and fields[0] in playable() and steps(fields[0]):
        await open_lesson(context, interaction, fields[0])
        return
    await _turn(interaction, await _lesson(context, interaction, _place(fields)))


async def _lesson(context: Context, interaction: Interaction, here: Place) -> Message:
    user_id = interaction.user.id
    await context.preferences.step_to(user_id, here.game, here.number)
    drawn = await _position(context, user_id, here.view, marked=True)
    return rules.lesson(here, drawn)


async def _try(context: Context, interaction: Interaction, fields: list[str]) -> None:
    """`try:GAME:STEP:LINE`, or the line as the value of a list: a choice in a lesson."""
    here, user_id = _place(fields), interaction.user.id
    line = _value(interaction) or "".join(fields[2:])
    tried = attempt(here, line)
    if tried is None:
        await _turn(interaction, rules.more_words(here, line))
        return
    if tried.right:
        await context.preferences.step_to(user_id, here.game, here.after)
    drawn = await _position(context, user_id, tried.view)
    await _turn(interaction, rules.taught(here, tried, drawn))


async def _look(context: Context, interaction: Interaction, fields: list[str]) -> None:
    """`look:GAME:STEP:PATH`, or the path as the value of a list: fewer choices in a lesson."""
    here = _place(fields)
    path = _value(interaction) or "".join(fields[2:])
    try:
        view = replace(here.view, legal=narrowed(here.view, path))
    except ValueError:
        raise UnclearError(CHANGED) from None
    drawn = await _position(context, interaction.user.id, view, marked=True)
    await _turn(interaction, rules.closer(here, view, path, drawn))


async def _position(context: Context, user_id: int, view: View, *, marked: bool = False) -> Drawn:
    style = await context.preferences.style(user_id)
    return await context.images.view(view, sides(view.game), style, marked=marked)


def _place(fields: list[str]) -> Place:
    """The step that a custom_id names.

    Raises:
        UnclearError: there is no such step any more.
    """
    game, number = (*fields, "", "")[:2]
    if game not in playable() or number not in map(str, range(len(steps(game)))):
        raise UnclearError(_(CHANGED))
    return place(game, int(number))


def _value(interaction: Interaction) -> str:
    """What was chosen from a list; empty for a button."""
    data: Any = interaction.data or {}
    return " ".join(map(str, data.get("values", ())))


async def _turn(interaction: Interaction, page: Message) -> None:
    """Put a page in place of the one that was clicked, but never in place of a public message."""
    private = interaction.message is not None and interaction.message.flags.ephemeral
    await (rewrite if private else whisper)(interaction, page)


Press = Callable[[Context, Interaction, list[str]], Awaitable[None]]

RULES_PRESSES: dict[str, Press] = {
    "rules": _rules,
    "find": _find,
    "howto": _howto,
    "try": _try,
    "look": _look,
}
