"""Whole turns with a drawn rhomb that are one button each: those that look best, numbered.

Finding them takes long. Until then the nearest places have a button each.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache, partial
from math import ceil

from engine.computer.tomtube.placing import Turn, turns_of, whole_turns
from engine.game import Action
from engine.tomtube.knowledge import state_of
from engine.tomtube.lattice import PAIRS, TRIANGLE_INDEX
from engine.tomtube.view import TomTubeView
from render.i18n import N_, _, format_list, ngettext
from render.renderer import (
    BUTTONS_PER_ROW,
    NUMBERS_PER_ROW,
    TEXT_VARIATION,
    Button,
    Group,
    Row,
    Shortcuts,
    rows_of,
)
from render.tomtube.areas import pair_of, pairs_of
from render.tomtube.buttons import MAX_GHOSTS, MAX_TURNS, groups
from render.tomtube.cut_off import cut_off, isolated
from render.tomtube.ghosts import TURNED
from render.tomtube.layout import Layout
from render.tomtube.own_tubes import joins, own_ends
from render.tomtube.sections import SIDES
from render.tomtube.words import distance_from_astronaut, label

ROOM = 29
"""Number of components for numbers and sections, below their heading: a player's board has them."""

FILLED_SIGNS = {"tube": "▲", "blank": "△", "": "–"}

PLAYER = {
    "T": N_("You play Tom (orange); rings mark your gates."),
    "D": N_("You play Dave (red); rings mark your gates."),
}
NUMBER = N_("Choose a number on the picture:")
NUMBER_OR_TURNED = N_(
    "Choose a number on the picture ({turned}: turned around, as above the board):"
)
OTHERS = N_(
    "Choose a number on the picture, or for any other place the letter that shows above the board "
    "how the rhomb lies:"
)
OTHERS_TURNED = N_(
    "Choose a number on the picture ({turned}: turned around, as above the board), or for any "
    "other place the letter that shows there how the rhomb lies:"
)
BY_SIDES = N_(
    "Choose a number on the picture, or for any other place the letter that shows above the board "
    "how the rhomb lies ({left}: places on the left, {right}: on the right):"
)
BY_SIDES_TURNED = N_(
    "Choose a number on the picture ({turned}: turned around, as above the board), or for any "
    "other place the letter that shows there how the rhomb lies ({left}: places on the left, "
    "{right}: on the right):"
)
ALIKE = N_("{tube} means tubes, {blank} blank.")
MIXED = N_(
    "{tube} means tubes, {blank} blank: a sign for each triangle in the order of the letters, or "
    "one for all."
)
LEFT = N_(
    "{tube} means tubes, {blank} blank, {left} that your opponent fills it: a sign for each "
    "triangle in the order of the letters."
)


def shortcuts(view: TomTubeView, actions: Sequence[Action], where: Layout) -> Shortcuts:
    """Return the turns that look best, numbered, and of a section all turns.

    Of the ways to fill what a place isolates, only the best one is beside its number.
    """
    if view.phase != "rhomb" or len(pairs_of(view.legal)) == 1:
        return Shortcuts(_last_step(view, actions))
    if sections := groups(view, actions, where):
        turns = page(_best_fillings(view, _turns(view)), _room_beside(sections))
        return _numbered(view, turns, sections)
    return _every_turn(view, actions, where)


def _best_fillings(view: TomTubeView, turns: Iterable[Turn]) -> Iterator[Turn]:
    """Yield each placing once, and if it isolates triangles, once more with the best filling.

    The other ways to fill them are the next step. None is offered that leaves one to the opponent.
    """
    placings: set[Action] = set()
    for turn in turns:
        placing, *more = turn
        if placing not in placings:
            placings.add(placing)
            yield (placing,)
            if more and len(more) == len(isolated(view, placing)):
                yield turn


def nearest(view: TomTubeView, actions: Sequence[Action], where: Layout) -> Shortcuts:
    """Return the nearest places, numbered, where `shortcuts` numbers those that look best.

    It takes 3 ms. What these rhombs isolate is chosen afterwards.
    """
    if view.phase != "rhomb" or len(pairs_of(view.legal)) == 1:
        return Shortcuts()
    if sections := groups(view, actions, where):
        turns = page(_nearest_turns(view), _room_beside(sections))
        return _numbered(view, turns, sections)
    return _every_turn(view, actions, where)


