"""Cups: their post, announcements, and private answers."""

from __future__ import annotations

import io
from collections.abc import Iterator, Mapping, Sequence
from datetime import tzinfo
from typing import NamedTuple

import discord

from bot.domain.clocks import days_off_rule, stops_for_vacations
from bot.domain.days_off import DaysOffRule
from bot.domain.ids import UserId
from bot.features.cups.drafts import CupDraft
from bot.features.cups.formats import MAX_ENTRANTS, CupFormat
from bot.features.cups.ids import (
    CupCancelId,
    CupJoinId,
    CupLeaveId,
    CupMineId,
    CupRemoveId,
    CupStartId,
    CupStatusId,
    CupWithdrawId,
)
from bot.features.cups.listings import OpenMatch
from bot.features.cups.results_view import results
from bot.features.cups.rows import Cup, CupStatus, PairingStatus, StoredEntrant
from bot.features.cups.season_view import (
    MAX_ALL_YEAR_LINES,
    MAX_YEAR_LINES,
    season_lines,
    unconfirmed,
    year_lines,
)
from bot.features.cups.standings_view import (
    alt_text,
    decided_ties,
    name_of,
    plain_name,
    table_lines,
)
from bot.sanitize import escape
from bot.views import ui
from bot.views.choices import Menu
from bot.views.confirmations import confirmation
from bot.views.controls import button, menu_of
from bot.views.invitations import terms
from bot.views.links import link_to
from bot.views.message import COLOUR, PAGE_LIMIT, Message, gallery, layout_of, note
from engine import games
from render.i18n import N_, _, format_list, ngettext, truncate

STANDINGS_FILE = "standings.png"

FORMATS: Mapping[CupFormat, str] = {
    CupFormat.ROUND_ROBIN: N_("Round robin"),
    CupFormat.KNOCK_OUT: N_("Knockout"),
    CupFormat.GROUPS: N_("Groups of three"),
}
"""Format → name."""

_ABOUT_FORMATS = {
    CupFormat.ROUND_ROBIN: N_("Round robin: each player meets each other player once."),
    CupFormat.KNOCK_OUT: N_("Knockout: the winner of a match advances."),
    CupFormat.GROUPS: N_("Groups of three: three matches for each player, each with two others."),
}

_TIE_BREAKS = N_(
    "Players with equal points are ranked by their matches against each other; then by the points "
    "of the opponents they beat or drew with (Sonneborn-Berger), wins, fewer forfeits, and a "
    "random draw."
)

_TIE_BREAK = N_(
    "At equal points, the winner of their match is ahead; *Details* has the other tie-breaks."
)

_REPLAYS = N_(
    "A drawn match is played again with other sides; after a second draw, chance decides."
)

DAYS_OFF = {
    DaysOffRule.WEEKENDS: N_("the weekend"),
    DaysOffRule.OWN: N_("each player's own, from /settings"),
}
"""Rules for days off that an organiser can choose."""

NO_DAYS_OFF = N_("Its clocks run on every day of the week.")

NO_VACATIONS = N_("Its clocks don't stop while you're on vacation.")

MENU_LABEL_LIMIT = 100
"""Maximum length of an entry of a list, by Discord."""

MAX_OPEN_SHOWN, MAX_RESULTS_SHOWN = 16, 4
"""Maximum number of open pairings, and of latest results, in a post; *Details* has all results."""


def post(cup: Cup, open_matches: Mapping[int, OpenMatch], drawn: bytes | None) -> Message:
    """Return the post of a cup, which is kept up to date.

    Args:
        drawn: the picture of its standings; None before the start.
    """
    most = Most(PAGE_LIMIT, MAX_RESULTS_SHOWN, MAX_YEAR_LINES)
    page = _page(cup, open_matches, drawn, most)
    return page._replace(pings=tuple(unconfirmed(cup)))


class Most(NamedTuple):
    """The most that a page of a cup has: characters, latest results, players of a year."""

    characters: int
    results: int
    year_lines: int


