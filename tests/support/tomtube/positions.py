"""Positions for tests: written with the names that players use."""

from __future__ import annotations

from typing import Any

import pytest

from engine.game import Action, Event, IllegalActionError
from engine.tomtube.board import fill_code, rhomb_code
from engine.tomtube.game import TomTube
from engine.tomtube.lattice import (
    CENTRES,
    KNOT_NAMES,
    PLACE_INDEX,
    SPACE,
    STATION_NAMES,
    TRIANGLE_INDEX,
    TRIANGLE_NAMES,
)
from engine.tomtube.state import State, start
from engine.tomtube.tables import SUPPLY
from engine.tomtube.tiles import FILLS, TILE_INDEX

GAME = TomTube()


def triangle(name: str) -> int:
    """The triangle of three knots, in any order."""
    return TRIANGLE_INDEX[frozenset(name.split("/"))]


def node(name: str, seat: str = "T") -> int:
    """A knot, a rhomb's centre by its place, or a station of a seat."""
    stations = STATION_NAMES["TD".index(seat)]
    if name in stations:
        return stations[name]
    return CENTRES + PLACE_INDEX[name] // 2 if ">" in name else KNOT_NAMES.index(name)


def bits(names: str) -> int:
    """Nodes as bits."""
    return sum(1 << node(name) for name in names.split())


def around(*knots: str, tubes: str = "", dave: str = "", but: str = "") -> str:
    """Fillings of all free triangles around knots: blank, but these with tubes, and some free."""
    toms, daves, free = ({triangle(name) for name in names.split()} for names in (tubes, dave, but))
    return " ".join(
        ("T" if triangle in toms else "D" if triangle in daves else "-")
        + "@"
        + TRIANGLE_NAMES[triangle]
        for triangle in range(len(TRIANGLE_NAMES))
        if SPACE >> triangle & 1
        and triangle not in free
        and any(knot in TRIANGLE_NAMES[triangle].split("/") for knot in knots)
    )


def position(
    rhombs: str = "",
    fills: str = "",
    tom: str = "base",
    dave: str = "base",
    seat: str = "T",
    *,
    put: tuple[str, str, str] = ("", "", ""),
    **fields: Any,
) -> State:
    """Return a position at the beginning of a turn; the supply has all pieces not in use.

    Args:
        rhombs: tiles with their places, e.g. `AB/CD+@1,0>0,2`.
        fills: filled triangles, `T@…`, `D@…` or `-@…`; one that is covered already is left out.
        tom: where Tom is.
        dave: where Dave is.
        seat: who is on turn.
        put: the nodes with an energy, control and alien counter.
        fields: anything else of the state.
    """
    draft = start(fields.get("rules", "standard"), (0, 0)).draft()
    draft.phase, draft.turn, draft.number, draft.story_is_old = "turn", "TD".index(seat), 1, 1
    for word in rhombs.split():
        tile, _, place = word.partition("@")
        draft.place_rhomb(rhomb_code(TILE_INDEX[tile], PLACE_INDEX[place]))
        draft.stack &= ~(1 << TILE_INDEX[tile])
    for word in dict.fromkeys(fills.split()):
        what, _, name = word.partition("@")
        if draft.board.free >> triangle(name) & 1:
            draft.place_fill(fill_code(triangle(name), FILLS.index(what)))
    draft.complete = draft.board.complete
    draft.at = (node(tom), node(dave, "D"))
    draft.put = tuple(map(bits, put))
    for name, value in fields.items():
        setattr(draft, name, value)
    if "supply" not in fields:
        draft.supply = tuple(
            total - draft.put[kind].bit_count() - sum(draft.hands[2 * kind : 2 * kind + 2])
            for kind, total in enumerate(SUPPLY[draft.rules])
        )
    return draft.freeze()


def filled(*free: str, tubes: str = "", dave: str = "") -> str:
    """Fillings of the whole board but these triangles."""
    return around(*KNOT_NAMES, tubes=tubes, dave=dave, but=" ".join(free))


def hands(
    energy: tuple[int, int] = (1, 1),
    control: tuple[int, int] = (0, 0),
    alien: tuple[int, int] = (0, 0),
) -> tuple[int, ...]:
    """Counters of Tom and Dave."""
    return (*energy, *control, *alien)


def after(state: State, *lines: str) -> State:
    """The state after these action lines."""
    for line in lines:
        state, _ = GAME.apply(state, Action.parse(line))
    return state


def events(state: State, line: str) -> list[str]:
    """Return the events of an action, as words."""
    return [str(event) for event in GAME.apply(state, Action.parse(line))[1]]


def told(state: State, kind: str) -> list[Event]:
    """The events of a kind in the story so far."""
    return [event for event in state.story if event.kind == kind]


def legal(state: State, verb: str = "") -> list[str]:
    """The legal actions as text without the actor; with a verb, only its arguments."""
    actions = GAME.legal(state)
    if verb:
        return [" ".join(action.args) for action in actions if action.verb == verb]
    return [str(action).partition(" ")[2] for action in actions]


def refusal(state: State, line: str) -> str:
    """The rule that forbids an action; the state stays what it was."""
    text = GAME.dump(state)
    with pytest.raises(IllegalActionError) as caught:
        GAME.apply(state, Action.parse(line))
    assert str(caught.value).endswith("."), "a refusal is a sentence"
    assert "{" not in str(caught.value)
    assert GAME.dump(state) == text
    return caught.value.rule


def laying(rhombs: str, tile: str, **fields: Any) -> State:
    """A position in which a seat has just drawn this tile."""
    state = position(rhombs, **fields)
    return after(state, f"{GAME.pending(state)} build", f"* draw {tile}")


def with_triangles(state: State, tubes: tuple[int, int], blanks: tuple[int, int]) -> State:
    """The same position in which the players have so many tube and blank triangles left."""
    draft = state.draft()
    draft.tubes, draft.blanks = tubes, blanks
    return draft.freeze()
