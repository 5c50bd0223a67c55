"""Replies to the outcomes of services."""

from __future__ import annotations

from collections.abc import Sequence

from bot.domain.models import MatchStatus, Perspective
from bot.domain.outcomes import NEXT_AT, Outcome, OutcomeKind
from bot.interactions.boards import board, card
from bot.interactions.context import Context
from bot.interactions.replies import Interaction, acknowledge, edit_reply, reply_beside, user_id_of
from bot.interactions.visibility import visible_match
from bot.sanitize import escape_sentence
from bot.services.match_repository import NoMatchError
from bot.views import ui
from bot.views.choices import path_to
from bot.views.links import rule_link
from bot.views.message import note
from engine import games
from engine.notation import completions
from render.i18n import _


async def explain(
    context: Context,
    interaction: Interaction,
    outcome: Outcome,
    line: str = "",
    more: Sequence[ui.Item] = (),
) -> None:
    """Explain the refusal of an action, or ask for missing input.

    Args:
        more: buttons of a way out.

    Raises:
        NoMatchError: the user does not play in the match and cannot see it.
    """
    if outcome.kind == OutcomeKind.UNKNOWN and outcome.match_id:
        await visible_match(context, interaction, outcome.match_id)
    if outcome.kind == OutcomeKind.MISSING:
        perspective = await context.queries.view(outcome.match_id, user_id_of(interaction))
        options = completions(games.get(perspective.match.game), perspective.view.legal, line)
        message = await board(context, perspective, user_id_of(interaction), path=path_to(options))
        await edit_reply(interaction, message)
    elif outcome.kind == OutcomeKind.STALE and (
        running := await _running(context, outcome, interaction)
    ):
        await renew(context, interaction, running, outcome.sentence)
    else:
        sentence = escape_sentence(outcome.sentence)
        if outcome.next_at:
            sentence = sentence.replace(NEXT_AT, f"<t:{int(outcome.next_at)}:R>")
        await reply_beside(interaction, note(sentence, *rule_link(outcome.rule), *more))


async def renew(
    context: Context, interaction: Interaction, perspective: Perspective, sentence: str
) -> None:
    """Replace a private panel with the current board; reply with that board to a public click.

    Args:
        interaction: the click that came too late.
        sentence: why the click does not count.
    """
    above = _("{sentence} Here's the board.").format(sentence=sentence)
    await edit_reply(interaction, await board(context, perspective, user_id_of(interaction), above))


async def _running(
    context: Context, outcome: Outcome, interaction: Interaction
) -> Perspective | None:
    try:
        return await context.queries.view(outcome.match_id, user_id_of(interaction))
    except NoMatchError:
        return None


async def confirm(context: Context, interaction: Interaction, outcome: Outcome, done: str) -> None:
    """Reply to a choice that the player has confirmed.

    Args:
        done: the reply, with the fields `game` and `match`.
    """
    if outcome.kind != OutcomeKind.DONE:
        await explain(context, interaction, outcome)
        return
    match = await context.queries.match(outcome.match_id)
    game = games.get(match.game).title
    await edit_reply(interaction, note(done.format(game=game, match=match.id)))


async def acknowledge_or_explain(
    context: Context, interaction: Interaction, outcome: Outcome
) -> None:
    """Respond to a click whose effect is visible in the channel; show it after a private one."""
    if outcome.kind != OutcomeKind.DONE:
        await explain(context, interaction, outcome)
        return
    if interaction.message is not None and interaction.message.flags.ephemeral:
        match, user_id = await context.queries.match(outcome.match_id), user_id_of(interaction)
        closed_by = user_id if match.status == MatchStatus.CLOSED else None
        await edit_reply(interaction, await card(context, interaction, match, closed_by))
        return
    await acknowledge(interaction, context.clicked)
