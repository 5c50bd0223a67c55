"""Tom Tube in words: stories, prompts, labels and the text board."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from math import ceil

from engine.endings import ABANDONED
from engine.game import CHANCE, Action, Event
from engine.tomtube.lattice import KNOT_NAMES, PLACE_INDEX, PLACES, STATION_NAMES
from engine.tomtube.tables import MAX_QUIET_TURNS, SEATS, SOLARS, STATIONS
from engine.tomtube.view import Astronaut, Rhomb, TomTubeView, Triangle
from render.i18n import (
    N_,
    NP_,
    _,
    format_change,
    format_clauses,
    format_list,
    ngettext,
    pgettext,
    translated,
    truncate,
    with_side,
)
from render.renderer import MAX_ALT_CHARACTERS, Names
from render.tomtube.areas import PAIR_NAMES, SIDE_NAMES, from_left, station, triangle_of, turn_of
from render.tomtube.cut_off import cut_off, letters
from render.tomtube.story import event_text, story
from render.tomtube.terms import COUNTER_NAMES, COUNTER_POINTS, LONG_TURNS, VERBS, place_name

QUIET_TURNS_SHOWN = 20
"""Minimum turns without progress for the text board to show them (T5.4)."""

_GATES = {f"{q},{r}": number for number, home in enumerate(STATIONS) for q, r in home.gates}
"""Gate → number of its station."""


def text_board(view: TomTubeView, names: Names) -> str:
    """Return the whole position in lines; those that change most come first."""
    lines = [
        _turn(view, names),
        *(_astronaut(astronaut, names) for astronaut in view.astronauts),
        _drawn(view),
        _line(_("To be filled: {list}."), map(place_name, view.isolated)),
        *_choices(view),
        *_counters(view, names),
        _line(_("Complete knots besides the gates: {list}."), _complete(view)),
        _line(_("Rhombs: {list}."), map(_rhomb, view.rhombs)),
        _line(_("Triangles: {list}."), map(_triangle, view.triangles)),
        _supply(view),
        _line(_("Stations, each with its two gates: {list}."), _stations(names)),
    ]
    return "\n".join(line for line in lines if line)


def alt_text(view: TomTubeView, names: Names) -> str:
    """Describe the story, the prompt and the players' pieces; tiles are only counted.

    In the first turns, parts of rings are explained, as in the legend. The story of the last turn
    is left out if there is no room for it beside a drawn rhomb.
    """
    filled = sum(triangle.what != "." for triangle in view.triangles)
    lines = [
        prompt(view, names),
        _turn(view, names),
        *(_astronaut(astronaut, names) for astronaut in view.astronauts),
        _drawn(view),
        *_counters(view, names),
        _("Rhombs placed: {rhombs}, left: {left}; triangles placed: {triangles}.").format(
            rhombs=len(view.rhombs), triangles=filled, left=len(view.stack)
        ),
    ]
    if view.rhombs and view.turn <= LONG_TURNS:
        lines.append(_("Parts of rings at the corners of tiles: unfinished knots."))
    text = "\n".join(line for line in lines if line)
    last_turn = story(view, names)
    whole = f"{last_turn}\n{text}" if last_turn else text
    return truncate(
        text if view.drawn and len(whole) > MAX_ALT_CHARACTERS else whole, MAX_ALT_CHARACTERS
    )


def _line(words: str, items: Iterable[str], **fields: str) -> str:
    """Fill in a sentence with a `{list}`; return an empty string if the list is empty."""
    text = format_clauses(items)
    return words.format(list=text, **fields) if text else ""


def _supply(view: TomTubeView) -> str:
    energy, control, alien = view.supply
    words = _(
        "Supply: {energy} energy, {control} control, {alien} alien; {rhombs} rhombs face down."
    )
    return words.format(energy=energy, control=control, alien=alien, rhombs=len(view.stack))


def _turn(view: TomTubeView, names: Names) -> str:
    lines = [_("Turn {number}.").format(number=view.turn) if view.turn else _("Setup.")]
    if view.faster:
        home = _("{name} is home, with a bonus of {bonus} so far.")
        lines.append(home.format(name=names[view.faster], bonus=view.bonus))
    if view.quiet >= QUIET_TURNS_SHOWN:
        quiet = ngettext(
            "{count} turn without progress; {most} end the match.",
            "{count} turns without progress; {most} end the match.",
            view.quiet,
        )
        lines.append(quiet.format(count=view.quiet, most=MAX_QUIET_TURNS))
    return " ".join(lines)


def _astronaut(astronaut: Astronaut, names: Names) -> str:
    counters = [
        # Translators: how many counters of a kind a player has, as in “2 energy”.
        _("{number} {counter}").format(number=number, counter=_(COUNTER_NAMES[kind]))
        for kind, number in (
            ("energy", astronaut.energy),
            ("control", astronaut.control),
            ("alien", astronaut.alien),
            ("solar", astronaut.solar),
        )
        if number
    ]
    words = ngettext(
        "{name} at {place}: {points} point; counters: {counters};"
        " triangles: {tubes} tube, {blanks} blank.",
        "{name} at {place}: {points} points; counters: {counters};"
        " triangles: {tubes} tube, {blanks} blank.",
        astronaut.points,
    )
    return words.format(
        name=_who(astronaut.seat, names),
        place=place_name(astronaut.place),
        points=astronaut.points,
        counters=format_list(counters, style="commas") or pgettext("counters", "none"),
        tubes=astronaut.tubes,
        blanks=astronaut.blanks,
    )


def _who(seat: str, names: Names) -> str:
    """Return a player with the astronaut's name, which is on the board and in the notation."""
    name, person = names[seat], SIDE_NAMES[seat]
    return name if name == person else with_side(name, person)


