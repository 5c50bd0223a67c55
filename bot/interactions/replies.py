"""Replies to interactions; no other module sends them.

Every reply is private, except for pages of the rules that a player shows in public. Public
messages about a match are sent by the outbox.
"""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator, Awaitable
from contextlib import asynccontextmanager
from time import perf_counter
from typing import Any, NamedTuple, Protocol, TypeVar

import aiohttp
import discord
from discord.app_commands import AppCommandError
from sqlalchemy.exc import SQLAlchemyError

from bot import metrics
from bot.clicked_messages import ClickedMessages
from bot.database_errors import Trouble, trouble
from bot.discord_errors import DEAD_INTERACTION_CODES, TOO_MANY_REQUESTS, is_about_emojis
from bot.domain.ids import NO_MATCH, MatchId, UserId
from bot.domain.outcomes import OUTCOME_STORED
from bot.failures import count_failure
from bot.i18n import refusal_text
from bot.interactions.clicked_match import clicked_match, with_way_back
from bot.interactions.private_cards import UNREACHABLE, CardKind, PrivateCards
from bot.logs import bind_context
from bot.services.match_repository import NoMatchError, OutdatedMatchError
from bot.storage.database import COMMIT_STATE, CommitState
from bot.views import ui
from bot.views.message import Message, note
from engine.game import IllegalActionError
from render.i18n import N_, _

log = logging.getLogger(__name__)

Interaction = discord.Interaction[Any]

T = TypeVar("T")

OTHER_COMMAND = N_(
    "This command has changed, so I couldn't run it; type it again and pick the one Discord "
    "suggests."
)

RECOVERY = "recovery"
"""Key in `interaction.extras`: the `Recovery` of the gate that admitted it."""

RECEIVED_AT = "received_at"
"""Key in `interaction.extras`: time when an unanswered interaction was received."""

RESUMED = "resumed"
"""Key in `interaction.extras`: the reply replaces the menu where a match was selected."""

OTHER_MATCHES = "other_matches"
"""Key in `interaction.extras`: items for a reply about a match that its user did not name."""

PENDING = "pending"
"""Key in `interaction.extras`: the reply reports work in progress, and the next one replaces it."""


SUBJECT = "subject"
"""Key in `interaction.extras`: the `Subject` of an interaction about a match."""

CARDS = "cards"
"""Key in `interaction.extras`: the `PrivateCards`."""


class Subject(NamedTuple):
    """The match that an interaction is about, and its number of changes at that time."""

    match_id: MatchId
    changes: int


class UserError(Exception):
    """Raised when a request cannot be fulfilled; the text explains why to the user.

    Args:
        more: items below it, e.g. a list to choose from.
    """

    def __init__(self, sentence: str, *more: ui.Item) -> None:
        super().__init__(sentence)
        self.more = more


def user_id_of(interaction: Interaction) -> UserId:
    """Return the id of the user who clicked or typed."""
    return UserId(interaction.user.id)


async def reply(interaction: Interaction, message: Message) -> None:
    """Reply so that only this user sees it; this replaces the user's earlier card of the match.

    If the user has clicked on that card, the reply appears in its place.
    """
    if _is_on_card(interaction):
        await _edit_reply(interaction, message)
    else:
        await _reply(interaction, message)


def _is_on_card(interaction: Interaction) -> bool:
    """Return whether a click was on a private answer about the match that it is about."""
    subject: Subject | None = interaction.extras.get(SUBJECT)
    clicked = interaction.message
    if clicked is None or subject is None or not clicked.flags.ephemeral:
        return False
    return clicked_match(clicked) == subject.match_id


async def reply_beside(interaction: Interaction, message: Message) -> None:
    """Reply with a note, such as a refusal, that leaves the user's card of the match."""
    await _reply(interaction, message, kind=CardKind.NOTE)