def _page(
    cup: Cup, open_matches: Mapping[int, OpenMatch], drawn: bytes | None, most: Most
) -> Message:
    """Return a post; its end is cut off if it does not fit."""
    limit = most.characters
    head = truncate("\n".join(_head(cup)), limit)
    items: list[ui.Item] = [ui.TextDisplay(head)]
    limit -= len(head)
    files: tuple[discord.File, ...] = ()
    if drawn is not None:
        files = (discord.File(io.BytesIO(drawn), STANDINGS_FILE, description=alt_text(cup)),)
        items.append(gallery(files[0]))
        table = "\n".join((*table_lines(cup), *decided_ties(cup)))
        items.append(ui.TextDisplay(table))
        limit -= len(table)
    if year := "\n".join(year_lines(cup, most.year_lines)):
        items.append(ui.TextDisplay(truncate(year, limit)))
        limit -= len(year)
    if cup.row.status == CupStatus.RUNNING:
        progress = _progress(cup, open_matches, most.results)
        items.append(ui.TextDisplay(_fitting(progress, limit)))
    elif cup.decided:
        items.append(ui.TextDisplay(_fitting(results(cup, most.results), limit)))
    if buttons := _buttons(cup):
        items.append(ui.ActionRow(*buttons))
    return Message(layout_of(ui.Container(*items, accent_colour=COLOUR)), files)


def status(
    cup: Cup, open_matches: Mapping[int, OpenMatch], drawn: bytes | None, *, organises: bool = False
) -> Message:
    """Return all about a cup, in private: see `post`, with all its rules.

    Args:
        drawn: the picture of its standings; None before the start.
        organises: whether the reader can withdraw other players, and cancel the cup.
    """
    rules = "\n".join((*_rules(cup), *(_former_members(cup) if organises else ())))
    most = Most(PAGE_LIMIT - len(rules), len(cup.pairings), MAX_ALL_YEAR_LINES)
    page = _page(cup, open_matches, drawn, most)
    rows = _organising(cup) if organises else []
    return Message(layout_of(*page.layout.children, ui.TextDisplay(rules), *rows), page.files)


def _organising(cup: Cup) -> list[ui.Item]:
    """Return the list and the button of organisers, while the cup is not over."""
    if cup.row.status not in (CupStatus.SIGN_UP, CupStatus.RUNNING):
        return []
    entries = [
        (str(entrant.user_id), truncate(_label(entrant), MENU_LABEL_LIMIT))
        for entrant in cup.active
        if entrant.is_person
    ]
    cancel = button(_("Cancel the cup…"), CupCancelId(cup.row.id), discord.ButtonStyle.danger)
    menu = Menu(_("Withdraw a player …"), tuple(entries))
    lists = [menu_of(CupRemoveId(cup.row.id), menu)] if entries else []
    return [*lists, ui.ActionRow(cancel)]


def _label(entrant: StoredEntrant) -> str:
    """Return a player's label in a list, different for each player who has left the server."""
    return f"{plain_name(entrant)} ({entrant.number})" if entrant.has_left else entrant.name


def started(cup: Cup) -> Message:
    """Announce that a cup has begun."""
    present = [
        entrant.user_id for entrant in cup.active if entrant.is_person and not entrant.has_left
    ]
    names = format_list([f"<@{user_id}>" for user_id in present])
    words = _("The cup **{cup}** has begun: {players}. Good luck! {link}")
    text = words.format(cup=escape(cup.row.name), players=names, link=_link(cup))
    return note(text)._replace(pings=tuple(present), informs=True)


def ended(cup: Cup) -> Message:
    """Announce the winner of a cup, or that it was cancelled."""
    name = escape(cup.row.name)
    if cup.row.status == CupStatus.CANCELLED:
        words = _("The cup **{cup}** was cancelled. {link}")
        if cup.row.started_at is None:
            words = _("The cup **{cup}** doesn't take place. {link}")
            if cup.row.league_id is not None:
                words = _("The season **{cup}** doesn't take place, and no other follows. {link}")
        return note(words.format(cup=name, link=_link(cup)))
    winner = cup.winner
    if winner is None:
        return note(
            _("The cup **{cup}** is over, without a winner. {link}").format(
                cup=name, link=_link(cup)
            )
        )
    words = _("{winner} wins the cup **{cup}**. Congratulations! {link}")
    is_member = winner.is_person and not winner.has_left
    mention = f"<@{winner.user_id}>" if is_member else name_of(winner)
    text = words.format(winner=mention, cup=name, link=_link(cup))
    return note(text)._replace(pings=(winner.user_id,) if is_member else ())


