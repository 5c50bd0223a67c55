"""Messages for one player: the list of matches, the hand, and the DM about a turn."""

from __future__ import annotations

import io
from collections.abc import Sequence
from typing import NamedTuple

import discord

from bot.domain.computer_players import has_computer
from bot.domain.ids import UserId
from bot.domain.models import MatchStatus, Perspective
from bot.domain.waiting import endable_seats
from bot.services.automatic_moves import StopReason
from bot.services.match_summaries import MatchSummary
from bot.services.nudges import NUDGE_PAUSE_SECONDS
from bot.views import silence, ui
from bot.views.computers import play_now
from bot.views.controls import button, rows_of
from bot.views.custom_ids import GamesId, GapId, NudgeId, SeekId, ShowId
from bot.views.links import masked_link, url_of
from bot.views.listings import seat_to_take, time_of_turn
from bot.views.message import COLOUR, COMPONENT_LIMIT, Message, layout_of, note
from bot.views.names import escaped_names, title_of
from bot.views.origins import origin_lines
from bot.views.plans import STOPPED
from bot.views.private_boards import can_nudge
from bot.views.relocation_notes import unposted
from bot.views.requests import Asked, asked, challenge_answers, unlike
from engine import games
from render import for_game
from render.i18n import _, format_list

PAGE_SIZE = 4
"""Maximum number of matches on a page of the list: a message has 40 components."""

MAX_OPEN_SEATS = 3
"""Maximum number of open seats below the list."""

MAX_ANSWERS = 2
"""Maximum number of buttons of a match besides the two that lead to it."""

OFFER_COMPONENTS = 3
"""Components for an offer to join: a section, its text and its button."""


class Offers(NamedTuple):
    """Offers that a user can join on a server.

    Attributes:
        items: a section for each, with one text and a button.
    """

    heading: str
    items: Sequence[ui.Item]


class InboxRow(NamedTuple):
    """A match in the list.

    Attributes:
        perspective: the match as the reader sees it; None for a challenge.
        picture: a small picture as a PNG, if there is one.
    """

    summary: MatchSummary
    perspective: Perspective | None = None
    picture: bytes | None = None


def hand(
    perspective: Perspective,
    lines: Sequence[str] = (),
    buttons: Sequence[ui.Button] = (),
    *,
    linked: bool = False,
) -> Message:
    """Return the hidden information of a player.

    Args:
        perspective: the match as the player sees it.
        lines: further paragraphs below.
        buttons: buttons of features.
        linked: whether the title links to the board.
    """
    text = for_game(perspective.match.game).hand(perspective.view) or _(
        "You have no hidden information in this match."
    )
    match = perspective.match
    title = f"**{masked_link(match) if linked else title_of(match)}**"
    return note("\n".join(filter(None, (title, text, *lines))), *rows_of(buttons))


def turn_dm(perspective: Perspective, stopped: StopReason | None = None) -> Message:
    """Return a DM about a player's turn, with the player's hidden information.

    Args:
        perspective: the match as the player sees it.
        stopped: the reason if the player's plan has stopped at this turn.
    """
    match, view = perspective.match, perspective.view
    renderer = for_game(match.game)
    turn = f"**{masked_link(match)}** {renderer.prompt(view, escaped_names(match))}"
    reason = f"{_('Your plan:')} {_(STOPPED[stopped])}" if stopped else ""
    message = note("\n".join(filter(None, (turn, reason, renderer.hand(view)))))
    return message._replace(pings=(match.players[perspective.seat].user_id,))