async def _reply(
    interaction: Interaction, message: Message, *, kind: CardKind = CardKind.CARD
) -> None:
    if interaction.extras.get(PENDING, False):
        await edit_original(interaction, message)
        return
    if interaction.extras.pop(RESUMED, False):
        await edit_reply(interaction, message)
        return
    if kind is not CardKind.PENDING:
        message = _with_other_matches(interaction, message)
    if kind is not CardKind.NOTE:
        message = _with_way_back(interaction, message)
    send = interaction.response.send_message
    sent = await _timed(interaction, send(view=message.layout, files=message.files, ephemeral=True))
    await _show_card(interaction, sent.message_id, message, kind=kind)


def _with_other_matches(interaction: Interaction, message: Message) -> Message:
    """Return a reply that also offers the user's other matches, if there is room for them."""
    return message.with_items(interaction.extras.pop(OTHER_MATCHES, ()))


def _with_way_back(interaction: Interaction, message: Message) -> Message:
    """Return a reply with a button to the board that was clicked, unless it has one."""
    match_id, subject = clicked_match(interaction.message), interaction.extras.get(SUBJECT)
    is_about_it = match_id != NO_MATCH and subject and subject.match_id == match_id
    return with_way_back(message, match_id) if is_about_it else message


async def _show_card(
    interaction: Interaction,
    message_id: int | None,
    message: Message,
    *,
    kind: CardKind = CardKind.CARD,
) -> None:
    """Keep a private reply as the user's card of the match that the interaction is about."""
    cards: PrivateCards | None = interaction.extras.get(CARDS)
    subject: Subject | None = interaction.extras.get(SUBJECT)
    if cards is not None and subject and message_id is not None:
        match_id, changes = subject
        await cards.show(interaction, match_id, message_id, message, changes, kind=kind)


def _is_deleted(interaction: Interaction, message: discord.Message) -> bool:
    """Return whether a clicked card was deleted because another one has replaced it."""
    cards: PrivateCards | None = interaction.extras.get(CARDS)
    return cards is not None and cards.is_deleted(message.id)


async def reply_pending(interaction: Interaction, sentence: str) -> None:
    """Reply that work is in progress; `edit_original` or an error replaces the reply."""
    await _reply(interaction, note(sentence), kind=CardKind.PENDING)
    interaction.extras[PENDING] = True


async def edit_reply(interaction: Interaction, message: Message) -> None:
    """Replace the clicked private reply.

    Any other message stays as it is, even after a forged click, and so does the board in a DM:
    then send a new reply, as for a window opened by a command.
    """
    await _edit_reply(interaction, message)


async def _edit_reply(
    interaction: Interaction, message: Message, *, kind: CardKind = CardKind.CARD
) -> None:
    clicked, is_pending = interaction.message, interaction.extras.get(PENDING, False)
    if (
        is_pending
        or clicked is None
        or not clicked.flags.ephemeral
        or _is_deleted(interaction, clicked)
    ):
        await _reply(interaction, message, kind=kind)
        return
    if kind is not CardKind.NOTE:
        message = _with_way_back(interaction, message)
    edit = interaction.response.edit_message
    await _timed(interaction, edit(view=message.layout, attachments=message.files))
    await _show_card(interaction, clicked.id, message, kind=kind)


async def edit_pending(interaction: Interaction, sentence: str) -> None:
    """Replace the clicked private reply with a note on work in progress, see `reply_pending`."""
    await _edit_reply(interaction, note(sentence), kind=CardKind.PENDING)
    interaction.extras[PENDING] = True


async def delete_reply(interaction: Interaction) -> None:
    """Delete the clicked private reply; if that fails, it stays, with outdated buttons."""
    await _timed(interaction, interaction.response.defer())
    cards: PrivateCards | None = interaction.extras.get(CARDS)
    if cards is not None and interaction.message:
        cards.forget(interaction.message.id)
    try:
        await interaction.delete_original_response()
    except UNREACHABLE as error:
        log.info("a private reply stays: %s", error)


async def report_progress(interaction: Interaction, sentence: str) -> None:
    """Replace the text of a reply on work in progress, see `reply_pending`."""
    await edit_card(interaction, note(sentence))


