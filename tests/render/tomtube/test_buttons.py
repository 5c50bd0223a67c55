"""Choosing in Tom Tube: the marks on the board match the buttons."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

import render
from engine.computer.tomtube.placing import turns_of
from engine.game import CHANCE, Action
from engine.tomtube.lattice import KNOT_NAMES, PAIRS
from engine.tomtube.state import State
from engine.tomtube.tables import SOLARS
from engine.tomtube.view import TomTubeView
from render import markers
from render.renderer import BUTTONS_PER_ROW, DEFAULT_STYLE, Style
from render.sprites import Sprite
from render.themes import Theme
from render.tomtube import ghosts
from render.tomtube.areas import AREAS, PAIR_NAMES, pair_of, pairs_of, turn_of
from render.tomtube.buttons import MAX_GHOSTS, MAX_MOVES, MOVES, at_first_sight
from render.tomtube.layout import layout
from render.tomtube.sections import MAX_SECTION_TURNS, _parts, _sign, count_turns, ways
from render.tomtube.words import gain, leads_home, mark
from tests.support.tomtube.games import Choice, any_of, bare, greedy, isolating, match
from tests.support.tomtube.positions import GAME, after, around, filled, laying, position

BOARD = render.for_game("tomtube")
PLAYERS = {"T": "Ada", "D": "Bo"}

COMPONENTS = 30
"""Rows and buttons beside which a message of Discord's (40) has room for picture and words."""


def clicks(view: TomTubeView, actions: Sequence[Action]) -> dict[Action, int]:
    """After how many clicks each action is chosen."""
    groups = BOARD.groups(view, actions)
    if any(action.verb == "rhomb" for action in actions) and not groups:
        return dict.fromkeys(actions, 1)  # all are numbered
    if not groups:
        rows = BOARD.rows(view, actions)
        assert all(0 < len(row.buttons) <= BUTTONS_PER_ROW for row in rows)
        buttons = [button for row in rows for button in row.buttons]
        assert len(rows) + len(buttons) + sum(bool(row.heading) for row in rows) <= COMPONENTS
        click_counts = {b.action: 1 for b in buttons if b.action and b.action in actions}
        for verb in {b.action.verb for b in buttons if b.action and b.action not in actions}:
            folded = [action for action in actions if action.verb == verb]
            click_counts |= dict.fromkeys(clicks(view, folded), 2)
        return click_counts
    assert len({group.name for group in groups}) == len(groups)
    assert not any(set(" :/") & set(group.name) for group in groups)
    counts: dict[Action, int] = {}
    for group in groups:
        assert 0 < len(group.actions) < len(actions)
        counts |= {action: 1 + number for action, number in clicks(view, group.actions).items()}
    return counts


def own_view(state: State) -> TomTubeView:
    return GAME.view(state, GAME.pending(state).strip(CHANCE))


@pytest.mark.slow
@pytest.mark.parametrize("choose", [any_of, greedy, isolating, bare])
def test_every_choice_takes_two_clicks_and_a_move_one(choose: Choice) -> None:
    state = GAME.start("standard", {})
    for action in match(choose, 6)[1]:
        state, _ = GAME.apply(state, action)
        view = own_view(state)
        counts = clicks(view, view.legal)
        assert set(counts) == set(view.legal)
        assert all(
            counts[action] == 1
            for action in counts
            if action.verb in ("build", "exchange", "drift")
        )
        assert max(counts.values(), default=1) <= 2


def test_empty_board_has_each_way_to_lie_at_two_sides() -> None:
    view = own_view(laying("", "AB/CD"))
    sections = BOARD.groups(view, view.legal)
    assert [section.label for section in sections] == [f"{x}{y}" for x in "ABCDEF" for y in "←→"]
    assert all(len(section.actions) == MAX_SECTION_TURNS for section in sections)
    assert {action for section in sections for action in section.actions} == {*view.legal}
    for section in sections:
        covered = [triangle for pair in pairs_of(section.actions) for triangle in PAIRS[pair]]
        assert len({*covered}) == len(covered), "rhombs that lie alike never overlap"
        assert BOARD.groups(view, section.actions) == ()


def test_sections_are_named_alike_and_labelled_as_one_sees_them() -> None:
    """A button works in whatever style its player has by then."""
    for tile in ("AB/CD", "AC/BD"):
        view = own_view(laying("", tile))
        plain, turned = (
            {section.name: section for section in BOARD.groups(view, view.legal, style)}
            for style in (DEFAULT_STYLE, Style(own_side=True))
        )
        assert plain.keys() == turned.keys()
        for name, section in plain.items():
            assert {*section.actions} == {*turned[name].actions}
            assert section.label[1] != turned[name].label[1], "left is right on a turned board"


