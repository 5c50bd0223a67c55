"""A challenge: its players, its terms and its outcome."""

from __future__ import annotations

from collections.abc import Iterable

import discord

from bot.domain.client_seed import MAX_CLIENT_SEED_CHARACTERS
from bot.domain.ids import DELETED_USER_ID, OPEN_USER_ID, ChannelId, UserId
from bot.domain.models import Match, MatchStatus
from bot.i18n import sides
from bot.sanitize import escape
from bot.services.challenge_facts import NO_FACTS, ChallengeFacts
from bot.services.deliveries import SeriesEnd
from bot.views import ui
from bot.views.attachments import RECORD_FILE, record_file
from bot.views.controls import button
from bot.views.custom_ids import (
    AcceptId,
    DeclineId,
    LuckTypedId,
    MoreId,
)
from bot.views.images import Cover
from bot.views.invitations import about, cover_files, cover_items, terms
from bot.views.message import COLOUR, Message, layout_of, note
from bot.views.names import distinct_names, escaped_names, title_of
from bot.views.origins import origin_lines
from bot.views.private_boards import MODAL_TITLE_LIMIT
from bot.views.ratings import rated_terms, stopped_lines
from bot.views.verification import commitment_warnings, dice_button
from engine import games
from render import for_game
from render.i18n import N_, _, format_list, ngettext, titled, truncate, with_side

THREAD_NAME_LIMIT = 100
"""Maximum characters of the name of a thread, by Discord."""

HANDICAP_NAME_LIMIT = 30
"""Maximum length of a name on a button that offers a rematch with a handicap."""

_TAKEN_OVER = N_(
    "This match continues from the attached record, so all players can know its hidden "
    "information. `/replay record:` shows the record."
)

_SETTLED = {
    MatchStatus.RUNNING: N_("**{game}** #{match}: the match has started."),
    MatchStatus.CLOSED: N_("**{game}** #{match}: the challenge expired."),
}
"""Outcomes of a challenge."""


def challenge(
    match: Match,
    closed_by: UserId | None = None,
    *,
    cover: Cover | None = None,
    facts: ChallengeFacts = NO_FACTS,
    series_end: SeriesEnd | None = None,
) -> Message:
    """Return a challenge as a card with its buttons, or its outcome.

    Args:
        match: the challenge.
        closed_by: ID of the user that declined or withdrew it; None if neither happened.
        cover: the picture of the game.
        series_end: if it was closed, the result of the rated series that it belongs to.
    """
    if match.status != MatchStatus.CHALLENGE:
        return _outcome(match, closed_by, series_end)
    invited = [match.players[seat] for seat in match.unaccepted]
    mentioned = format_list([f"<@{player.user_id}>" for player in invited if player.is_person])
    call = _("### {players}: {name} challenges you to {game}")
    call = call if mentioned else _("### {name} is looking for players: {game}")
    challenger = escaped_names(match)[match.seat_of(match.challenger_id)]
    title = games.get(match.game).title
    lines = [call.format(players=mentioned, name=challenger, game=title), *about(match.game)]
    series = (match.round, match.rounds)
    lines += terms(match.game, match.rules, match.options, match.clock, series)
    lines += rated_terms(match, pair_is_spent=facts.pair_is_spent)
    lines += [*_accepted(match), *_seated(match)]
    if match.standing:
        lines.append(series_line(match))
    attachments: list[ui.Item] = []
    files = cover_files(cover)
    if facts.taken_over:
        lines += [_(_TAKEN_OVER), *origin_lines(match)]
        attachments = [ui.File(f"attachment://{RECORD_FILE}")]
        files += (record_file(facts.taken_over, RECORD_FILE),)
    container = ui.Container(
        *cover_items(cover),
        ui.TextDisplay("\n".join(lines)),
        *attachments,
        _answers(match, open_to_all=not mentioned),
        ui.TextDisplay("\n".join(_foot(match))),
        accent_colour=COLOUR,
    )
    pings = tuple(player.user_id for player in invited if player.is_person)
    return Message(layout_of(container), files, pings)


def _foot(match: Match) -> list[str]:
    """Return the less urgent lines: the match's number, the end of the challenge, DMs."""
    lines = [f"-# {title_of(match)}"]
    if match.expires_at:
        until = _("open until {time}").format(time=f"<t:{int(match.expires_at)}:f>")
        lines = [f"{lines[0]} · {until}"]
    if for_game(match.game).hand_name:
        by_dm = _(
            "-# I send each player their own hidden information by DM (change this in `/settings`)."
        )
        lines.append(by_dm)
    return [*lines, *commitment_warnings(match)]


def _accepted(match: Match) -> list[str]:
    """Return the players who have accepted and those who have not, if there are more than two."""
    names = escaped_names(match)
    if len(names) <= 2:
        return []
    accepted = [seat for seat in names if seat not in match.unaccepted]
    words = _("Accepted: {players}. Still to accept: {others}.")
    return [words.format(players=_listed(match, accepted), others=_listed(match, match.unaccepted))]


def _listed(match: Match, seats: Iterable[str]) -> str:
    """Return the players of some seats; open seats are counted at the end."""
    listed, names = set(seats), escaped_names(match)
    is_open = {seat for seat in listed if match.players[seat].user_id == OPEN_USER_ID}
    words = [name for seat, name in names.items() if seat in listed - is_open]
    if count := len(is_open):
        words.append(ngettext("an open seat", "{count} open seats", count).format(count=count))
    return format_list(words)