def _drawn(view: TomTubeView) -> str:
    if not view.drawn:
        return ""
    toms, daves = view.drawn.removesuffix("+").split("/")
    words = _(
        "Drawn rhomb: Tom's tube joins {tom1} and {tom2}, Dave's {dave1} and {dave2};"
        " no sphere in the middle."
        " Its corners A, B, C, D run clockwise; A and C are the acute ones."
    )
    if view.drawn.endswith("+"):
        words = _(
            "Drawn rhomb: Tom's tube joins {tom1} and {tom2}, Dave's {dave1} and {dave2};"
            " an energy sphere in the middle."
            " Its corners A, B, C, D run clockwise; A and C are the acute ones."
        )
    return words.format(tom1=toms[0], tom2=toms[1], dave1=daves[0], dave2=daves[1])


_CHOICES = {
    "drift": N_("You can drift to: {list}."),
    "control": N_("You can pay a control counter and drift to: {list}."),
    "jump": N_("You can pay an energy counter and jump to: {list}."),
}


def _choices(view: TomTubeView) -> list[str]:
    """List the viewer's choices in a turn; the places of a rhomb are only counted."""
    if view.phase == "rhomb" and view.legal:
        words = ngettext(
            "You can place the rhomb in {count} way.",
            "You can place the rhomb in {count} ways.",
            len(view.legal),
        )
        return [words.format(count=len(view.legal))]
    verbs = {action.verb for action in view.legal}
    lines = [_("You can build.")] if "build" in verbs else []
    if "exchange" in verbs:
        lines.append(_("You can exchange an alien counter for one control and two energy."))
    for verb, words in _CHOICES.items():
        lines.append(_line(_(words), [place_name(a.args[0]) for a in view.legal if a.verb == verb]))
    return lines


def _counters(view: TomTubeView, names: Names) -> list[str]:
    """List the counters, one line for each kind."""
    kinds = dict.fromkeys((counter.kind, counter.seat) for counter in view.counters)
    return [
        _line(
            _(_COUNTER_LISTS[kind, bool(seat)]),
            [
                place_name(counter.place)
                for counter in view.counters
                if (counter.kind, counter.seat) == (kind, seat)
            ],
            name=names.get(seat, ""),
        )
        for kind, seat in kinds
    ]


