"""A finished match, turn by turn or as an animation."""

from __future__ import annotations

import io
from typing import Any

import discord
from discord import ui

from bot.services.models import Perspective
from bot.views.attachments import gallery, picture_file
from bot.views.controls import button
from bot.views.custom_ids import AnimationId, ReplayId
from bot.views.images import Drawn
from bot.views.message import COLOUR, STORY_LIMIT, Message, layout_of
from bot.views.names import escaped_names
from engine import games
from render import for_game
from render.i18n import N_, _, truncate


def replay(perspective: Perspective, drawn: Drawn, turn: int, turns: int) -> Message:
    """Return one turn of a finished match, with buttons to the others.

    Args:
        perspective: the match after this turn.
        drawn: its picture.
        turn: number of the turn, from 0.
        turns: number of turns.
    """
    match, view = perspective.match, perspective.view
    renderer = for_game(match.game)
    title = _("**{game} #{match}**: {number} of {total}").format(
        game=games.get(match.game).title, match=match.id, number=turn + 1, total=turns
    )
    end = renderer.prompt(view, escaped_names(match)) if view.result else ""
    sentences = filter(None, (renderer.story(view, escaped_names(match)), end))
    story = truncate("\n".join(sentences), STORY_LIMIT)
    steps = {
        N_("First"): 0,
        N_("Back"): turn - 1,
        N_("Next"): turn + 1,
        N_("Last"): turns - 1,
    }
    buttons = [
        button(_(label), ReplayId(match.id, max(place, 0), label)) for label, place in steps.items()
    ]
    for step, place in zip(buttons, steps.values(), strict=True):
        step.disabled = place == turn or not 0 <= place < turns
    watch = button(_("Animation"), AnimationId(match.id), discord.ButtonStyle.primary)
    container = ui.Container[Any](
        ui.TextDisplay(title),
        gallery(perspective),
        *([ui.TextDisplay(story)] if story else []),
        ui.ActionRow[Any](*buttons, watch),
        accent_colour=COLOUR,
    )
    return Message(layout_of(container), (picture_file(perspective, drawn),))


def animation(perspective: Perspective, gif: bytes) -> Message:
    """Return a whole match as an animation."""
    match = perspective.match
    result = for_game(match.game).prompt(perspective.view, escaped_names(match))
    name = f"{match.game}-{match.id}.gif"
    alt = _("{game} #{match} from the first turn to the last").format(
        game=games.get(match.game).title, match=match.id
    )
    file = discord.File(io.BytesIO(gif), name, description=alt)
    gallery = ui.MediaGallery[Any](
        discord.MediaGalleryItem(f"attachment://{name}", description=alt)
    )
    return Message(layout_of(ui.TextDisplay(result), gallery), (file,))
