"""Messages about rules: pages of a book, and search results."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import discord

from bot.rulebook.book import Book, Section
from bot.rulebook.search import Hit
from bot.sanitize import escape
from bot.views import ui
from bot.views.choices import MENU_LIMIT
from bot.views.controls import button, contents_list, rows_of
from bot.views.custom_id_codec import CustomId
from bot.views.custom_ids import (
    FindId,
    GapId,
    PageTarget,
    RulesId,
)
from bot.views.message import Message, note, pictured
from engine import games
from render.i18n import _

DIAGRAM_FILE = "diagram.png"

EXCERPT_LIMIT = 6
"""Maximum number of hits with an excerpt; the list contains all that fit."""


def choose_game(question: str, ids: Mapping[str, CustomId]) -> Message:
    """Return a question for a game, with a button for each.

    Args:
        ids: name of a game → custom_id of its button.
    """
    return note(f"**{question}**", *game_buttons(ids, discord.ButtonStyle.primary))


def game_buttons(
    ids: Mapping[str, CustomId], style: discord.ButtonStyle = discord.ButtonStyle.secondary
) -> list[ui.Item]:
    """Return a button for each game.

    Args:
        ids: name of a game → custom_id of its button.
    """
    return rows_of([button(games.get(name).title, id, style) for name, id in ids.items()])


def page(book: Book, section: Section, drawn: bytes | None, others: Sequence[str] = ()) -> Message:
    """Return a section with its navigation.

    Args:
        others: the other games that have a text, for the first section.
    """
    before, after = book.beside(section, -1), book.beside(section, 1)
    turning = ui.ActionRow(
        _page_button("◀", book, before, 0),
        _page_button("▶", book, after, 1),
        button(_("Share"), RulesId(book.game, section.key, PageTarget.SHOW)),
    )
    first = section == book.sections[0]
    ids = {name: RulesId(name, section.key) for name in others} if first else {}
    return _section(book, section, drawn, _contents(book, section), turning, *game_buttons(ids))


def public_page(book: Book, section: Section, drawn: bytes | None, name: str) -> Message:
    """Return a section shown in public by a player; each reader can continue in private.

    Args:
        name: the player's name, escaped.
    """
    credit = ui.TextDisplay(_("-# Shown by {name}").format(name=name))
    row = ui.ActionRow(button(_("Read on"), RulesId(book.game, section.key, PageTarget.OPEN)))
    return _section(book, section, drawn, credit, row)


def _section(book: Book, section: Section, drawn: bytes | None, *more: ui.Item) -> Message:
    place = f"{book.sections.index(section) + 1}/{len(book.sections)}"
    about = " · ".join(filter(None, (book.title, place, section.rules)))
    lines = [f"### {section.heading}", f"-# {about}", section.text]
    mark = _("[ruling]")
    if mark in section.text and section != book.sections[0]:
        lines.append(
            _("-# {mark}: the published rules leave this open; it's played so here.").format(
                mark=mark
            )
        )
    text = "\n".join(lines)
    alt = section.diagram.alt if section.diagram else ""
    return pictured(text, DIAGRAM_FILE, drawn, alt, more)


def results(
    book: Book, topic: str, hits: Sequence[Hit], others: Sequence[tuple[Book, int]] = ()
) -> Message:
    """Return search results with a list to open them; without hits, the contents of the book.

    Args:
        hits: best first.
        others: the books of other games that have hits, with their number.
    """
    escaped = escape(topic)
    if not hits:
        nothing = _("{book}: nothing found for “{topic}”.").format(book=book.title, topic=escaped)
        return note(nothing, _contents(book), *_searches(book, topic, others))
    mark, ruling = _("[ruling]"), _("(the published rules leave this open; it's played so here)")
    excerpts = [
        f"**{hit.section.heading}**\n{hit.excerpt.replace(mark, ruling)}"
        for hit in hits[:EXCERPT_LIMIT]
    ]
    text = "\n\n".join([_("{book}: “{topic}”").format(book=book.title, topic=escaped), *excerpts])
    opened = _list(book, [hit.section for hit in hits], _("Open a section"))
    return note(text, opened, *_searches(book, topic, others))


def _searches(book: Book, topic: str, others: Sequence[tuple[Book, int]]) -> list[ui.Item]:
    """Return buttons that search the other games."""
    if not others:
        return []
    searched = _("-# Only {book} was searched. Search another game:").format(book=book.title)
    buttons = [
        button(f"{other.title} ({count})", FindId(other.game, topic)) for other, count in others
    ]
    return [ui.TextDisplay(searched), *rows_of(buttons)]


def _contents(book: Book, section: Section | None = None) -> ui.ActionRow:
    return _list(book, book.sections, _("Contents"), section)


def _list(
    book: Book, sections: Sequence[Section], title: str, current: Section | None = None
) -> ui.ActionRow:
    options = [
        discord.SelectOption(label=section.heading, value=section.key, default=section == current)
        for section in sections[:MENU_LIMIT]
    ]
    return contents_list(RulesId(book.game), title, options)


def _page_button(label: str, book: Book, to: Section | None, place: int) -> ui.Button:
    """Return a button to another section, disabled at either end of the book."""
    if to is None:
        gap = GapId("rules", 0, 0, place)
        return ui.Button(label=label, custom_id=str(gap), disabled=True)
    return button(label, RulesId(book.game, to.key))