_COUNTER_LISTS = {
    ("energy", False): N_("Energy counters: {list}."),
    ("control", False): N_("Control counters: {list}."),
    ("alien", False): N_("Alien counters: {list}."),
    ("solar", True): N_("Solar counters of {name}: {list}."),
}
"""(Kind, has an owner) → the sentence that lists such counters."""


def _complete(view: TomTubeView) -> list[str]:
    return [place_name(name) for name in view.complete if name not in _GATES]


def tubes(rhomb: Rhomb) -> tuple[str, str]:
    """Return Tom's and Dave's tube, each by the knots that it joins."""
    knots = (KNOT_NAMES[corner.knot] for corner in PLACES[PLACE_INDEX[rhomb.place]])
    at = dict(zip("ABCD", map(place_name, knots), strict=True))
    toms, daves = rhomb.tile.removesuffix("+").split("/")
    return f"{at[toms[0]]}-{at[toms[1]]}", f"{at[daves[0]]}-{at[daves[1]]}"


def _rhomb(rhomb: Rhomb) -> str:
    toms, daves = tubes(rhomb)
    if rhomb.tile.endswith("+"):
        words = _("{place} with energy sphere, Tom {toms}, Dave {daves}")
        equal_words = _("{place} with energy sphere, Tom and Dave {toms}")
    else:
        words = _("{place}, Tom {toms}, Dave {daves}")
        equal_words = _("{place}, Tom and Dave {toms}")
    return (equal_words if toms == daves else words).format(
        place=place_name(rhomb.place), toms=toms, daves=daves
    )


_FILLED = {
    "T": N_("{place} tubes of Tom"),
    "D": N_("{place} tubes of Dave"),
    "-": N_("{place} blank"),
    ".": N_("{place} left empty"),
}


def _triangle(triangle: Triangle) -> str:
    return _(_FILLED[triangle.what]).format(place=place_name(triangle.place))


def _stations(names: Names) -> list[str]:
    lines = []
    for seat, person in enumerate(SIDE_NAMES):
        stations = sorted(
            (home for home in STATIONS if home.owner == seat), key=lambda home: not home.is_base
        )
        for name, home in zip(("base", "module1", "module2"), stations, strict=True):
            gates = format_list([place_name(f"{q},{r}") for q, r in home.gates])
            words = _("{name}, {station}: {gates}")
            station_name = _("base") if name == "base" else place_name(name)
            lines.append(words.format(station=station_name, name=names[person], gates=gates))
    return lines


def prompt(view: TomTubeView, names: Names) -> str:
    """Return the pending decision, or the result."""
    if not view.pending:
        return _ending(view, names)
    if view.pending == CHANCE:
        return (
            _("A random draw decides who goes first.")
            if view.phase == "first"
            else _("The top rhomb is drawn.")
        )
    return _task(view).format(
        name=names[view.pending],
        triangles=format_list(_letters(view)),
        other=names[view.turn_seat if view.phase == "help" else view.faster or view.turn_seat],
    )


def _ending(view: TomTubeView, names: Names) -> str:
    """Return the result with the points, the winner's first if they decided."""
    first, second = (astronaut.points for astronaut in view.astronauts)
    winner, _space, reason = view.result.partition(" ")
    words = N_("{ended} Points: {first} to {second}.")
    if reason in _DECIDED:
        victory, draw = _DECIDED[reason]
        words = victory if winner in names else draw
        first, second = max(first, second), min(first, second)
    elif view.result == ABANDONED:
        words = "{ended}"
    ended = event_text(Event("ended", tuple(view.result.split())), names)
    fields = {"ended": ended, "winner": names.get(winner, ""), "first": first}
    return translated(words, {**fields, "second": second, "count": second})


