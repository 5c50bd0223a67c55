"""The standings of a cup: a pure function of its players and the results of its pairings.

A match is worth one point: for the winner, or shared equally in a draw. Players with equal points
are ranked by these tie-breaks, in this order, which is published before the cup begins:

1. direct comparison: the points from matches among the tied players;
2. Sonneborn-Berger: for each match, the player's share of the point times the opponents' points;
3. the number of wins;
4. fewer forfeits;
5. a random draw before the first match.

Players who have withdrawn are ranked after all others. If a player withdraws from a round robin
before half of their matches were played, none of their matches counts for any player.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from fractions import Fraction

from bot.features.cups.formats import NO_ONE, CupFormat, Pairing, draw_lots


class PairingReason(StrEnum):
    """The reason for the result of a pairing.

    `agreed`: the players agreed to end the match without a result, which counts as a draw;
    `withdrawn`: all others had withdrawn; `lot`: a random draw after two drawn matches in a
    knockout; `late`: not finished by the last day of the cup; `void`: it counts for no player.
    """

    PLAYED = "played"
    RESIGNED = "resigned"
    TIME = "time"
    AGREED = "agreed"
    WITHDRAWN = "withdrawn"
    LOT = "lot"
    LATE = "late"
    VOID = "void"


class TieBreak(StrEnum):
    """The tie-breaks for equal points, in this order."""

    DIRECT = "direct"
    SONNEBORN = "sonneborn"
    WINS = "wins"
    FORFEITS = "forfeits"
    LOT = "lot"


UNPLAYED = frozenset({PairingReason.WITHDRAWN, PairingReason.LATE, PairingReason.VOID})
"""Reasons of results that came about without a match."""


@dataclass(frozen=True, slots=True)
class CupEntrant:
    """A player of a cup: the randomly drawn number, and whether the player has withdrawn."""

    number: int
    withdrawn: bool = False


@dataclass(frozen=True, slots=True)
class PairingResult:
    """A decided pairing.

    Attributes:
        round: number of the round, from 1.
        numbers: the players' numbers.
        winners: the numbers of the players who share the point; several for a draw.
        forfeits: the numbers of the players who lost on time, by withdrawing, or by the last day.
    """

    round: int
    numbers: Pairing
    winners: Pairing
    reason: PairingReason = PairingReason.PLAYED
    forfeits: Pairing = ()


@dataclass(frozen=True, slots=True)
class Line:
    """A player's line in the standings.

    Attributes:
        place: 1 for the leader; players of a knockout who lost in the same round share one.
        points: the sum of the shares; in a knockout, the number of rounds survived.
        played: number of results that count.
        wins, draws, losses, forfeits: their numbers; a forfeit is a loss as well.
        direct, sonneborn: the tie-breaks.
        withdrawn: whether the player has withdrawn.
    """

    number: int
    place: int
    points: Fraction
    played: int = 0
    wins: int = 0
    draws: int = 0
    losses: int = 0
    forfeits: int = 0
    direct: Fraction = Fraction(0)
    sonneborn: Fraction = Fraction(0)
    withdrawn: bool = False


def standings(
    cup_format: CupFormat,
    seed: str,
    entrants: Sequence[CupEntrant],
    results: Sequence[PairingResult],
    schedule_sizes: Mapping[int, int],
) -> list[Line]:
    """Return the lines of the standings, the leader first.

    Args:
        seed: settles random tie-breaks.
        schedule_sizes: number → number of pairings of the player in the whole cup.
    """
    if cup_format == CupFormat.KNOCK_OUT:
        return _knock_out_lines(entrants, results)
    counted = _counted(cup_format, entrants, results, schedule_sizes)
    lots = draw_lots(seed, [entrant.number for entrant in entrants], "ties")
    lines = _with_tie_breaks(_tallies(entrants, counted), counted)
    lines.sort(
        key=lambda line: (
            line.withdrawn,
            -line.points,
            -line.direct,
            -line.sonneborn,
            -line.wins,
            line.forfeits,
            lots.index(line.number),
        )
    )
    return [replace(line, place=place) for place, line in enumerate(lines, 1)]


def annulled(
    cup_format: CupFormat,
    entrants: Sequence[CupEntrant],
    results: Sequence[PairingResult],
    schedule_sizes: Mapping[int, int],
) -> set[int]:
    """Return the players whose matches do not count: they withdrew before half were played."""
    if cup_format != CupFormat.ROUND_ROBIN:
        return set()
    played: dict[int, int] = defaultdict(int)
    for result in results:
        if result.reason not in UNPLAYED:
            for number in result.numbers:
                played[number] += 1
    return {
        entrant.number
        for entrant in entrants
        if entrant.withdrawn and 2 * played[entrant.number] < schedule_sizes[entrant.number]
    }


def _counted(
    cup_format: CupFormat,
    entrants: Sequence[CupEntrant],
    results: Sequence[PairingResult],
    schedule_sizes: Mapping[int, int],
) -> list[PairingResult]:
    """Return the results that count."""
    out = annulled(cup_format, entrants, results, schedule_sizes)
    return [
        result
        for result in results
        if result.reason != PairingReason.VOID and not out & set(result.numbers)
    ]


def _tallies(entrants: Sequence[CupEntrant], results: Sequence[PairingResult]) -> list[Line]:
    """Return the lines without tie-breaks and places."""
    lines = []
    for entrant in entrants:
        played = [result for result in results if entrant.number in result.numbers]
        won = [result for result in played if result.winners == (entrant.number,)]
        drawn = [
            result for result in played if entrant.number in result.winners and result not in won
        ]
        lost = [result for result in played if entrant.number not in result.winners]
        points = sum((share(result, entrant.number) for result in played), Fraction(0))
        lines.append(
            Line(
                entrant.number,
                place=0,
                points=points,
                played=len(played),
                wins=len(won),
                draws=len(drawn),
                losses=len(lost),
                forfeits=sum(entrant.number in result.forfeits for result in lost),
                withdrawn=entrant.withdrawn,
            )
        )
    return lines


def share(result: PairingResult, number: int) -> Fraction:
    """Return a player's part of the point of a match."""
    return Fraction(number in result.winners, max(1, len(result.winners)))