def test_letters_begin_with_the_upright_rhomb_and_run_clockwise() -> None:
    where = layout(DEFAULT_STYLE, "T")
    assert ways("AB/CD+", where) == tuple(zip("ABCDEF", (3, 1, 11, 9, 7, 5), strict=True))
    assert ways("AC/BD", where) == tuple(zip("ABC", (11, 9, 7), strict=True))
    assert ways("AC/BD+", layout(Style(own_side=True), "T")) == tuple(
        zip("ABC", (3, 1, 5), strict=True)
    )


@pytest.mark.slow
@pytest.mark.parametrize("choose", [greedy, isolating, bare])
def test_turns_of_a_placing_are_counted(choose: Choice) -> None:
    isolated = 0
    state = GAME.start("standard", {})
    for action in match(choose, 6)[1]:
        state, _ = GAME.apply(state, action)
        if state.phase == "rhomb":
            view = own_view(state)
            for placing in view.legal:
                count = len([*turns_of(state, placing)])
                assert count_turns(view, placing) == count
                isolated += count > 1
            for section in BOARD.groups(view, view.legal):
                turns = sum(count_turns(view, placing) for placing in section.actions)
                assert turns <= MAX_SECTION_TURNS
    assert isolated


def test_few_places_that_do_not_overlap_need_no_sections() -> None:
    view = own_view(laying("", "AB/CD"))
    apart: list[Action] = []
    for action in view.legal:
        covered = {triangle for pair in pairs_of(apart) for triangle in PAIRS[pair]}
        if not covered & {*PAIRS[pair_of(action)]}:
            apart.append(action)
    assert BOARD.groups(view, apart[:MAX_GHOSTS]) == ()
    assert BOARD.groups(view, apart[: MAX_GHOSTS + 1]) != ()
    overlapping = next(
        action
        for action in view.legal
        if len({*PAIRS[pair_of(action)]} & {*PAIRS[pair_of(apart[0])]}) == 1
    )
    assert BOARD.groups(view, [apart[0], overlapping]) != ()
    both_ways = pairs_of(view.legal)[pair_of(apart[0])]
    assert BOARD.groups(view, [*both_ways, apart[1]]) != (), "one of them is turned around"
    assert BOARD.groups(view, both_ways) == (), "the picture of the only place has both"


@pytest.mark.slow
def test_sections_of_two_sides_are_parted_by_a_third_one() -> None:
    """No match has so many turns with rhombs that lie alike; then there would be three parts."""
    view = own_view(laying("", "AB/CD"))
    alike = [a for a in view.legal if BOARD.groups(view, view.legal)[0].actions[0].args]
    assert [_sign(number, 3, turned=False) for number in range(3)] == ["←", "·", "→"]
    assert [_sign(number, 3, turned=True) for number in range(3)] == ["→", "·", "←"]
    assert [_sign(number, 2, turned=False) for number in range(2)] == ["←", "→"]
    assert _sign(0, 1, turned=True) == ""
    parts = _parts(view, alike[: 2 * MAX_SECTION_TURNS + 1])
    assert [len(part) for part in parts] == [MAX_SECTION_TURNS, 1, MAX_SECTION_TURNS]


def test_names_of_places_never_change() -> None:
    assert len(set(PAIR_NAMES)) == len(PAIRS)
    assert set(Counter(AREAS).values()) == {17}
    assert all(name[0] == str(area + 1) for name, area in zip(PAIR_NAMES, AREAS, strict=True))


@pytest.mark.slow
@pytest.mark.parametrize("choose", [any_of, greedy, isolating, bare])
def test_a_label_has_its_mark(choose: Choice) -> None:
    state = GAME.start("standard", {})
    for action in match(choose, 7)[1]:
        state, _ = GAME.apply(state, action)
        view = own_view(state)
        for option in view.legal:
            if option.args:
                is_rhomb = option.verb == "rhomb"
                start = f"{turn_of(option)}: " if is_rhomb else mark(view, option)
                assert BOARD.label(view, option).startswith(start)


