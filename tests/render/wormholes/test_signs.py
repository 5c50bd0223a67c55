"""Signs on the Wormholes board: used dice, turns that passed, choices below pieces, first rolls."""

from __future__ import annotations

from dataclasses import replace

from PIL import ImageChops

from engine.game import Event
from engine.wormholes.view import WormholesView
from render.renderer import DEFAULT_STYLE
from render.wormholes import layout, picture, player_panels, words
from render.wormholes.layout import CELL_SIZE
from tests.support.wormholes.positions import GAME, after, position

NAMES = {"O": "Ada", "D": "Bo"}


def page(view: WormholesView) -> bytes:
    """The picture's palette indexes."""
    return picture.page(view, NAMES, DEFAULT_STYLE).tobytes()


def test_used_dice_have_a_tick_and_waiting_ones_have_none() -> None:
    view = GAME.view(position(dice="S3 M4"))
    used, waiting = (view.dice[0]._replace(spent=spent, stuck=not spent) for spent in (True, False))
    pages = [page(replace(view, dice=(die, view.dice[1]))) for die in (used, waiting)]
    assert pages[0] != pages[1]


def test_turn_that_passed_is_on_the_card_of_its_player() -> None:
    view = GAME.view(position(dice="C3 A4", seat="D"))
    passed = replace(view, story=(Event("passed", ("O", "stuck")),))
    where = layout.layout(DEFAULT_STYLE, "")
    difference = ImageChops.difference(
        *(picture.page(page_view, NAMES, DEFAULT_STYLE) for page_view in (view, passed))
    )
    left, top, right, bottom = difference.getbbox() or (0, 0, 0, 0)
    assert 0 < left < right < where.size[0] / 2
    assert 0 < top < bottom < layout.HEADER_HEIGHT


def test_choice_below_a_piece_has_its_emblem_on_the_edge() -> None:
    """Its ring is below the piece; no other ship could be meant."""
    view = GAME.view(position({"S": "e9", "C": "e12"}, dice="S3 M-"), "O")
    onto = [action for action in view.legal if words.end_of(view, action) == "e12"]
    marked = picture.page(view, NAMES, DEFAULT_STYLE, onto)
    plain = picture.page(view, NAMES, DEFAULT_STYLE)
    x, y = layout.layout(DEFAULT_STYLE, "").space("e12")
    edge = (round(x) - 8, round(y + CELL_SIZE / 2) - 10, round(x) + 8, round(y + CELL_SIZE / 2))
    assert onto
    assert marked.crop(edge).tobytes() != plain.crop(edge).tobytes()


def test_w3_2_score_of_the_first_roll_is_shown_to_who_may_choose() -> None:
    rolled = after(GAME.start("0.6", {}), "* rolloff S5 M2 C3 A1")
    view = GAME.view(rolled)
    other = GAME.view(after(GAME.start("0.6", {}), "* rolloff S5 M1 C3 A1"))
    assert player_panels._first_rolls(view, "OD") == [7, 4]
    assert player_panels._first_rolls(view, "DO") == [4, 7]
    assert page(view) != page(other)
