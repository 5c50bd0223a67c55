"""Private notes on a match and its opponents, in a window behind *Match…*."""

from __future__ import annotations

from collections.abc import Sequence

from bot.domain.ids import UserId
from bot.domain.models import Match, MatchStatus
from bot.features.notes import views
from bot.features.notes.ids import NotesCopyId, NotesId, NotesWrittenId
from bot.features.notes.service import NOTES_LIMIT, NoPlayerError, Notes, TooLongError, has_lines
from bot.features.notes.views import MATCH_FIELD
from bot.interactions.boards import board
from bot.interactions.components import component, typed_texts
from bot.interactions.context import Context
from bot.interactions.memory_buttons import lines_to_remember
from bot.interactions.plans import panel, plan_of
from bot.interactions.replies import Interaction, UserError, edit_reply, open_window, user_id_of
from bot.interactions.visibility import visible_match
from bot.views import ui
from bot.views.choices import leads_somewhere
from render.i18n import N_, _, ngettext

NOTHING_TO_COPY = N_("Your plan has no more coins to remember.")

ONLY_PLAYERS = N_("Only the players of a match keep notes on it.")


@component(NotesId)
async def _open(context: Context, interaction: Interaction, id: NotesId) -> None:
    """Open a window with this user's notes."""
    match, user_id = await visible_match(context, interaction, id.match_id), user_id_of(interaction)
    if not match.seat_of(user_id):
        raise UserError(_(ONLY_PLAYERS))
    notes = await context.of(Notes).read(match, user_id)
    await open_window(interaction, views.window(match, user_id, notes))


@component(NotesWrittenId)
async def _write(context: Context, interaction: Interaction, id: NotesWrittenId) -> None:
    """Store this user's notes, and show them beside the board."""
    match, user_id = await visible_match(context, interaction, id.match_id), user_id_of(interaction)
    texts = typed_texts(interaction)
    on_opponents = {
        UserId(int(name)): text
        for name, text in texts.items()
        if name.isascii() and name.isdecimal()
    }
    notes = context.of(Notes)
    try:
        on_match = texts.get(MATCH_FIELD, "")
        is_complete = await notes.write(match.id, user_id, on_match, on_opponents)
    except NoPlayerError:
        raise UserError(_(ONLY_PLAYERS)) from None
    except TooLongError:
        sentence = ngettext(
            "Notes have at most {count} character; please shorten them.",
            "Notes have at most {count} characters; please shorten them.",
            NOTES_LIMIT,
        )
        raise UserError(sentence.format(count=NOTES_LIMIT)) from None
    words = views.confirmation(is_complete=is_complete)
    if match.status == MatchStatus.RUNNING:
        perspective = await context.queries.view(match.id, user_id)
        saved = await board(context, perspective, user_id, words)
    else:
        saved = views.written(match, await notes.read(match, user_id), words)
    await edit_reply(interaction, saved)


@component(NotesCopyId)
async def _copy(context: Context, interaction: Interaction, id: NotesCopyId) -> None:
    """Add what this user has to remember to the notes; show the plan again, or all notes."""
    user_id = user_id_of(interaction)
    match = await visible_match(context, interaction, id.match_id)
    own_plan = await plan_of(context, user_id, id.match_id)
    lines = await lines_to_remember(context, match, user_id)
    if not lines:  # the plan has alternatives: copy the coins on the board alone
        lines = await lines_to_remember(context, match, user_id, with_plan=False)
    if not lines:
        raise UserError(_(NOTHING_TO_COPY))
    try:
        await context.of(Notes).copy(id.match_id, user_id, lines)
    except NoPlayerError:
        raise UserError(_(ONLY_PLAYERS)) from None
    except TooLongError:
        sentence = ngettext(
            "Your notes on this match are full: at most {count} character fits.",
            "Your notes on this match are full: at most {count} characters fit.",
            NOTES_LIMIT,
        )
        raise UserError(sentence.format(count=NOTES_LIMIT)) from None
    if own_plan.plan.orders:
        page = await panel(context, user_id, match.id)
    else:
        saved = views.confirmation(is_complete=True)
        path = id.path if leads_somewhere(own_plan.perspective.view, id.path) else ""
        page = await board(context, own_plan.perspective, user_id, saved, path=path)
    await edit_reply(interaction, page)


async def memory_button(
    context: Context, match: Match, user_id: UserId, lines: Sequence[str], path: str
) -> ui.Button:
    """Return the button that copies what this player has to remember, or opens the notes."""
    notes = await context.of(Notes).read(match, user_id)
    is_noted = has_lines(notes.on_match, lines)
    return views.memory_button(match, path, is_noted=is_noted, has_lines=bool(lines))


async def lines_of(context: Context, match: Match, user_id: UserId) -> str:
    """Return this player's notes, to show beside the player's boards."""
    return views.lines(match, await context.of(Notes).read(match, user_id))
