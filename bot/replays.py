"""Finished matches once more: turn by turn, or as an animation."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import discord

from bot import messages
from bot.answers import UnclearError, follow, rewrite, whisper
from bot.finder import seen
from bot.messages import note
from bot.tables import FINISHED, Table
from engine.game import View
from render.language import _
from render.renderer import turns

if TYPE_CHECKING:
    from bot.client import Starpost

Interaction = discord.Interaction[Any]

NEWS = 1.0
"""Seconds between two lines on how far a drawing is."""

MOST_BYTES = 8 * 1024 * 1024
"""Of an animation that Discord plays in the chat."""


async def show_turn(client: Starpost, interaction: Interaction, match_id: int, turn: int) -> None:
    """Answer with a finished match after so many turns; -1 for its end.

    Raises:
        UnclearError: it is not finished.
        NoMatchError: there is no such match for this user.
    """
    table, views = await _story(client, interaction, match_id)
    told = list(turns(views))
    place = min(turn, len(told) - 1) if turn >= 0 else len(told) - 1
    now = table._replace(view=told[place])
    drawn = await client.artist.board(now, await client.players.style(interaction.user.id))
    message = messages.replay(now, drawn, place, len(told))
    stepping = interaction.message is not None and interaction.message.flags.ephemeral
    await (rewrite if stepping else whisper)(interaction, message)


async def show_film(client: Starpost, interaction: Interaction, match_id: int) -> None:
    """Answer with a whole finished match as an animation, and say meanwhile how far it is.

    Raises:
        UnclearError: it is not finished, or too long for an animation.
        NoMatchError: there is no such match for this user.
    """
    table, views = await _story(client, interaction, match_id)
    style = await client.players.style(interaction.user.id)
    done = 0

    def told() -> None:
        nonlocal done
        done += 1

    await whisper(interaction, note(_("I am drawing the whole match …")))
    drawing = asyncio.ensure_future(client.artist.animation(table, views, style, told))
    while not (await asyncio.wait({drawing}, timeout=NEWS))[0]:
        share = 100 * done // len(views)
        await follow(interaction, note(_("I am drawing: {share} % …").format(share=share)))
    film = drawing.result()
    if len(film) > MOST_BYTES:
        sentence = _("This match is too long for one animation; step through it.")
        await follow(interaction, note(sentence))
    else:
        await follow(interaction, messages.film(table, film))


async def _story(
    client: Starpost, interaction: Interaction, match_id: int
) -> tuple[Table, list[View]]:
    match = await seen(client, interaction, match_id)
    if match.status != FINISHED:
        raise UnclearError(_("This match is not over yet; `/board` shows how it stands."))
    return await client.tables.story(match_id)