_DECIDED = {
    "points": (
        NP_(
            "{winner} wins, {first} to {count} points.",
            "{winner} wins, {first} to {count} points.",
        ),
        NP_(
            "The match is a draw, {first} to {count} points.",
            "The match is a draw, {first} to {count} points.",
        ),
    ),
    "stranded": (
        NP_(
            "{winner} wins, {first} to {count} points, as an astronaut can't get home.",
            "{winner} wins, {first} to {count} points, as an astronaut can't get home.",
        ),
        NP_(
            "The match is a draw, {first} to {count} points, as an astronaut can't get home.",
            "The match is a draw, {first} to {count} points, as an astronaut can't get home.",
        ),
    ),
}
"""Reason of an end by points → the sentences about a victory and about a draw."""


def margin(view: TomTubeView, names: Names) -> str:
    """Return the winner's lead in points, if points decided the match."""
    winner, reason = view.result.split()
    if winner not in names or reason not in ("points", "stranded"):
        return ""
    one, other = (astronaut.points for astronaut in view.astronauts)
    sentence = ngettext(
        "{name} won by {count} point.", "{name} won by {count} points.", abs(one - other)
    )
    return sentence.format(name=names[winner], count=abs(one - other))


def _task(view: TomTubeView) -> str:
    """Return the sentence about the pending decision, with open fields."""
    count = len(view.isolated)
    if view.phase == "rhomb":
        return _("{name}: place the drawn rhomb.")
    if view.phase == "fill":
        return ngettext(
            "{name}: fill triangle {triangles}, cut off by the rhomb, with tubes or a blank.",
            "{name}: fill triangles {triangles}, cut off by the rhomb, with tubes or a blank.",
            count,
        )
    if view.phase == "help":
        return ngettext(
            "{name}: fill triangle {triangles} or leave it empty; {other} has no triangle left.",
            "{name}: fill triangles {triangles} or leave them empty; {other} has no triangle left.",
            count,
        )
    if view.faster:
        return _("{name}: get home; every turn is a point for {other}.")
    if not view.room:
        return _("{name}: move; the match ends when an astronaut gets home.")
    return _("{name}: build, or move.")


def _letters(view: TomTubeView) -> list[str]:
    """Return the letters of the triangles to be filled, in their order."""
    names = letters(view)
    triangles = sorted(map(triangle_of, view.isolated), key=from_left)
    return [names[triangle] for triangle in triangles]


def filled_with(view: TomTubeView, fillings: Sequence[Action]) -> str:
    """Return the fillings of triangles that are cut off, by their letters: `a, c: tubes`."""
    by_verb: dict[str, list[str]] = {}
    for filling in fillings:
        by_verb.setdefault(filling.verb, []).append(mark(view, filling))
    parts = [
        _(_FILLING[verb]).format(mark=format_list(marks, style="commas"))
        for verb, marks in by_verb.items()
    ]
    return format_list(parts, style="commas")


def filled_later(view: TomTubeView, placing: Action) -> str:
    """Return the letters of the triangles that a placing cuts off, before they are filled."""
    marks = [*cut_off(view, [placing])]
    return _(_FILLING["later"]).format(mark=format_list(marks, style="commas")) if marks else ""


