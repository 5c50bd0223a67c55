"""`/rules`: browse, search and share sections."""

from __future__ import annotations

import discord
from discord import app_commands
from discord.app_commands import Choice, ContextMenu

from bot.domain.ids import UserId
from bot.domain.models import MatchStatus
from bot.features.rules import views
from bot.i18n import catalogue, current_language
from bot.interactions.board_messages import board_of
from bot.interactions.command import EVERYWHERE, CheckedCommand, Proposals, command, menu, proposals
from bot.interactions.components import component, selected
from bot.interactions.context import Context
from bot.interactions.invocation import guild_id_of
from bot.interactions.permissions import require_may_reply_to_all
from bot.interactions.replies import (
    Interaction,
    UserError,
    edit_reply,
    error_boundary,
    reply,
    reply_beside,
    show_to_all,
    user_id_of,
)
from bot.interactions.visibility import visible_match
from bot.rulebook.book import Book, Section, game_of, read, titles
from bot.rulebook.search import complete, lookup, search
from bot.sanitize import clean, clean_name, escape
from bot.views.custom_ids import FindId, PageTarget, RulesId
from bot.views.match_card import RULES_START
from bot.views.message import Message
from engine import games
from render import for_game
from render.i18n import N_, _, titled, using
from render.renderer import DEFAULT_STYLE

PAGE_GONE = N_("This page is no longer in the rules; open them again with `/rules`.")
TOPIC_LIMIT = 70
"""Maximum length of a topic in a button's custom_id."""

CHOICE_NAME_LIMIT = 100
"""Maximum length of a choice's name."""


def playable() -> dict[str, str]:
    """Return the playable games that have a text, with their titles."""
    return {game: titles()[game] for game in games.names() if game in titles()}


async def open_rules(context: Context, interaction: Interaction, game: str, topic: str) -> None:
    """Reply with the section that a topic names, or with search results for it."""
    await reply(interaction, await _page_about(context, user_id_of(interaction), game, topic))


async def _page_about(context: Context, user_id: UserId, game: str, topic: str) -> Message:
    """Return the section that a topic names, or search results for it in a game's rules."""
    book = read(game, current_language())
    section = lookup(book, topic) if clean(topic) else book.sections[0]
    if section is None:
        others = [read(other, current_language()) for other in playable() if other != game]
        elsewhere = [(other, count) for other in others if (count := len(search(other, topic)))]
        return views.results(book, clean(topic, TOPIC_LIMIT), search(book, topic), elsewhere)
    return await _page(context, user_id, book, section)


async def _page(context: Context, user_id: UserId, book: Book, section: Section) -> Message:
    """Return a section; the first one leads to the other games."""
    others = [game for game in playable() if game != book.game]
    return views.page(book, section, await _diagram(context, user_id, book, section), others)


@component(FindId)
async def _find(context: Context, interaction: Interaction, id: FindId) -> None:
    """Search the rules of another game."""
    if id.game not in playable() or not id.topic:
        raise UserError(_(PAGE_GONE))
    await edit_reply(
        interaction, await _page_about(context, user_id_of(interaction), id.game, id.topic)
    )


@component(RulesId)
async def _turn_page(context: Context, interaction: Interaction, id: RulesId) -> None:
    """Show a section here, in a new reply, or in public."""
    key = selected(interaction) or id.section
    if id.target == PageTarget.SHOW:
        await _show(context, interaction, id.game, key)
        return
    book, section = _section(id.game, key)
    answer = reply_beside if id.target == PageTarget.OPEN else edit_reply
    await answer(interaction, await _page(context, user_id_of(interaction), book, section))


async def _show(context: Context, interaction: Interaction, game: str, name: str) -> None:
    """Show a section in public, in the language of the server."""
    require_may_reply_to_all(interaction)
    guild_id, locale = guild_id_of(interaction), interaction.guild_locale or interaction.locale
    with using(catalogue(await context.servers.language(guild_id, locale))):
        book, section = _section(game, name)
        drawn = await _diagram(context, None, book, section)
        shower = escape(clean_name(interaction.user.display_name))
        await show_to_all(interaction, views.public_page(book, section, drawn, shower))