def test_each_step_has_a_picture_of_its_own() -> None:
    view = own_view(laying("", "AB/CD"))
    section = BOARD.groups(view, view.legal)[0]
    pair = next(iter(pairs_of(view.legal).values()))
    steps = [(), pair, pair[:1], pair[1:]]
    pictures = [BOARD.picture(view, PLAYERS, DEFAULT_STYLE, actions) for actions in steps]
    for actions in (view.legal, section.actions):
        ghosts = BOARD.quick_shortcuts(view, actions).ghosts
        pictures.append(BOARD.picture(view, PLAYERS, ghosts=ghosts))
    assert len(set(pictures)) == len(pictures)


def test_a_way_that_costs_says_so() -> None:
    view = own_view(position(tom="1,2"))
    labels = [BOARD.label(view, action) for action in view.legal]
    assert labels == [
        "Build",
        "d7: drift to a gate of your base, 1 away",
        "base: drift to your base, 1 away",
        "E d7: pay energy, jump to a gate of your base",
    ]
    headed_rows = [
        (row.heading, [button.label for button in row.buttons])
        for row in BOARD.rows(view, view.legal)
    ]
    assert headed_rows == [
        ("Drift", ["d7", "base"]),
        ("", ["Build"]),
        ("", ["Jumps that gain nothing …"]),
    ]


def test_no_button_pays_for_what_a_drift_gives() -> None:
    view = own_view(position(tom="1,2"))
    *_, build, wasteful = BOARD.rows(view, view.legal)
    assert [row.is_minor for row in (build, wasteful)] == [False, True]
    jumps = [action for action in view.legal if action.verb == "jump"]
    assert [button.action for button in wasteful.buttons] == [Action("T", "jump")]
    (row,) = BOARD.rows(view, jumps)
    assert row.heading == (
        "Pay energy and jump\n"
        "-# Where a drift is free, a jump gains nothing: it only costs an energy counter, a point."
    )
    assert [(b.action, b.label) for b in row.buttons] == [(jumps[0], "d7 (drift: free)")]


def test_needless_jumps_are_listed_apart_from_others() -> None:
    view = own_view(position(tom="1,2"))
    jump = next(action for action in view.legal if action.verb == "jump")
    other = Action(view.seat, "jump", ("0,3",))
    useful, needless = BOARD.rows(replace(view, legal=(*view.legal, other)), [jump, other])
    assert [button.action for button in useful.buttons] == [other]
    assert useful.heading == "Pay energy and jump"
    assert [button.action for button in needless.buttons] == [jump]
    assert "a jump gains nothing" in needless.heading


def test_a_jump_to_where_no_drift_leads_has_a_button() -> None:
    view = own_view(position(tom="1,2"))
    paid = tuple(action for action in view.legal if str(action) != "T drift 2,1")
    rows = BOARD.rows(replace(view, legal=paid), paid)
    assert [(row.heading, [b.label for b in row.buttons]) for row in rows] == [
        ("Drift", ["base"]),
        ("Pay energy and jump", ["d7"]),
        ("", ["Build"]),
    ]


@pytest.mark.slow
@pytest.mark.parametrize("choose", [any_of, greedy])
def test_moves_at_first_sight_end_at_different_places(choose: Choice) -> None:
    state, jumps = GAME.start("standard", {}), 0
    for action in match(choose, 6)[1]:
        state, _ = GAME.apply(state, action)
        view = own_view(state)
        buttons = [button.action for row in BOARD.rows(view, view.legal) for button in row.buttons]
        moves = [a for a in buttons if a and a.verb in ("drift", "jump")]
        ends = [action.args for action in moves if action.args]
        assert len(ends) == len({*ends})
        jumps += any(action.verb == "jump" and action.args for action in moves)
    assert jumps


def test_moves_begin_with_the_way_home_and_what_gains_most() -> None:
    labels = [
        [button.label for row in BOARD.rows(view, view.legal) for button in row.buttons]
        for view in (
            own_view(position(tom="1,2", put=("2,1", "", ""))),
            own_view(position(tom="1,2", put=("2,1", "", ""), solar=(SOLARS, 0))),
            own_view(position(tom="1,2", put=("2,1", "", ""), faster=1)),
        )
    ]
    assert labels[0][:2] == ["d7 energy +1", "base"]
    assert labels[1][:2] == ["base: home", "d7 energy +1"]
    assert labels[2][:2] == ["base: home", "d7 energy +1"]


