"""The request for a takeback."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from discord import ui

from bot.services.models import Perspective
from bot.views.controls import button
from bot.views.custom_ids import AgreeId
from bot.views.message import Message, note
from bot.views.names import escaped_names
from engine.game import Action
from render.i18n import _, format_list


def takeback_request(perspective: Perspective, actions: Sequence[Action], version: int) -> Message:
    """Return the message that asks the other players to agree to a takeback.

    Args:
        perspective: the match as the public sees it.
        actions: the actions of the match; the actor of the last one asks.
        version: version of the match.
    """
    match, asking = perspective.match, actions[-1].actor
    playing = perspective.view.playing
    others = [p.user_id for s, p in match.acting_people.items() if s in playing and s != asking]
    called = format_list([f"<@{user_id}>" for user_id in others])
    row = ui.ActionRow[Any](button(_("Agree"), AgreeId(match.id, version)))
    text = _("**{name}** asks to take back the last move. {players}: do you agree?").format(
        name=escaped_names(match)[asking], players=called
    )
    return Message(note(text, row).layout, pings=tuple(others))
