"""Messages for one player: the list of matches, the hand, and the DM about a turn."""

from __future__ import annotations

import io
from collections.abc import Sequence
from typing import Any, NamedTuple

import discord
from discord import ui

from bot.services.going_on import StopReason
from bot.services.listings import Listed
from bot.services.models import MatchStatus, Perspective
from bot.services.nudges import NUDGE_PAUSE_SECONDS
from bot.services.waiting import endable_seats
from bot.views import silence
from bot.views.continuations import origin_lines
from bot.views.controls import button
from bot.views.custom_ids import GamesId, GapId, NudgeId
from bot.views.halls import seat_to_take
from bot.views.links import link, url_of
from bot.views.message import COLOUR, Message, layout_of, note
from bot.views.names import escaped_names, title_of
from bot.views.plans import STOPPED
from bot.views.private_boards import can_nudge
from engine import games
from render import for_game
from render.i18n import _, format_list

PAGE_SIZE = 4
"""Maximum number of matches on a page of the list: a message has 40 components."""

MAX_OPEN_SEATS = 3
"""Maximum number of open seats below the list."""


class Row(NamedTuple):
    """A match in the list, with a small picture as a PNG if there is one."""

    listed: Listed
    picture: bytes | None


def hand(perspective: Perspective, above: str = "") -> Message:
    """Return the hidden information of a player."""
    text = for_game(perspective.match.game).hand(perspective.view) or _(
        "You have no hidden information in this match."
    )
    title = f"**{title_of(perspective.match)}**"
    return note("\n".join(filter(None, (title, text, above))))


def turn_dm(perspective: Perspective, stopped: StopReason | None = None) -> Message:
    """Return a DM about a player's turn, with the player's hidden information.

    Args:
        perspective: the match as the player sees it.
        stopped: the reason if the player's plan has stopped at this turn.
    """
    match, view = perspective.match, perspective.view
    renderer = for_game(match.game)
    head = f"**{title_of(match)}**"
    turn = f"{head} {renderer.prompt(view, escaped_names(match))} {link(match)}"
    reason = f"{_('Your plan:')} {_(STOPPED[stopped])}" if stopped else ""
    shown = note("\n".join(filter(None, (turn, reason, renderer.hand(view)))))
    return shown._replace(pings=(match.players[perspective.seat].user_id,))


def inbox(
    rows: Sequence[Row],
    open_seats: Sequence[Listed],
    user_id: int,
    page: int,
    pages: int,
    *,
    now: float,
) -> Message:
    """Return a page of the list of a user's matches, and open seats of the server.

    Args:
        rows: the matches of the page.
        open_seats: at most `MAX_OPEN_SEATS`.
        user_id: user ID of the reader.
        page: its number, from 0.
        pages: number of pages.
        now: the time in UTC seconds.
    """
    items: list[ui.Item[Any]] = []
    files: list[discord.File] = []
    for row in rows:
        items += _entry(row, user_id, now)
        files += _file(row)
    if not rows:
        items.append(ui.TextDisplay(_("You have no matches in progress. Start one with `/play`.")))
    if pages > 1:
        items.append(_turning(page, pages))
    if open_seats:
        items.append(ui.TextDisplay(_("### Open seats on this server")))
        items += [seat_to_take(each) for each in open_seats]
    container = ui.Container[Any](*items, accent_colour=COLOUR)
    return Message(layout_of(container), tuple(files))


def _entry(row: Row, user_id: int, now: float) -> list[ui.Item[Any]]:
    """Return a match with its picture, a button that leads to it, and one that nudges others."""
    match = row.listed.match
    own = match.seat_of(user_id)
    title = f"**{title_of(match)}**"
    others = format_list([name for seat, name in escaped_names(match).items() if seat != own])
    head = _("{match} with {others}").format(match=title, others=others)
    text = ui.TextDisplay[Any](f"{head}\n{_state(row.listed, user_id)}")
    label = _("To the challenge") if match.status == MatchStatus.CHALLENGE else _("To the match")
    buttons = ui.ActionRow[Any](ui.Button(label=label, url=url_of(match, row.listed.link)))
    waiting = endable_seats(match, now, match.unreachable) if own not in match.decisions else ""
    if waiting:
        for each in silence.buttons(match, waiting):
            buttons.add_item(each)
    elif can_nudge(match, own) and now - row.listed.since >= NUDGE_PAUSE_SECONDS:
        buttons.add_item(button(_("Nudge"), NudgeId(match.id)))
    if row.picture is None:
        return [text, buttons]
    picture = ui.Thumbnail[Any](f"attachment://{_name(row)}", description=_alt(row))
    return [ui.Section[Any](text, accessory=picture), buttons]


def _state(listed: Listed, user_id: int) -> str:
    """Return whose turn it is and since when, or whose answer a challenge waits for."""
    match, since = listed.match, f"<t:{int(listed.since)}:R>"
    names, own = escaped_names(match), match.seat_of(user_id)
    if match.status == MatchStatus.CHALLENGE:
        asked = format_list([names[seat] for seat in match.unaccepted])
        words = _("Challenge, waits for {players}; closes {time}")
        words = _("**You are challenged**; closes {time}") if match.awaits(user_id) else words
        return words.format(players=asked, time=f"<t:{int(match.expires_at or 0)}:R>")
    asked = format_list([names[seat] for seat in match.decisions])
    words = _("**Your turn** ({time})") if match.awaits(user_id) else _("Turn: {players} ({time})")
    state = words.format(players=asked, time=since)
    for seat, at in match.notices.items():
        notice = _("-# Last notice to {name}, until {time}")
        state += "\n" + notice.format(name=names[seat], time=f"<t:{int(at)}:f>")
    if not match.players[own].decides_itself:
        state += "\n" + _("-# The computer is playing for you.")
    return "\n".join((state, *origin_lines(match)))


def _turning(page: int, pages: int) -> ui.ActionRow[Any]:
    """Return buttons to the pages before and after this one, and its number between them."""
    here = _("Page {number} of {count}").format(number=page + 1, count=pages)
    number = button(here, GapId("games", page, 0, 0))
    number.disabled = True
    before, after = button("◀", GamesId(max(0, page - 1))), button("▶", GamesId(page + 1))
    before.disabled, after.disabled = page == 0, page + 1 == pages
    return ui.ActionRow[Any](before, number, after)


def _file(row: Row) -> list[discord.File]:
    if row.picture is None:
        return []
    return [discord.File(io.BytesIO(row.picture), _name(row), description=_alt(row))]


def _name(row: Row) -> str:
    return f"match-{row.listed.match.id}.png"


def _alt(row: Row) -> str:
    match = row.listed.match
    return _("The board of {game} #{match}").format(
        game=games.get(match.game).title, match=match.id
    )
