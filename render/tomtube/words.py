"""Tom Tube in words: stories, prompts, labels and the text board."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from math import ceil

from engine.game import CHANCE, Action
from engine.tomtube.lattice import KNOT_NAMES, PLACE_INDEX, PLACES, STATION_NAMES
from engine.tomtube.tables import KINDS, POINTS, QUIET_TURNS, SEATS, SOLAR_POINTS, STATIONS
from engine.tomtube.view import Astronaut, Rhomb, TomTubeView, Triangle
from render.language import _, later
from render.renderer import ALT_LIMIT, Names
from render.tomtube.areas import NAMES, PEOPLE, station

REASONS = {
    "points": "wins on points",
    "stranded": "wins on points, as an astronaut is lost in space",
    "resign": "wins by resignation",
    "time": "wins on time",
}
WORTH_A_WARNING = 20
"""Turns without progress from which on the text board speaks of them (T5.4)."""

_GATES = {f"{q},{r}": number for number, each in enumerate(STATIONS) for q, r in each.gates}
"""The station of each gate, by its number."""

WORTH = dict(zip((*KINDS, "solar"), (*POINTS, SOLAR_POINTS), strict=True))
"""Points for a counter (T5.5)."""


def text_board(view: TomTubeView, names: Names) -> str:
    """The whole position in lines: who and what changes most comes first."""
    lines = [
        _turn(view, names),
        *(_astronaut(each, names) for each in view.astronauts),
        _drawn(view),
        _line("To be filled", view.isolated),
        *_choices(view),
        *_counters(view, names),
        _line("Complete knots besides the gates", _complete(view)),
        _line("Rhombs", map(_rhomb, view.rhombs)),
        _line("Triangles", map(_triangle, view.triangles)),
        "Supply: {} energy, {} control, {} alien; {} rhombs face down.".format(
            *view.supply, len(view.stack)
        ),
        _line("Stations, each with its two gates", _stations(names)),
    ]
    return "\n".join(line for line in lines if line)


def alt_text(view: TomTubeView, names: Names) -> str:
    """What changed, what is to do, who has what; tiles are only counted."""
    filled = sum(triangle.what != "." for triangle in view.triangles)
    lines = [
        story(view, names),
        prompt(view, names),
        _turn(view, names),
        *(_astronaut(each, names) for each in view.astronauts),
        _drawn(view),
        *_counters(view, names),
        f"Laid: {len(view.rhombs)} rhombs, {filled} triangles; {len(view.stack)} rhombs are left.",
    ]
    text = "\n".join(line for line in lines if line)
    return text if len(text) <= ALT_LIMIT else text[: ALT_LIMIT - 1] + "…"


def _line(title: str, items: Iterable[str]) -> str:
    text = "; ".join(items)
    return f"{title}: {text}." if text else ""


def _turn(view: TomTubeView, names: Names) -> str:
    words = f"Turn {view.turn}." if view.turn else "Set-up."
    if view.faster:
        words += f" {names[view.faster]} is home, with a bonus of {view.bonus} so far."
    if view.quiet >= WORTH_A_WARNING:
        words += f" {view.quiet} turns without progress; {QUIET_TURNS} end the match."
    return words


def _astronaut(each: Astronaut, names: Names) -> str:
    held = [
        f"{number} {kind}"
        for number, kind in (
            (each.energy, "energy"),
            (each.control, "control"),
            (each.alien, "alien"),
            (each.solar, "solar"),
        )
        if number
    ]
    return (
        f"{_who(each.seat, names)} at {each.place}: {_points(each.points)};"
        f" counters: {', '.join(held) or 'none'};"
        f" triangles: {each.tubes} tube, {each.blanks} blank."
    )


def _who(seat: str, names: Names) -> str:
    """A player with the astronaut's name, which is on the board and in the notation."""
    name, person = names[seat], PEOPLE[seat]
    return name if name == person else f"{name} ({person})"


def _points(number: int) -> str:
    return f"{number} point" if number == 1 else f"{number} points"


def _drawn(view: TomTubeView) -> str:
    if not view.drawn:
        return ""
    toms, daves = view.drawn.removesuffix("+").split("/")
    sphere = "an energy sphere" if view.drawn.endswith("+") else "no sphere"
    return (
        f"Drawn rhomb {view.drawn}: Tom's tube joins {toms[0]} and {toms[1]},"
        f" Dave's {daves[0]} and {daves[1]}; {sphere} in the middle."
        " Its corners A, B, C, D run clockwise; A and C are the acute ones."
    )


_CHOICES = {
    "drift": "You can drift to",
    "control": "You can pay a control counter and drift to",
    "jump": "You can pay an energy counter and jump to",
}


