"""Views of a state: only the order of the stack is hidden, from all seats (T2.5)."""

from __future__ import annotations

from itertools import compress

from engine.game import PUBLIC
from engine.tomtube.board import board_of, fill_code, fill_of, rhomb_code, rhomb_of
from engine.tomtube.lattice import (
    CENTRES,
    HUBS,
    KNOT_NAMES,
    MODULES,
    PLACE_INDEX,
    PLACE_NAMES,
    STATION_NAMES,
    TRIANGLE_INDEX,
    TRIANGLE_NAMES,
    flags,
    members,
)
from engine.tomtube.rules import legal, pending, points
from engine.tomtube.state import NONE, Draft, State
from engine.tomtube.tables import ALIEN, CONTROL, ENERGY, KINDS, SEATS
from engine.tomtube.tiles import FILLS, TILE_INDEX, TILES
from engine.tomtube.view import Astronaut, Counter, Rhomb, TomTubeView, Triangle

GAME = "tomtube"


def view(state: State, seat: str = PUBLIC) -> TomTubeView:
    """Return the view of a seat or of the public."""
    pending_seats = pending(state)
    energy, control, alien = state.supply
    return TomTubeView(
        game=GAME,
        rules=state.rules,
        options=tuple(
            sorted((f"launch_{letter}", str(state.launch[s])) for s, letter in enumerate(SEATS))
        ),
        seats=SEATS,
        seat=seat,
        pending=pending_seats,
        turn=state.number,
        legal=legal(state) if seat and seat == pending_seats else (),
        story=state.story,
        offer=state.offer,
        result=state.result,
        phase=state.phase,
        turn_seat="" if state.phase == "first" else SEATS[state.turn],
        astronauts=tuple(_astronaut(state, index) for index in range(len(SEATS))),
        rhombs=tuple(
            Rhomb(PLACE_NAMES[place], TILES[tile]) for tile, place in map(rhomb_of, state.rhombs)
        ),
        triangles=_triangles(state),
        isolated=tuple(TRIANGLE_NAMES[triangle] for triangle in state.isolated())
        if state.phase in ("fill", "help")
        else (),
        room=bool(state.board.room),
        complete=tuple(compress(KNOT_NAMES, flags(state.board.complete))),
        counters=_counters(state),
        supply=(energy, control, alien),
        drawn=TILES[state.drawn] if state.drawn != NONE else "",
        stack=tuple(compress(TILES, flags(state.stack))),
        quiet=state.quiet,
        faster=SEATS[state.faster] if state.faster != NONE else "",
        bonus=state.bonus,
    )


def _astronaut(state: State, seat: int) -> Astronaut:
    return Astronaut(
        SEATS[seat],
        state.board.name(state.at[seat], seat),
        state.holds(ENERGY, seat),
        state.holds(CONTROL, seat),
        state.holds(ALIEN, seat),
        state.solar[seat],
        state.tubes[seat],
        state.blanks[seat],
        points(state)[SEATS[seat]],
    )


def _triangles(state: State) -> tuple[Triangle, ...]:
    filled = tuple(
        Triangle(TRIANGLE_NAMES[triangle], FILLS[filling])
        for triangle, filling in map(fill_of, state.fills)
    )
    empty = tuple(Triangle(TRIANGLE_NAMES[triangle], ".") for triangle in members(state.left))
    return filled + empty


def _counters(state: State) -> tuple[Counter, ...]:
    name = state.board.name
    on_nodes = tuple(
        Counter(KINDS[kind], name(node, 0), "")
        for kind, put in enumerate(state.put)
        for node in members(put)
    )
    on_modules = tuple(
        Counter("solar", station, SEATS[seat])
        for seat, modules in enumerate(MODULES)
        for station, node in STATION_NAMES[seat].items()
        if node in modules and state.solars >> node & 1
    )
    return on_nodes + on_modules


def state_of(view: TomTubeView) -> State:
    """Return the state behind a view from the beginning of a turn, or with a drawn rhomb.

    It hides nothing; later in a turn there may be a complete knot without its counter.
    """
    tom, dave = view.astronauts
    options = dict(view.options)
    left, fills, put, solars = 0, list[int](), [0] * len(KINDS), 0
    for triangle in view.triangles:
        index = TRIANGLE_INDEX[frozenset(triangle.place.split("/"))]
        if triangle.what == ".":
            left |= 1 << index
        else:
            fills.append(fill_code(index, FILLS.index(triangle.what)))
    for counter in view.counters:
        if counter.seat:
            solars |= 1 << STATION_NAMES[SEATS.index(counter.seat)][counter.place]
        else:
            put[KINDS.index(counter.kind)] |= 1 << _node(counter.place, 0)
    rhombs = tuple(
        rhomb_code(TILE_INDEX[rhomb.tile], PLACE_INDEX[rhomb.place]) for rhomb in view.rhombs
    )
    board = board_of(rhombs, tuple(fills))
    return Draft(
        rules=view.rules,
        launch=tuple(int(options[f"launch_{seat}"]) for seat in SEATS),
        phase=view.phase,
        turn=SEATS.index(view.turn_seat),
        number=view.turn,
        stack=sum(1 << TILE_INDEX[tile] for tile in view.stack),
        drawn=TILE_INDEX.get(view.drawn, NONE),
        rhombs=rhombs,
        fills=tuple(fills),
        left=left,
        complete=board.complete,
        at=tuple(_node(astronaut.place, seat) for seat, astronaut in enumerate(view.astronauts)),
        hands=(tom.energy, dave.energy, tom.control, dave.control, tom.alien, dave.alien),
        solar=(tom.solar, dave.solar),
        tubes=(tom.tubes, dave.tubes),
        blanks=(tom.blanks, dave.blanks),
        supply=view.supply,
        put=tuple(put),
        solars=solars,
        quiet=view.quiet,
        faster=SEATS.index(view.faster) if view.faster else NONE,
        bonus=view.bonus,
        story=view.story,
        story_is_old=1,
        offer=view.offer,
        result=view.result,
        board=board,
    ).freeze()


def _node(name: str, seat: int) -> int:
    """Return the node that `Board.name` names."""
    if name in STATION_NAMES[seat]:
        return STATION_NAMES[seat][name]
    if "/" in name:
        return HUBS + TRIANGLE_INDEX[frozenset(name.split("/"))]
    return CENTRES + PLACE_INDEX[name] // 2 if ">" in name else KNOT_NAMES.index(name)