@pytest.mark.slow
def test_buttons_of_a_kind_are_sorted_by_their_points() -> None:
    state, several = GAME.start("standard", {}), 0
    for action in match(greedy, 6)[1]:
        state, _ = GAME.apply(state, action)
        view = own_view(state)
        for verb in MOVES if state.phase == "turn" else ():
            moves = [b.action for row in BOARD.rows(view, view.legal) for b in row.buttons]
            gains = [gain(view, move) for move in moves if move and move.verb == verb and move.args]
            homeward = [move for move in moves if move and leads_home(view, move)]
            assert gains == sorted(gains, reverse=True) or homeward
            several += len({*gains}) > 1
    assert several


def test_moves_that_are_one_button_have_no_mark() -> None:
    paid = [Action("T", "control", (name,)) for name in KNOT_NAMES[: MAX_MOVES + 1]]
    build, drift = Action("T", "build"), Action("T", "drift", ("2,1",))
    jumps = [Action("T", "jump", (name,)) for name in ("2,1", "1,2")]
    assert at_first_sight([build, drift, *jumps, *paid[:10]]) == [drift, jumps[1], *paid[:10]]
    assert at_first_sight([build, drift, *jumps, *paid]) == [drift, jumps[1]]
    assert at_first_sight(paid) == paid
    assert at_first_sight(jumps) == jumps


def test_button_that_opens_a_list_of_moves_ends_with_dots() -> None:
    view = own_view(position(tom="1,2"))
    paid = [Action("T", "control", (name,)) for name in KNOT_NAMES[: MAX_MOVES + 1]]
    buttons = [b for row in BOARD.rows(view, (*view.legal, *paid)) for b in row.buttons]
    (listed,) = (b for b in buttons if b.action == Action("T", "control"))
    assert listed.label == "Pay control and drift …"


def test_unfinished_knots_at_own_tubes_are_named() -> None:
    tile = "0,0/1,0/0,1"
    one, two = around("1,0", "0,0", tubes=tile), around("1,0", tubes=tile)
    headings = [
        BOARD.rows(view, view.legal)[0].heading
        for view in (
            own_view(position(fills=fills, tom="1,0", number=number))
            for fills, number in ((one, 1), (one, 40), (two, 1))
        )
    ]
    line = (
        "-# A tube of yours leads to d5, but this knot is unfinished (⊘): tiles must lie all "
        "around it before you can go there."
    )
    assert headings[:2] == [f"Drift\n{line}", f"Drift\n{line}"]
    assert "Tubes of yours lead to e5 and d5, but these knots are unfinished" in headings[2]
    view = own_view(position(fills=one, tom="1,0"))
    jumps = [action for action in view.legal if action.verb == "jump"]
    assert "unfinished" not in BOARD.rows(view, jumps)[0].heading


def test_place_of_the_other_astronaut_is_explained_in_the_way() -> None:
    """It is neither offered for a drift nor for a jump, and one cannot pass."""
    line = "-# Dave is on d7: you can't end there or pass."
    blocked = own_view(position(tom="1,2", dave="2,1"))
    assert line in BOARD.rows(blocked, blocked.legal)[0].heading
    assert not any("2,1" in action.args for action in blocked.legal)
    for view in (
        own_view(position(tom="1,2")),
        own_view(position(tom="1,2", dave="-1,-2")),
        own_view(position(tom="-3,1", dave="2,1")),
    ):
        assert not any("Dave" in row.heading for row in BOARD.rows(view, view.legal))


def test_modules_are_numbered_as_their_signs_are() -> None:
    view = own_view(position(tom="-3,1"))
    row = BOARD.rows(view, view.legal)[0]
    assert "module 1 solar +5" in [button.label for button in row.buttons]


def test_triangle_to_fill_has_its_letter_beside_a_hint(monkeypatch: pytest.MonkeyPatch) -> None:
    signs: list[str] = []
    chip = markers.chip

    def watched(theme: Theme, text: str, *rest: Any) -> Sprite:
        signs.append(text)
        return chip(theme, text, *rest)

    monkeypatch.setattr(ghosts, "chip", watched)
    row = ("0,0/1,0/0,1", "0,0/0,1/-1,1", "0,0/-1,1/-1,0", "0,0/-1,0/0,-1")
    view = own_view(after(laying("", "AB/AB", fills=filled(*row)), "T rhomb 0,1>-1,0"))
    for action in view.legal:
        signs.clear()
        BOARD.picture(view, PLAYERS, ghosts=(action,))
        assert signs == [mark(view, action)]
        assert f"triangle {signs[0]} with" in BOARD.drawn_label(view, action)
