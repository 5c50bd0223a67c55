"""Signs on the Tom Tube board: prices of places, borders of areas, the rhomb that was drawn."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from itertools import combinations, islice
from math import dist

import pytest

import render
from engine.game import CHANCE
from engine.tomtube.view import TomTubeView
from render import chips
from render.markers import halo
from render.renderer import DEFAULT_STYLE, ORIENTATIONS, Style
from render.sprites import Board, Point, Sprite
from render.themes import Theme
from render.tomtube import arrows, drawn_rhomb, legend, marks, player_panels, tiles
from render.tomtube.background import background
from render.tomtube.colours import THEMES
from render.tomtube.layout import layout
from render.tomtube.words import mark
from tests.support.tiers import sampled
from tests.support.tomtube.games import Choice, any_of, greedy, match
from tests.support.tomtube.positions import GAME, position

WHERE, DARK = layout(DEFAULT_STYLE, ""), THEMES["dark"]
TOM_TUBE = render.for_game("tomtube")


def deciding(verb: str, choose: Choice = any_of) -> Iterator[TomTubeView]:
    """The views of players who can do something of this kind, in some matches."""
    for seed in range(3):
        state = GAME.start("standard", {})
        for action in match(choose, seed)[1]:
            seat = GAME.pending(state)
            view = GAME.view(state, seat) if seat != CHANCE else None
            if view and any(action.verb == verb for action in view.legal):
                yield view
            state, _ = GAME.apply(state, action)


def test_places_that_cost_nothing_have_no_price(monkeypatch: pytest.MonkeyPatch) -> None:
    texts: list[str] = []
    drawn = marks._sign

    def sign(theme: Theme, text: str) -> Sprite:
        texts.append(text)
        return drawn(theme, text)

    monkeypatch.setattr(marks, "_sign", sign)
    free = priced = 0
    for view in islice(deciding("jump"), 60):
        texts.clear()
        board = Board(*background(DARK, WHERE).copy())
        marks.draw_above_pieces(board, view, view.legal, DARK, WHERE)
        for moves in marks._ends(view.legal, WHERE).values():
            words = [mark(view, move) for move in moves]
            if moves[0].verb == "drift":
                assert words[0] in texts
                free += 1
            else:
                prices = [word.partition(" ")[0] for word in words]
                assert f"{'/'.join(prices[1:] + prices[:1])} {words[0][2:]}" in texts
                priced += 1
    assert free
    assert priced


def test_drawn_rhomb_is_larger_than_those_on_the_board() -> None:
    """It is as large on a phone as in portrait."""
    tile = "AB/CD+"
    large = drawn_rhomb._enlarged(DARK, tile, WHERE.drawn_scale)
    plain = tiles.rhomb(DARK, tile, drawn_rhomb.DEFAULT_DIRECTION)
    assert large.page.width >= 1.4 * plain.page.width
    assert large.page.height <= WHERE.stock[1] - WHERE.box(0).rows[1][1]


def overlap(one: chips.Box, other: chips.Box) -> bool:
    """Whether two boxes have a point in common."""
    (x1, y1, x2, y2), (x3, y3, x4, y4) = one, other
    return x2 > x3 and x1 < x4 and y2 > y3 and y1 < y4


@sampled(8, 40, 200)
@pytest.mark.parametrize("orientation", ORIENTATIONS)
@pytest.mark.parametrize("choose", [any_of, greedy])
def test_names_hide_no_words_and_piece_and_are_at_their_rings(
    choose: Choice, orientation: str, samples: int
) -> None:
    """A name's nearest ring or sphere is its own, but for a few to which a line leads."""
    where = layout(Style(orientation=orientation), "")
    named = ends = lines = 0
    for view in islice(deciding("jump", choose), 0, 4 * samples, 4):
        words = arrows.draw_heads(Board(*background(DARK, where).copy()), view, DARK, where)
        names = marks._names(view, view.legal, DARK, where, words)
        rings = marks._ends(view.legal, where)
        named, ends = named + len(names), ends + len(rings)
        spots = [spot.box for spot in names.values()]
        assert not any(overlap(one, other) for one, other in combinations(spots, 2))
        boxes = [
            *words,
            *player_panels.boxes(view, where),
            *arrows.pieces_and_stations(view, where),
            legend.box(where, is_long=legend.is_long(view)),
        ]
        assert not any(overlap(spot, other) for spot in spots for other in boxes)
        width, height = where.size
        assert all(min(spot) >= 0 and spot[2] <= width and spot[3] <= height for spot in spots)
        around = {*rings, *arrows.spheres(view, where)}
        for at, spot in names.items():
            lines += bool(spot.lead)
            nearest = min(around, key=partial(dist, spot.middle))
            assert nearest == at or (spot.lead and dist(spot.lead[0], at) < marks.RING_RADIUS)
    assert named >= 0.96 * ends > 0, "nearly all have room"
    assert lines <= 0.3 * named


def test_name_of_a_base_has_room_beside_its_gates() -> None:
    """The gate nearest to it is next to its ring, and has a name, too."""
    view = GAME.view(position(tom="1,2"), "T")
    ends = marks._ends(view.legal, WHERE)
    spots = marks._names(view, view.legal, DARK, WHERE, ())
    assert spots.keys() == ends.keys()
    assert not any(spot.lead for spot in spots.values())


def test_ends_that_cost_a_counter_have_rings_of_dots(monkeypatch: pytest.MonkeyPatch) -> None:
    """One that is reached for nothing, too, has the ring of those."""
    rings: dict[Point, Sprite] = {}
    monkeypatch.setattr(Board, "put", lambda _board, what, at: rings.update({at: what}))
    view = GAME.view(position(tom="1,2"), "T")
    draw_rings = partial(marks.draw_below_pieces, theme=DARK, where=WHERE)
    ring = halo(DARK, DARK.mark, marks.RING_RADIUS, DARK.tile)
    draw_rings(Board(*background(DARK, WHERE).copy()), view, view.legal)
    assert rings[WHERE.node("2,1", "T")] is ring
    jumps = [action for action in view.legal if action.verb == "jump"]
    draw_rings(Board(*background(DARK, WHERE).copy()), view, jumps)
    assert rings[WHERE.node("2,1", "T")] is marks._dotted(DARK) is not ring
    view = GAME.view(position(tom="-3,1"), "T")
    draw_rings(Board(*background(DARK, WHERE).copy()), view, view.legal)
    assert rings[WHERE.node("module1", "T")] is ring, "its name has a space, but it is free"