def _room_beside(sections: Sequence[Group]) -> int:
    """Return the number of turns for which there is room, four in a row, beside sections."""
    room = ROOM - len(sections) - ceil(len(sections) / NUMBERS_PER_ROW)
    return min(MAX_TURNS, room * (NUMBERS_PER_ROW - 1) // NUMBERS_PER_ROW)


def page(turns: Iterable[Turn], most: int = MAX_TURNS) -> list[Turn]:
    """Return the first `most` of these turns that can be drawn together, in the same order.

    No rhomb overlaps one before it; on both triangles of one before it, it is the same one, turned
    around.
    """
    pairs: set[int] = set()
    covered: set[int] = set()
    fitting: list[Turn] = []
    for turn in turns:
        pair = pair_of(turn[0])
        if pair not in pairs:
            if len(pairs) == MAX_GHOSTS or not covered.isdisjoint(PAIRS[pair]):
                continue
            pairs.add(pair)
            covered.update(PAIRS[pair])
        fitting.append(turn)
        if len(fitting) == most:
            break
    return fitting


def _every_turn(view: TomTubeView, actions: Sequence[Action], where: Layout) -> Shortcuts:
    """Return all turns with these placings, numbered as one reads."""
    state = state_of(view)
    ordered = sorted(actions, key=partial(_reading_order, where))
    return _numbered(view, [turn for action in ordered for turn in turns_of(state, action)])


def _reading_order(where: Layout, action: Action) -> tuple[int, int]:
    x, y = where.place(action.args[0])
    return round(y), round(x)


def _numbered(
    view: TomTubeView, turns: Sequence[Turn], sections: Sequence[Group] = ()
) -> Shortcuts:
    """Return the buttons of turns below the numbers of their rhombs, which are ghosts."""
    places: dict[int, list[Turn]] = {}
    for turn in turns:
        places.setdefault(pair_of(turn[0]), []).append(turn)
    ghosts = tuple(ways[0][0] for ways in places.values())
    turned = dict.fromkeys(turn[0] for turn in turns if turn[0] not in ghosts)
    buttons = [
        _button(view, turn, f"{number}{'' if turn[0] == ghost else _TURNED_LABEL}")
        for number, (ghost, ways) in enumerate(zip(ghosts, places.values(), strict=True), 1)
        for turn in sorted(ways, key=lambda turn: turn[0] != ghost)
    ]
    is_turned = any(_TURNED_LABEL in button.label for button in buttons)
    heading = f"{_(PLAYER[view.seat])} {_choice_text(sections, is_turned=is_turned)}"
    if sections:
        note = _next_step([*places.values()])
        heading = f"{heading}\n-# {note}" if note else heading
        return Shortcuts(rows_of(buttons, heading, most=NUMBERS_PER_ROW), (*ghosts, *turned))
    cutting = _cutting(view, [*places.values()], cut_off(view, ghosts))
    return Shortcuts(_rows(buttons, heading, NUMBERS_PER_ROW, cutting), (*ghosts, *turned))


def _next_step(places: Sequence[Sequence[Turn]]) -> str:
    """Return which numbered places have a button that fills triangles; empty if none has."""
    filling = [
        f"{number}" for number, ways in enumerate(places, 1) if any(len(turn) > 1 for turn in ways)
    ]
    words = ngettext(
        "Place {places} cuts off triangles. You fill them in the next step, or at once: {tube} "
        "with tubes, {blank} blank, in the order of the letters.",
        "Places {places} cut off triangles. You fill them in the next step, or at once: {tube} "
        "with tubes, {blank} blank, in the order of the letters.",
        len(filling),
    )
    tube, blank, _left = FILLED_SIGNS.values()
    return words.format(places=format_list(filling), tube=tube, blank=blank) if filling else ""


def _cutting(view: TomTubeView, places: Sequence[Sequence[Turn]], marks: Mapping[str, int]) -> str:
    """Return which numbered places cut off which triangles; empty if none does.

    Args:
        view: before the placing.
        places: the turns at each place, in the order of their numbers.
        marks: letter → triangle that one of these places isolates.
    """
    letters: dict[int, list[str]] = {}
    for number, ways in enumerate(places, 1):
        if any(len(turn) > 1 for turn in ways):
            triangles = isolated(view, ways[0][0])
            letters[number] = [mark for mark in marks if marks[mark] in triangles]
    if len(letters) > 1:
        parts = [f"{number} {format_list(letters[number], style='commas')}" for number in letters]
        return _("These places cut off triangles: {places}.").format(places=" · ".join(parts))
    for number, marked in letters.items():
        words = ngettext(
            "Place {place} cuts off triangle {marks}.",
            "Place {place} cuts off triangles {marks}.",
            len(marked),
        )
        return words.format(place=number, marks=format_list(marked))
    return ""


def _choice_text(sections: Sequence[Group], *, is_turned: bool) -> str:
    """Return a sentence that explains numbers, and sections if there are any."""
    words = NUMBER_OR_TURNED if is_turned else NUMBER
    if sections:
        words = OTHERS_TURNED if is_turned else OTHERS
        if any(section.label[1:] for section in sections):
            words = BY_SIDES_TURNED if is_turned else BY_SIDES
    return _(words).format(turned=TURNED, left=SIDES[0], right=SIDES[1])


_TURNED_LABEL = f" {TURNED}{TEXT_VARIATION}"


def _last_step(view: TomTubeView, actions: Sequence[Action]) -> tuple[Row, ...]:
    """Return the turns at the only place with what they isolate; empty if it is nothing."""
    if view.phase != "rhomb":
        return ()
    state = state_of(view)
    turns = [turn for action in actions for turn in turns_of(state, action)]
    if not any(more for __, *more in turns):
        return ()
    buttons = [_button(view, turn, label(view, turn[0])) for turn in turns]
    count = len(isolated(view, turns[0][0]))
    cutting = ngettext("This cuts off a triangle:", "This cuts off triangles:", count)
    return _rows(buttons, "", BUTTONS_PER_ROW, cutting)


def _rows(buttons: Sequence[Button], heading: str, most: int, cutting: str) -> tuple[Row, ...]:
    """Return buttons below a heading that explains the signs on them, at most `most` in a row.

    Before the signs, `cutting` says what cuts off triangles.
    """
    lines = [heading] if heading else []
    signs = {sign for button in buttons for sign in FILLED_SIGNS.values() if sign in button.label}
    if signs:
        is_mixed = any(len({*button.label} & signs) > 1 for button in buttons)
        words = LEFT if FILLED_SIGNS[""] in signs else MIXED if is_mixed else ALIKE
        tube, blank, left = FILLED_SIGNS.values()
        explained = _(words).format(tube=tube, blank=blank, left=left)
        lines.append(f"-# {cutting} {explained}")
    return rows_of(buttons, "\n".join(lines), most=most)


def _button(view: TomTubeView, turn: Turn, words: str) -> Button:
    """Return a button with a sign of how isolated triangles are filled, or one for each.

    They are filled in the order of their letters.
    """
    first, *more = turn
    fillings = {TRIANGLE_INDEX[frozenset(a.args[0].split("/"))]: a for a in more}
    triangles = cut_off(view, [first]).values() if more else ()
    ordered = [fillings.get(triangle) for triangle in triangles]
    signs = [FILLED_SIGNS[filling.verb if filling else ""] for filling in ordered]
    label = words + "".join(signs if len({*signs}) > 1 else signs[:1])
    return Button(first, label, more=tuple(filter(None, ordered)))


@lru_cache(maxsize=64)
def _turns(view: TomTubeView) -> tuple[Turn, ...]:
    """Return all turns, the best first, then those that join the player's gates or tubes.

    It takes 30 ms, and up to 130.
    """
    best, *others = whole_turns(state_of(view), view.legal)
    ends = own_ends(view)
    return (best, *sorted(others, key=lambda turn: not joins(view.drawn, turn[0], ends)))


def _nearest_turns(view: TomTubeView) -> list[Turn]:
    """Return all placings, the nearest to the player's astronaut first."""
    placings = sorted(view.legal, key=partial(distance_from_astronaut, view))
    return [(action,) for action in placings]
