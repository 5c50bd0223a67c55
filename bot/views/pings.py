"""Short messages to players who have to decide: pings beside an edited board, and nudges."""

from __future__ import annotations

from collections.abc import Collection

from bot.domain.models import Perspective
from bot.views import ui
from bot.views.links import board_link, link_to, masked_link
from bot.views.message import Message, note
from bot.views.names import escaped_names, title_of
from bot.views.public_boards import mentions
from render import for_game
from render.i18n import _, format_list


def ping(perspective: Perspective, seats: Collection[str], board: tuple[int, int]) -> Message:
    """Return the message that pings the players of some seats.

    Args:
        perspective: the match as the public sees it.
        board: channel and message of the board.
    """
    match, view = perspective.match, perspective.view
    prompt = for_game(match.game).prompt(view, escaped_names(match) | mentions(match, seats))
    text = f"**{title_of(match)}** · {prompt}"
    message = note(text, ui.ActionRow(board_link(link_to(match.guild_id, *board))))
    return message._replace(pings=tuple(match.people[seat].user_id for seat in seats))


def nudge(perspective: Perspective, seats: Collection[str]) -> Message:
    """Return the message from the waiting players that nudges the players of some seats.

    Args:
        perspective: the match as the public sees it.
    """
    match, view, names = perspective.match, perspective.view, escaped_names(perspective.match)
    waiting = [names[s] for s in match.acting_people if s in view.playing and s not in view.pending]
    text = _("👋 {players}: {names} would love to see your move in **{match}**.")
    text = text.format(
        players=format_list(list(mentions(match, seats).values())),
        names=format_list(waiting),
        match=masked_link(match),
    )
    return note(text)._replace(pings=tuple(match.people[seat].user_id for seat in seats))
