"""Try a line in private: play on from a position against the computer, or for all sides."""

from __future__ import annotations

from dataclasses import replace

from bot.domain.computer_players import COMPUTER_NAMES, PLAY_ON_LEVEL
from bot.domain.ids import UserId
from bot.domain.origin import Origin
from bot.features.replays import line_views as views
from bot.features.replays.ids import LineActId, LineId, LinePartId
from bot.features.replays.import_commands import open_attached
from bot.features.replays.imports import Imports, match_of
from bot.features.replays.tried_lines import OUTDATED, TriedLine, begun, cut
from bot.interactions.components import component, selected
from bot.interactions.computers import THINKING
from bot.interactions.context import Context
from bot.interactions.invocation import guild_id_of
from bot.interactions.replies import (
    Interaction,
    UserError,
    edit_original,
    edit_reply,
    reply,
    user_id_of,
)
from bot.services.chance import random_seed
from bot.services.computer_turns import ChoiceError, ChoiceRequest, StoppedError
from bot.urgency import Urgency
from bot.views.choices import enter_nearest_area, narrow_view
from bot.views.message import Message
from engine.game import Action
from engine.record import Record
from render.i18n import _

MAX_ANSWERS = 12
"""Maximum number of choices that the computer makes after a click; *Continue* asks for more."""


HEADERS = ("Game", "Rules", "Options")
"""Headers that a choice depends on."""


async def usual_level(context: Context, user_id: UserId) -> str:
    """Return the level that the user last played against, or the default one for playing on."""
    met = await context.queries.level_met(user_id)
    return met if met in COMPUTER_NAMES else PLAY_ON_LEVEL


async def open_line(
    context: Context,
    interaction: Interaction,
    origin: Origin,
    better: Action | None,
    played: Action | None,
) -> None:
    """Reply with the board of a line that begins at a position, from the side that is to decide.

    Args:
        better: the choice that an analysis recommends to this user there.
        played: the choice in the match; its area is shown if none is recommended.
    """
    line = begun(origin, None, "")
    line = replace(line, state=await context.of(Imports).state(line.record))
    side = line.seat if context.can_play(line.match.game) else ""
    line = replace(line, side=side)
    message = await _board(context, interaction, line, better=better, near=better or played)
    await reply(interaction, message)


@component(LineId)
async def _show(context: Context, interaction: Interaction, id: LineId) -> None:
    """Show a line after some actions, for one side or for all."""
    record = await _attached(context, interaction)
    await _continue(context, interaction, await _line(context, record, id.side, id.action_count))


@component(LinePartId)
async def _show_part(context: Context, interaction: Interaction, id: LinePartId) -> None:
    """Show fewer choices."""
    record = await _attached(context, interaction)
    line = await _line(context, record, id.side, id.action_count)
    await edit_reply(interaction, await _board(context, interaction, line, path=id.path))


@component(LineActId)
async def _act(context: Context, interaction: Interaction, id: LineActId) -> None:
    """Make a choice; if it is only the beginning of one, show fewer choices."""
    record, text = await _attached(context, interaction), selected(interaction) or id.notation
    line = await _line(context, record, id.side, id.action_count)
    after = line.after_typed(text)
    if after is None:
        await edit_reply(interaction, await _board(context, interaction, line, path=text))
        return
    await _continue(context, interaction, after)


async def _attached(context: Context, interaction: Interaction) -> Record:
    """Return the record attached to the clicked message."""
    return (await open_attached(context, interaction)).record


async def _line(context: Context, record: Record, side: str, action_count: int) -> TriedLine:
    """Return the line of a record after some actions.

    Raises:
        IllegalActionError: there is no such line.
    """
    shorter = cut(record, action_count)
    match, state = match_of(shorter), await context.of(Imports).state(shorter)
    if side and side not in match.players:
        raise UserError(_(OUTDATED))
    return TriedLine(shorter, match, state, side)


async def _continue(context: Context, interaction: Interaction, line: TriedLine) -> None:
    """Show a line, then the computer's answers."""
    if not line.waits_for or not context.can_play(line.match.game):
        await edit_reply(interaction, await _board(context, interaction, line))
        return
    with context.limits.of(THINKING).running(user_id_of(interaction)):
        await edit_reply(interaction, await _board(context, interaction, line))
        line = await _answered(context, interaction, line)
    await edit_original(interaction, await _board(context, interaction, line))


async def _answered(context: Context, interaction: Interaction, line: TriedLine) -> TriedLine:
    """Return a line after the computer's choices, as many as it has made."""
    user_id, seed = user_id_of(interaction), random_seed()
    level = await usual_level(context, user_id)
    for _number in range(MAX_ANSWERS):
        if not (seat := line.waits_for):
            break
        visible = line.game.redact_for_infostate(line.state, seat, line.record.actions)
        headers = {key: line.record.headers[key] for key in HEADERS if key in line.record.headers}
        record = Record(headers, visible)
        request = ChoiceRequest(level, seed, seat, record, Urgency.HINT, user_id)
        try:
            choice = await context.computer_turns.ask(line.game, line.state, request)
        except (ChoiceError, StoppedError):
            break
        line = line.after(choice.action)
    return line


async def _board(
    context: Context,
    interaction: Interaction,
    line: TriedLine,
    *,
    path: str = "",
    better: Action | None = None,
    near: Action | None = None,
) -> Message:
    """Return the board of a line in this user's style.

    Args:
        near: a choice in the area to show; None for the nearest area.

    Raises:
        UserError: the path leads nowhere.
    """
    view, style = (
        line.view,
        await context.preferences.style(user_id_of(interaction), guild_id_of(interaction)),
    )
    marked = view
    if view.legal:
        try:
            path = enter_nearest_area(view, path, [near] if near else ())
            marked = narrow_view(view, path)
        except ValueError:
            raise UserError(_(OUTDATED)) from None
    ghosts = tuple(action for action in view.legal if action == better)
    drawn = await context.images.with_actions(
        view, line.match.names, style, () if ghosts else marked.legal, ghosts=ghosts
    )
    computers = context.can_play(line.match.game)
    return views.board(line, drawn, path, better, computers=computers)
