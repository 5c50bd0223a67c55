"""Shortcuts to whole turns with a drawn rhomb."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest

import render
from engine.computer.tomtube.placing import whole_turns
from engine.tomtube.knowledge import state_of
from engine.tomtube.lattice import PAIRS
from engine.tomtube.state import State
from engine.tomtube.view import TomTubeView
from render.renderer import DEFAULT_STYLE, Button, Shortcuts
from render.tomtube import shortcuts
from render.tomtube.areas import pair_of, pairs_of
from render.tomtube.layout import layout
from render.tomtube.shortcuts import PAGES
from render.tomtube.words import distance_from_astronaut
from tests.support.tomtube.games import bare, greedy, isolating, match
from tests.support.tomtube.positions import GAME, laying

BOARD = render.for_game("tomtube")

SIGNS = {"▲": "tube", "△": "blank"}


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
            assert after.phase in ("turn", "help", "over")
    assert used


@pytest.mark.slow
@pytest.mark.parametrize("choose", [greedy, isolating, bare])
def test_ghosts_are_numbered_and_do_not_overlap(choose: object) -> None:
    numbers: set[int] = set()
    for _, view in drawn(choose):
        if len(pairs_of(view.legal)) == 1:
            continue
        _rows, ghosts = BOARD.shortcuts(view, view.legal)
        labels = {button.label.rstrip("▲△"): button.action for button in shown(view)}
        assert labels == {str(number): ghost for number, ghost in enumerate(ghosts, 1)}
        covered = [triangle for ghost in ghosts for triangle in PAIRS[pair_of(ghost)]]
        assert len(covered) == len({*covered}) == 2 * len(ghosts)
        assert len({(button.action, *button.more) for button in shown(view)}) == len(shown(view))
        numbers.add(len(ghosts))
    assert max(numbers) == PAGES[0]


def test_shortcuts_begin_with_the_best_turn() -> None:
    view = GAME.view(laying("", "AB/CD"), "T")
    best = next(iter(whole_turns(state_of(view), view.legal)))
    assert shown(view)[0].action == best[0]
    assert BOARD.shortcuts(view, view.legal).rows[0].heading == "Choose a place on the picture:"


def test_quick_shortcuts_are_the_nearest_places(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(shortcuts, "whole_turns")  # it would take too long
    view = GAME.view(laying("", "AB/CD"), "T")
    (first, ghosts), (second, others) = (
        BOARD.quick_shortcuts(view, view.legal, page=page) for page in (0, 1)
    )
    buttons = [button for row in first for button in row.buttons]
    assert [(button.label, button.action) for button in buttons] == [
        (str(number), ghost) for number, ghost in enumerate(ghosts, 1)
    ]
    assert not any(button.more for button in buttons)
    assert (first[0].heading, second[0].heading) == ("Choose a place on the picture:",) * 2
    assert (len(ghosts), len(others)) == PAGES
    distances = [distance_from_astronaut(view, action) for action in (*ghosts, *others)]
    nearest = min(distance_from_astronaut(view, action) for action in view.legal)
    assert distances[: PAGES[0]] == sorted(distances[: PAGES[0]])
    assert distances[PAGES[0] :] == sorted(distances[PAGES[0] :])
    assert distances[0] == nearest < max(distances)
    for page in (ghosts, others):
        covered = [triangle for ghost in page for triangle in PAIRS[pair_of(ghost)]]
        assert len(covered) == len({*covered})
    assert not {*ghosts} & {*others}


def test_quick_shortcuts_leave_places_to_their_names() -> None:
    view = GAME.view(laying("", "AB/CD"), "T")
    area, *_ = BOARD.groups(view, view.legal)
    assert BOARD.quick_shortcuts(view, area.actions, page=1) == Shortcuts()
    few = replace(view, legal=area.actions)
    assert len(BOARD.quick_shortcuts(few, few.legal).ghosts) > 1
    assert BOARD.quick_shortcuts(few, few.legal, page=1) == Shortcuts()
    place = next(iter(pairs_of(view.legal).values()))
    assert BOARD.quick_shortcuts(replace(view, legal=tuple(place)), place) == Shortcuts()


def test_next_page_has_other_placings() -> None:
    view = GAME.view(laying("", "AB/CD"), "T")
    first, second = (BOARD.shortcuts(view, view.legal, page=page).ghosts for page in (0, 1))
    assert (len(first), len(second)) == PAGES
    assert not {*first} & {*second}


def test_next_page_of_few_places_has_their_names() -> None:
    view = GAME.view(laying("", "AB/CD"), "T")
    area, *_ = BOARD.groups(view, view.legal)
    few = replace(view, legal=area.actions)
    assert len(BOARD.shortcuts(few, few.legal).ghosts) > 1
    assert BOARD.shortcuts(few, few.legal, page=1) == Shortcuts()


def test_area_has_the_names_of_its_places() -> None:
    view = GAME.view(laying("", "AB/CD"), "T")
    for area in BOARD.groups(view, view.legal):
        assert BOARD.shortcuts(view, area.actions, page=1) == Shortcuts()


@pytest.mark.slow
def test_last_step_offers_what_fills_the_isolated_triangle() -> None:
    offered = 0
    for _, view in drawn(isolating):
        for first, *more in [turn for turn in whole_turns(state_of(view), view.legal) if turn[1:]]:
            place = set(first.args[0].split(">"))
            turned = [action for action in view.legal if set(action.args[0].split(">")) == place]
            offered += 1
            assert (first, *more) in [
                (button.action, *button.more) for button in shown(view, turned)
            ]
    assert offered


@pytest.mark.slow
def test_last_step_leaves_every_way_to_fill() -> None:
    several = 0
    for state, view in drawn(isolating, seed=7):
        for action in view.legal:
            after, _ = GAME.apply(state, action)
            if after.phase != "fill":
                continue
            ways = GAME.legal(after)
            place = set(action.args[0].split(">"))
            turned = [action for action in view.legal if set(action.args[0].split(">")) == place]
            offered = [button.more[:1] for button in shown(view, turned) if button.action == action]
            several += len({step.args for step in ways}) > 1
            assert () in offered or {(way,) for way in ways} <= set(offered)
    assert several


@pytest.mark.slow
@pytest.mark.parametrize("orientation", ["landscape", "portrait"])
@pytest.mark.parametrize("own_side", [True, False])
def test_signs_fill_triangles_from_left_to_right(orientation: str, own_side: bool) -> None:
    style, turned = replace(DEFAULT_STYLE, orientation=orientation, own_side=own_side), 0
    for _, view in drawn(isolating, seed=1):
        where = layout(style, view.seat)
        for place in pairs_of(view.legal).values():
            rows, _ = BOARD.shortcuts(view, place, style)
            for button in [button for row in rows for button in row.buttons]:
                signs = [SIGNS[sign] for sign in button.label if sign in SIGNS]
                if len(signs) > 1:
                    at = {step: where.triangle(step.args[0]) for step in button.more}
                    fills = sorted(at, key=lambda step: (round(at[step][0]), at[step][1]))
                    assert signs == [fill.verb for fill in fills]
                    turned += fills != [*button.more]
    assert turned