def ask_withdrawal(cup: Cup, user_id: UserId, *, is_self: bool) -> Message:
    """Ask a player, or the organiser, to confirm the withdrawal of a player.

    Args:
        cup: the running cup.
        is_self: whether this player is asked.
    """
    entrant = cup.entrant_of(user_id)
    undecided = sum(
        pairing.status != PairingStatus.DONE
        and entrant is not None
        and entrant.number in pairing.known
        for pairing in cup.pairings
    )
    words = (_withdrawal if is_self else _withdrawal_by_organiser)(undecided)
    name = name_of(entrant) if entrant else ""
    text = words.format(player=name, cup=escape(cup.row.name), count=undecided)
    return confirmation(text, _("Withdraw"), CupWithdrawId(cup.row.id, user_id))


def ask_cancelling(cup: Cup) -> Message:
    """Ask the organiser to confirm that a cup is cancelled."""
    words = _("Cancel **{cup}**? Matches that have begun go on, but count for no cup.")
    text = words.format(cup=escape(cup.row.name))
    if cup.season and cup.season.group_count > 1:
        text += " " + _("The season's other groups go on; no further season opens after it.")
    elif cup.row.league_id is not None:
        text += " " + _("No further season opens after it.")
    return confirmation(text, _("Cancel the cup"), CupCancelId(cup.row.id, confirmed=1))


def _withdrawal(undecided: int) -> str:
    return ngettext(
        "Withdraw from **{cup}**? This forfeits {count} unfinished match and can't be "
        "undone. `/cup replace` offers your place to a substitute instead.",
        "Withdraw from **{cup}**? This forfeits {count} unfinished matches and can't "
        "be undone. `/cup replace` offers your place to a substitute instead.",
        undecided,
    )


def _withdrawal_by_organiser(undecided: int) -> str:
    return ngettext(
        "Withdraw {player} from **{cup}**? This forfeits {count} unfinished match and "
        "can't be undone. `/cup replace` offers the place to a substitute instead.",
        "Withdraw {player} from **{cup}**? This forfeits {count} unfinished matches "
        "and can't be undone. `/cup replace` offers the place to a substitute instead.",
        undecided,
    )


def own_matches(cup: Cup, entrant: StoredEntrant, places: Mapping[int, OpenMatch]) -> Message:
    """Return links to a player's matches in progress in a cup.

    A match that another player of the same place began is continued by that player.
    """
    of_place = [pairing for pairing in cup.running if entrant.number in pairing.seated]
    playing = {number for number, place in places.items() if entrant.user_id in place.user_ids}
    mine = [pairing for pairing in of_place if pairing.match_id in playing]
    waiting = sum(
        pairing.status == PairingStatus.WAITING and entrant.number in pairing.known
        for pairing in cup.pairings
    )
    buttons: list[ui.Button] = []
    for pairing in mine:
        others = [number for number in pairing.seated if number != entrant.number]
        label = truncate(" – ".join(plain_name(cup.by_number[n]) for n in others), 80)
        buttons.append(ui.Button(label=label, url=_url(cup, places[pairing.match_id or 0])))
    lines = [_("Your matches in **{cup}**:").format(cup=escape(cup.row.name))]
    if not mine:
        lines = [_("You have no match in **{cup}** right now.").format(cup=escape(cup.row.name))]
    if mine != of_place:
        lines.append(_("-# The player whose place you took over is finishing a match."))
    if waiting:
        more = ngettext(
            "-# {count} more starts automatically.", "-# {count} more start automatically.", waiting
        )
        lines.append(more.format(count=waiting))
    row = [ui.ActionRow(*buttons)] if buttons else []
    return note("\n".join(lines), *row)


def joined(cup: Cup) -> Message:
    """Confirm that a player has joined."""
    words = _("You're in: **{cup}**. Your matches start automatically with it.")
    text = words.format(cup=escape(cup.row.name))
    return note(text if stops_for_vacations(cup.row.clock) else f"{text} {_(NO_VACATIONS)}")