def _section(game: str, name: str) -> tuple[Book, Section]:
    """Return a section in the current language.

    Raises:
        UserError: it is no longer in the rules.
    """
    book = read(game, current_language()) if game in playable() else None
    section = book.find(name) if book else None
    if book is None or section is None:
        raise UserError(_(PAGE_GONE))
    return book, section


async def _diagram(
    context: Context, user_id: UserId | None, book: Book, section: Section
) -> bytes | None:
    """Return a section's picture, if it has one, in a user's theme (None for the public)."""
    if section.diagram is None:
        return None
    style = DEFAULT_STYLE if user_id is None else await context.preferences.style(user_id, None)
    return await context.images.diagram(book.game, section.diagram.name, style.theme)


def _rules(context: Context) -> CheckedCommand:
    @proposals
    async def topics(interaction: Interaction, typed: str) -> Proposals:
        named = interaction.namespace.game
        game = await _meant(context, interaction, named, typed) or _first_game()
        choices = [
            Choice(name=label[:CHOICE_NAME_LIMIT], value=key)
            for label, key in complete(read(game, current_language()), typed)
        ]
        if not interaction.namespace.game and typed.strip():
            choices += _elsewhere(game, typed)
        return choices

    @command(
        name=N_("rules"),
        description=N_("Browse and search the rules of the games"),
        offered=EVERYWHERE,
    )
    @app_commands.describe(
        game=N_("Which game (default: the one you're playing)"),
        topic=N_("A word, a heading or a rule number, such as W5.3"),
    )
    @app_commands.choices(game=by_title(playable()))
    @app_commands.autocomplete(topic=topics)
    async def show_rules(
        interaction: Interaction, game: str | None = None, topic: str | None = None
    ) -> None:
        selected_game = await _meant(context, interaction, game, topic or "")
        if selected_game or topic:
            await open_rules(context, interaction, selected_game or _first_game(), topic or "")
        else:
            ids = {name: RulesId(name, RULES_START) for name in playable()}
            await reply(interaction, views.choose_game(_("The rules of which game?"), ids))

    return show_rules


def _elsewhere(game: str, typed: str) -> Proposals:
    """Return the sections of the other games as choices, each with its game's title."""
    return [
        Choice(name=titled(title, label)[:CHOICE_NAME_LIMIT], value=key)
        for other, title in playable().items()
        if other != game
        for label, key in complete(read(other, current_language()), typed)
        if game_of(key) == other
    ]


async def _meant(context: Context, interaction: Interaction, game: str | None, topic: str) -> str:
    """Return the named game, or the rule's, or the one that this user uses; empty for none."""
    named = game or game_of(topic.strip().upper())
    if named in playable():
        return named
    user_id = user_id_of(interaction)
    played = await context.queries.game_played(user_id, playable())
    return played or await context.preferences.last_game(user_id, playable())


def _first_game() -> str:
    return next(iter(playable()))


def by_title(titles: dict[str, str]) -> list[Choice[str]]:
    """Return games, with their titles, as the choices of an option."""
    return [Choice(name=title, value=game) for game, title in titles.items()]


def commands(context: Context) -> list[CheckedCommand]:
    """Return the commands of this feature."""
    return [_rules(context)]


def menus(context: Context) -> list[ContextMenu]:
    """Return the context menus of this feature."""

    async def rules(interaction: Interaction, message: discord.Message) -> None:
        async with error_boundary(interaction):
            await _rules_of_board(context, interaction, message)

    return [menu(N_("Rules for this"), rules)]


async def _rules_of_board(
    context: Context, interaction: Interaction, message: discord.Message
) -> None:
    """Show the section of the rules about the decision pending when a board was posted."""
    posted = board_of(interaction, message)
    match = await visible_match(context, interaction, posted.match_id)
    rule = ""
    if posted.action_count is not None and match.status != MatchStatus.CHALLENGE:
        perspective = await context.queries.view(match.id, None, posted.action_count)
        rule = for_game(match.game).rule(perspective.view)
    await open_rules(context, interaction, match.game, rule)
