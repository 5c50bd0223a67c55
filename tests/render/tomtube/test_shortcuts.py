"""Shortcuts to whole turns with a drawn rhomb."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import islice
from math import ceil
from textwrap import wrap
from typing import Any

import pytest

import render
from bot.i18n import catalogue, languages
from engine.computer.tomtube.placing import turns_of, whole_turns
from engine.game import Action
from engine.tomtube.knowledge import state_of
from engine.tomtube.lattice import KNOT_NAMES, PAIRS, TRIANGLE_NAMES, TRIANGLES
from engine.tomtube.state import State
from engine.tomtube.view import Rhomb, TomTubeView, Triangle
from render.renderer import DEFAULT_STYLE, NUMBERS_PER_ROW, Button, Row, Shortcuts
from render.sprites import Board
from render.tomtube import arrows, shortcuts, words
from render.tomtube.areas import pair_of, pairs_of
from render.tomtube.buttons import MAX_GHOSTS, MAX_TURNS, NOTED_TURNS
from render.tomtube.cut_off import completes, cut_off, isolated
from render.tomtube.layout import layout
from render.tomtube.own_tubes import joins, own_ends, own_gates
from render.tomtube.sections import count_turns
from render.tomtube.shortcuts import ROOM, page
from render.tomtube.words import distance_from_astronaut
from tests.support.tomtube.games import bare, greedy, isolating, match
from tests.support.tomtube.positions import GAME, around, filled, laying, with_triangles

BOARD = render.for_game("tomtube")
PLAYERS = {"T": "Ada", "D": "Bo"}

PHONE_LINE, MAX_LINES = 41, 6
"""Characters of small text in a line on a phone, and the maximum number of lines."""


def drawn(choose: object, seed: int = 4) -> Iterator[tuple[State, TomTubeView]]:
    """The positions of a match in which a rhomb has been drawn."""
    state = GAME.start("standard", {})
    for action in match(choose, seed)[1]:  # type: ignore[arg-type]
        state, _ = GAME.apply(state, action)
        if state.phase == "rhomb":
            yield state, GAME.view(state, GAME.pending(state))


def shown(view: TomTubeView, actions: object = None) -> list[Button]:
    rows, _ = BOARD.shortcuts(view, actions or view.legal)  # type: ignore[arg-type]
    return [button for row in rows for button in row.buttons]


@pytest.mark.slow
@pytest.mark.parametrize("choose", [greedy, isolating, bare])
def test_each_shortcut_is_a_whole_turn(choose: object) -> None:
    used = 0
    for state, view in drawn(choose):
        for button in shown(view):
            assert button.action in view.legal
            after, _ = GAME.apply(state, button.action)
            for action in button.more:
                used += 1
                after, _ = GAME.apply(after, action)
            assert after.phase in ("turn", "help", "over") or not button.more
    assert used


@pytest.mark.slow
@pytest.mark.parametrize("choose", [greedy, isolating, bare])
def test_ghosts_are_numbered_and_do_not_overlap(choose: object) -> None:
    numbers: set[int] = set()
    for _, view in drawn(choose):
        if len(pairs_of(view.legal)) == 1:
            continue
        _rows, ghosts = BOARD.shortcuts(view, view.legal)
        offered = shown(view)
        assert_numbered(offered, ghosts)
        covered: set[int] = set()
        for ghost in ghosts:
            assert not {*PAIRS[pair_of(ghost)]} & covered, "no outline overlaps another one"
            covered |= {*PAIRS[pair_of(ghost)]}
        assert len({pair_of(ghost) for ghost in ghosts}) == len(ghosts)
        assert len({(button.action, *button.more) for button in offered}) == len(offered)
        assert len(offered) <= MAX_TURNS
        assert len({button.label for button in offered}) == len(offered)
        numbers.add(len(ghosts))
    assert max(numbers) == MAX_GHOSTS


def assert_numbered(buttons: list[Button], ghosts: Sequence[Action]) -> None:
    """Check that each button begins with the number of its rhomb, as it is drawn."""
    numbers = {button.label.split()[0]: button.action for button in buttons}
    assert numbers == dict(zip(BOARD.ghost_numbers(ghosts), ghosts, strict=True))
    for button in buttons:
        assert numbers[button.label.split()[0]] == button.action, "never turned around"


def test_page_has_turns_in_their_order_up_to_its_limits() -> None:
    view = GAME.view(laying("", "AB/CD"), "T")
    turns = [(action,) for action in view.legal]
    fitting = page(turns)
    assert fitting == [turn for turn in turns if turn in fitting]
    assert len(fitting) == MAX_GHOSTS, "each of them in one way"
    assert page(turns, 5) == fitting[:5]
    thrice = [(action, *more) for action in view.legal for more in ((), (action,), (action,) * 2)]
    assert len(page(thrice)) == MAX_TURNS
    assert [turn[1:] for turn in page(thrice, most_filled=3) if turn[1:]] == [
        turn[1:] for turn in page(thrice) if turn[1:]
    ][:3]
    assert len({turn[0] for turn in page(thrice, most_filled=3)}) == MAX_GHOSTS
    assert page(fitting[:3]) == fitting[:3]
    assert page([]) == []


def test_page_has_no_rhomb_that_overlaps_one_before_it() -> None:
    view = GAME.view(laying("", "AB/CD"), "T")
    by_pair = pairs_of(view.legal)
    hidden, one, other = next(
        (hidden, one, other)
        for hidden in by_pair
        for one in by_pair
        for other in by_pair
        if not {*PAIRS[one]} & {*PAIRS[other]}
        and len({*PAIRS[hidden]} & {*PAIRS[one]}) == len({*PAIRS[hidden]} & {*PAIRS[other]}) == 1
    )
    first, second, third = ((by_pair[pair][0],) for pair in (one, other, hidden))
    assert page([first, third]) == [first], "one half would be below it"
    assert page([first, second, third]) == [first, second]
    turned = (by_pair[one][1],)
    assert page([first, second, third, turned]) == [first, second], "nor one turned around"
    assert page([turned, first]) == [turned]


def test_shortcuts_begin_with_the_best_turn() -> None:
    view = GAME.view(laying("", "AB/CD"), "T")
    best = next(iter(whole_turns(state_of(view), view.legal)))
    assert shown(view)[0].action == best[0]


def test_numbers_are_first_where_the_tube_joins_gates_or_tubes(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """After the best turn, however good the others are."""
    view = GAME.view(laying("AB/CD@-2,2>-1,0", "AC/BD"), "T")
    ends = own_ends(view)
    placings = sorted(view.legal, key=lambda action: joins(view.drawn, action, ends))
    monkeypatch.setattr(shortcuts, "whole_turns", lambda *_: ((action,) for action in placings))
    shortcuts._turns.cache_clear()
    best, *others = BOARD.shortcuts(view, view.legal).ghosts
    shortcuts._turns.cache_clear()
    assert best == placings[0]
    assert not joins(view.drawn, best, ends)
    joined = [joins(view.drawn, action, ends) for action in others]
    assert joined[0]
    assert joined == sorted(joined, reverse=True)


def test_numbers_begin_with_places_that_complete_own_knots() -> None:
    fills = around("1,0", "0,0", "0,1", tubes="0,0/1,0/0,1", but="0,1/0,2/1,1 0,1/0,2/-1,2")
    view = GAME.view(laying("", "AB/CD", fills=fills, tom="1,0"), "T")
    _best, *others = BOARD.shortcuts(view, view.legal).ghosts
    completing = [completes(view, action, ["0,1"]) for action in others]
    assert completing[0]
    assert sum(completes(view, action, ["0,1"]) for action in view.legal) == 2


def test_own_ends_are_the_own_gates_and_tubes() -> None:
    view = GAME.view(laying("", "AC/BD"), "T")
    gates = {"1,2", "2,1", "-3,1", "-3,2", "1,-3", "2,-3"}
    assert {KNOT_NAMES[knot] for knot in own_ends(view)} == gates == {*own_gates("T")}
    assert not gates & {*own_gates("D")}
    rhomb, triangle = Rhomb("0,0>1,1", "AC/BD+"), Triangle("-1,0/0,0/-1,1", "T")
    more = replace(view, rhombs=(rhomb,), triangles=(triangle,))
    new = {"0,0", "1,1", "-1,0", "-1,1"}
    assert {KNOT_NAMES[knot] for knot in own_ends(more)} == gates | new
    theirs = replace(more, seat="D")
    corners = {"0,1", "1,0"}
    assert {KNOT_NAMES[knot] for knot in own_ends(theirs)} == {*own_gates("D")} | corners


def test_quick_shortcuts_are_the_nearest_places(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(shortcuts, "whole_turns")  # it would take too long
    view = GAME.view(laying("", "AB/CD"), "T")
    rows, ghosts = BOARD.quick_shortcuts(view, view.legal)
    buttons = [button for row in rows for button in row.buttons]
    assert_numbered(buttons, ghosts)
    assert not any(button.more for button in buttons)
    distances = [distance_from_astronaut(view, action) for action in ghosts]
    assert distances == sorted(distances)
    everywhere = [distance_from_astronaut(view, action) for action in view.legal]
    assert distances[0] == min(everywhere)
    assert distances[-1] < max(everywhere)
    section = BOARD.groups(view, view.legal)[-1]
    monkeypatch.undo()
    assert BOARD.quick_shortcuts(view, section.actions) == BOARD.shortcuts(view, section.actions)


def test_quick_shortcuts_have_the_turns_of_the_only_place() -> None:
    view = GAME.view(laying("", "AB/CD"), "T")
    place = next(iter(pairs_of(view.legal).values()))
    only = replace(view, legal=tuple(place))
    assert BOARD.quick_shortcuts(only, place) == BOARD.shortcuts(only, place) != Shortcuts()
    assert BOARD.quick_shortcuts(view, place) != Shortcuts()


@pytest.mark.slow
@pytest.mark.parametrize("choose", [greedy, isolating, bare])
def test_section_numbers_each_turn_as_one_reads(choose: object) -> None:
    where, several = layout(DEFAULT_STYLE, ""), 0
    for state, view in islice(drawn(choose), 0, None, 3):
        for section in BOARD.groups(view, view.legal):
            turns = [turn for action in section.actions for turn in turns_of(state, action)]
            offered = [(button.action, *button.more) for button in shown(view, section.actions)]
            assert {(first, frozenset(more)) for first, *more in offered} == {
                (first, frozenset(more)) for first, *more in turns
            }
            assert len(offered) == len(turns)
            several += any(len(turn) > 1 for turn in offered)
            ghosts = BOARD.shortcuts(view, section.actions).ghosts
            points = [where.place(ghost.args[0]) for ghost in ghosts]
            assert points == sorted(points, key=lambda at: (round(at[1]), round(at[0])))
    assert several


@pytest.mark.slow
@pytest.mark.parametrize("choose", [greedy, isolating, bare])
def test_numbers_leave_room_for_the_sections(choose: object) -> None:
    for _, view in islice(drawn(choose), 0, None, 3):
        sections = BOARD.groups(view, view.legal)
        rows = BOARD.shortcuts(view, view.legal).rows
        size = sum(1 + len(row.buttons) for row in rows if row.buttons)
        assert size + len(sections) + ceil(len(sections) / NUMBERS_PER_ROW) <= ROOM
        for section in sections:
            rows = BOARD.shortcuts(view, section.actions).rows
            assert sum(1 + len(row.buttons) for row in rows) <= ROOM


def test_buttons_leave_out_a_triangle_for_the_opponent() -> None:
    """With one tube triangle for two isolated triangles, its player chooses between them (T3.2)."""
    full, placing = next(
        (state, action)
        for state, view in drawn(bare, 7)
        for action in view.legal
        if count_turns(view, action) == len(("▲▲", "▲△", "△▲", "△△"))
    )
    state = with_triangles(full, tubes=(1, 1), blanks=(0, 0))
    view = GAME.view(state, GAME.pending(state))
    assert count_turns(view, placing) == len([*turns_of(state, placing)]) == 2
    section = next(g.actions for g in BOARD.groups(view, view.legal) if placing in g.actions)
    buttons = [button for button in shown(view, section) if button.action == placing]
    marks = [*cut_off(view, [placing])]
    assert {button.label.split(" ", 1)[1] for button in buttons} == {f"{m}: tubes" for m in marks}


@pytest.mark.slow
@pytest.mark.parametrize("choose", [greedy, isolating, bare])
def test_letters_of_cut_off_triangles_are_on_picture_and_buttons(choose: object) -> None:
    where, lettered = layout(DEFAULT_STYLE, ""), 0
    for _, view in islice(drawn(choose), 5, None, 12):
        for section in BOARD.groups(view, view.legal):
            rows, ghosts = BOARD.shortcuts(view, section.actions)
            marked = cut_off(view, ghosts)
            for button in (button for row in rows for button in row.buttons):
                marks = re.findall(r"\b[a-z]\b", button.label)
                assert button.action
                assert {marked[mark] for mark in marks} == {*isolated(view, button.action)}
                lettered += len(marks)
            note = "-# Small letters: triangles cut off, to fill with tubes or a blank."
            assert (note in rows[0].heading) == bool(marked)
            points = [where.mean(TRIANGLES[triangle]) for triangle in marked.values()]
            assert points == sorted(points, key=lambda at: tuple(map(round, at)))
    assert lettered


@pytest.mark.slow
def test_place_has_at_most_one_button_that_fills_triangles() -> None:
    cases = set()
    for state, view in islice(drawn(isolating), 0, None, 3):
        if not BOARD.groups(view, view.legal):
            continue
        rows, _ = BOARD.shortcuts(view, view.legal)
        buttons = [button for row in rows for button in row.buttons]
        filling = [button for button in buttons if button.more]
        alone = {button.action for button in buttons if not button.more}
        assert len({button.action for button in filling}) == len(filling)
        assert {button.action for button in filling} <= alone, "so that all others are possible"
        assert len(filling) <= shortcuts.MAX_FILLED, "the others are filled in the next step"
        for button in filling:
            assert button.action
            assert len(button.more) == len(isolated(view, button.action))
            first = next(t for t in whole_turns(state, view.legal) if t[0] == button.action)
            assert {*first[1:]} == {*button.more}, "the best way to fill them"
        sentence = "Small letters: triangles cut off, to fill with tubes or a blank."
        later = {button for button in buttons if button.label.endswith(": later")}
        assert {button.action for button in later} >= {button.action for button in filling}
        assert (sentence in rows[0].heading) == bool(later)
        cases.add(bool(later))
    assert cases == {True, False}


def test_place_whose_triangles_are_filled_later_says_so() -> None:
    view = next(
        view
        for _, view in drawn(isolating, 3)
        if BOARD.groups(view, view.legal) and any(button.more for button in shown(view, view.legal))
    )
    later = [b for b in shown(view) if not b.more and b.action and isolated(view, b.action)]
    assert later
    for button in later:
        assert button.action
        marks = ", ".join(cut_off(view, [button.action]))
        assert re.fullmatch(rf"\d+ {marks}: later", button.label)
    for row in BOARD.quick_shortcuts(view, view.legal).rows:
        for button in row.buttons:
            assert button.action
            assert bool(isolated(view, button.action)) == button.label.endswith(": later")


def test_triangles_that_a_place_cuts_off_are_marked(monkeypatch: pytest.MonkeyPatch) -> None:
    row = ("0,0/1,0/0,1", "0,0/0,1/-1,1", "0,0/-1,1/-1,0", "0,0/-1,0/0,-1")
    view = GAME.view(laying("", "AB/CD", fills=filled(*row)), "T")
    placing = next(action for action in view.legal if len(isolated(view, action)) == 2)
    outlined: list[str] = []
    outline = arrows.outline

    def watched(board: Board, name: str, *rest: Any, **more: Any) -> None:
        outlined.append(name)
        outline(board, name, *rest, **more)

    monkeypatch.setattr(arrows, "outline", watched)
    names = {TRIANGLE_NAMES[triangle] for triangle in isolated(view, placing)}
    other = next(action for action in view.legal if not isolated(view, action))
    BOARD.picture(view, PLAYERS, ghosts=(other, placing))
    assert {name for name in outlined if ">" not in name} == names
    outlined.clear()
    BOARD.picture(view, PLAYERS, ghosts=(other,))
    assert not [name for name in outlined if ">" not in name]


@pytest.mark.parametrize(("seat", "player"), [("T", "Tom, orange"), ("D", "Dave, red")])
def test_headings_explain_the_signs_on_the_buttons(seat: str, player: str) -> None:
    view = GAME.view(laying("", "AB/CD", turn="TD".index(seat)), seat)
    (first, *more) = BOARD.shortcuts(view, view.legal).rows
    begins = f"-# You're {player}. Rings: your gates.\nChoose a number on the picture:"
    assert first.heading == begins
    *numbers, note = more
    assert not any(row.heading for row in numbers)
    assert note == Row("-# Other places, by how it lies and side:", ())
    section = BOARD.groups(view, view.legal)[0].actions
    assert [row.heading for row in BOARD.shortcuts(view, section).rows if row.heading] == [begins]
    few = replace(view, legal=section[:9] + view.legal[:5])
    others = Row("-# Other places, by how it lies:", ())
    assert BOARD.shortcuts(few, few.legal).rows[-1] == others
    late = replace(view, turn=NOTED_TURNS + 1)
    assert BOARD.shortcuts(late, late.legal).rows[0].heading == "Choose a number on the picture:"


@pytest.mark.parametrize("language", languages())
def test_words_beside_numbers_fit_a_phone_with_the_picture(language: str) -> None:
    """With the most buttons, board and buttons then have 600 pixels of a page 400 wide."""
    translated = catalogue(language).gettext
    texts = [shortcuts.NUMBER, shortcuts.CUT_OFF, shortcuts.BY_SIDES]
    for player in shortcuts.PLAYER.values():
        lines = [translated(text).removeprefix("-# ") for text in (player, *texts)]
        assert sum(len(wrap(line, PHONE_LINE)) for line in lines) <= MAX_LINES


@pytest.mark.slow
def test_only_place_offers_every_way_to_fill_what_it_isolates() -> None:
    several = 0
    for state, view in drawn(isolating, seed=7):
        for place in pairs_of(view.legal).values():
            only = replace(view, legal=tuple(place))
            turns = [turn for action in place for turn in turns_of(state, action)]
            offered = [(button.action, *button.more) for button in shown(only)]
            several += len(turns) > len(place)
            assert [(first, {*more}) for first, *more in offered] == [
                (first, {*more}) for first, *more in turns
            ]
            assert all(button.label[0] in "12P" for button in shown(only))
    assert several


@pytest.mark.slow
@pytest.mark.parametrize("own_side", [True, False])
def test_t3_2_buttons_fill_triangles_by_their_letters(own_side: bool) -> None:
    """So the story has them in the order of the letters, and so has the rest of a turn."""
    style, several = replace(DEFAULT_STYLE, own_side=own_side), 0
    for state, view in drawn(isolating, seed=1):
        for place in pairs_of(view.legal).values():
            only = replace(view, legal=tuple(place))
            rows, _ = BOARD.shortcuts(only, place, style)
            for button in [button for row in rows for button in row.buttons]:
                if len(button.more) > 1:
                    assert button.action
                    letters = cut_off(view, view.legal)
                    fills = {TRIANGLE_NAMES[letters[mark]]: mark for mark in letters}
                    marks = [fills[fill.args[0]] for fill in button.more]
                    parts = re.findall(r"(?:(\w)(?:, (\w))*): (tubes|blank)", button.label)
                    assert {kind for *_, kind in parts} == {
                        {"tube": "tubes"}.get(fill.verb, fill.verb) for fill in button.more
                    }
                    for fill, letter in zip(button.more, marks, strict=True):
                        kind = {"tube": "tubes"}.get(fill.verb, fill.verb)
                        assert re.search(rf"\b{letter}\b[a-z, ]*: {kind}", button.label)
                    assert marks == sorted(marks)
                    after, _ = GAME.apply(state, button.action)
                    for number, fill in enumerate(button.more):
                        view_after = GAME.view(after, view.seat)
                        marks_after = [
                            words.mark(view_after, more) for more in button.more[number:]
                        ]
                        assert marks_after == marks[number:], "whatever is filled before it"
                        after, _ = GAME.apply(after, fill)
                    several += 1
    assert several
