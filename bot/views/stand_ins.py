"""Lines and buttons about stand-ins by the computer."""

from __future__ import annotations

from collections.abc import Iterable

from bot.domain.computer_players import COMPUTER_NAMES, STAND_IN_LEVEL
from bot.domain.models import Match
from bot.services.stand_ins import voters
from bot.views import ui
from bot.views.controls import button
from bot.views.custom_ids import ComeBackId, StandInId
from bot.views.names import escaped_names
from bot.views.ratings import is_rated
from render.i18n import _, format_list


def offers(match: Match, playing: str, replaceable: str) -> dict[str, str]:
    """Return the seats that the computer could stand in for, with its level.

    Args:
        match: a match in progress.
        replaceable: the seats of players who need not agree to it, because they are not there.
    """
    levels = dict.fromkeys(replaceable, STAND_IN_LEVEL) | dict(match.stand_ins)
    return {
        seat: level
        for seat, level in levels.items()
        if seat in playing and seat in match.acting_people and voters(match.players, playing, seat)
    }


def stand_ins(match: Match, offered: dict[str, str]) -> str:
    """Return lines about present and possible stand-ins, and the consents so far."""
    names, lines = escaped_names(match), list[str]()
    for seat, player in match.people.items():
        if not player.decides_itself:
            text = _("-# {computer} is playing for {name} until they're back.")
            lines.append(text.format(computer=_(COMPUTER_NAMES[player.level]), name=names[seat]))
    for seat, level in offered.items():
        text = _("-# {computer} can play for {name} if all other players agree.")
        if agreed := [names[voter] for voter in match.agreed_by.get(seat, "")]:
            text = _("-# {computer} can play for {name} if all agree. Agreed so far: {players}.")
        words = {"computer": _(COMPUTER_NAMES[level]), "players": format_list(agreed)}
        lines.append(text.format(name=names[seat], **words))
    if offered and is_rated(match):
        lines.append(_("-# Once the computer plays for someone, the result won't change ratings."))
    return "".join(f"\n{line}" for line in lines)


def stand_in_buttons(match: Match, offered: dict[str, str]) -> list[ui.Button]:
    """Return the buttons to agree to stand-ins for others."""
    names = match.names
    return [
        button(_("Let the computer play for {name}").format(name=names[s]), StandInId(match.id, s))
        for s in offered
    ]


def come_back_buttons(match: Match, seats: Iterable[str]) -> list[ui.Button]:
    """Return the button for a player to decide again, if the computer plays for a seat."""
    replaced = [seat for seat in seats if not match.players[seat].decides_itself]
    return [button(_("I'm back"), ComeBackId(match.id))] if replaced else []