def created(cup_id: int, draft: CupDraft, zone: tzinfo) -> Message:
    """Confirm that a cup was created, with its dates as they were understood.

    Args:
        zone: the time zone that the organiser's dates were read in.
    """
    words = _("The sign-up for **{cup}** is open; its post appears here in a moment.")
    lines = [words.format(cup=escape(draft.name))]
    if draft.starts_at:
        lines.append(_starts(draft.starts_at))
    if draft.ends_at:
        lines.append(_last_day(draft.ends_at))
    if draft.starts_at or draft.ends_at:
        about = _("-# I read dates in your time zone, {zone}; `/settings zone:` changes it.")
        lines.append(about.format(zone=zone))
    join = button(_("Join it yourself"), CupJoinId(cup_id), discord.ButtonStyle.success)
    return note("\n".join(lines), ui.ActionRow(join))


def refused(cup: Cup) -> Message:
    """Return the notice to the organiser that Discord refuses the messages of a cup."""
    words = _(
        "**{cup}**: Discord refused my message in {channel}, so the post or an announcement of this"
        " cup is missing. Until that is fixed, `/cup status` on the server shows the cup with its"
        " buttons. *Check this server* in `/server` gives its managers the reason."
    )
    text = words.format(cup=escape(cup.row.name), channel=f"<#{cup.row.channel_id}>")
    return note(text)._replace(pings=(cup.row.organiser_id,))


def _head(cup: Cup) -> Iterator[str]:
    """Yield the name, terms and state of a cup."""
    row, game = cup.row, games.get(cup.row.game)
    yield f"### {_('Cup: {cup}').format(cup=escape(row.name))}"
    if row.status == CupStatus.FINISHED:
        winner = cup.winner
        yield (
            _("**{winner} wins!**").format(winner=name_of(winner))
            if winner
            else _("This cup is over, without a winner.")
        )
    if row.status == CupStatus.CANCELLED:
        yield _("This cup was cancelled; its matches count for no cup.")
    yield f"{game.title} · {_(_ABOUT_FORMATS[row.format])}"
    if row.status in (CupStatus.FINISHED, CupStatus.CANCELLED):
        return
    yield from terms(row.game, row.rules, row.options, row.clock, (1, 1))
    if row.rounds > 1:
        words = ngettext(
            "Each result comes from a series of {count} match.",
            "Each result comes from a series of {count} matches.",
            row.rounds,
        )
        yield words.format(count=row.rounds)
    if row.rated:
        yield _("Rated: all its matches change ratings.")
    yield from season_lines(cup)
    if row.status == CupStatus.SIGN_UP:
        yield from _sign_up(cup)
    elif row.ends_at:
        yield _last_day(row.ends_at)


def _sign_up(cup: Cup) -> Iterator[str]:
    row = cup.row
    names = format_list([name_of(entrant) for entrant in cup.confirmed]) or _("none yet")
    count = len(cup.confirmed)
    yield _("**Players ({number} of {most}):** {players}").format(
        number=count, most=MAX_ENTRANTS, players=names
    )
    if row.starts_at:
        yield _starts(row.starts_at)
    else:
        yield _("The organiser starts it, with at least 3 players.")
    if row.ends_at:
        yield _last_day(row.ends_at)
    open_at_once = ngettext(
        "at most {count} per player at a time",
        "at most {count} per player at a time",
        row.max_open,
    ).format(count=row.max_open)
    yield _(
        "-# By joining you agree to all your matches of this cup. They start automatically, "
        "{limit}."
    ).format(limit=open_at_once)
    if days_off_rule(row.clock) == DaysOffRule.NONE:
        yield f"-# {_(NO_DAYS_OFF)}"
    if not stops_for_vacations(row.clock):
        yield f"-# {_(NO_VACATIONS)}"
    yield f"-# {_(_REPLAYS if cup.row.format == CupFormat.KNOCK_OUT else _TIE_BREAK)}"


def _starts(starts_at: float) -> str:
    return _("It starts {time}.").format(time=f"<t:{int(starts_at)}:F>")


