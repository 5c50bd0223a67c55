"""The content of charts: the curve of a match, a profile, the standings of a cup.

They are drawn by `render.curve`, `render.profile_card` and `render.standings`, which load Pillow.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple


class RollMark(NamedTuple):
    """A roll that changed much.

    Attributes:
        place: number of the position before it.
        seat: the seat that gained most.
    """

    place: int
    seat: str


class DecisionMark(NamedTuple):
    """A decision that cost much.

    Attributes:
        place: number of the position before it.
        seat: the seat that decided.
        number: number of its explanation.
    """

    place: int
    seat: str
    number: int


@dataclass(frozen=True, slots=True)
class Curve:
    """The expected scores of the players in a match.

    Attributes:
        seats: letters of the seats; with two, only the first one's curve is drawn.
        scores: expected scores of the seats in each position, from 0 to 1.
        turns: number of the turn of each position, 0 in the setup.
        rolls: rolls to mark.
        decisions: decisions to mark.
        draws_rhombs: whether luck is in drawn rhombs, not in dice.
    """

    seats: str
    scores: Sequence[Sequence[float]]
    turns: Sequence[int]
    rolls: Sequence[RollMark] = ()
    decisions: Sequence[DecisionMark] = ()
    draws_rhombs: bool = False


class ScoreBar(NamedTuple):
    """A score.

    Attributes:
        title: title of the bar.
        words: the score.
        parts: numbers of matches won, drawn and lost.
        rating: the rating, if there is one.
    """

    title: str
    words: str
    parts: tuple[int, int, int]
    rating: str = ""


class LuckRange(NamedTuple):
    """The luck in a match, as parts of a win: the mean, and the ends of its interval."""

    title: str
    words: str
    mean: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class ProfileCard:
    """The profile of a player.

    Attributes:
        name: the player's name.
        summary: numbers of matches and the pace.
        bars: the scores.
        luck: None if it is not known.
        facts: lines of text below.
    """

    name: str
    summary: str
    bars: Sequence[ScoreBar] = ()
    luck: LuckRange | None = None
    facts: Sequence[str] = ()


class Mark(StrEnum):
    """A result in the line of a player."""

    WON = "won"
    DRAWN = "drawn"
    LOST = "lost"
    FORFEIT = "forfeit"


@dataclass(frozen=True, slots=True)
class TableRow:
    """The line of a player.

    Attributes:
        place, points: as shown.
        name: the player's name, in any script and length.
        marks: the results so far, in the order of the schedule.
        first: whether the player has won the cup.
        out: whether the player has withdrawn.
    """

    place: str
    name: str
    points: str
    marks: Sequence[Mark] = ()
    first: bool = False
    out: bool = False


@dataclass(frozen=True, slots=True)
class Slot:
    """A player in a bracket; without a name, the player is not known yet.

    Attributes:
        name: the player's name.
        won: whether the player advances; None until that is decided.
    """

    name: str = ""
    won: bool | None = None


@dataclass(frozen=True, slots=True)
class Table:
    """The table of a cup."""

    title: str
    rows: Sequence[TableRow]


@dataclass(frozen=True, slots=True)
class Bracket:
    """The bracket of a knockout: for each round its pairs of slots, and the winner."""

    title: str
    rounds: Sequence[Sequence[tuple[Slot, Slot]]]
    winner: str = ""


class ResultCard(NamedTuple):
    """The texts of the picture of a finished match.

    Attributes:
        facts: the game, its turns and its time.
        headline: the winner and the end.
        moment: how close it was, or the last turn.
    """

    facts: str
    headline: str
    moment: str
