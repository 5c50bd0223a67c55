"""The latest events of Tom Tube in sentences."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from engine.game import Event
from engine.tomtube.game import TomTube
from engine.tomtube.tables import KINDS, MAX_QUIET_TURNS
from engine.tomtube.view import Astronaut, TomTubeView
from render.i18n import N_, _, format_list, ngettext, pgettext
from render.narration import Templates, marked, sentence
from render.renderer import Names
from render.tomtube.terms import COUNTER_NAMES, COUNTER_POINTS, place_name

REVELATIONS = {"draw": N_("A rhomb has been drawn since")}
"""See `Renderer.revelations`."""


def story(view: TomTubeView, names: Names) -> str:
    """Return the last turn, or the current one so far, with one sentence for each event."""
    spheres = _spheres(view)
    laid = {event.facts[2] for event in view.story if event.kind == "laid"}
    sentences = [
        marked(event_text(event, names, spheres), view, place)
        for place, event in enumerate(view.story)
        if event.kind != "ended" and not (event.kind == "put" and event.facts[1] in laid)
    ]
    if laid and not view.room and not view.result:
        sentences.append(_("No rhomb fits any more: the match ends when an astronaut gets home."))
    if view.result.endswith(" points"):
        sentences.append(_reason(view, names))
    if view.result.endswith((" points", " stranded")):
        sentences += [_points_of(view, astronaut, names) for astronaut in view.astronauts]
    return " ".join(filter(None, sentences))


def run_story(views: Sequence[TomTubeView], names: Names) -> str:
    """Return the turns that were counted for a bonus (T5.1), and the counters taken in them."""
    counted = [view for view in views if view.bonus]
    if len(counted) < 2:
        return ""
    faster = counted[-1].faster
    words = ngettext(
        "{player} played {count} turn alone, a bonus point for {other}.",
        "{player} played {count} turns alone, each a bonus point for {other}.",
        len(counted),
    )
    (player,) = (name for seat, name in names.items() if seat != faster)
    sentences = [words.format(player=player, count=len(counted), other=names[faster])]
    kinds = [event.facts[1] for view in counted for event in view.story if event.kind == "took"]
    if kinds:
        counts = [f"{_(COUNTER_NAMES[k])} {kinds.count(k)}" for k in KINDS if k in kinds]
        words = _("Counters taken: {counters}.")
        sentences.append(words.format(counters=format_list(counts, style="commas")))
    return " ".join(sentences)


def _reason(view: TomTubeView, names: Names) -> str:
    """Return the reason why a match has ended that was decided by points."""
    at_home = [names[astronaut.seat] for astronaut in view.astronauts if astronaut.place == "base"]
    slower = [
        names[astronaut.seat] for astronaut in view.astronauts if astronaut.seat != view.faster
    ]
    if view.faster and len(at_home) == len(view.astronauts):
        return _("{player} is home too: the match is over.").format(player=slower[0])
    if not view.room and not view.faster and at_home:
        words = _("No rhomb fits any more, and {player} is home: the match is over.")
        return words.format(player=at_home[0])
    if view.quiet >= MAX_QUIET_TURNS:
        words = ngettext(
            "{count} turn without progress: the match is over.",
            "{count} turns without progress: the match is over.",
            view.quiet,
        )
        return words.format(count=view.quiet)
    return ""


def _points_of(view: TomTubeView, astronaut: Astronaut, names: Names) -> str:
    """Return an astronaut's points by their sources."""
    counts = (*zip((*KINDS, "solar"), astronaut[2:6], strict=True),)
    parts = [
        f"{_(COUNTER_NAMES[kind])} {count * COUNTER_POINTS[kind]}"
        for kind, count in counts
        if count
    ]
    if astronaut.seat == view.faster and view.bonus:
        parts.append(_("bonus {number}").format(number=view.bonus))
    words = _("{name}'s points: {parts}.")
    return words.format(
        name=names[astronaut.seat],
        parts=format_list(parts, style="commas") or pgettext("points", "none"),
    )


