"""Views of a state: only the order of the stack is hidden, from all seats (T2.5)."""

from __future__ import annotations

from engine.game import PUBLIC
from engine.tomtube.board import fill_of, rhomb_of
from engine.tomtube.lattice import KNOT_NAMES, MODULES, PLACE_NAMES, STATION_NAMES, TRIANGLE_NAMES
from engine.tomtube.rules import legal, pending, points
from engine.tomtube.state import NONE, State
from engine.tomtube.tables import ALIEN, CONTROL, ENERGY, KINDS, SEATS
from engine.tomtube.tiles import FILLS, TILES
from engine.tomtube.view import Astronaut, Counter, Rhomb, TomTubeView, Triangle

GAME = "tomtube"


def view(state: State, seat: str = PUBLIC) -> TomTubeView:
    """Return the view of a seat or of the public."""
    who = pending(state)
    energy, control, alien = state.supply
    return TomTubeView(
        game=GAME,
        rules=state.rules,
        options=tuple(
            sorted((f"launch_{letter}", str(state.launch[s])) for s, letter in enumerate(SEATS))
        ),
        seats=SEATS,
        seat=seat,
        pending=who,
        turn=state.number,
        legal=legal(state) if seat and seat == who else (),
        story=state.story,
        offer=state.offer,
        result=state.result,
        phase=state.phase,
        turn_seat="" if state.phase == "first" else SEATS[state.turn],
        astronauts=tuple(_astronaut(state, each) for each in range(len(SEATS))),
        rhombs=tuple(
            Rhomb(PLACE_NAMES[place], TILES[tile]) for tile, place in map(rhomb_of, state.rhombs)
        ),
        triangles=_triangles(state),
        isolated=tuple(TRIANGLE_NAMES[each] for each in state.isolated())
        if state.phase in ("fill", "help")
        else (),
        room=state.board().has_room(),
        complete=tuple(
            name for knot, name in enumerate(KNOT_NAMES) if state.board().complete >> knot & 1
        ),
        counters=_counters(state),
        supply=(energy, control, alien),
        drawn=TILES[state.drawn] if state.drawn != NONE else "",
        stack=tuple(name for tile, name in enumerate(TILES) if state.stack >> tile & 1),
        quiet=state.quiet,
        faster=SEATS[state.faster] if state.faster != NONE else "",
        bonus=state.bonus,
    )


def _astronaut(state: State, seat: int) -> Astronaut:
    return Astronaut(
        SEATS[seat],
        state.board().name(state.at[seat], seat),
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
        Triangle(TRIANGLE_NAMES[triangle], FILLS[what])
        for triangle, what in map(fill_of, state.fills)
    )
    empty = tuple(
        Triangle(name, ".")
        for triangle, name in enumerate(TRIANGLE_NAMES)
        if state.left >> triangle & 1
    )
    return filled + empty


def _counters(state: State) -> tuple[Counter, ...]:
    name = state.board().name
    on_nodes = tuple(
        Counter(KINDS[kind], name(node, 0), "")
        for kind, put in enumerate(state.put)
        for node in range(put.bit_length())
        if put >> node & 1
    )
    on_modules = tuple(
        Counter("solar", station, SEATS[seat])
        for seat, modules in enumerate(MODULES)
        for station, node in STATION_NAMES[seat].items()
        if node in modules and state.solars >> node & 1
    )
    return on_nodes + on_modules
