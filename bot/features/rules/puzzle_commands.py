"""Puzzles on demand: positions of former days, tried in private as often as one likes."""

from __future__ import annotations

import asyncio

from bot.features.rules import puzzle_views as views
from bot.features.rules.commands import playable
from bot.i18n import sides
from bot.interactions.components import component, selected
from bot.interactions.context import Context
from bot.interactions.invocation import guild_id_of
from bot.interactions.replies import Interaction, UserError, edit_reply, user_id_of
from bot.rulebook.lessons import Place, attempt, hint
from bot.rulebook.positions import find, key_of, past
from bot.views.choices import enter_nearest_area, narrow_view
from bot.views.controls import rows_of
from bot.views.custom_ids import PuzzleId, PuzzlePartId, PuzzleTryId
from bot.views.images import Drawn
from bot.views.prepared import puzzle_button
from engine.game import Action
from render.i18n import N_, _

NO_PUZZLE = N_("I have no puzzle for this game.")

PUZZLE_GONE = N_("I no longer have this puzzle; take another one.")

TIME_BITS = 22
"""Bits of an id below its milliseconds."""


@component(PuzzleId)
async def _another(context: Context, interaction: Interaction, id: PuzzleId) -> None:
    """Show a puzzle of a game, another one than before."""
    places = past(id.game, context.clock()) if id.game in playable() else []
    places = [place for place in places if key_of(place) != id.key]
    if not places:
        raise UserError(_(NO_PUZZLE))
    await _show(context, interaction, places[(interaction.id >> TIME_BITS) % len(places)])


@component(PuzzlePartId)
async def _show_part(context: Context, interaction: Interaction, id: PuzzlePartId) -> None:
    """Show fewer choices."""
    place = _place(context, id.key)
    await _show(context, interaction, place, selected(interaction) or id.path)


@component(PuzzleTryId)
async def _try(context: Context, interaction: Interaction, id: PuzzleTryId) -> None:
    """Try a choice; if it is only the beginning of one, show fewer choices."""
    place, line = _place(context, id.key), selected(interaction) or id.notation
    tried = await asyncio.to_thread(attempt, place, line)
    if tried is None:
        await _show(context, interaction, place, line)
        return
    best = await asyncio.to_thread(hint, place)
    drawn = await _drawn(context, interaction, place, tried.action)
    await edit_reply(interaction, views.result(place, tried, best, drawn))


async def _show(context: Context, interaction: Interaction, place: Place, path: str = "") -> None:
    """Show the choices that a path leads to."""
    try:
        path = enter_nearest_area(place.view, path)
        marked = narrow_view(place.view, path)
    except ValueError:
        raise UserError(_(PUZZLE_GONE)) from None
    drawn = await _drawn(context, interaction, place, *marked.legal)
    await edit_reply(interaction, views.puzzle(place, drawn, path))


async def _drawn(
    context: Context, interaction: Interaction, place: Place, *actions: Action
) -> Drawn:
    style = await context.preferences.style(user_id_of(interaction), guild_id_of(interaction))
    return await context.images.with_actions(place.view, sides(place.game), style, actions)


def _place(context: Context, key: str) -> Place:
    """Return the puzzle of a key.

    Raises:
        UserError: there is none; a position of today, or of a day to come, is none.
    """
    place = find(key)
    if place is None or place not in past(place.game, context.clock()):
        more = () if place is None else (puzzle_button(place.game),)
        raise UserError(_(PUZZLE_GONE), *rows_of(more))
    return place
