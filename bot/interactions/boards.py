"""The board as requested by one user."""

from __future__ import annotations

from discord import app_commands

from bot.domain.ids import UserId
from bot.domain.models import Match, MatchStatus, Perspective, Switch
from bot.interactions.command import CheckedCommand, command
from bot.interactions.components import BUTTON_GONE, component, selected
from bot.interactions.context import Context
from bot.interactions.match_option import MATCH_OPTION, find, own_matches
from bot.interactions.member_lookup import absent_players
from bot.interactions.memory_buttons import is_early, lines_to_remember, memory_buttons
from bot.interactions.private_lines import private_lines
from bot.interactions.replies import Interaction, UserError, edit_reply, reply, user_id_of
from bot.interactions.story_buttons import story_buttons
from bot.interactions.visibility import visible_match, visible_perspective
from bot.sanitize import escape
from bot.services.match_repository import NoMatchError, OutdatedMatchError
from bot.services.preferences import PreferenceKey
from bot.views import challenges, inbox, private_boards, ui
from bot.views.choices import initial_path, narrow_view
from bot.views.custom_ids import HandId, MenuId, OverlayId, ShowId, SinceId, TextId
from bot.views.message import Message
from bot.views.private_boards import JUST_BOARD, Opened
from bot.views.requests import asked
from render import for_game
from render.i18n import N_, _, format_list
from render.renderer import Style


async def board(
    context: Context,
    perspective: Perspective,
    user_id: UserId,
    above: str = "",
    *,
    path: str = "",
    opened: Opened | None = None,
) -> Message:
    """Return the board in a user's view and style, with the choices that a path leads to.

    When a user opens a board (`opened`), it includes an animation of the last turn if the user
    wants one; while the user chooses, the picture is still.

    Raises:
        ValueError: the path leads nowhere.
    """
    style, view = (
        await context.preferences.style(user_id, perspective.match.guild_id),
        perspective.view,
    )
    path = initial_path(view, path) if view.legal else ""
    marked = perspective._replace(view=narrow_view(view, path) if path else view)
    shortcuts = await context.images.shortcuts(view, path, style)
    ghosts = shortcuts.ghosts
    drawn = await context.images.board(marked, style, marked=not ghosts, ghosts=ghosts)
    drawn = drawn._replace(shortcuts=shortcuts.rows)
    lines, beside = await _notes(context, perspective, user_id, path)
    if opened:
        last_turn = await _last_turn(context, perspective, user_id, style)
        opened = opened._replace(last_turn=last_turn)
    return private_boards.board(
        perspective,
        drawn,
        above,
        path,
        (opened or JUST_BOARD)._replace(lines=lines, beside=beside),
        computers=context.can_play(perspective.match.game),
    )


async def _notes(
    context: Context, perspective: Perspective, user_id: UserId, path: str = ""
) -> tuple[str, list[ui.Button]]:
    """Return a user's notes; above them what to remember that is not in them yet, with a button.

    Before the first choice that has to be remembered, that is said.
    """
    match, seat, view = perspective[:3]
    lines = await private_lines(context, match, user_id)
    renderer = for_game(match.game)
    memory_note, memory_limit = renderer.memory_note(view), renderer.memory_limit(view)
    is_new = seat and memory_note and is_early(view)
    to_note = await lines_to_remember(context, match, user_id, with_plan=False) if is_new else ()
    limit_line = f"-# {memory_limit}" if memory_limit else ""
    if is_new and view.legal and not to_note:
        return "\n".join(filter(None, (limit_line, lines))), []
    if all(line in lines for line in to_note):
        return lines, []
    remember = f"-# {memory_note} {format_list(to_note, style='commas')}"
    buttons = await memory_buttons(context, match, user_id, to_note, path)
    return "\n".join(filter(None, (remember, limit_line, lines))), buttons


async def card(
    context: Context, interaction: Interaction, match: Match, closed_by: UserId | None = None
) -> Message:
    """Return a match, or a challenge, with all that the user of an interaction can do.

    Args:
        closed_by: ID of the user that has just declined or withdrawn the challenge, if one has.

    Raises:
        UserError: it is a challenge that is no longer open.
    """
    if match.status == MatchStatus.CHALLENGE or closed_by:
        return challenges.challenge(
            match,
            closed_by,
            cover=await context.images.cover(match.game),
            facts=await context.queries.challenge(match, context.clock()),
        )
    user_id = user_id_of(interaction)
    try:
        perspective = await context.queries.view(match.id, user_id)
    except OutdatedMatchError:
        raise
    except NoMatchError:
        raise UserError(_("This challenge is no longer open.")) from None
    requests = await context.queries.requests(match.id)
    answers = asked(perspective, requests, computers=context.can_play(match.game))
    absent = await absent_players(context, interaction, perspective.match)
    opened = Opened(absent=absent, asked=answers)
    return await board(context, perspective, user_id, opened=opened)


async def _last_turn(
    context: Context, perspective: Perspective, user_id: UserId, style: Style
) -> bytes:
    """Return an animation of the last turn; empty if the user wants none, or nothing happened."""
    preferences = await context.preferences.preferences(user_id)
    if preferences[PreferenceKey.ANIMATION] != Switch.ON or not perspective.view.story:
        return b""
    views = await context.queries.last_turn(perspective.match.id, user_id)
    if not views:
        return b""
    return await context.images.last_turn(views, perspective.match.names, style)