def _with_tie_breaks(lines: Sequence[Line], results: Sequence[PairingResult]) -> list[Line]:
    points = {line.number: line.points for line in lines}
    return [
        replace(
            line,
            direct=_direct(line.number, points, results),
            sonneborn=_sonneborn(line.number, points, results),
        )
        for line in lines
    ]


def _direct(
    number: int, points: Mapping[int, Fraction], results: Sequence[PairingResult]
) -> Fraction:
    """Return a player's points from matches with others who have the same number of points."""
    equal = {other for other in points if other != number and points[other] == points[number]}
    meetings = [
        result for result in results if number in result.numbers and equal & set(result.numbers)
    ]
    return sum((share(result, number) for result in meetings), Fraction(0))


def _sonneborn(
    number: int, points: Mapping[int, Fraction], results: Sequence[PairingResult]
) -> Fraction:
    return sum(
        (
            share(result, number)
            * sum(points[other] for other in result.numbers if other != number)
            for result in results
            if number in result.numbers
        ),
        Fraction(0),
    )


def _knock_out_lines(
    entrants: Sequence[CupEntrant], results: Sequence[PairingResult]
) -> list[Line]:
    """Return the standings of a knockout: by the round that a player has lost."""
    lines = _tallies(entrants, [result for result in results if NO_ONE not in result.numbers])
    last: dict[int, int] = {}
    for result in results:
        for number in set(result.numbers) - set(result.winners) - {NO_ONE}:
            last[number] = result.round
    still_in = max([result.round for result in results], default=0) + 1
    survived = {line.number: last.get(line.number, still_in) - 1 for line in lines}
    lines = [replace(line, points=Fraction(survived[line.number])) for line in lines]
    lines.sort(key=lambda line: (-line.points, line.number))
    return [
        replace(line, place=1 + sum(other.points > line.points for other in lines))
        for line in lines
    ]


def deciding(first: Line, second: Line) -> TieBreak | None:
    """Return the tie-break that puts a player ahead of the next one; None if points do."""
    if first.points != second.points or first.withdrawn != second.withdrawn:
        return None
    compared = (
        (TieBreak.DIRECT, first.direct, second.direct),
        (TieBreak.SONNEBORN, first.sonneborn, second.sonneborn),
        (TieBreak.WINS, first.wins, second.wins),
        (TieBreak.FORFEITS, first.forfeits, second.forfeits),
    )
    return next((tie_break for tie_break, one, two in compared if one != two), TieBreak.LOT)


def winners_of(lines: Sequence[Line], *, finished: bool) -> Collection[int]:
    """Return the winner of a finished cup; none if all players have withdrawn."""
    return [line.number for line in lines if finished and line.place == 1 and not line.withdrawn][
        :1
    ]