def _choices(view: TomTubeView) -> list[str]:
    """What the viewer can do in a turn; the ways to lay a rhomb are too many for a list."""
    if view.phase == "rhomb" and view.legal:
        return [f"You can lay the rhomb in {len(view.legal)} ways."]
    verbs = {action.verb for action in view.legal}
    lines = ["You can build."] if "build" in verbs else []
    if "exchange" in verbs:
        lines.append("You can exchange an alien counter for one control and two energy.")
    for verb, words in _CHOICES.items():
        lines.append(_line(words, [each.args[0] for each in view.legal if each.verb == verb]))
    return lines


def _counters(view: TomTubeView, names: Names) -> list[str]:
    """Where counters lie, a line a kind."""
    kinds = dict.fromkeys((each.kind, each.seat) for each in view.counters)
    return [
        _line(
            f"{kind.capitalize()} counters" + (f" of {names[seat]}" if seat else ""),
            [each.place for each in view.counters if (each.kind, each.seat) == (kind, seat)],
        )
        for kind, seat in kinds
    ]


def _complete(view: TomTubeView) -> list[str]:
    return [name for name in view.complete if name not in _GATES]


def corners(place: str) -> dict[str, str]:
    """The knots at the corners A, B, C, D of a rhomb's place."""
    knots = (KNOT_NAMES[corner.knot] for corner in PLACES[PLACE_INDEX[place]])
    return dict(zip("ABCD", knots, strict=True))


def tubes(rhomb: Rhomb) -> tuple[str, str]:
    """The knots that Tom's and Dave's tube join."""
    at = corners(rhomb.place)
    toms, daves = rhomb.tile.removesuffix("+").split("/")
    return f"{at[toms[0]]} to {at[toms[1]]}", f"{at[daves[0]]} to {at[daves[1]]}"


def _rhomb(rhomb: Rhomb) -> str:
    toms, daves = tubes(rhomb)
    sphere = " with energy sphere" if rhomb.tile.endswith("+") else ""
    both = f"Tom and Dave {toms}" if toms == daves else f"Tom {toms}, Dave {daves}"
    return f"{rhomb.place}{sphere}, {both}"


_FILLED = {"T": "tubes of Tom", "D": "tubes of Dave", "-": "blank", ".": "left empty"}


def _triangle(triangle: Triangle) -> str:
    return f"{triangle.place} {_FILLED[triangle.what]}"


def _stations(names: Names) -> list[str]:
    lines = []
    for seat, person in enumerate(PEOPLE):
        own = sorted(
            (each for each in STATIONS if each.owner == seat), key=lambda each: not each.is_base
        )
        for name, each in zip(("base", "module1", "module2"), own, strict=True):
            gates = " and ".join(f"{q},{r}" for q, r in each.gates)
            lines.append(f"{name} of {names[person]} {gates}")
    return lines


def story(view: TomTubeView, names: Names) -> str:
    """The last turn, or so far in this one: a sentence an event."""
    shown = _spheres(view)
    return " ".join(_TELL[event.kind](event.facts, names, shown) for event in view.story)


def _spheres(view: TomTubeView) -> frozenset[str]:
    """The rhombs that a way passes as places, as they have a sphere."""
    return frozenset(place for place, tile in view.rhombs if tile.endswith("+"))


def _way(facts: Sequence[str], names: Names, spheres: frozenset[str], how: str) -> str:
    seat, start, end, way = facts
    between = [
        each
        for each in way.split("|")[1:-1]
        if "/" not in each and (">" not in each or each in spheres)
    ]
    over = f" by way of {', then '.join(between)}" if between else ""
    return f"{names[seat]} {how} from {start} to {end}{over}."


def _ended(facts: Sequence[str], names: Names) -> str:
    winner, reason = facts
    if reason == "agreed":
        return "The players agreed on a draw."
    if winner == "-":
        lost = ", as an astronaut is lost in space" if reason == "stranded" else ""
        return f"The match is a draw: equal points{lost}."
    return f"{names[winner]} {REASONS[reason]}."


_Tell = Callable[[Sequence[str], Names, frozenset[str]], str]

_TELL: dict[str, _Tell] = {
    "first": lambda f, n, _: f"The lot falls on {n[f[0]]}, who begins.",
    "drawn": lambda f, n, _: f"{n[f[0]]} builds and has drawn {f[1]}.",
    "laid": lambda f, n, _: f"{n[f[0]]} laid it at {f[2]}.",
    "filled": lambda f, n, _: f"{n[f[0]]} filled {f[2]} with a {f[1]} triangle.",
    "passed": lambda f, n, _: f"{n[f[0]]} did not want to fill {f[1]}.",
    "empty": lambda f, _n, _: f"{f[0]} stays empty.",
    "put": lambda f, _n, _: f"A counter of {f[0]} lies on {f[1]} now.",
    "exchanged": lambda f, n, _: (
        f"{n[f[0]]} exchanged an alien for a control and two energy counters."
    ),
    "paid": lambda f, n, _: f"{n[f[0]]} paid a counter of {f[1]}.",
    "drifted": lambda f, n, s: _way(f, n, s, "drifted"),
    "steered": lambda f, n, s: _way(f, n, s, "drifted through all tubes"),
    "jumped": lambda f, n, s: _way(f, n, s, "jumped"),
    "took": lambda f, n, _: f"{n[f[0]]} took a counter of {f[1]}.",
    "missed": lambda f, n, _: f"{n[f[0]]} can do nothing and misses a turn.",
    "home": lambda f, n, _: f"{n[f[0]]} is home with both solar counters: the bonus counts.",
    "stranded": lambda f, n, _: f"{n[f[0]]} is lost in space: no way leads home.",
    "ended": lambda f, n, _: _ended(f, n),
}