async def edit_card(interaction: Interaction, message: Message) -> None:
    """Replace the reply to an earlier interaction; `PrivateCards` knows the reply already."""
    await interaction.edit_original_response(view=message.layout, attachments=message.files)


async def delete_card(interaction: Interaction) -> None:
    """Delete the reply to an earlier interaction."""
    await interaction.delete_original_response()


async def edit_original(interaction: Interaction, message: Message) -> None:
    """Replace the private reply just sent."""
    message = _with_way_back(interaction, _with_other_matches(interaction, message))
    edit = interaction.edit_original_response
    edited = await edit(view=message.layout, attachments=message.files)
    await _show_card(interaction, edited.id, message)


async def follow_up(interaction: Interaction, message: Message) -> None:
    """Send another private reply after the first one."""
    await interaction.followup.send(view=message.layout, files=message.files, ephemeral=True)


async def show_to_all(interaction: Interaction, page: Message) -> None:
    """Reply in public: a page of the rules or the result of a match, never a private view."""
    send = interaction.response.send_message
    await _timed(interaction, send(view=page.layout, files=page.files))


async def open_window(interaction: Interaction, window: ui.Modal) -> None:
    """Open a window to type into; its text arrives as a click with its `custom_id`."""
    await _timed(interaction, interaction.response.send_modal(window))
    window.stop()


async def acknowledge(interaction: Interaction, clicked: ClickedMessages) -> None:
    """Acknowledge a click without a reply: its effect is visible in the channel."""
    with clicked.acknowledging(interaction):
        await _timed(interaction, interaction.response.defer())


async def _timed(interaction: Interaction, answer: Awaitable[T]) -> T:
    """Send a response, and record the time since the interaction was received."""
    response = await answer
    if (received := interaction.extras.pop(RECEIVED_AT, None)) is not None:
        seconds = perf_counter() - received
        metrics.ANSWER.labels(interaction.type.name).observe(seconds)
        log.debug("answered after %.0f ms", 1000 * seconds)
    return response


@asynccontextmanager
async def error_boundary(interaction: Interaction) -> AsyncIterator[None]:
    """Reply to the user if any error is raised inside."""
    bind_context(interaction=interaction.id)
    interaction.extras[RECEIVED_AT] = perf_counter()
    COMMIT_STATE.set(CommitState.NO)
    OUTCOME_STORED.set(False)
    try:
        yield
    except Exception as error:  # noqa: BLE001 - handle_error logs unknown errors
        await handle_error(interaction, error)


async def reject(interaction: Interaction, sentence: str) -> None:
    """Reject an interaction before its handler runs; an autocomplete gets no proposals.

    Args:
        sentence: why, see `render.i18n.N_`.
    """
    bind_context(interaction=interaction.id)
    try:
        if interaction.type is discord.InteractionType.autocomplete:
            await interaction.response.autocomplete([])
        else:
            await reply(interaction, note(_(sentence)))
    except UNREACHABLE as late:
        log.info("interaction not answered: %s", late)


async def no_proposals(interaction: Interaction, error: Exception) -> None:
    """Reply to a failed autocomplete with no proposals; log unexpected errors."""
    closed = isinstance(error, RuntimeError) and "closed" in str(error)  # otherwise it is a bug
    if closed or isinstance(error, discord.HTTPException | aiohttp.ClientError):
        log.info("autocomplete not answered: %s", error)
        return
    if isinstance(error, SQLAlchemyError):
        log.warning("autocomplete is empty, the database does not answer: %s", error)
    elif isinstance(error, AppCommandError | KeyError | UserError | NoMatchError):
        log.info("autocomplete is empty: %s", type(error).__name__)
    else:
        log.error("autocomplete failed", exc_info=error)
    try:
        await interaction.response.autocomplete([])
    except UNREACHABLE as late:
        log.info("autocomplete not answered: %s", late)


async def mismatched(interaction: Interaction, error: AppCommandError) -> None:
    """Reply to a command that is not registered in this form, such as an older version."""
    if interaction.type is discord.InteractionType.autocomplete:
        await no_proposals(interaction, error)
        return
    log.info("command signature mismatch: %s", type(error).__name__)
    await reject(interaction, OTHER_COMMAND)