def _last_day(ends_at: float) -> str:
    words = _("All matches end by {time}; players still to move then lose.")
    return words.format(time=f"<t:{int(ends_at)}:F>")


def _rules(cup: Cup) -> Iterator[str]:
    """Yield the lines about rules."""
    yield _("**What counts**")
    yield f"- {_(_REPLAYS if cup.row.format == CupFormat.KNOCK_OUT else _TIE_BREAKS)}"
    if cup.row.format == CupFormat.ROUND_ROBIN:
        yield _(
            "- If a player withdraws before half of their matches were played, none of them counts."
        )
    yield _("- A player who withdraws loses all further matches, and is listed last.")
    yield _("- A player who is out of time for a day loses the match.")
    yield _("- A match that all players agree to end counts as a draw.")
    if cup.row.status != CupStatus.SIGN_UP:
        yield _("-# Random draws follow from {seed}.").format(seed=f"`{cup.row.seed}`")


def _former_members(cup: Cup) -> Iterator[str]:
    """Yield a line for each player who has left the server, for the organiser."""
    for entrant in cup.active:
        if entrant.has_left and cup.row.status == CupStatus.RUNNING:
            yield _(
                "{player} has left this server: the list below withdraws them, and `/cup replace` "
                "offers the place to another member."
            ).format(player=f"<@{entrant.user_id}>")


def _progress(cup: Cup, places: Mapping[int, OpenMatch], most: int) -> Iterator[str]:
    """Yield the open pairings, the latest results and places that are offered."""
    total, done = len(cup.pairings), len(cup.decided)
    yield _("**{done} of {total} matches are decided.** Now playing:").format(
        done=done, total=total
    )
    running = cup.running
    for pairing in running[:MAX_OPEN_SHOWN]:
        names = " – ".join(name_of(cup.by_number[number]) for number in pairing.seated)
        place = places.get(pairing.match_id or 0)
        players = f"[{names}]({_url(cup, place)})" if place else names
        yield _("- Round {number}: {players}").format(number=pairing.round, players=players)
    if more := len(running[MAX_OPEN_SHOWN:]):
        yield ngettext("-# and {count} more match", "-# and {count} more matches", more).format(
            count=more
        )
    yield from results(cup, most)
    for entrant in cup.active:
        if entrant.substitute_id:
            yield _("{player} is looking for a substitute: <@{user}> can take over.").format(
                player=name_of(entrant), user=entrant.substitute_id
            )


def _fitting(lines: Iterator[str], limit: int) -> str:
    """Return as many lines as fit."""
    kept: list[str] = []
    for line in lines:
        limit -= len(line) + 1
        if limit < 0:
            break
        kept.append(line)
    return "\n".join(kept) or "…"


def _buttons(cup: Cup) -> Sequence[ui.Button]:
    """Return the buttons of a cup's post; a new one has an id in `ids`, a handler in `commands`."""
    number, state = cup.row.id, cup.row.status
    details = button(_("Details"), CupStatusId(number))
    if state == CupStatus.SIGN_UP:
        join = button(_("Join"), CupJoinId(number), discord.ButtonStyle.success)
        leave = button(_("Leave"), CupLeaveId(number))
        return join, leave, button(_("Start"), CupStartId(number)), details
    if state == CupStatus.RUNNING:
        mine = button(_("My matches"), CupMineId(number), discord.ButtonStyle.primary)
        is_offered = any(entrant.substitute_id for entrant in cup.active)
        take = [button(_("Take over"), CupJoinId(number), discord.ButtonStyle.success)]
        return (
            mine,
            details,
            button(_("Withdraw"), CupLeaveId(number)),
            *(take if is_offered else ()),
        )
    return (details,) if state == CupStatus.FINISHED else ()


def _link(cup: Cup) -> str:
    row = cup.row
    place = (row.channel_id, row.message_id) if row.message_id else (row.channel_id,)
    return link_to(row.guild_id, *place)


def _url(cup: Cup, place: OpenMatch) -> str:
    message = (place.message_id,) if place.message_id else ()
    return link_to(cup.row.guild_id, place.channel_id, *message)
