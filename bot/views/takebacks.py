"""The request for a takeback."""

from __future__ import annotations

from collections.abc import Collection

from bot.domain.ids import Version
from bot.domain.models import Perspective
from bot.views import ui
from bot.views.controls import button
from bot.views.custom_ids import AgreeId
from bot.views.message import Message, note
from bot.views.names import escaped_names
from render.i18n import _, format_list


def takeback_request(
    perspective: Perspective, asking: str, answering: Collection[str], version: Version
) -> Message:
    """Return the message that asks the other players to agree to a takeback.

    Args:
        perspective: the match as the public sees it.
        answering: the seats whose choices would be taken back as well; one of these has to agree,
            and if there are none, any other player.
        version: version of the match.
    """
    match, playing = perspective.match, perspective.view.playing
    others = [
        player.user_id
        for seat, player in match.acting_people.items()
        if seat in (answering or playing) and seat != asking
    ]
    players = format_list([f"<@{user_id}>" for user_id in others])
    row = ui.ActionRow(button(_("Agree"), AgreeId(match.id, version, asking)))
    text = _("**{name}** asks to take back the last move. {players}: do you agree?")
    if answering:
        text = _(
            "**{name}** asks to take back their last move, and with it the answer to it. "
            "{players}: do you agree?"
        )
    text = text.format(name=escaped_names(match)[asking], players=players)
    return Message(note(text, row).layout, pings=tuple(others))