@component(OverlayId)
async def _overlay(context: Context, interaction: Interaction, id: OverlayId) -> None:
    """Show the available overlays, or the chosen one."""
    perspective = await visible_perspective(context, interaction, id.match_id)
    message = await overlay(context, perspective, user_id_of(interaction), selected(interaction))
    await edit_reply(interaction, message)


async def overlay(
    context: Context, perspective: Perspective, user_id: UserId, name: str
) -> Message:
    """Return the board with an overlay; without a name, list the available overlays.

    Raises:
        UserError: there is no overlay of this name, or the game has none.
    """
    renderer = for_game(perspective.match.game)
    if not (name or renderer.overlay_verb):
        raise UserError(_(BUTTON_GONE))
    try:
        if name:  # a forged name would fail in the process that draws
            renderer.overlay(perspective.view, name)
    except ValueError:
        raise UserError(
            _("There's no “{name}” on this board.").format(name=escape(name[:20]))
        ) from None
    style = await context.preferences.style(user_id, perspective.match.guild_id)
    drawn = await (
        context.images.overlaid(perspective, style, name)
        if name
        else context.images.board(perspective, style)
    )
    return private_boards.overlay(perspective, drawn, name)


@component(MenuId)
async def _menu(context: Context, interaction: Interaction, id: MenuId) -> None:
    """Show this user's current choices in private."""
    perspective = await visible_perspective(context, interaction, id.match_id)
    if not perspective.seat:
        raise UserError(_("You're not playing in this match."))
    if not perspective.view.legal:
        names = {seat: escape(name) for seat, name in perspective.match.names.items()}
        prompt = for_game(perspective.match.game).prompt(perspective.view, names)
        sentence = _("It's not your turn. {prompt}")
        raise UserError(sentence.format(prompt=prompt))
    await reply(
        interaction, await board(context, perspective, user_id_of(interaction), opened=JUST_BOARD)
    )


@component(HandId)
async def _own_hand(context: Context, interaction: Interaction, id: HandId) -> None:
    """Show this user's hidden information, and in a match from memory the user's notes."""
    perspective = await visible_perspective(context, interaction, id.match_id)
    if not perspective.seat:
        raise UserError(_("You're not playing in this match."))
    match, user_id = perspective.match, user_id_of(interaction)
    lines, buttons = list[str](), list[ui.Button]()
    if match.status == MatchStatus.RUNNING and for_game(match.game).memory_note(perspective.view):
        text, buttons = await _notes(context, perspective, user_id)
        lines.append(text)
        buttons = buttons or await memory_buttons(context, match, user_id, ())
    preferences = await context.preferences.preferences(user_id)
    if preferences[PreferenceKey.DM_FAILED] == "yes":
        lines.append(_("-# I couldn't reach you by DM; this always works."))
    await reply(interaction, inbox.hand(perspective, lines, buttons))


@component(ShowId)
async def _show(context: Context, interaction: Interaction, id: ShowId) -> None:
    """Show a match with all that this user can do in it."""
    match = await visible_match(context, interaction, id.match_id)
    await edit_reply(interaction, await card(context, interaction, match))
    await _ensure(context, match, user_id_of(interaction))


async def _ensure(context: Context, match: Match, user_id: UserId) -> None:
    """Queue the board of a match again if it is missing and one of its players looks."""
    if match.seat_of(user_id):
        await context.boards.ensure(match.id)


@component(TextId)
async def _text(context: Context, interaction: Interaction, id: TextId) -> None:
    """Show the current position in sentences."""
    perspective = await visible_perspective(context, interaction, id.match_id)
    await reply(interaction, private_boards.text_board(perspective))


@component(SinceId)
async def _since(context: Context, interaction: Interaction, id: SinceId) -> None:
    """Show the events since this user's last turn."""
    match = await visible_match(context, interaction, id.match_id)
    perspective, turn_views = await context.queries.since_last_turn(
        match.id, user_id_of(interaction)
    )
    beside = await story_buttons(context, match, user_id_of(interaction))
    await reply(interaction, private_boards.digest(perspective, turn_views, beside))


def _board(context: Context) -> CheckedCommand:
    @command(name=N_("board"), description=N_("Show the board as you see it, with your moves"))
    @app_commands.describe(
        match=MATCH_OPTION,
        text=N_("Show text instead of a picture, complete enough to play from"),
    )
    @app_commands.autocomplete(
        match=own_matches(context, MatchStatus.RUNNING, MatchStatus.CHALLENGE)
    )
    async def show_board(
        interaction: Interaction, match: int | None = None, text: bool | None = None
    ) -> None:
        target = await find(context, interaction, match)
        user_id = user_id_of(interaction)
        if text and target.status != MatchStatus.CHALLENGE:
            perspective = await context.queries.view(target.id, user_id)
            await reply(interaction, private_boards.text_board(perspective))
        else:
            await reply(interaction, await card(context, interaction, target))
        await _ensure(context, target, user_id)

    return show_board


def commands(context: Context) -> list[CheckedCommand]:
    """Return the commands of this feature."""
    return [_board(context)]