def _spheres(view: TomTubeView) -> frozenset[str]:
    """Return the places of the rhombs with a sphere."""
    return frozenset(place for place, tile in view.rhombs if tile.endswith("+"))


def event_text(event: Event, names: Names, spheres: frozenset[str] = frozenset()) -> str:
    """Return the sentence of an event; empty if it has none."""
    facts = TomTube.events[event.kind]
    return sentence(_variant(event, spheres), facts, _STORY, partial(_shown, names))


def _variant(event: Event, spheres: frozenset[str]) -> Event:
    """Return an event with the kind of its template, if its kind has several templates."""
    kind, facts = event
    if kind == "filled":
        return Event(f"filled {facts[1]}", facts)
    if kind in ("drawn", "laid"):
        return Event(f"{kind} +" if facts[1].endswith("+") else kind, facts)
    if kind == "ended" and facts[0] == "-":
        return Event("ended -", facts)
    if TomTube.events[kind][-1] == "way" and (between := _between(facts[-1], spheres)):
        return Event(f"{kind} over", (*facts[:-1], _(", then ").join(between)))
    return event


def _between(way: str, spheres: frozenset[str]) -> list[str]:
    """Return the knots and spheres that a way passes."""
    return [
        place_name(node)
        for node in way.split("|")[1:-1]
        if "/" not in node and (">" not in node or node in spheres)
    ]


def _shown(names: Names, name: str, fact: str) -> str:
    """Return a fact of an event as players call it."""
    if name in ("seat", "winner"):
        return names.get(fact, "")
    if name == "counter":
        return _(COUNTER_NAMES[fact])
    return place_name(fact) if name in _PLACES else fact


_PLACES = frozenset({"place", "triangle", "start", "end"})
"""Facts that are places."""


_STORY: Templates = {
    "first": N_("{seat} goes first (random draw)."),
    "drawn": N_("{seat} drew a rhomb."),
    "drawn +": N_("{seat} drew a rhomb with an energy sphere."),
    "laid": N_("{seat} placed a rhomb at {place}."),
    "laid +": N_("{seat} placed a rhomb with an energy sphere at {place}."),
    "filled tube": N_("{seat} filled {triangle} with a tube triangle."),
    "filled blank": N_("{seat} filled {triangle} with a blank triangle."),
    "passed": N_("{seat} left {triangle} unfilled."),
    "empty": N_("{triangle} stayed empty."),
    "put": N_("New counter on {place}: {counter}."),
    "exchanged": N_("{seat} exchanged an alien for a control and two energy counters."),
    "paid": N_("{seat} spent one {counter} counter."),
    "drifted": N_("{seat} drifted from {start} to {end}."),
    "steered": N_("{seat} drifted through all tubes from {start} to {end}."),
    "jumped": N_("{seat} jumped from {start} to {end}."),
    "drifted over": N_("{seat} drifted from {start} to {end} via {way}."),
    "steered over": N_("{seat} drifted through all tubes from {start} to {end} via {way}."),
    "jumped over": N_("{seat} jumped from {start} to {end} via {way}."),
    "took": N_("{seat} took one {counter} counter."),
    "missed": N_("{seat} could do nothing and missed a turn."),
    "home": N_("{seat} is home with both solar counters: the bonus counts."),
    "stranded": N_("{seat} is lost in space: no way leads home."),
    "declined": N_("{seat} declined the draw."),
    "ended": {
        "points": N_("{winner} wins on points."),
        "stranded": N_("{winner} wins on points, as an astronaut can't get home."),
        "resign": N_("{winner} wins by resignation."),
        "time": N_("{winner} wins on time."),
    },
    "ended -": {
        "agreed": N_("The players agreed on a draw."),
        "abandoned": N_("The match was ended without a result."),
        "stranded": N_("The match is a draw: equal points, as an astronaut can't get home."),
        "": N_("The match is a draw: equal points."),
    },
}
