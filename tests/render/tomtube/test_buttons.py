"""Choosing in Tom Tube: the marks on the board match the buttons."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

import pytest

import render
from engine.game import CHANCE, Action
from engine.tomtube.lattice import PAIRS
from engine.tomtube.state import State
from engine.tomtube.view import TomTubeView
from render.renderer import BUTTONS_PER_ROW, DEFAULT_STYLE, TEXT_VARIATION, Style
from render.tomtube.areas import AREAS, PAIR_NAMES, turn_of
from render.tomtube.buttons import ARROWS
from render.tomtube.words import mark
from tests.support.tomtube.games import Choice, any_of, bare, greedy, isolating, match
from tests.support.tomtube.positions import GAME, filled, laying, position

BOARD = render.for_game("tomtube")
PLAYERS = {"T": "Ada", "D": "Bo"}

COMPONENTS = 30
"""Rows and buttons beside which a message of Discord's (40) has room for picture and words."""


def clicks(view: TomTubeView, actions: Sequence[Action]) -> dict[Action, int]:
    """After how many clicks each action is chosen."""
    groups = BOARD.groups(view, actions)
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
    assert len(groups) + len(groups) // BUTTONS_PER_ROW + 1 <= COMPONENTS
    assert len({group.name for group in groups}) == len(groups)
    assert all(group.label.startswith((group.name, *ARROWS.values())) for group in groups)
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
def test_every_choice_takes_three_clicks_and_a_move_one(choose: Choice) -> None:
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
        assert max(counts.values(), default=1) <= 3


def test_empty_board_has_six_areas_of_seventeen_places() -> None:
    view = own_view(laying("", "AB/CD"))
    areas = BOARD.groups(view, view.legal)
    assert [group.label for group in areas] == [
        f"↗{TEXT_VARIATION}",
        f"↑{TEXT_VARIATION}",
        f"↖{TEXT_VARIATION}",
        f"↙{TEXT_VARIATION}",
        f"↓{TEXT_VARIATION}",
        f"↘{TEXT_VARIATION}",
    ]
    turned = BOARD.groups(view, view.legal, Style(own_side=True))
    assert [group.label for group in turned][:2] == [f"↙{TEXT_VARIATION}", f"↓{TEXT_VARIATION}"]
    places = BOARD.groups(view, areas[2].actions)
    assert [group.label for group in places][:3] == ["3h (d3-c4)", "3t (e4-d5)", "3d (c2-b3)"]
    assert [group.distance for group in places] == sorted(group.distance for group in places)
    assert all(len(group.label) <= 12 for group in places)
    assert len(places) == 17
    assert BOARD.groups(view, places[0].actions) == ()
    assert [BOARD.label(view, action) for action in places[0].actions] == [
        "1: you d3-c3, Dave c4-d4 (3h)",
        "2: you c4-d4, Dave d3-c3 (3h)",
    ]


def test_few_places_are_chosen_from_at_once() -> None:
    free = filled("0,0/1,0/0,1", "0,0/0,1/-1,1", "0,0/-1,1/-1,0", "0,0/-1,0/0,-1")
    view = own_view(laying("", "AB/CD", fills=free, tom="1,2"))
    places = BOARD.groups(view, view.legal)
    assert len(places) == 3
    assert sum(len(group.actions) for group in places) == len(view.legal)


def test_a_rhomb_that_looks_the_same_both_ways_needs_no_turn() -> None:
    free = filled("0,0/1,0/0,1", "0,0/0,1/-1,1", "0,0/-1,1/-1,0")
    view = own_view(laying("", "AC/BD", fills=free, tom="1,2"))
    assert len(view.legal) == 2
    places = BOARD.groups(view, view.legal)
    assert [len(place.actions) for place in places] == [1, 1]
    assert [BOARD.groups(view, place.actions) for place in places] == [(), ()]


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
                label = BOARD.label(view, option)
                assert mark(view, option) in label
                assert option.verb == "rhomb" or label.startswith(mark(view, option))
                assert option.verb != "rhomb" or label.startswith(f"{turn_of(option)}: ")


def test_each_step_has_a_picture_of_its_own() -> None:
    view = own_view(laying("", "AB/CD"))
    area = BOARD.groups(view, view.legal)[0]
    place = BOARD.groups(view, area.actions)[0]
    steps = [(), view.legal, area.actions, place.actions, place.actions[:1], place.actions[1:]]
    pictures = [BOARD.picture(view, PLAYERS, DEFAULT_STYLE, actions) for actions in steps]
    assert len(set(pictures)) == len(steps)


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
        ("", ["Jump where a drift is free …"]),
    ]


def test_no_button_pays_for_what_a_drift_gives() -> None:
    view = own_view(position(tom="1,2"))
    *_, build, wasteful = BOARD.rows(view, view.legal)
    assert [row.is_minor for row in (build, wasteful)] == [False, True]
    jumps = [action for action in view.legal if action.verb == "jump"]
    assert [button.action for button in wasteful.buttons] == [Action("T", "jump")]
    (row,) = BOARD.rows(view, jumps)
    assert row.heading == "Pay energy and jump"
    assert [(b.action, b.label) for b in row.buttons] == [(jumps[0], "d7 (drift: free)")]


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
