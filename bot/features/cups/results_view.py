"""Results in cups, in words."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from bot.features.cups.rows import Cup, StoredPairing
from bot.features.cups.standings import PairingReason
from bot.features.cups.standings_view import name_of
from render.i18n import N_, _, format_list

REASONS: Mapping[PairingReason, str] = {
    PairingReason.PLAYED: N_("{winner} won against {others}."),
    PairingReason.RESIGNED: N_("{winner} won against {others}, by resignation."),
    PairingReason.TIME: N_("{winner} won against {others}, on time."),
    PairingReason.AGREED: N_("{others} ended their match by agreement: it counts as a draw."),
    PairingReason.WITHDRAWN: N_("{winner} wins: {others} withdrew."),
    PairingReason.LOT: N_("{winner} advances ahead of {others}, by random draw."),
    PairingReason.LATE: N_("{winner} won against {others}, whose move it was on the last day."),
    PairingReason.VOID: N_("{others}: this match doesn't count."),
}
"""Reason → sentence about a decided pairing."""

_DRAWN = N_("{others} drew.")


def results(cup: Cup, most: int) -> Iterator[str]:
    """Yield at most `most` latest results that count, and the players who withdrew early."""
    annulled = cup.annulled
    counted = [pairing for pairing in cup.decided if not annulled.intersection(pairing.known)]
    latest = sorted(counted, key=lambda pairing: (pairing.ended_at or 0.0, pairing.round))
    for pairing in latest[-most:]:
        yield f"-# {result_sentence(cup, pairing)}"
    for number in sorted(annulled):
        words = _("{player} withdrew early: their matches don't count.")
        yield f"-# {words.format(player=name_of(cup.by_number[number]))}"


def result_sentence(cup: Cup, pairing: StoredPairing) -> str:
    """Return a sentence about the result of a pairing."""
    reason = pairing.reason or PairingReason.PLAYED
    winners = [name_of(cup.by_number[number]) for number in pairing.winners]
    opponents = [n for n in pairing.known if len(winners) > 1 or n not in pairing.winners]
    others = format_list([name_of(cup.by_number[number]) for number in opponents])
    words = REASONS[reason]
    if len(winners) > 1 and reason != PairingReason.AGREED:
        words = _DRAWN
    elif not others:
        others = _("no opponent")
    return _(words).format(winner="".join(winners[:1]), others=others)
