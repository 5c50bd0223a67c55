"""Messages for one player: their matches, their hand, and that it is their turn."""

from __future__ import annotations

from collections.abc import Iterable

from bot.services.going_on import StopReason
from bot.services.models import Match, MatchStatus, Perspective
from bot.views.links import link
from bot.views.message import Message, note
from bot.views.names import escaped_names
from bot.views.plans import STOPPED
from engine import games
from render import for_game
from render.i18n import _


def hand(perspective: Perspective, above: str = "") -> Message:
    """Return the hidden information of a player."""
    text = for_game(perspective.match.game).hand(perspective.view) or _(
        "You have no hidden information in this match."
    )
    title = f"**{games.get(perspective.match.game).title} #{perspective.match.id}**"
    return note("\n".join(filter(None, (title, text, above))))


def turn_dm(perspective: Perspective, stopped: StopReason | None = None) -> Message:
    """Return a DM that it is a player's turn, with their hidden information.

    Args:
        perspective: the match as the player sees it.
        stopped: why the player's plan has stopped at this turn, if it has.
    """
    match, view = perspective.match, perspective.view
    renderer = for_game(match.game)
    head = f"**{games.get(match.game).title} #{match.id}**"
    turn = f"{head} {renderer.prompt(view, escaped_names(match))} {link(match)}"
    reason = f"{_('Your plan:')} {_(STOPPED[stopped])}" if stopped else ""
    shown = note("\n".join(filter(None, (turn, reason, renderer.hand(view)))))
    return shown._replace(pings=(match.players[perspective.seat].user_id,))


def inbox(matches: Iterable[Match], user_id: int) -> Message:
    """Return the list of a user's matches, their own turns first."""
    mine = sorted(matches, key=lambda each: each.seat_of(user_id) not in each.decisions)
    return note(
        "\n".join(_entry(each, user_id) for each in mine) or _("You have no matches in progress.")
    )


def _entry(match: Match, user_id: int) -> str:
    own = match.seat_of(user_id)
    others = ", ".join(name for seat, name in escaped_names(match).items() if seat != own)
    turn = ", ".join(escaped_names(match)[seat] for seat in match.decisions)
    words = _("#{match} {game} with {others}: {player}'s turn {link}")
    if own in match.decisions:
        words = _("#{match} {game} with {others}: **your turn** {link}")
    elif match.status == MatchStatus.CHALLENGE:
        words = _("#{match} {game} with {others}: challenge {link}")
    if not match.players[own].decides_itself:
        words = _("#{match} {game} with {others}: the computer is playing for you {link}")
    title = games.get(match.game).title
    return words.format(match=match.id, game=title, others=others, player=turn, link=link(match))