def mark(view: TomTubeView, action: Action) -> str:
    """Return the mark of a choice on the board, which also begins its name.

    A letter before a knot is the counter that the move costs. No picture shows the mark of a
    rhomb's place, but players may type it.
    """
    place = action.args[0]
    if action.verb in _FILLING:
        return letters(view).get(triangle_of(place)) or place_name(place)
    if action.verb == "rhomb":
        return PAIR_NAMES[PLACE_INDEX[place] // 2]
    name = _("base") if place == "base" else place_name(place)
    return _COST.get(action.verb, "") + name


_FILLING = {
    "tube": N_("{mark}: tubes"),
    "blank": N_("{mark}: blank"),
    "pass": N_("{mark}: leave empty"),
    "later": N_("{mark}: later"),
}
_COST = {"control": "C ", "jump": "E "}
_MOVES = {
    "drift": N_("{mark}: drift to {goal}, {far} away"),
    "control": N_("{mark}: pay control, drift to {goal}, {far} away"),
    "jump": N_("{mark}: pay energy, jump to {goal}"),
}


def label(view: TomTubeView, action: Action) -> str:
    """Return the name of an action or of its beginning."""
    if not action.args:
        return _(VERBS.get(action.verb, action.verb))
    if action.verb == "rhomb":
        return _rhomb_label(view, action)
    place, sign = action.args[0], mark(view, action)
    if action.verb in _FILLING:
        return _(_FILLING[action.verb]).format(mark=sign)
    start = next(astronaut.place for astronaut in view.astronauts if astronaut.seat == action.actor)
    far, goal = ceil(distance(start, place, action.actor)), _goal(place, action.actor)
    words = _(_MOVES[action.verb]).format(mark=sign, far=far, goal=goal)
    return words + _gain(view, action, _(", takes {counter} (+{points})"))


_DRAWN = {
    "rhomb": N_("Place the rhomb at {place}, as in the picture"),
    "tube": N_("Fill triangle {mark} with tubes"),
    "blank": N_("Fill triangle {mark} with a blank"),
    "pass": N_("Leave triangle {mark} empty"),
    "drift": N_("Drift along the arrow, to {goal}"),
    "control": N_("Pay control and drift along the arrow, to {goal}"),
    "jump": N_("Pay energy and jump along the arrow, to {goal}"),
}


def drawn_label(view: TomTubeView, action: Action, names: Names | None = None) -> str:
    """Return the name of an action that is drawn on the picture beside it.

    Args:
        view: before the action.
        action: the action.
        names: the players' names, if the opponent is not to be called as on the board.
    """
    if action.verb not in _DRAWN:
        return label(view, action)
    place = action.args[0]
    if action.verb not in _MOVES:
        return _(_DRAWN[action.verb]).format(place=place_name(place), mark=mark(view, action))
    goal = _goal(place, action.actor, names)
    if "," in place and ">" not in place:
        goal = _("{place}, {what}").format(place=place_name(place), what=goal)
    return _(_DRAWN[action.verb]).format(goal=goal)


def ghost_label(view: TomTubeView, action: Action) -> str:
    """Return an action as it is drawn: of a rhomb its place and the knots that its tubes join."""
    if action.verb != "rhomb":
        return label(view, action)
    place = place_name(action.args[0])
    if not view.drawn:
        return _("A rhomb at {place}.").format(place=place)
    words = _("{place} joins {own} for you, {other} for {person}.")
    return words.format(place=place, **_tube_ends(view, action))


def _tube_ends(view: TomTubeView, action: Action) -> dict[str, str]:
    """Return the ends of both tubes of a placed rhomb, and the other player, as fields of texts."""
    ends = dict(zip(SIDE_NAMES, tubes(Rhomb(action.args[0], view.drawn)), strict=True))
    own_ends = ends.pop(action.actor)
    ((rival, rival_ends),) = ends.items()
    return {"own": own_ends, "person": SIDE_NAMES[rival], "other": rival_ends}


_DONE = {
    "drift": N_("Drift to {place}"),
    "control": N_("Pay control, drift to {place}"),
    "jump": N_("Pay energy, jump to {place}"),
    "rhomb": N_("rhomb placed at {place}"),
    "tube": N_("triangle {mark} filled with tubes"),
    "blank": N_("triangle {mark} left blank"),
    "pass": N_("triangle {mark} left empty"),
}


def done(view: TomTubeView, action: Action) -> str:
    """Return an action after it is done, with its place: the name of its button says less."""
    if action.verb not in _DONE:
        return label(view, action)
    fields = {"mark": mark(view, action), "place": place_name(action.args[0])}
    return _(_DONE[action.verb]).format(**fields)


def short_label(view: TomTubeView, action: Action) -> str:
    """Return the goal of a move and what it takes, below a heading with the verb.

    A jump to where a drift is free says so.
    """
    sign = mark(view, action).removeprefix(_COST.get(action.verb, ""))
    words = sign + _gain(view, action, " {counter} +{points}")
    if leads_home(view, action):
        words = _("{place}: home").format(place=words)
    is_free = action.verb == "jump" and action._replace(verb="drift") in view.legal
    return _("{place} (drift: free)").format(place=words) if is_free else words


def _rhomb_label(view: TomTubeView, action: Action) -> str:
    """Return a label with the turn of a rhomb, the ends of both its tubes, and its tips."""
    words = _("{turn}: you {own}, {person} {other} ({place})")
    fields = _tube_ends(view, action)
    return words.format(turn=turn_of(action), place=place_name(action.args[0]), **fields)


def distance_from_astronaut(view: TomTubeView, action: Action) -> float:
    """Return the distance of an action's place from the astronaut of its player."""
    start = next(astronaut.place for astronaut in view.astronauts if astronaut.seat == action.actor)
    return distance(start, action.args[0], action.actor)


def distance(start: str, end: str, seat: str) -> float:
    """Return the straight-line distance in edges of the lattice."""
    (q, r), (to_q, to_r) = _at(start, seat), _at(end, seat)
    dq, dr = to_q - q, to_r - r
    return max(abs(dq), abs(dr), abs(dq + dr))


@cache
def _at(place: str, seat: str) -> tuple[float, float]:
    """Return the axial coordinates of a node of a seat."""
    stations = STATION_NAMES[SEATS.index(seat)]
    names = [KNOT_NAMES[stations[place]]] if place in stations else place.split(">")
    coordinates = [[int(number) for number in name.split(",")] for name in names]
    q, r = (sum(axis) / len(coordinates) for axis in zip(*coordinates, strict=True))
    return q, r


def _goal(place: str, seat: str, names: Names | None = None) -> str:
    """Describe the end of a move; for `names` see `drawn_label`."""
    if ">" in place:
        return _("the sphere {place}").format(place=place_name(place))
    if "," not in place:
        return _("your base") if place == "base" else _("your module")
    if place not in _GATES:
        return _("a knot")
    gate = _("a gate of {station}")
    home = STATIONS[_GATES[place]]
    if SEATS[home.owner] == seat:
        return _("a gate of your base") if home.is_base else _("a gate of your module")
    return gate.format(station=station(_GATES[place], seat, names))


def leads_home(view: TomTubeView, action: Action) -> bool:
    """Return whether a move is the way home with both solar counters, or after the opponent."""
    player = next(astronaut for astronaut in view.astronauts if astronaut.seat == action.actor)
    return action.args[:1] == ("base",) and (player.solar == SOLARS or bool(view.faster))


def gain(view: TomTubeView, action: Action) -> int:
    """Return the points of the counter at the end of a move; 0 if there is none to take."""
    return COUNTER_POINTS.get(_taken(view, action), 0)


def _taken(view: TomTubeView, action: Action) -> str:
    """Return the kind of the counter at the end of a move; empty if there is none to take."""
    kinds = [
        counter.kind
        for counter in view.counters
        if counter.place == action.args[0] and counter.seat in ("", action.actor)
    ]
    return "" if not kinds or (kinds == ["solar"] and view.faster) else kinds[0]


def _gain(view: TomTubeView, action: Action, words: str) -> str:
    """Return words about the counter at the end of a move, if there is one to take."""
    kind = _taken(view, action)
    if not kind:
        return ""
    return words.format(counter=_(COUNTER_NAMES[kind]), points=COUNTER_POINTS[kind])


def handicap(before: Mapping[str, str], after: Mapping[str, str], names: Names) -> str:
    """Return the change of a player's launch energy, e.g. `Bo +1 energy at the start`."""
    changed = next(name for name, value in after.items() if value != before.get(name, "0"))
    gain = int(after[changed]) - int(before.get(changed, "0"))
    return _("{name} {more} energy at the start").format(
        name=names[changed[-1]], more=format_change(gain)
    )
