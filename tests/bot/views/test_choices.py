"""Typed choices: notation, names as on the picture, and labels of buttons."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import pytest

from bot.views.choices import in_notation, panel
from engine import games
from engine.game import CHANCE, View
from engine.notation import find_action
from engine.record import play
from render import for_game
from render.renderer import DEFAULT_STYLE


def decisions(name: str) -> Iterator[View]:
    """Yield views of players who decide, in one random match."""
    game, random = games.get(name), Random(5)
    state = game.start(game.rules[0], {})
    for _ in range(40):
        state, _made = play(game, state, random.choice, lambda _: random.randrange, 3)
        yield from (game.view(state, seat) for seat in game.pending(state) if seat != CHANCE)


@pytest.mark.parametrize("name", games.names())
def test_what_a_button_says_can_be_typed(name: str) -> None:
    typed = set()
    for view in decisions(name):
        buttons = [each for row in panel(view).rows for each in row.choices if each.line]
        labels = [each.label for each in buttons]
        for each in buttons:
            if labels.count(each.label) == 1:
                read = in_notation(view, f" {each.label.upper()}", DEFAULT_STYLE)
                action = find_action(games.get(name), view.legal, read)
                assert action, each
                assert action.notation == each.line
                typed.add(action.verb)
    assert typed


def test_what_no_button_says_is_left_as_it_is() -> None:
    view = next(view for view in decisions("warp6") if view.turn)
    assert in_notation(view, "nothing like it", DEFAULT_STYLE) == "nothing like it"


def test_what_is_clicked_is_never_a_label() -> None:
    view = next(view for view in decisions("warp6") if view.turn)
    label = for_game("warp6").label(view, view.legal[0])
    assert in_notation(view, label, DEFAULT_STYLE) == view.legal[0].notation
    assert in_notation(view, label) != view.legal[0].notation