def begun_in(match: Match, thread_id: ChannelId) -> Message:
    """Return the outcome of a challenge whose match is played in a thread of another channel."""
    sentence = _("**{game}** #{match}: the match has started in {channel}.").format(
        game=games.get(match.game).title, match=match.id, channel=f"<#{thread_id}>"
    )
    lines = (sentence, *_seated(match), *commitment_warnings(match))
    return note("\n".join(lines), ui.ActionRow(dice_button(match)))


def _outcome(match: Match, closed_by: UserId | None, series_end: SeriesEnd | None) -> Message:
    """Return the outcome of a challenge.

    Once the match has begun, *Dice* stays with the commitment that the challenge published; *Join*
    stays while the computer keeps a seat.
    """
    end = _SETTLED.get(match.status, N_("**{game}** #{match}: the match is over."))
    if match.status == MatchStatus.CLOSED and closed_by:
        end = settlement(match, closed_by)
    closer = escaped_names(match).get(match.seat_of(closed_by), "")
    sentence = _(end).format(game=games.get(match.game).title, match=match.id, name=closer)
    ending = stopped_lines(match, closed_by, series_end) if series_end else []
    lines = [sentence, *_seated(match), *ending, *commitment_warnings(match)]
    if match.status == MatchStatus.CLOSED:
        return note("\n".join(lines))
    buttons = [dice_button(match)]
    if match.status == MatchStatus.RUNNING and match.joinable:
        lines.insert(1, _("You can join and take over the computer's seat."))
        join = button(_("Join"), AcceptId(match.id), discord.ButtonStyle.success)
        buttons.insert(0, join)
    return note("\n".join(lines), ui.ActionRow(*buttons))


def series_reminder(match: Match) -> Message:
    """Remind the players who have not accepted the next match of a rated series."""
    called = [match.players[seat] for seat in match.unaccepted]
    text = _(
        "{players}: the next match of your rated series, **{game} #{match}**, is open until {time}."
        " Not accepting it loses the series."
    )
    text = text.format(
        players=format_list([f"<@{player.user_id}>" for player in called]),
        game=games.get(match.game).title,
        match=match.id,
        time=f"<t:{int(match.expires_at or 0)}:f>",
    )
    accept = button(_("Accept"), AcceptId(match.id), discord.ButtonStyle.success)
    row = ui.ActionRow(accept, button(_("Decline"), DeclineId(match.id)))
    return note(text, row)._replace(pings=tuple(player.user_id for player in called))


def _answers(match: Match, *, open_to_all: bool) -> ui.ActionRow:
    """Return the buttons that answer a challenge, and the one to all others."""
    accept = _("Join") if open_to_all else _("Accept")
    return ui.ActionRow(
        button(accept, AcceptId(match.id), discord.ButtonStyle.success),
        *([] if open_to_all else [button(_("Decline"), DeclineId(match.id))]),
        button(_("More…"), MoreId(match.id, match.commitment)),
    )


def _seated(match: Match) -> list[str]:
    """Return each player's side, and the players whose sides are still to be drawn."""
    names, all_sides = escaped_names(match), sides(match.game)
    if match.status == MatchStatus.CLOSED and match.seats_to_draw:
        return [format_list(list(names.values()))]
    fixed = [
        with_side(name, all_sides[seat])
        for seat, name in names.items()
        if seat not in match.seats_to_draw
    ]
    drawn = _listed(match, match.seats_to_draw)
    lines = [_("Sides: {players}").format(players=format_list(fixed))] if fixed else []
    words = _("Sides: drawn at random for {players} when the match begins")
    return lines + ([words.format(players=drawn)] if drawn else [])


def settlement(match: Match, closed_by: UserId | None) -> str:
    """Return the text for a declined or withdrawn challenge."""
    if closed_by == DELETED_USER_ID or not match.seat_of(closed_by):
        return N_("**{game}** #{match}: the challenge was withdrawn.")
    if closed_by == match.challenger_id:
        return N_("**{game}** #{match}: {name} withdrew the challenge.")
    return N_("**{game}** #{match}: {name} declined the challenge.")


def thread_name(match: Match) -> str:
    """Return the name of a match's thread, or of its post in a forum."""
    names = " – ".join(match.names.values())
    return truncate(titled(title_of(match), names), THREAD_NAME_LIMIT)


def series_line(match: Match) -> str:
    """Return the standing of a series; the lowest total wins it."""
    names = distinct_names(match)
    totals = [f"{names[seat]} {total}" for seat, total in match.standing.items()]
    table = format_list(totals, style="commas")
    if match.status != MatchStatus.FINISHED or match.round < match.rounds:
        words = _("Penalty points in this series of {total}: {table}.")
        return words.format(total=match.rounds, table=table)
    least = min(match.standing.values())
    best = [names[seat] for seat, total in match.standing.items() if total == least]
    words = _("The series is over. Penalty points: {table}. **{winner}** wins with the fewest.")
    return words.format(table=table, winner=format_list(best))


def luck(match: Match, number: int) -> ui.Modal:
    """Return a window for a player's own words, which shows the salt that they complete.

    Args:
        match: a challenge.
        number: the number that precedes the words in the salt.
    """
    salt = escape(f"{match.salt},{number}:…")
    about = _(
        "Your words become part of the salt that all dice of this match are computed from, and "
        "stay in its record.\n-# The salt with your words: {salt}\n-# Dice commitment: {commitment}"
    )
    title = title_of(match)[:MODAL_TITLE_LIMIT]
    custom_id = LuckTypedId(match.id, match.version, number)
    window = ui.Modal(title=title, custom_id=str(custom_id), timeout=None)
    window.add_item(ui.TextDisplay(about.format(salt=salt, commitment=match.commitment)))
    words = ui.TextInput(custom_id="words", max_length=MAX_CLIENT_SEED_CHARACTERS)
    return window.add_item(ui.Label(text=_("Any words you like"), component=words))
