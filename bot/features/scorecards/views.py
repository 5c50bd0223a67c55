"""The picture of a finished match: its texts, alternative text and messages."""

from __future__ import annotations

import io

import discord

from bot.domain.models import Match, Perspective
from bot.features.scorecards.ids import PostScorecardId, ScorecardId
from bot.views import ui
from bot.views.controls import button
from bot.views.message import Message, gallery, note
from bot.views.names import title_of
from engine.endings import ABANDONED
from engine.game import View
from render import for_game
from render.charts import ResultCard
from render.i18n import _, format_list, format_span, ngettext, truncate
from render.renderer import MAX_ALT_CHARACTERS


def end_button(perspective: Perspective, _computers: bool) -> ui.Button | None:
    """Return the button at the end of a match that has a result."""
    if perspective.view.result == ABANDONED:
        return None
    return button(_("Share the result"), ScorecardId(perspective.match.id))


def card(match: Match, view: View, seconds: float) -> ResultCard:
    """Return the texts of the picture.

    Args:
        view: its end as the public sees it.
        seconds: the time that it took.
    """
    renderer, names = for_game(match.game), match.names
    words = ngettext(
        "{match} · {count} turn · {time}", "{match} · {count} turns · {time}", view.turn
    )
    facts = words.format(match=title_of(match), count=view.turn, time=format_span(seconds))
    moment = renderer.margin(view, names)
    if not moment and (story := renderer.story(view, names)):
        moment = _("The last turn: {story}").format(story=story)
    return ResultCard(facts, renderer.prompt(view, names), moment)


def alt_text(match: Match, view: View, content: ResultCard) -> str:
    """Return the picture in words: its texts, the players, and the final board."""
    players = format_list([*match.names.values()])
    parts = (content.headline, content.moment, content.facts, players)
    board = for_game(match.game).alt_text(view, match.names)
    return truncate("\n".join((*filter(None, parts), board)), MAX_ALT_CHARACTERS)


def page(
    perspective: Perspective, content: ResultCard, picture: bytes, *, can_post: bool
) -> Message:
    """Return the picture for the user who asked for it.

    Args:
        perspective: the match as the public sees it.
        picture: the picture as a PNG.
        can_post: whether it can be posted in this channel.
    """
    file = _file(perspective, content, picture)
    words, more = _("Save the picture, or send it on."), list[ui.Item]()
    if can_post:
        words = _("Save the picture, send it on, or post it here for all.")
        post = button(_("Post it here"), PostScorecardId(perspective.match.id))
        more.append(ui.ActionRow(post))
    return note(words, gallery(file), *more)._replace(files=(file,))


def public_page(
    perspective: Perspective, content: ResultCard, picture: bytes, shower: str
) -> Message:
    """Return the picture for all.

    Args:
        perspective: the match as the public sees it.
        picture: the picture as a PNG.
        shower: name of the user who posts it, with Markdown escaped.
    """
    file = _file(perspective, content, picture)
    words = _("-# Posted by {name}").format(name=shower)
    return note(words, gallery(file))._replace(files=(file,))


def _file(perspective: Perspective, content: ResultCard, picture: bytes) -> discord.File:
    match = perspective.match
    description = alt_text(match, perspective.view, content)
    name = f"{match.game}-{match.id}-result.png"
    return discord.File(io.BytesIO(picture), name, description=description)
