"""Moves of astronauts and exchanges of counters (T3.4–T3.6, T4)."""

from __future__ import annotations

from engine.game import Action, IllegalActionError
from engine.tomtube.drifting import drifts
from engine.tomtube.homeward import jumps_from, would_strand
from engine.tomtube.lattice import (
    CENTRES,
    EDGES,
    KNOT_NAMES,
    MIDDLES,
    NODE_NAMES,
    PLACE_INDEX,
    PLACE_NAMES,
    STATION_NAMES,
)
from engine.tomtube.state import NONE, Draft, changed
from engine.tomtube.tables import (
    ALIEN,
    CONTROL,
    ENERGY,
    EXCHANGE_CONTROL,
    EXCHANGE_ENERGY,
    KINDS,
    SEATS,
)
from engine.tomtube.tiles import EVERY, OWN

_BUILD, _EXCHANGE = (tuple(Action(seat, verb) for seat in SEATS) for verb in ("build", "exchange"))
_DRIFT, _CONTROL, _JUMP = (
    tuple(
        tuple(Action(letter, verb, (name,)) for name in (*knots, *PLACE_NAMES))
        for letter, knots in zip(SEATS, NODE_NAMES, strict=True)
    )
    for verb in ("drift", "control", "jump")
)
"""_DRIFT[seat][end]: created once; legal lists share these objects. An end is a knot, or `CENTRES`
+ the place of a rhomb with a sphere."""

_KNOT = {name: knot for knot, name in enumerate(KNOT_NAMES) if knot not in MIDDLES}


def _moves(draft: Draft, seat: int) -> list[Action]:
    """List all moves of a seat as if it were on turn, by kind, then by node."""
    free = drifts(draft, seat, OWN[seat])
    actions = _to(draft, _DRIFT[seat], sorted(free))
    has_energy, has_control, _ = draft.hands[seat::2]
    if has_control:
        paid = sorted(drifts(draft, seat, EVERY[seat]).keys() - free.keys())
        actions += _to(draft, _CONTROL[seat], _allowed(draft, seat, paid, CONTROL))
    if has_energy:
        near = _allowed(draft, seat, _jumps(draft, seat), ENERGY)
        actions += [_JUMP[seat][knot] for knot in near]
    return actions


def _to(draft: Draft, moves: tuple[Action, ...], nodes: list[int]) -> list[Action]:
    """Return the moves of a kind to these nodes."""
    places = draft.board.places
    return [moves[node if node < CENTRES else CENTRES + places[node - CENTRES]] for node in nodes]


def _jumps(draft: Draft, seat: int) -> list[int]:
    """Return the complete knots one lattice edge away (T4.3)."""
    other = draft.at[1 - seat]
    return [knot for knot in jumps_from(draft.board, draft.at[seat]) if knot != other]


def _allowed(draft: Draft, seat: int, nodes: list[int], price: int) -> list[int]:
    """Return the nodes that do not strand the mover while the turns home are counted (T5.3)."""
    if draft.faster == NONE:
        return nodes
    return [node for node in nodes if not would_strand(draft, seat, node, price)]


def can_exchange(draft: Draft, seat: int) -> bool:
    """Return whether an alien counter can be exchanged (T3.6)."""
    return bool(
        draft.holds(ALIEN, seat)
        and draft.supply[CONTROL] >= EXCHANGE_CONTROL
        and draft.supply[ENERGY] >= EXCHANGE_ENERGY
    )


def can_build(draft: Draft) -> bool:
    """Return whether a rhomb can be placed in this turn (T3.1, T5.1)."""
    return draft.faster == NONE and bool(draft.board.room)


def can_act(draft: Draft, seat: int) -> bool:
    """Return whether a seat would have a legal action if it were on turn (T3.5)."""
    return can_build(draft) or can_exchange(draft, seat) or bool(_moves(draft, seat))


def list_turn(draft: Draft) -> tuple[Action, ...]:
    """List building, the exchange, and the moves by kind."""
    seat = draft.turn
    actions = [_BUILD[seat]] if can_build(draft) else []
    if can_exchange(draft, seat):
        actions.append(_EXCHANGE[seat])
    return (*actions, *_moves(draft, seat))


def exchange(draft: Draft) -> None:
    """Exchange an alien counter for one control and two energy counters (T3.6)."""
    seat = draft.turn
    if not draft.holds(ALIEN, seat):
        raise IllegalActionError("T3.6", "You have no alien counter to exchange.")
    if not can_exchange(draft, seat):
        raise IllegalActionError(
            "T3.6", "The supply doesn't have one control and two energy counters now."
        )
    for kind, amount in ((ALIEN, -1), (CONTROL, EXCHANGE_CONTROL), (ENERGY, EXCHANGE_ENERGY)):
        draft.hold(kind, seat, amount)
        draft.stock(kind, -amount)
    draft.add_event("exchanged", SEATS[seat])


def drift(draft: Draft, name: str) -> None:
    """Drift through own, neutral and printed tubes (T4.1)."""
    seat = draft.turn
    node = _node(draft, seat, name)
    free = drifts(draft, seat, OWN[seat])
    if node not in free:
        raise _no_way(draft, seat, name, "T4.1")
    _go(draft, seat, "drifted", free[node])


