"""Placing: the rhomb, the isolated triangles, the counters on completed parts (T3.1–T3.3)."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain, compress

from engine.game import Action, IllegalActionError
from engine.tomtube.board import fill_code, rhomb_code
from engine.tomtube.lattice import (
    CENTRES,
    KNOT_NAMES,
    PAIRS,
    PLACE_INDEX,
    PLACE_NAMES,
    TRIANGLE_INDEX,
    TRIANGLE_NAMES,
    TRIANGLES,
    flags,
    members,
)
from engine.tomtube.state import NONE, Draft, changed
from engine.tomtube.tables import ALIEN, CONTROL, ENERGY, KINDS, SEATS
from engine.tomtube.tiles import BLANK, ONE_ORIENTATION, TILE_INDEX, TILES, has_sphere

_RHOMB = tuple(tuple(Action(seat, "rhomb", (name,)) for name in PLACE_NAMES) for seat in SEATS)
"""_RHOMB[seat][place]: created once; legal lists share these objects."""

_BYTE = 8
"""Number of pairs whose actions are listed at once."""

_ROOM_BYTES = -(-len(PAIRS) // _BYTE)


class _Placings(dict[int, tuple[Action, ...]]):
    """Actions on eight pairs in a row, by a byte whose bits are set for the free ones.

    A list of the places of a rhomb joins them, in a third of the time of looking at each place.
    """

    def __init__(self, pairs: Sequence[tuple[Action, ...]]) -> None:
        super().__init__()
        self._pairs = pairs

    def __missing__(self, byte: int) -> tuple[Action, ...]:
        actions = tuple(chain.from_iterable(compress(self._pairs, flags(byte))))
        self[byte] = actions
        return actions


def _placings(pairs: Sequence[tuple[Action, ...]]) -> tuple[_Placings, ...]:
    """Return the actions by the bytes of `Board.room`."""
    return tuple(_Placings(pairs[start : start + _BYTE]) for start in range(0, len(pairs), _BYTE))


_BOTH_WAYS = tuple(
    _placings(list(zip(actions[::2], actions[1::2], strict=True))) for actions in _RHOMB
)
_ONE_WAY = tuple(_placings(list(zip(actions[::2], strict=True))) for actions in _RHOMB)
"""By seat: the actions for a rhomb with two orientations, or with one."""


def helper(draft: Draft) -> int:
    """Return the seat that may fill the triangles that the player on turn could not (T3.2)."""
    return 1 - draft.turn


def triangles_of(draft: Draft, seat: int) -> int:
    """Return the number of triangles a player has left."""
    return draft.tubes[seat] + draft.blanks[seat]


def build(draft: Draft) -> None:
    """Announce that a rhomb will be placed (T3.1)."""
    if draft.faster != NONE:
        raise IllegalActionError("T5.1", "The other astronaut is home: nothing is built any more.")
    if not draft.board.room:
        raise IllegalActionError("T3.1", "There is no room left for a rhomb.")
    draft.phase = "draw"


def draw(draft: Draft, name: str) -> None:
    """Draw the top rhomb of the stack (T2.5)."""
    tile = TILE_INDEX.get(name, NONE)
    if tile == NONE:
        raise IllegalActionError("T2.2", "There is no rhomb “{tile}”.", tile=name)
    if not draft.stack >> tile & 1:
        raise IllegalActionError(
            "T2.5", "The rhomb {tile} is not in the stack any more.", tile=name
        )
    draft.stack &= ~(1 << tile)
    draft.drawn = tile
    draft.phase = "rhomb"
    draft.add_event("drawn", SEATS[draft.turn], name)


def list_rhomb(draft: Draft) -> tuple[Action, ...]:
    """List the places of the drawn rhomb in each distinct orientation."""
    placings = _ONE_WAY if draft.drawn in ONE_ORIENTATION else _BOTH_WAYS
    room = draft.board.room.to_bytes(_ROOM_BYTES, "little")
    actions: list[Action] = []
    for placing, byte in zip(placings[draft.turn], room, strict=True):
        actions += placing[byte]
    return tuple(actions)


def rhomb(draft: Draft, name: str) -> None:
    """Place the drawn rhomb on the board (T3.1)."""
    place = PLACE_INDEX.get(name)
    if place is None:
        raise IllegalActionError(
            "T3.1", "“{place}” is not a place for a rhomb: two acute corners, A>C.", place=name
        )
    if not draft.board.room >> place // 2 & 1:
        raise IllegalActionError("T3.1", "The place {place} is not free.", place=name)
    if place % 2 and draft.drawn in ONE_ORIENTATION:
        raise IllegalActionError(
            "T2.2",
            "{tile} looks the same both ways round: write {place}.",
            tile=TILES[draft.drawn],
            place=PLACE_NAMES[place - 1],
        )
    draft.place_rhomb(rhomb_code(draft.drawn, place))
    draft.add_event("laid", SEATS[draft.turn], TILES[draft.drawn], name)
    draft.drawn = NONE
    draft.quiet = 0
    draft.phase = "fill"
    go_on_filling(draft)


def go_on_filling(draft: Draft) -> None:
    """Wait for the next isolated triangle, or place counters and finish (T3.2)."""
    isolated = draft.isolated()
    if isolated and draft.phase == "fill" and not triangles_of(draft, draft.turn):
        draft.phase = "help"
    if isolated and (draft.phase == "fill" or triangles_of(draft, helper(draft))):
        return
    for triangle in isolated:
        draft.left |= 1 << triangle
        draft.add_event("empty", TRIANGLE_NAMES[triangle])
    _put_counters(draft)
    draft.phase = "done"


def list_fill(draft: Draft) -> tuple[Action, ...]:
    """List the fillings of the player on turn, who may not decline."""
    return _list_fillings(draft, draft.turn, ())


def list_help(draft: Draft) -> tuple[Action, ...]:
    """List the fillings of the other player, who may decline."""
    return _list_fillings(draft, helper(draft), ("pass",))


def _list_fillings(draft: Draft, seat: int, others: tuple[str, ...]) -> tuple[Action, ...]:
    verbs = ("tube",) * bool(draft.tubes[seat]) + ("blank",) * bool(draft.blanks[seat]) + others
    return tuple(
        Action(SEATS[seat], verb, (TRIANGLE_NAMES[triangle],))
        for triangle in draft.isolated()
        for verb in verbs
    )


def _filler(draft: Draft) -> int:
    return draft.turn if draft.phase == "fill" else helper(draft)


def _isolated_named(draft: Draft, name: str) -> int:
    knots = name.split("/")
    triangle = TRIANGLE_INDEX.get(frozenset(knots))
    if triangle is None or len(knots) > len(TRIANGLES[triangle]):
        raise IllegalActionError(
            "T3.2", "“{triangle}” is not a triangle of the board.", triangle=name
        )
    if triangle not in draft.isolated():
        raise IllegalActionError(
            "T3.2", "{triangle} is not an isolated triangle to be filled now.", triangle=name
        )
    return triangle


def tube(draft: Draft, name: str) -> None:
    """Fill an isolated triangle with a tube triangle (T3.2)."""
    seat = _filler(draft)
    triangle = _isolated_named(draft, name)
    if not draft.tubes[seat]:
        raise IllegalActionError("T3.2", "You have no tube triangle left.")
    draft.tubes = changed(draft.tubes, seat, -1)
    _fill(draft, seat, triangle, seat)


def blank(draft: Draft, name: str) -> None:
    """Fill an isolated triangle with a blank triangle (T3.2)."""
    seat = _filler(draft)
    triangle = _isolated_named(draft, name)
    if not draft.blanks[seat]:
        raise IllegalActionError("T3.2", "You have no blank triangle left.")
    draft.blanks = changed(draft.blanks, seat, -1)
    _fill(draft, seat, triangle, BLANK)


def _fill(draft: Draft, seat: int, triangle: int, filling: int) -> None:
    draft.place_fill(fill_code(triangle, filling))
    kind = "blank" if filling == BLANK else "tube"
    draft.add_event("filled", SEATS[seat], kind, TRIANGLE_NAMES[triangle])
    go_on_filling(draft)


def decline(draft: Draft, name: str) -> None:
    """Leave an isolated triangle empty (T3.2)."""
    triangle = _isolated_named(draft, name)
    if draft.phase == "fill":
        raise IllegalActionError(
            "T3.2", "As long as you have triangles, you have to fill what you isolate."
        )
    draft.left |= 1 << triangle
    draft.add_event("passed", SEATS[helper(draft)], TRIANGLE_NAMES[triangle])
    draft.add_event("empty", TRIANGLE_NAMES[triangle])
    go_on_filling(draft)


def _put_counters(draft: Draft) -> None:
    """Place counters for parts completed this turn: the sphere, then the knots (T3.3)."""
    board = draft.board
    tile, place = draft.last_rhomb()
    if has_sphere(tile):
        _put(draft, ENERGY, CENTRES + place // 2, PLACE_NAMES[place])
    new = board.complete & ~draft.complete
    draft.complete = board.complete
    for knot in members(new & ~board.crossed):
        _put(draft, CONTROL if board.touched >> knot & 1 else ALIEN, knot, KNOT_NAMES[knot])


def _put(draft: Draft, kind: int, node: int, name: str) -> None:
    if draft.supply[kind]:
        draft.supply = changed(draft.supply, kind, -1)
        draft.put = changed(draft.put, kind, 1 << node)
        draft.add_event("put", KINDS[kind], name)