def inbox(
    rows: Sequence[InboxRow],
    offers: Sequence[Offers],
    user_id: UserId,
    numbers: tuple[int, int],
    *,
    now: float,
    computers: bool = False,
    on_server: bool = False,
) -> Message:
    """Return a page of a user's matches, and offers that the user can join on the server.

    Offers without room are left out.

    Args:
        offers: the offers to join, the most important first.
        numbers: number of the page, from 0, and the number of pages.
        computers: whether the computer can play.
        on_server: whether matches can begin where the list is shown.
    """
    page, pages = numbers
    items: list[ui.Item] = []
    files: list[discord.File] = []
    for row in rows:
        items += _entry(row, user_id, now, computers=computers)
        files += _file(row)
    if not rows:
        items.append(ui.TextDisplay(_("You have no matches in progress. Start one with `/play`.")))
        items += ways_to_begin(computers=computers) if on_server else []
    if pages > 1:
        items.append(_turning(page, pages))
    room = COMPONENT_LIMIT - 1 - sum(1 + _count_children(item) for item in items)
    for heading, sections in offers:
        fitting = sections[: max(0, room - 1) // OFFER_COMPONENTS]
        if fitting:
            items += [ui.TextDisplay(heading), *fitting]
            room -= 1 + OFFER_COMPONENTS * len(fitting)
    container = ui.Container(*items, accent_colour=COLOUR)
    return Message(layout_of(container), tuple(files))


def _count_children(item: ui.Item) -> int:
    """Return the number of components inside another one; a section's button counts as well."""
    if isinstance(item, discord.ui.Section):
        return len(item.children) + 1
    return len(item.children) if isinstance(item, discord.ui.ActionRow) else 0


def ways_to_begin(*, computers: bool) -> list[ui.Item]:
    """Return the buttons that begin a match at once, or find an opponent on the server."""
    seek = button(_("Find me a match"), SeekId(), discord.ButtonStyle.primary)
    return [*(play_now() if computers else []), ui.ActionRow(seek)]


def open_seats(seats: Sequence[MatchSummary]) -> Offers:
    """Return open seats of matches, at most `MAX_OPEN_SEATS`."""
    return Offers(_("### Open seats on this server"), [seat_to_take(seat) for seat in seats])


def _entry(row: InboxRow, user_id: UserId, now: float, *, computers: bool) -> list[ui.Item]:
    """Return a match with its picture, buttons that lead to it, and requests to the reader."""
    match = row.summary.match
    reader_seat = match.seat_of(user_id)
    title = f"**{title_of(match)}**"
    others = format_list(
        [name for seat, name in escaped_names(match).items() if seat != reader_seat]
    )
    head = _("{match} with {others}").format(match=title, others=others)
    answers = Asked((), challenge_answers(match, user_id))
    if row.perspective is not None:
        answers = asked(
            row.perspective,
            row.summary.requests,
            computers=computers and has_computer(match.game),
        )
    text = ui.TextDisplay("\n".join((head, _state(row.summary, user_id), *answers.lines)))
    is_challenge = match.status == MatchStatus.CHALLENGE
    label = _("To the challenge") if is_challenge else _("To the match")
    buttons = ui.ActionRow(
        ui.Button(label=label, url=url_of(match, row.summary.link)),
        button(_("Details") if is_challenge else _("Board"), ShowId(match.id)),
        *[*answers.buttons, *_waiting(row.summary, reader_seat, now, answers)][:MAX_ANSWERS],
    )
    if row.picture is None:
        return [text, buttons]
    picture = ui.Thumbnail(f"attachment://{_name(row)}", description=_alt(row))
    return [ui.Section(text, accessory=picture), buttons]


def _state(summary: MatchSummary, user_id: UserId) -> str:
    """Return whose turn it is and until when, or whose answer a challenge waits for."""
    match, names = summary.match, escaped_names(summary.match)
    reader_seat = match.seat_of(user_id)
    if match.status == MatchStatus.CHALLENGE:
        players = format_list([names[seat] for seat in match.unaccepted])
        words = _("Challenge, waiting for {players}; expires {time}")
        words = _("**You are challenged**; expires {time}") if match.awaits(user_id) else words
        state = words.format(players=players, time=f"<t:{int(match.expires_at or 0)}:R>")
        return "\n".join((state, *_unposted(summary, user_id)))
    players = format_list([names[seat] for seat in match.decisions])
    words, seats = _("Turn: {players} ({time})"), tuple(match.decisions)
    if match.awaits(user_id):
        words, seats = _("**Your turn** ({time})"), (reader_seat,)
    state = words.format(players=players, time=time_of_turn(summary, seats))
    state += silence.notice_lines(match)
    if not match.players[reader_seat].decides_itself:
        state += "\n" + _("-# The computer is playing for you.")
    return "\n".join((state, *origin_lines(match)))


def _waiting(summary: MatchSummary, seat: str, now: float, answers: Asked) -> list[ui.Button]:
    """Return the button for a player who waits for another one.

    Args:
        answers: requests to the player; their buttons are not repeated.
    """
    match = summary.match
    endable = endable_seats(match, now, match.unreachable) if seat not in match.decisions else ""
    if endable:
        return unlike(silence.buttons(match, endable), answers)
    if can_nudge(match, seat) and now - summary.since >= NUDGE_PAUSE_SECONDS:
        return [button(_("Nudge"), NudgeId(match.id))]
    return []


def _unposted(summary: MatchSummary, user_id: UserId) -> list[str]:
    """Return the line that says that a challenge could not be posted."""
    match = summary.match
    if not summary.unposted:
        return []
    if match.challenger_id == user_id:
        return [f"-# {unposted(match)}"]
    words = _("-# I couldn't post this challenge in {channel}.")
    return [words.format(channel=f"<#{match.channel_id}>")]


def _turning(page: int, pages: int) -> ui.ActionRow:
    """Return buttons to the pages before and after this one, and its number between them."""
    label = _("Page {number} of {total}").format(number=page + 1, total=pages)
    number = button(label, GapId("games", page, 0, 0))
    number.disabled = True
    before, after = button("◀", GamesId(max(0, page - 1))), button("▶", GamesId(page + 1))
    before.disabled, after.disabled = page == 0, page + 1 == pages
    return ui.ActionRow(before, number, after)


def _file(row: InboxRow) -> list[discord.File]:
    if row.picture is None:
        return []
    return [discord.File(io.BytesIO(row.picture), _name(row), description=_alt(row))]


def _name(row: InboxRow) -> str:
    return f"match-{row.summary.match.id}.png"


def _alt(row: InboxRow) -> str:
    match = row.summary.match
    return _("The board of {game} #{match}").format(
        game=games.get(match.game).title, match=match.id
    )