def control(draft: Draft, name: str) -> None:
    """Pay a control counter and drift through tubes of every colour (T4.2)."""
    seat = draft.turn
    if not draft.holds(CONTROL, seat):
        raise IllegalActionError("T4.2", "You have no control counter.")
    node = _node(draft, seat, name)
    if node in drifts(draft, seat, OWN[seat]):
        raise IllegalActionError("T4.2", "You can drift to {place} for free.", place=name)
    paid = drifts(draft, seat, EVERY[seat])
    if node not in paid:
        raise _no_way(draft, seat, name, "T4.2")
    _refuse_stranding(draft, seat, node, CONTROL)
    _pay(draft, seat, CONTROL)
    _go(draft, seat, "steered", paid[node])


def jump(draft: Draft, name: str) -> None:
    """Pay an energy counter and jump to a neighbouring knot (T4.3)."""
    seat = draft.turn
    if not draft.holds(ENERGY, seat):
        raise IllegalActionError("T4.3", "You have no energy counter.")
    start = draft.at[seat]
    if start >= CENTRES or start in MIDDLES:
        raise IllegalActionError("T4.3", "A jump begins at a complete knot, not at {place}.",
                      place=draft.board.name(start, seat))  # fmt: skip
    node = _node(draft, seat, name)
    if node not in _jumps(draft, seat):
        raise _no_jump(draft, seat, name)
    _refuse_stranding(draft, seat, node, ENERGY)
    _pay(draft, seat, ENERGY)
    _go(draft, seat, "jumped", (start, node))


def _refuse_stranding(draft: Draft, seat: int, node: int, price: int) -> None:
    if not _allowed(draft, seat, [node], price):
        raise IllegalActionError("T5.3", "From there you could never get home.")


def _pay(draft: Draft, seat: int, kind: int) -> None:
    draft.hold(kind, seat, -1)
    draft.stock(kind, 1)
    draft.add_event("paid", SEATS[seat], KINDS[kind])


def _go(draft: Draft, seat: int, kind: str, way: tuple[int, ...]) -> None:
    """Move along a path and take the counters at its end (T4.5)."""
    name = draft.board.name
    names = [name(node, seat) for node in way]
    end = way[-1]
    draft.add_event(kind, SEATS[seat], names[0], names[-1], "|".join(names))
    tom, dave = draft.at
    draft.at = (tom, end) if seat else (end, dave)
    draft.quiet += 1
    if draft.counters() >> end & 1:
        for counter, put in enumerate(draft.put):
            if put >> end & 1:
                draft.put = changed(draft.put, counter, -(1 << end))
                draft.hold(counter, seat, 1)
                _took(draft, seat, KINDS[counter], names[-1])
    if draft.solars >> end & 1 and draft.faster == NONE:
        draft.solars &= ~(1 << end)
        draft.solar = changed(draft.solar, seat, 1)
        _took(draft, seat, "solar", names[-1])


def _took(draft: Draft, seat: int, counter: str, place: str) -> None:
    draft.quiet = 0
    draft.add_event("took", SEATS[seat], counter, place)


def _node(draft: Draft, seat: int, name: str) -> int:
    """Return the node with this name in a seat's notation; NONE if there is none."""
    knot = _KNOT.get(name)
    if knot is not None:
        return knot
    place = PLACE_INDEX.get(name)
    if place is None:
        return STATION_NAMES[seat].get(name, NONE)
    board = draft.board
    node = CENTRES + place // 2
    return node if board.places.get(place // 2) == place and board.nodes[seat] >> node & 1 else NONE


def _no_way(draft: Draft, seat: int, name: str, rule: str) -> IllegalActionError:
    """Return the error for a drift that cannot end at a node."""
    refused = _no_end(draft, seat, name)
    return refused or IllegalActionError(
        rule, "No path through tubes leads you to {place}.", place=name
    )


def _no_jump(draft: Draft, seat: int, name: str) -> IllegalActionError:
    """Return the error for a jump that cannot end at a node."""
    refused = _no_end(draft, seat, name)
    if refused:
        return refused
    start, node = draft.at[seat], _node(draft, seat, name)
    if dict(EDGES[start]).get(node) in draft.board.places:
        return IllegalActionError("T4.3", "A rhomb covers the edge to {place}.", place=name)
    return IllegalActionError(
        "T4.3", "A jump leads to a neighbouring complete knot, not {place}.", place=name
    )


def _no_end(draft: Draft, seat: int, name: str) -> IllegalActionError | None:
    """Return the error for any kind of move that cannot end at a node; None if one can."""
    node = _node(draft, seat, name)
    if node == NONE:
        return _no_node(seat, name)
    if node == draft.at[seat]:
        return IllegalActionError("T3.4", "You are already there: a move must end elsewhere.")
    if node == draft.at[1 - seat]:
        return IllegalActionError("T4.0", "The other astronaut is at {place}.", place=name)
    if not draft.board.nodes[seat] >> node & 1:
        return IllegalActionError("T4.0", "The knot {place} is not complete.", place=name)
    return None


def _no_node(seat: int, name: str) -> IllegalActionError:
    if name in PLACE_INDEX:
        return IllegalActionError("T4.0", "There is no energy sphere called {place}.", place=name)
    knot = next((middle for middle in MIDDLES if KNOT_NAMES[middle] == name), NONE)
    if knot in STATION_NAMES[seat].values():
        return IllegalActionError("T4.0", "Your own stations are called base, module1 and module2.")
    if knot != NONE:
        return IllegalActionError("T4.0", "You can't enter the other player's base and modules.")
    return IllegalActionError("T4.0", "“{place}” is not a place for an astronaut.", place=name)
