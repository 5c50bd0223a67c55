"""Takebacks of the user's own last choice, asked for by a command or by a typed word."""

from __future__ import annotations

from collections.abc import Sequence

from bot.domain.ids import MatchId, UserId
from bot.domain.outcomes import OutcomeKind
from bot.interactions.context import Context
from bot.interactions.outcomes import explain
from bot.interactions.replies import Interaction, edit_reply, reply_beside, user_id_of
from bot.sanitize import escape, escape_sentence
from bot.views.message import note
from bot.views.names import escaped_names
from engine.game import Action
from render import for_game
from render.i18n import _, format_list

UNKNOWN = "?"
"""Stands in a record for a value that its reader does not know."""


async def take_back(
    context: Context, interaction: Interaction, match_id: MatchId, *, by_button: bool = False
) -> None:
    """Take back this user's last choice, or ask another player to agree.

    Args:
        by_button: whether the answer replaces the clicked card, since its button is used up.
    """
    user_id = user_id_of(interaction)
    before = await context.queries.record(match_id, user_id)
    outcome = await context.takebacks.take_back(interaction.id, match_id, user_id)
    if outcome.kind not in (OutcomeKind.DONE, OutcomeKind.ASK):
        await explain(context, interaction, outcome)
        return
    text = escape_sentence(outcome.sentence)
    if outcome.kind == OutcomeKind.DONE:
        text = await _taken_back(context, match_id, user_id, before.actions)
    if by_button:
        await edit_reply(interaction, note(text))
    else:
        await reply_beside(interaction, note(text))


async def _taken_back(
    context: Context, match_id: MatchId, user_id: UserId, actions: Sequence[Action]
) -> str:
    """Return the choice that was taken back, in words.

    Args:
        actions: those of the match before, as this user may see them.
    """
    count = len((await context.queries.record(match_id, user_id)).actions)
    perspective = await context.queries.view(match_id, user_id)
    view = perspective.view
    sentences = [_("Taken back.")]
    if count < len(actions) and UNKNOWN not in str(actions[count]):  # otherwise a move since, or
        # a value that even its player may no longer see
        choice = for_game(view.game).done(view, actions[count])
        sentences = [_("Taken back: {choice}.").format(choice=escape(choice))]
    names = escaped_names(perspective.match)
    answering_seats = {action.actor for action in actions[count + 1 :]} - {perspective.seat}
    if others := [name for seat, name in names.items() if seat in answering_seats]:
        words = _("The answer by {others} was taken back as well.")
        sentences.append(words.format(others=format_list(others)))
    return " ".join((*sentences, _("A line on the board tells all players.")))
