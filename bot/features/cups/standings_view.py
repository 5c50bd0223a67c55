"""The standings of cups as a picture, as alt text and as lines of text."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise

from bot.features.cups.formats import NO_ONE, CupFormat
from bot.features.cups.rows import Cup, CupStatus, PairingStatus, StoredEntrant, StoredPairing
from bot.features.cups.standings import Line, PairingReason, TieBreak, deciding
from bot.sanitize import escape
from render.charts import Bracket, Mark, Slot, Table, TableRow
from render.i18n import N_, _, format_list, ngettext, truncate
from render.renderer import MAX_ALT_CHARACTERS

_TIE_BREAKS = {
    TieBreak.DIRECT: N_("their matches against each other"),
    TieBreak.SONNEBORN: N_("the points of beaten opponents (Sonneborn-Berger)"),
    TieBreak.WINS: N_("more wins"),
    TieBreak.FORFEITS: N_("fewer forfeits"),
    TieBreak.LOT: N_("a random draw"),
}

_FRACTIONS = {
    Fraction(1, 2): "½",
    Fraction(1, 3): " 1/3",
    Fraction(2, 3): " 2/3",
}


def picture_of(cup: Cup) -> Table | Bracket:
    """Return the content of a cup's picture."""
    if cup.row.format == CupFormat.KNOCK_OUT:
        return _bracket(cup)
    winner = cup.winner
    rows = [
        TableRow(
            place=str(line.place),
            name=plain_name(cup.by_number[line.number]),
            points=points(line.points),
            marks=_marks(cup, line.number),
            first=winner is not None and winner.number == line.number,
            out=line.withdrawn,
        )
        for line in cup.standings()
    ]
    return Table(cup.row.name, rows)


def _marks(cup: Cup, number: int) -> list[Mark]:
    """Return the results of a player that count."""
    out, marks = cup.annulled, list[Mark]()
    for pairing in cup.decided:
        if (
            number not in pairing.known
            or out & set(pairing.known)
            or pairing.reason == PairingReason.VOID
        ):
            continue
        if number not in pairing.winners:
            marks.append(Mark.FORFEIT if number in pairing.forfeits else Mark.LOST)
        else:
            marks.append(Mark.WON if len(pairing.winners) == 1 else Mark.DRAWN)
    return marks


def _bracket(cup: Cup) -> Bracket:
    """Return the bracket of a knockout; players with a bye appear in the second round."""
    places = {(pairing.round, pairing.place): pairing for pairing in cup.pairings}
    last = max(pairing.round for pairing in cup.pairings)
    rounds = []
    for number in range(1, last + 1):
        pairs = []
        for place in range(2 ** (last - number)):
            pairing = places.get((number, place))
            if pairing is None:
                after = places[number + 1, place // 2]
                bye = after.numbers[place % 2]
                pairs.append((_slot(cup, bye, won=True), Slot()))
            else:
                first, second = (_slot_of(cup, pairing, n) for n in pairing.numbers)
                pairs.append((first, second))
        rounds.append(pairs)
    winner = cup.winner
    return Bracket(cup.row.name, rounds, plain_name(winner) if winner else "")


def _slot_of(cup: Cup, pairing: StoredPairing, number: int | None) -> Slot:
    done = pairing.status == PairingStatus.DONE
    return _slot(cup, number, won=number in pairing.winners if done else None)


def _slot(cup: Cup, number: int | None, *, won: bool | None) -> Slot:
    if number is None:
        return Slot()
    if number == NO_ONE:
        return Slot("–", won=False)
    return Slot(plain_name(cup.by_number[number]), won)


def alt_text(cup: Cup) -> str:
    """Return the alt text of the picture."""
    head = _("Standings of {cup}:").format(cup=cup.row.name)
    lines = [line.replace("**", "").replace("\\", "") for line in table_lines(cup)]
    return truncate("\n".join((head, *lines)), MAX_ALT_CHARACTERS)


def table_lines(cup: Cup) -> list[str]:
    """Return the standings as text, one line for each player."""
    winner = cup.winner
    lines = []
    for line in cup.standings():
        name = name_of(cup.by_number[line.number])
        player = f"**{name}**" if winner and winner.number == line.number else name
        if cup.row.format == CupFormat.KNOCK_OUT:
            words = _("{place}. {player}: {state}")
            state = _knock_out_state(cup, line)
        else:
            words = _("{place}. {player}: **{points}** ({state})")
            state = _tally(line)
        lines.append(
            words.format(place=line.place, player=player, points=points(line.points), state=state)
        )
    return lines


def decided_ties(cup: Cup) -> list[str]:
    """Return a sentence for each two neighbours with equal points in the final standings."""
    if cup.row.status != CupStatus.FINISHED or cup.row.format == CupFormat.KNOCK_OUT:
        return []
    words, sentences = _("-# {first} is ahead of {second} by {tie_break}."), []
    for first, second in pairwise(cup.standings()):
        if (tie_break := deciding(first, second)) is not None:
            names = [name_of(cup.by_number[line.number]) for line in (first, second)]
            reason = _(_TIE_BREAKS[tie_break])
            sentences.append(words.format(first=names[0], second=names[1], tie_break=reason))
    return sentences


def _tally(line: Line) -> str:
    parts = [
        ngettext("{count} won", "{count} won", line.wins).format(count=line.wins),
        ngettext("{count} drawn", "{count} drawn", line.draws).format(count=line.draws),
        ngettext("{count} lost", "{count} lost", line.losses).format(count=line.losses),
    ]
    if line.forfeits:
        words = ngettext("{count} by forfeit", "{count} by forfeit", line.forfeits)
        parts.append(words.format(count=line.forfeits))
    if line.withdrawn:
        parts.append(_("withdrawn"))
    return format_list(parts, style="commas")


def _knock_out_state(cup: Cup, line: Line) -> str:
    """Return a player's progress in a knockout, in a few words."""
    if cup.winner and cup.winner.number == line.number:
        return _("the winner")
    lost = next(
        (
            pairing
            for pairing in cup.decided
            if line.number in pairing.known and line.number not in pairing.winners
        ),
        None,
    )
    if lost is None:
        return _("still in")
    return _("out in round {number}").format(number=lost.round)


def points(number: Fraction) -> str:
    """Return points as players read them.

    Example:
        >>> points(Fraction(5, 2)), points(Fraction(1, 2)), points(Fraction(4, 3))
        ('2½', '½', '1 1/3')
    """
    whole, fraction = divmod(number, 1)
    part = _FRACTIONS.get(fraction, "")
    return (f"{whole}{part}" if whole or not part else part).strip()


def plain_name(entrant: StoredEntrant) -> str:
    """Return a player's name in the current language, without naming players who have left."""
    if entrant.has_left:
        return _("Former member")
    return entrant.name if entrant.is_person else _(entrant.name)


def name_of(entrant: StoredEntrant) -> str:
    """Return the name of a player, with Markdown escaped."""
    return escape(plain_name(entrant))
