"""The match that an interaction is about."""

from __future__ import annotations

from bot.domain.ids import MatchId
from bot.interactions.context import Context
from bot.interactions.replies import SUBJECT, Interaction, Subject, user_id_of


def set_subject(context: Context, interaction: Interaction, match_id: MatchId) -> None:
    """Set the match that the replies to an interaction are about, whose player is here now."""
    set_subject_beside(context, interaction, match_id)
    context.clicks.record(match_id, user_id_of(interaction))


def set_subject_beside(context: Context, interaction: Interaction, match_id: MatchId) -> None:
    """Set the match from whose board an answer about something else is opened, such as a lesson.

    The answer is a card of that match, and leads back to its board.
    """
    interaction.extras[SUBJECT] = Subject(match_id, context.cards.changes(match_id))
