"""Players who no longer decide: the texts and buttons for the others."""

from __future__ import annotations

from collections.abc import Sequence

import discord

from bot.domain.clocks import DAY
from bot.domain.models import Match
from bot.domain.waiting import NOTICE_SECONDS
from bot.views import ui
from bot.views.confirmations import cancel_button
from bot.views.controls import button
from bot.views.custom_ids import AbandonId, NoticeId
from bot.views.links import masked_link
from bot.views.message import Message, note
from bot.views.names import escaped_names, title_of
from render.i18n import _, format_list

NOTICE_DAYS = round(NOTICE_SECONDS / DAY)


def lines(match: Match, endable: str, playing: str) -> str:
    """Return lines about notices, and about players who can be given one.

    Args:
        match: a match in progress.
    """
    names, text = escaped_names(match), ""
    for seat in match.notices:
        text += f"\n**{_after_notice(match, seat, playing)}**"
    for seat in endable:
        words = _("-# {name} hasn't moved since {date}. The others can end this match.")
        if len(playing) > 2:
            words = _("-# {name} hasn't moved since {date}. The others can play on alone.")
        date = f"<t:{int(match.waits_since[seat])}:D>"
        text += f"\n{words.format(name=names[seat], date=date)}"
    return text


def _after_notice(match: Match, seat: str, playing: str) -> str:
    """Return the consequence for a player who lets the last notice pass."""
    words = _("Unless {name} moves by {time}, this match ends without a result.")
    if len(playing) > 2:
        words = _("Unless {name} moves by {time}, {name} is out of this match.")
    time = f"<t:{int(match.notices[seat])}:f>"
    return words.format(name=escaped_names(match)[seat], time=time)


def buttons(match: Match, endable: str) -> list[ui.Button]:
    """Return the button for continuing without players who do not decide."""
    if not endable:
        return []
    label = _("Stop waiting for {name}…").format(name=match.names[endable[0]])
    return [button(label, AbandonId(match.id))]


def question(match: Match, seat: str, playing: str) -> Message:
    """Ask whether to give a silent player notice, or to propose the end of the match."""
    text = _(
        "Give {name} {days} days' notice in {match}? Any move by {name} cancels it. Otherwise the "
        "match then ends without a result."
    )
    if len(playing) > 2:
        text = _(
            "Give {name} {days} days' notice in {match}? Any move by {name} cancels it. Otherwise "
            "{name} is then out, and the rest of you play on."
        )
    text = text.format(name=escaped_names(match)[seat], days=NOTICE_DAYS, match=title_of(match))
    confirm = button(
        _("Give notice"), NoticeId(match.id, seat, match.version), discord.ButtonStyle.danger
    )
    ask = button(_("Ask to end it"), AbandonId(match.id, match.version))
    return note(text, ui.ActionRow(confirm, ask, cancel_button()))


def notice(match: Match, seat: str, playing: str) -> Message:
    """Return the last notice to a player who does not decide."""
    text = _("⏳ {player}: the others in {match} have waited since {date}. {ending}").format(
        player=f"<@{match.people[seat].user_id}>",
        match=masked_link(match),
        date=f"<t:{int(match.waits_since[seat])}:D>",
        ending=_after_notice(match, seat, playing),
    )
    pings = [player.user_id for s, player in match.acting_people.items() if s in playing]
    return note(text)._replace(pings=tuple(pings))


def void(match: Match, seats: Sequence[str]) -> Message:
    """Return the message that the last notice to some players no longer holds."""
    names = escaped_names(match)
    text = _("▶️ {match} goes on: the last notice to {names} is void.")
    players = format_list([names[seat] for seat in seats])
    return note(text.format(match=masked_link(match), names=players))


def notice_lines(match: Match) -> str:
    """Return a line for each last notice that has not ended."""
    words, names = _("-# Last notice to {name}, until {time}"), escaped_names(match)
    return "".join(
        f"\n{words.format(name=names[seat], time=f'<t:{int(at)}:f>')}"
        for seat, at in match.notices.items()
    )
