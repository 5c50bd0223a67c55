"""Shortcuts to whole turns with a drawn rhomb."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

import render
from engine.computer.tomtube.placing import whole_turns
from engine.tomtube.knowledge import state_of
from engine.tomtube.lattice import PAIRS
from engine.tomtube.state import State
from engine.tomtube.view import TomTubeView
from render import markers
from render.renderer import BUTTONS_PER_ROW, DEFAULT_STYLE, Button
from render.sprites import Sprite
from render.themes import Theme
from render.tomtube.areas import pairs_of
from render.tomtube.layout import layout
from render.tomtube.shortcuts import MAX_SUGGESTED
from tests.support.tomtube.games import bare, greedy, isolating, match
from tests.support.tomtube.positions import GAME, laying

BOARD = render.for_game("tomtube")

SIGNS = {"▲": "tube", "△": "blank"}

COMPONENTS = 34
"""Rows, buttons and a heading, also of areas or places: picture, words, tools need the rest."""


def drawn(choose: object, seed: int = 4) -> Iterator[tuple[State, TomTubeView]]:
    """The positions of a match in which a rhomb has been drawn."""
    state = GAME.start("standard", {})
    for action in match(choose, seed)[1]:  # type: ignore[arg-type]
        state, _ = GAME.apply(state, action)
        if state.phase == "rhomb":
            yield state, GAME.view(state, GAME.pending(state))


def shown(view: TomTubeView, actions: object = None) -> list[Button]:
    rows = BOARD.shortcuts(view, actions or view.legal)  # type: ignore[arg-type]
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
def test_shortcuts_fit_beside_areas_or_places_and_differ(choose: object) -> None:
    for _, view in drawn(choose):
        rows, groups = BOARD.shortcuts(view, view.legal), BOARD.groups(view, view.legal)
        buttons = shown(view)
        if not groups:
            continue
        numbers = [button.label.rstrip("▲△") for button in buttons]
        assert numbers == [str(number) for number, _ in enumerate(buttons, 1)]
        assert len(buttons) <= MAX_SUGGESTED
        areas = len(groups) + -(-len(groups) // BUTTONS_PER_ROW)
        assert len(rows) + 1 + len(buttons) + areas <= COMPONENTS


def test_shortcuts_can_be_drawn_together() -> None:
    view = GAME.view(laying("", "AB/CD"), "T")
    placed = [button.action for button in shown(view) if button.action]
    assert len(placed) == MAX_SUGGESTED
    covered = [triangle for pair in pairs_of(placed) for triangle in PAIRS[pair]]
    assert len(set(covered)) == len(covered) == 2 * MAX_SUGGESTED


def test_areas_have_no_shortcuts_and_are_marked_alone() -> None:
    view = GAME.view(laying("", "AB/CD"), "T")
    for area in BOARD.groups(view, view.legal):
        assert not shown(view, area.actions)
    names: list[str] = []
    chip = markers.chip

    def watched(theme: Theme, text: str, *rest: Any) -> Sprite:
        names.append(text)
        return chip(theme, text, *rest)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(markers, "chip", watched)
        BOARD.picture(view, {"T": "Ada", "D": "Bo"}, DEFAULT_STYLE, view.legal)
    assert sorted(names) == [*"123456"]


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
            rows = BOARD.shortcuts(view, place, style)
            for button in [button for row in rows for button in row.buttons]:
                signs = [SIGNS[sign] for sign in button.label if sign in SIGNS]
                if len(signs) > 1:
                    at = {step: where.triangle(step.args[0]) for step in button.more}
                    fills = sorted(at, key=lambda step: (round(at[step][0]), at[step][1]))
                    assert signs == [fill.verb for fill in fills]
                    turned += fills != [*button.more]
    assert turned
