"""The chain of warps from a space, as it is shown on request."""

from __future__ import annotations

import io
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

import render
from engine.warp6.board import CENTRE, OUTERMOST, WARP
from engine.warp6.state import State
from render import markers
from render.renderer import DEFAULT_STYLE, ORIENTATIONS, Style
from render.sprites import Sprite
from render.themes import THEMES, Theme
from render.warp6 import chains
from tests.support.tiers import examples
from tests.support.warp6.games import random_match
from tests.support.warp6.positions import GAME, HIGHS, LOWS, after, position, rolled, start
from tests.support.warp6.states import SEATS, secret_states

BOARD = render.for_game("warp6")
NAMES = {"B": "Ada", "Y": "Bo", "W": "Cy"}
NEAR = position("b8a2@93 y8a1@91 y6a1@61")


def test_x4_1_the_chain_is_the_one_a_landing_die_goes_down() -> None:
    state = random_match("3", "rolled", 4, limit=90)[0]
    view = GAME.view(state, GAME.pending(state))
    full = {die.space for die in view.dice}
    moved = 0
    for action in (action for action in view.legal if action.verb == "move"):
        _, events = GAME.apply(state, action)
        lands = int(events[0].facts[2])
        if lands in full:
            moved += 1
            warps = tuple(int(event.facts[2]) for event in events if event.kind == "warped")
            assert chains.chain(view, lands) == warps
        elif lands != CENTRE:
            assert chains.chain(view, lands)[0] == WARP[lands]
    assert moved


def test_the_arrows_are_numbered_in_the_order_of_the_warps(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn: list[int] = []
    badge = markers.badge

    def noted(theme: Theme, number: int) -> Sprite:
        drawn.append(number)
        return badge(theme, number)

    monkeypatch.setattr(markers, "badge", noted)
    view = GAME.view(NEAR, "B")
    picture = BOARD.overlaid(view, NAMES, DEFAULT_STYLE, "91")
    assert drawn == [1, 2]
    assert chains.chain(view, 91) == (61, 37)
    assert picture != BOARD.overlaid(view, NAMES, DEFAULT_STYLE, "61")
    drawn.clear()
    assert picture != BOARD.picture(view, NAMES)
    assert not drawn, "the public board is free of them"


def test_the_last_turn_is_not_shown_besides() -> None:
    """Two rows of numbers could not be told apart."""
    moved = after(position("y8a1@91 y6a1@61 b4a1@40"), "B move b4a")
    plain = position("y8a1@91 y6a1@61 b4a1@39", seat="Y", number=2)
    assert moved.story
    views = [GAME.view(state) for state in (moved, plain)]
    assert len({BOARD.overlaid(view, NAMES, DEFAULT_STYLE, "91") for view in views}) == 1


@pytest.mark.parametrize("style", [Style(theme, way) for theme in THEMES for way in ORIENTATIONS])
def test_long_chain_is_a_small_picture_of_the_usual_size(style: Style) -> None:
    spoke = "y8a1@115 y6a1@81 y6b1@53 y6c1@31 y4a1@15 y4b1@5"
    view = GAME.view(position(spoke), "B")
    assert chains.chain(view, 115) == (81, 53, 31, 15, 5, CENTRE)
    picture = BOARD.overlaid(view, NAMES, style, "115")
    assert len(picture) <= 120_000
    with (
        Image.open(io.BytesIO(picture)) as image,
        Image.open(io.BytesIO(BOARD.picture(view, NAMES, style))) as other,
    ):
        assert image.size == other.size


def test_landing_spaces_are_offered_own_dice_first() -> None:
    offered = BOARD.overlays(GAME.view(NEAR, "Y"))
    assert offered[0].name == "90"
    assert len(offered) <= 18
    assert "Black ◆A to 91, taken: 91 → 61 → 37" in [button.label for button in offered]
    assert all(0 < len(button.label) <= 100 for button in offered)


def test_before_and_after_a_race_nothing_is_offered() -> None:
    for state in (start(), rolled(HIGHS, LOWS, LOWS), random_match("2", "rolled", 1)[0]):
        assert BOARD.overlays(GAME.view(state)) == ()


def test_words_say_the_same() -> None:
    view = GAME.view(NEAR, "B")
    assert BOARD.overlay(view, "91") == (
        "91 is taken by Yellow ◆A. A die that ends its move there warps: 91 → 61 → 37."
    )
    assert BOARD.overlay(view, "4") == (
        "4 is free now. A die that finds it taken later warps: 4 → off the board."
    )


@pytest.mark.parametrize("name", ["0", "127", "-1", "b8a", "", "٣", "9" * 50, "1 2", "00000001999"])
def test_what_is_no_space_is_refused(name: str) -> None:
    view = GAME.view(NEAR, "B")
    with pytest.raises(ValueError, match="no space"):
        BOARD.overlay(view, name)
    with pytest.raises(ValueError, match="no space"):
        BOARD.overlaid(view, NAMES, DEFAULT_STYLE, name)


@examples(8, 10, 200)
@given(state=secret_states(), seat=st.sampled_from(SEATS), seed=st.integers(0, 10**6))
def test_x2_4_no_chain_reveals_what_others_have_set(state: State, seat: str, seed: int) -> None:
    other = GAME.resample_view(state, seat, Random(seed).randrange)
    views = [GAME.view(position, seat) for position in (state, other)]
    for name in (str(OUTERMOST), "61"):
        assert len({BOARD.overlay(view, name) for view in views}) == 1
        assert len({BOARD.overlaid(view, NAMES, DEFAULT_STYLE, name) for view in views}) == 1
    assert BOARD.overlays(views[0]) == BOARD.overlays(views[1]) == ()
