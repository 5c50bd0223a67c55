"""The position of a match and its text format."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, fields
from functools import lru_cache
from operator import call
from typing import Any, NamedTuple

from engine.game import Event
from engine.position import BaseDraft, BaseState
from engine.tomtube.board import (
    EMPTY,
    Board,
    board_of,
    fill_code,
    fill_of,
    rhomb_code,
    rhomb_of,
    with_fill,
    with_rhomb,
)
from engine.tomtube.lattice import (
    BASES,
    MODULES,
    PLACE_INDEX,
    PLACE_NAMES,
    TRIANGLE_INDEX,
    TRIANGLE_NAMES,
    members,
)
from engine.tomtube.tables import (
    CONTROL,
    ENERGY,
    START_BLANKS,
    START_ENERGY,
    START_TUBES,
    SUPPLY,
)
from engine.tomtube.tiles import FILLS, TILE_INDEX, TILES

NONE = -1
"""No tile, no seat, no node."""

Numbers = tuple[int, ...]
"""A number for each seat, or for each kind of counter."""


@dataclass(slots=True, eq=False)
class Draft(BaseDraft["State"]):
    """A position that can be written to.

    Attributes:
        rules: the rule set.
        launch: extra energy of each seat at the start (T5.6).
        phase: `first`, `turn`, `draw`, `rhomb`, `fill` (the player on turn fills isolated
            triangles), `help` (the other player does, T3.2), `over`; `done` only within `apply`.
        turn: seat on turn; in `help` the other seat decides.
        number: number of this turn, from 1; 0 before the first.
        stack: bit t is set while tile t has not been drawn; no seat knows the order.
        drawn: tile that has been drawn and not placed yet.
        rhombs, fills: tiles on the board in the order of placing, encoded by board.py.
        left: triangles that were left empty, as bits (T3.2).
        complete: knots that were complete when counters were last placed, as bits.
        at: node of each astronaut.
        hands: counters of the seats, by kind: energy of Tom and of Dave, then control, then alien.
        solar: solar counters of each seat.
        tubes, blanks: triangles of each seat.
        supply: number of counters left of each kind.
        put: nodes with a counter of each kind, as bits.
        solars: modules with a solar counter, as bits of nodes.
        quiet: turns in a row without a placing or a counter taken (T5.4).
        faster: seat that is home with both solar counters while the other's turns count (T5.1).
        bonus: turns counted so far; none after an end without bonus.
        story, story_is_old, offer, result: see `BaseDraft`.
        board: that of `rhombs` and `fills`, which are never written to but by the methods below.
    """

    rules: str
    launch: Numbers
    phase: str
    turn: int
    number: int
    stack: int
    drawn: int
    rhombs: tuple[int, ...]
    fills: tuple[int, ...]
    left: int
    complete: int
    at: Numbers
    hands: Numbers
    solar: Numbers
    tubes: Numbers
    blanks: Numbers
    supply: Numbers
    put: Numbers
    solars: int
    quiet: int
    faster: int
    bonus: int
    story: tuple[Event, ...]
    story_is_old: int
    offer: str
    result: str
    board: Board = field(compare=False)

    def place_rhomb(self, code: int) -> None:
        """Add a rhomb to the board."""
        self.rhombs += (code,)
        self.board = with_rhomb(self.board, code)

    def place_fill(self, code: int) -> None:
        """Add a filled triangle to the board."""
        self.fills += (code,)
        self.board = with_fill(self.board, code)

    def isolated(self) -> list[int]:
        """Return the isolated triangles that were not left empty (T3.2)."""
        return members(self.board.isolated & ~self.left)

    def last_rhomb(self) -> tuple[int, int]:
        """Return the tile and place of the rhomb placed last."""
        return rhomb_of(self.rhombs[-1])

    def holds(self, kind: int, seat: int) -> int:
        """Return the number of counters of a kind that a seat holds."""
        return self.hands[2 * kind + seat]

    def hold(self, kind: int, seat: int, amount: int) -> None:
        """Change the number of counters of a kind that a seat holds."""
        self.hands = changed(self.hands, 2 * kind + seat, amount)

    def stock(self, kind: int, amount: int) -> None:
        """Change the number of counters of a kind in the supply."""
        self.supply = changed(self.supply, kind, amount)

    def counters(self) -> int:
        """Return the nodes with a counter, except solar ones, as bits."""
        energy, control, alien = self.put
        return energy | control | alien


class State(BaseState[Draft], Draft):
    """An immutable position."""

    __slots__ = ()


def changed(numbers: Numbers, place: int, amount: int) -> Numbers:
    """Return the numbers with an amount added to one of them."""
    new = list(numbers)
    new[place] += amount
    return tuple(new)


def start(rules: str, launch: Numbers) -> State:
    """Return the position before the random draw of the first player (T2.1, T5.6)."""
    supply = SUPPLY[rules]
    energy = (START_ENERGY + launch[0], START_ENERGY + launch[1])
    return Draft(
        rules=rules,
        launch=launch,
        phase="first",
        turn=0,
        number=0,
        stack=(1 << len(TILES)) - 1,
        drawn=NONE,
        rhombs=(),
        fills=(),
        left=0,
        complete=EMPTY.complete,
        at=BASES,
        hands=(*energy, 0, 0, 0, 0),
        solar=(0, 0),
        tubes=(START_TUBES, START_TUBES),
        blanks=(START_BLANKS, START_BLANKS),
        supply=(supply[ENERGY] - sum(energy), *supply[CONTROL:]),
        put=(0, 0, 0),
        solars=sum(1 << module for modules in MODULES for module in modules),
        quiet=0,
        faster=NONE,
        bonus=0,
        story=(),
        story_is_old=0,
        offer="",
        result="",
        board=EMPTY,
    ).freeze()


class _Field(NamedTuple):
    """How to write and read a field; reading refuses a text that writing would not print."""

    write: Callable[[Any], str]
    read: Callable[[str], Any]


def _cached(write: Callable[[Any], str], read: Callable[[str], Any]) -> _Field:
    """Return a field that keeps texts and values: from move to move most stay the same."""

    def checked(text: str) -> Any:
        value = read(text)
        if write(value) != text:
            raise ValueError(text)
        return value

    return _Field(lru_cache(maxsize=1024)(write), lru_cache(maxsize=1024)(checked))


def _list(write: Callable[[Any], str], read: Callable[[str], Any], comma: str) -> _Field:
    """Return a field of several values."""
    return _Field(
        lambda values: comma.join(map(write, values)),
        lambda text: tuple(map(read, text.split(comma))) if text else (),
    )


def _write_rhomb(code: int) -> str:
    tile, place = rhomb_of(code)
    return f"{TILES[tile]}@{PLACE_NAMES[place]}"


def _read_rhomb(word: str) -> int:
    tile, _, place = word.partition("@")
    return rhomb_code(TILE_INDEX[tile], PLACE_INDEX[place])


def _write_fill(code: int) -> str:
    triangle, filling = fill_of(code)
    return f"{FILLS[filling]}@{TRIANGLE_NAMES[triangle]}"


def _read_fill(word: str) -> int:
    filling, _, name = word.partition("@")
    return fill_code(TRIANGLE_INDEX[frozenset(name.split("/"))], FILLS.index(filling))


_TEXT = _Field(str, str)
_NUMBER = _cached(str, int)
_BITS = _cached("{:x}".format, lambda text: int(text, 16))
_NUMBERS = _cached(*_list(*_NUMBER, ","))
_STORY = _list(str, Event.parse, " ")
_FIELDS: dict[str, _Field] = {
    "rules": _TEXT,
    "launch": _NUMBERS,
    "phase": _TEXT,
    "stack": _BITS,
    "rhombs": _list(*_cached(_write_rhomb, _read_rhomb), " "),
    "fills": _list(*_cached(_write_fill, _read_fill), " "),
    "left": _BITS,
    "complete": _BITS,
    "at": _NUMBERS,
    "hands": _NUMBERS,
    "solar": _NUMBERS,
    "tubes": _NUMBERS,
    "blanks": _NUMBERS,
    "supply": _NUMBERS,
    "put": _cached(*_list(*_BITS, ",")),
    "solars": _BITS,
    "story": _STORY,
    "offer": _TEXT,
    "result": _TEXT,
}
_ORDER: tuple[_Field, ...] = tuple(
    _FIELDS.get(field.name, _NUMBER) for field in fields(Draft) if field.compare
)
_WRITERS = tuple(field.write for field in _ORDER)
_READERS = tuple(field.read for field in _ORDER)


def dump(state: State) -> str:
    """Return the position as one line: fields separated by `;` in the order of `Draft`."""
    return ";".join(map(call, _WRITERS, state.values()))


def load(text: str) -> State:
    """Parse a position printed by `dump`.

    Raises:
        ValueError: the text is not a position.
    """
    try:
        words = text.split(";")
        values = list(map(call, _READERS, words))
    except (LookupError, ValueError) as error:
        raise ValueError(f"not a position of Tom Tube: {text!r}") from error
    if len(words) != len(_READERS):
        raise ValueError(f"not a position of Tom Tube: {text!r}")
    draft = Draft(*values, *[EMPTY])
    draft.board = board_of(draft.rhombs, draft.fills)
    return draft.freeze()
