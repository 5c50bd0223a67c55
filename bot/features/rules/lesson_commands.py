"""Lessons: a sequence of steps, each with a board to try choices on."""

from __future__ import annotations

import asyncio

from discord import app_commands

from bot.domain.ids import NO_MATCH
from bot.features.rules import lesson_views as views
from bot.features.rules.commands import by_title, playable
from bot.features.rules.views import choose_game
from bot.i18n import sides
from bot.interactions.clicked_match import clicked_match
from bot.interactions.command import EVERYWHERE, CheckedCommand, command
from bot.interactions.components import component, selected
from bot.interactions.context import Context
from bot.interactions.invocation import guild_id_of
from bot.interactions.replies import Interaction, UserError, edit_reply, reply, user_id_of
from bot.rulebook.lessons import Place, attempt, hint, place, right_choices, steps, taught
from bot.views.choices import initial_path
from bot.views.custom_ids import HowtoId, LearnId, LessonHintId, LessonPartId, TryId
from bot.views.images import Drawn
from bot.views.message import Message
from engine.game import View
from render import for_game
from render.i18n import N_, _

LESSON_CHANGED = N_("This lesson has changed; start it again with `/howto`.")


async def _reached(
    context: Context, interaction: Interaction, game: str, *, is_repeated: bool = True
) -> Place:
    """Return the step of a lesson that this user has reached.

    Args:
        is_repeated: whether a lesson begins again after its last step.
    """
    number = await context.preferences.lesson_step(user_id_of(interaction), game)
    last = len(steps(game)) - 1
    return place(game, 0 if is_repeated and number > last else min(number, last))


@component(LearnId)
async def _learn(context: Context, interaction: Interaction, id: LearnId) -> None:
    """Go to the lesson of a game."""
    game = id.game or selected(interaction)
    if game not in taught():
        raise UserError(_(LESSON_CHANGED))
    reached = await _reached(context, interaction, game)
    await edit_reply(interaction, await _lesson(context, interaction, reached))


@component(HowtoId)
async def _go_to_step(context: Context, interaction: Interaction, id: HowtoId) -> None:
    """Go to the named step of a lesson, or the one chosen from its list, or the user's last.

    The button of a match names no step; a user who has reached the puzzles gets a summary, with the
    rule about the pending decision.
    """
    value = selected(interaction) if id.step is None else ""
    if not value and id.step is None and id.game in taught():
        reached = await _reached(context, interaction, id.game, is_repeated=False)
        if reached.step.values:
            page = views.summary(reached, await _pending_rule(context, interaction, id.game))
        else:
            page = await _lesson(context, interaction, reached)
        await reply(interaction, page)
        return
    place = _place(id.game, int(value) if value.isdecimal() else id.step)
    await edit_reply(interaction, await _lesson(context, interaction, place))


async def _pending_rule(context: Context, interaction: Interaction, game: str) -> str:
    """Return the rule about the pending decision of the match whose message was clicked, or ""."""
    match_id = clicked_match(interaction.message)
    if match_id == NO_MATCH:
        return ""
    perspective = await context.queries.view(match_id)
    return for_game(game).rule(perspective.view) if perspective.match.game == game else ""


async def _lesson(
    context: Context, interaction: Interaction, place: Place, above: str = ""
) -> Message:
    user_id = user_id_of(interaction)
    await context.preferences.set_lesson_step(user_id, place.game, place.number)
    path = _opened(place)
    drawn = await _choices(context, interaction, place, path)
    return views.lesson(place, drawn, above, path)


@component(LessonHintId)
async def _hint(context: Context, interaction: Interaction, id: LessonHintId) -> None:
    """Show the step of a lesson with a hint."""
    place = _place(id.game, id.step)
    text = views.hint_of(place, *await asyncio.to_thread(hint, place))
    await edit_reply(interaction, await _lesson(context, interaction, place, text))


@component(TryId)
async def _try(context: Context, interaction: Interaction, id: TryId) -> None:
    """Try a choice in a lesson."""
    place, user_id = _place(id.game, id.step), user_id_of(interaction)
    line = selected(interaction) or id.notation
    tried = await asyncio.to_thread(attempt, place, line)
    if tried is None:
        await _narrowed(context, interaction, place, line)
        return
    if tried.right:
        await context.preferences.set_lesson_step(user_id, place.game, place.number + 1)
    drawn = await _position(context, interaction, tried.view)
    computers = context.can_play(place.game)
    result = views.try_result(place, tried, drawn, computers=computers)
    await edit_reply(interaction, result)


@component(LessonPartId)
async def _show_part(context: Context, interaction: Interaction, id: LessonPartId) -> None:
    """Show fewer choices in a lesson."""
    await _narrowed(context, interaction, _place(id.game, id.step), id.path)


async def _narrowed(context: Context, interaction: Interaction, place: Place, path: str) -> None:
    """Show the choices that a path leads to."""
    try:
        path = _opened(place, path)
        drawn = await _choices(context, interaction, place, path)
    except ValueError:
        raise UserError(_(LESSON_CHANGED)) from None
    await edit_reply(interaction, views.lesson(place, drawn, path=path))


def _opened(place: Place, path: str = "") -> str:
    """Return a path with the area added that the task is about; of a puzzle, the nearest one.

    Choices with numbers on the picture need no area.
    """
    return initial_path(place.view, path, () if place.step.values else right_choices(place))


async def _choices(context: Context, interaction: Interaction, place: Place, path: str) -> Drawn:
    """Return the position of a step with the choices that a path leads to, as in a match."""
    style = await context.preferences.style(user_id_of(interaction), guild_id_of(interaction))
    return await context.images.choices(place.view, sides(place.game), style, path)


async def _position(context: Context, interaction: Interaction, view: View) -> Drawn:
    style = await context.preferences.style(user_id_of(interaction), guild_id_of(interaction))
    return await context.images.view(view, sides(view.game), style)


def _place(game: str, step: int | None) -> Place:
    """Return a step of a lesson.

    Raises:
        UserError: the step no longer exists.
    """
    if game not in playable() or step is None or step >= len(steps(game)):
        raise UserError(_(LESSON_CHANGED))
    return place(game, step)


def _howto(context: Context) -> CheckedCommand:
    @command(
        name=N_("howto"),
        description=N_("Learn a game in a few steps (only you see them)"),
        offered=EVERYWHERE,
    )
    @app_commands.describe(
        game=N_("Which game (default: your last one); you continue where you left off")
    )
    @app_commands.choices(game=by_title(taught()))
    async def how_to(interaction: Interaction, game: str | None = None) -> None:
        game = game or await context.preferences.last_game(user_id_of(interaction), taught())
        if game:
            reached = await _reached(context, interaction, game)
            await reply(interaction, await _lesson(context, interaction, reached))
        else:
            ids = {name: LearnId(name) for name in taught()}
            await reply(interaction, choose_game(_("Which game would you like to learn?"), ids))

    return how_to


def commands(context: Context) -> list[CheckedCommand]:
    """Return the commands of this feature."""
    return [_howto(context)]
