"""Lessons: one step after the other, with a board to try things on."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from discord.app_commands import Command

from bot.i18n import sides
from bot.interactions.command import Option, command
from bot.interactions.components import component
from bot.interactions.context import Context
from bot.interactions.replies import Interaction, UserError, edit_reply, reply
from bot.interactions.rules import _value, by_title, playable
from bot.rulebook.lessons import Place, attempt, place, steps
from bot.views import rules
from bot.views.choices import narrowed
from bot.views.images import Drawn
from bot.views.message import Message
from engine.game import View
from render.i18n import N_, _

LESSON_CHANGED = N_("This lesson has changed; `/howto` begins it anew.")


async def open_lesson(context: Context, interaction: Interaction, game: str) -> None:
    """Answer with the step of a lesson at which this user was."""
    number = await context.preferences.lesson_step(interaction.user.id, game)
    here = place(game, number if number < len(steps(game)) else 0)
    await reply(interaction, await _lesson(context, interaction, here))


@component("howto")
async def _go_to_step(context: Context, interaction: Interaction, fields: list[str]) -> None:
    """`howto:GAME:STEP`: go to a step of a lesson; without a step to where this user was."""
    if len(fields) == 1 and fields[0] in playable() and steps(fields[0]):
        await open_lesson(context, interaction, fields[0])
        return
    await edit_reply(interaction, await _lesson(context, interaction, _place(fields)))


async def _lesson(context: Context, interaction: Interaction, here: Place) -> Message:
    user_id = interaction.user.id
    await context.preferences.set_lesson_step(user_id, here.game, here.number)
    drawn = await _position(context, user_id, here.view, marked=True)
    return rules.lesson(here, drawn)


@component("try")
async def _try(context: Context, interaction: Interaction, fields: list[str]) -> None:
    """`try:GAME:STEP:LINE`, or the line as the value of a list: a choice in a lesson."""
    here, user_id = _place(fields), interaction.user.id
    line = _value(interaction) or "".join(fields[2:])
    tried = attempt(here, line)
    if tried is None:
        await edit_reply(interaction, rules.more_words(here, line))
        return
    if tried.right:
        await context.preferences.set_lesson_step(user_id, here.game, here.after)
    drawn = await _position(context, user_id, tried.view)
    await edit_reply(interaction, rules.taught(here, tried, drawn))


@component("look")
async def _look(context: Context, interaction: Interaction, fields: list[str]) -> None:
    """`look:GAME:STEP:PATH`, or the path as the value of a list: fewer choices in a lesson."""
    here = _place(fields)
    path = _value(interaction) or "".join(fields[2:])
    try:
        view = replace(here.view, legal=narrowed(here.view, path))
    except ValueError:
        raise UserError(LESSON_CHANGED) from None
    drawn = await _position(context, interaction.user.id, view, marked=True)
    await edit_reply(interaction, rules.closer(here, view, path, drawn))


async def _position(context: Context, user_id: int, view: View, *, marked: bool = False) -> Drawn:
    style = await context.preferences.style(user_id)
    return await context.images.view(view, sides(view.game), style, marked=marked)


def _place(fields: list[str]) -> Place:
    """The step that a custom_id names.

    Raises:
        UserError: there is no such step any more.
    """
    game, number = (*fields, "", "")[:2]
    if game not in playable() or number not in map(str, range(len(steps(game)))):
        raise UserError(_(LESSON_CHANGED))
    return place(game, int(number))


def _howto(context: Context) -> Command[Any, ..., Any]:
    taught = {game: title for game, title in playable().items() if steps(game)}

    async def run(interaction: Interaction, game: str | None = None) -> None:
        await open_lesson(context, interaction, game or next(iter(taught)))

    about = N_("Which game; you go on where you were")
    option = Option(N_("game"), about, choices=by_title(taught))
    description = N_("Learn a game in a few steps, just for you")
    return command(N_("howto"), description, run, (option,))


def commands(context: Context) -> list[Command[Any, ..., Any]]:
    """Return the commands of this feature."""
    return [_howto(context)]
