"""The leaderboards of a server."""

from __future__ import annotations

from collections.abc import Sequence

from bot.domain.clocks import DAY
from bot.domain.ids import UserId
from bot.domain.pools import pool_title
from bot.features.leaderboards.ids import LeaderboardId, ListMeId
from bot.features.leaderboards.pools import pool_list
from bot.features.leaderboards.service import ACTIVE_SECONDS, LeaderboardPlace
from bot.sanitize import escape
from bot.views import ui
from bot.views.controls import button
from bot.views.custom_ids import GapId
from bot.views.message import COLOUR, Message, layout_of
from render.i18n import _, ngettext

PAGE_SIZE = 10
"""Number of players on a page."""


def page_count(places: Sequence[LeaderboardPlace]) -> int:
    """Return the number of pages."""
    return max(1, -(-len(places) // PAGE_SIZE))


def on_page(places: Sequence[LeaderboardPlace], page: int) -> Sequence[LeaderboardPlace]:
    """Return the players on a page, from 0."""
    return places[page * PAGE_SIZE : (page + 1) * PAGE_SIZE]


def leaderboard(
    pool: str,
    places: Sequence[LeaderboardPlace],
    page: int,
    user_id: UserId,
    *,
    listed: bool,
    unchecked: Sequence[UserId] = (),
) -> Message:
    """Return a page of a leaderboard.

    Args:
        places: all players on it.
        page: number of the page, from 0.
        listed: whether the reader wants to be listed on this server.
        unchecked: user IDs of players who are left out, because they may have left the server.
    """
    title = _("## Leaderboard of this server: {pool}").format(pool=pool_title(pool))
    visible = [place for place in on_page(places, page) if place.user_id not in unchecked]
    items: list[ui.Item] = [ui.TextDisplay(title), ui.TextDisplay(_table(visible, user_id))]
    if page_count(places) > 1:
        items.append(_turning(pool, page, page_count(places)))
    items.append(ui.TextDisplay("\n".join(_notes(places, user_id, listed, len(unchecked)))))
    items.append(ui.ActionRow(pool_list(LeaderboardId(0, ""), pool)))
    label = (
        _("Remove me from this server's leaderboards") if listed else _("List me on this server")
    )
    items.append(ui.ActionRow(button(label, ListMeId(0 if listed else 1, pool))))
    return Message(layout_of(ui.Container(*items, accent_colour=COLOUR)))


def _table(places: Sequence[LeaderboardPlace], user_id: UserId) -> str:
    """Return the lines of a page: provisional ratings have a separate heading."""
    lines = [_line(place, user_id) for place in places if place.number]
    provisional = [_line(place, user_id) for place in places if not place.number]
    if provisional:
        lines += [_("**Provisional**: no rank yet, too few results:"), *provisional]
    return "\n".join(lines) or _("No one is listed here yet.")


def _line(place: LeaderboardPlace, user_id: UserId) -> str:
    words = ngettext(
        "{name}: **{rating}** ({count} result, the last {time})",
        "{name}: **{rating}** ({count} results, the last {time})",
        place.results,
    )
    name = escape(place.name)
    line = words.format(
        name=f"**{name}**" if place.user_id == user_id else name,
        rating=place.rating.number,
        count=place.results,
        time=f"<t:{int(place.last_at)}:R>",
    )
    return f"{place.number}\\. {line}" if place.number else f"- {line}"


def _notes(
    places: Sequence[LeaderboardPlace], user_id: UserId, listed: bool, unchecked: int
) -> list[str]:
    """Return the reader's own place, and who is shown."""
    reader_place = next((place for place in places if place.user_id == user_id), None)
    notes = list[str]()
    if reader_place and reader_place.number:
        notes.append(_("Your place: **{place}**").format(place=reader_place.number))
    elif reader_place:
        notes.append(_("Your rating is provisional, so you have no place yet."))
    elif listed:
        notes.append(_("You are listed, but have no result here in the last half year."))
    if unchecked:
        words = ngettext(
            "-# {count} player is left out: I couldn't check whether they are still here.",
            "-# {count} players are left out: I couldn't check whether they are still here.",
            unchecked,
        )
        notes.append(words.format(count=unchecked))
    days = round(ACTIVE_SECONDS / DAY)
    words = ngettext(
        "-# Members choose to be listed; after {count} day without a rated match they drop off.",
        "-# Members choose to be listed; after {count} days without a rated match they drop off.",
        days,
    )
    return [*notes, words.format(count=days)]


def _turning(pool: str, page: int, pages: int) -> ui.ActionRow:
    """Return buttons to the pages before and after this one, and its number between them."""
    label = _("Page {number} of {total}").format(number=page + 1, total=pages)
    number = button(label, GapId("leaders", page, 0, 0))
    number.disabled = True
    before, after = (
        button("◀", LeaderboardId(max(0, page - 1), pool)),
        button("▶", LeaderboardId(page + 1, pool)),
    )
    before.disabled, after.disabled = page == 0, page + 1 == pages
    return ui.ActionRow(before, number, after)