def prompt(view: TomTubeView, names: Names) -> str:
    """Who must decide what."""
    if not view.pending:
        winner, reason = view.result.split()
        points = " to ".join(str(each.points) for each in view.astronauts)
        return f"{_ended((winner, reason), names)} {points} points."
    if view.pending == CHANCE:
        return "The lot is drawn." if view.phase == "first" else "The top rhomb is drawn."
    return f"{names[view.pending]}: {_task(view, names)}."


def _task(view: TomTubeView, names: Names) -> str:
    if view.phase == "rhomb":
        return f"lay the rhomb {view.drawn}"
    triangles = " and ".join(view.isolated)
    if view.phase == "fill":
        return f"fill what is isolated, {triangles}"
    if view.phase == "help":
        return f"fill {triangles} or leave it empty; {names[view.turn_seat]} has no triangle left"
    if view.faster:
        return f"come home; every turn is a point for {names[view.faster]}"
    return "build, or move"


def mark(view: TomTubeView, action: Action) -> str:
    """What stands at a choice on the board, and at the beginning of its button.

    A letter before a knot is the counter that the move costs.
    """
    place = action.args[0]
    if action.verb in _FILLING:
        return "abcdefgh"[view.isolated.index(place)]
    short = NAMES[PLACE_INDEX[place] // 2] if ">" in place else place
    return _COST.get(action.verb, "") + short


_FILLING = {
    "tube": later("{mark}: tubes into {place}"),
    "blank": later("{mark}: blank into {place}"),
    "pass": later("{mark}: leave {place} empty"),
}
_COST = {"control": "C ", "jump": "E "}
_MOVES = {
    "drift": later("{mark}: drift to {goal}, {far} away"),
    "control": later("{mark}: pay control, drift to {goal}, {far} away"),
    "jump": later("{mark}: pay energy, jump to {goal}"),
}


def label(view: TomTubeView, action: Action) -> str:
    """A button's words."""
    if action.verb == "build":
        return _("Build")
    if action.verb == "exchange":
        return _("Exchange an alien counter")
    place, sign = action.args[0], mark(view, action)
    if action.verb == "rhomb":
        own = tubes(Rhomb(place, view.drawn))[SEATS.index(action.actor)]
        at = corners(place)
        words = _("{mark} A {a}, C {c}: your tube {tube}")
        return words.format(mark=sign, a=at["A"], c=at["C"], tube=own)
    if action.verb in _FILLING:
        return _(_FILLING[action.verb]).format(mark=sign, place=place)
    here = next(each.place for each in view.astronauts if each.seat == action.actor)
    far, goal = _far(here, place, action.actor), _goal(place, action.actor)
    return _(_MOVES[action.verb]).format(mark=sign, far=far, goal=goal) + _gain(view, action)


def _far(start: str, end: str, seat: str) -> int:
    """How far it is as the crow flies, in edges of the lattice, rounded up."""
    (q, r), (to_q, to_r) = _at(start, seat), _at(end, seat)
    dq, dr = to_q - q, to_r - r
    return ceil(max(abs(dq), abs(dr), abs(dq + dr)))


def _at(place: str, seat: str) -> tuple[float, float]:
    """Axial coordinates of a node of a seat."""
    stations = STATION_NAMES[SEATS.index(seat)]
    names = [KNOT_NAMES[stations[place]]] if place in stations else place.split(">")
    found = [[int(number) for number in name.split(",")] for name in names]
    q, r = (sum(axis) / len(found) for axis in zip(*found, strict=True))
    return q, r


def _goal(place: str, seat: str) -> str:
    """What there is at the end of a move."""
    if ">" in place:
        return _("the sphere {place}").format(place=place)
    if "," not in place:
        return _("your base") if place == "base" else _("your module")
    if place not in _GATES:
        return _("a knot")
    found = STATIONS[_GATES[place]]
    if SEATS[found.owner] == seat:
        return _("a gate of your base") if found.is_base else _("a gate of your module")
    return _("a gate of {station}").format(station=station(_GATES[place]))


def _gain(view: TomTubeView, action: Action) -> str:
    """What the end of a move gives."""
    here = [
        each.kind
        for each in view.counters
        if each.place == action.args[0] and each.seat in ("", action.actor)
    ]
    if not here or (here == ["solar"] and view.faster):
        return ""
    return _(", takes {counter} (+{points})").format(counter=_(here[0]), points=WORTH[here[0]])