class Recovery(Protocol):
    """Actions to take when a reply fails."""

    def reply_lost(self, interaction_id: int) -> None:
        """Treat an interaction as new if it arrives again."""

    def emoji_missing(self) -> None:
        """Build messages without emojis until they are available again."""


def _recovery(interaction: Interaction) -> Recovery | None:
    recovery: Recovery | None = interaction.extras.get(RECOVERY)
    return recovery


def is_lost(error: BaseException) -> bool:
    """Return whether a reply did not arrive because of the network, an outage or a rate limit."""
    if isinstance(error, discord.HTTPException) and error.status == TOO_MANY_REQUESTS:
        return True
    return isinstance(error, aiohttp.ClientError | discord.DiscordServerError | discord.RateLimited)


async def handle_error(interaction: Interaction, error: BaseException) -> None:
    """Tell the user in one sentence why a request failed; log errors not caused by the user."""
    if isinstance(error, discord.HTTPException) and error.code in DEAD_INTERACTION_CODES:
        log.info("interaction not answered: %s", error.code)
        return
    recovery = _recovery(interaction)
    if is_lost(error):
        # Only replies call Discord, so the work is done: "nothing has changed" would be wrong
        log.info("reply lost: %s", type(error).__name__)
        count_failure("interaction", error)
        if recovery and _is_repeatable():
            recovery.reply_lost(interaction.id)
        return
    if recovery and is_about_emojis(error):
        recovery.emoji_missing()
    sentence = _sentence(error)
    if sentence is None or isinstance(error, SQLAlchemyError):
        count_failure("interaction", error)
    if sentence is None:
        log.error("interaction failed", exc_info=error)
        sentence = _doubt() or _(
            "Something went wrong on my side; nothing has changed. Please try again."
        )
    is_pending = interaction.extras.get(PENDING, False)
    if is_pending or not interaction.response.is_done():
        try:
            await reply_beside(interaction, note(sentence, *getattr(error, "more", ())))
        except UNREACHABLE as late:
            log.info("interaction not answered: %s", late)


def _is_repeatable() -> bool:
    """Return whether handling the current interaction again would have no further effect.

    It would have none if it changed nothing, or if its outcome is stored. Otherwise it might
    overwrite the user's later changes, or carry out a refused request: a refusal by a service
    counts as a change, since it ends a transaction.
    """
    return OUTCOME_STORED.get() or COMMIT_STATE.get() is CommitState.NO


def _sentence(error: BaseException) -> str | None:
    if isinstance(error, IllegalActionError):
        return refusal_text(error)
    if isinstance(error, UserError):
        return str(error)
    if is_about_emojis(error):
        return _("My reply couldn't be shown; `/board` shows the current position.")
    if isinstance(error, OutdatedMatchError):
        return str(error)
    if isinstance(error, NoMatchError):
        return _("There's no such match.")
    if isinstance(error, SQLAlchemyError):
        log.warning("interaction failed, the database does not answer: %s", error)
        return _trouble(error)
    return None


def _doubt() -> str:
    """Return the message if something was stored, or may have been; else an empty string."""
    if COMMIT_STATE.get() is CommitState.YES:  # done: only a later step failed
        return _("My reply couldn't be shown; `/board` shows the current position.")
    if COMMIT_STATE.get() is CommitState.UNKNOWN:
        return _("I don't know whether that was saved; `/board` shows the current position.")
    return ""


def _trouble(error: SQLAlchemyError) -> str:
    """Return the message for a player about a database error."""
    if sentence := _doubt():
        return sentence
    cause = trouble(error)
    if cause is Trouble.FULL:
        return _(
            "I can't save anything right now because my disk seems to be full; nothing has "
            "changed. You can still look at boards. Please tell my host."
        )
    if cause is Trouble.BUSY:
        return _("I'm busy right now; nothing has changed. Please try again in a minute.")
    return _("The database is unavailable right now; nothing has changed. Please try again.")
