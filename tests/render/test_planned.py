"""Actions that may become legal later, in words: all of them, as the picture names things."""

from __future__ import annotations

import re
from random import Random

import pytest

from engine.game import CHANCE
from engine.games import get, names
from engine.plans import load_plan, parse_plan
from render import for_game
from render.renderer import Style
from tests.support.tiers import sampled

NOTATION = re.compile(r"-?\d,-?\d|\b[SMCA][0-5]\b|\b[byw][468][a-d]\b|\b(N|E|S|W|NE|SE|SW|NW)\b")
"""Words of the notation that no picture shows."""


@pytest.mark.parametrize("name", names())
@sampled(4, 10, 200)
def test_planned_actions_are_named_as_on_the_picture(name: str, samples: int) -> None:
    game, renderer = get(name), for_game(name)
    for seed in range(samples):
        random = Random(seed)
        options = {option: random.choice(values) for option, values in game.options.items()}
        state = game.start(random.choice(game.rules), options)
        for _ in range(random.randrange(150)):
            if not (pending := game.pending(state)):
                break
            form = game.chance(state, random.randrange) if pending == CHANCE else None
            move = form or game.fill(random.choice(game.legal(state)), random.randrange)
            state, _ = game.apply(state, move)
        style = Style(own_side=bool(seed % 2))
        for seat in game.view(state).seats:
            view = game.view(state, seat)
            for action in game.plannable(state, seat):
                words = renderer.planned(view, action, style)
                assert 0 < len(words) <= 80
                assert not NOTATION.search(words), (str(action), words)
                typed = renderer.written(seat, action.notation, style)
                assert renderer.notation(seat, typed, style) == action.notation
                assert not NOTATION.search(re.sub(r"\b[SMCA]\d?\b", "", typed)), typed
                for word in action.args:
                    assert not NOTATION.search(renderer.name(word)) or {*word} <= {*"NESW"}


@pytest.mark.parametrize("name", names())
def test_example_of_a_plan_can_be_read(name: str) -> None:
    game, renderer = get(name), for_game(name)
    random = Random(1)
    state = game.start(game.rules[0], {})
    examples = set()
    for _ in range(60):
        for seat in game.view(state).seats:
            example = renderer.plan_example(game.view(state, seat))
            if example not in examples and game.pending(state) != CHANCE:
                style = Style(orientation="portrait", own_side=True)
                typed = [renderer.written(seat, line, style) for line in example.splitlines()]
                lines = [renderer.notation(seat, line, style) for line in typed]
                assert load_plan(seat, "\n".join(lines)) == load_plan(seat, example)
                examples.add(example)
                if game.view(state).turn or "place" not in example:
                    assert len(parse_plan(game, state, seat, "\n".join(lines)).orders) == 2
        chance = game.pending(state) == CHANCE
        action = (
            game.chance(state, random.randrange) if chance else random.choice(game.legal(state))
        )
        state, _ = game.apply(state, action)
    assert examples


def test_arrows_of_a_plan_are_those_of_the_board() -> None:
    renderer = for_game("wormholes")
    assert renderer.notation("O", "move S →", Style()) == "move S N"
    assert renderer.notation("O", "if Suns 5 : suns⬇️ or ↗", Style()) == "if S5 : S E or NW"
    assert renderer.notation("D", "C ↑", Style(orientation="portrait")) == "C N"
    assert renderer.notation("D", "C ↑", Style(orientation="portrait", own_side=True)) == "C S"
    assert renderer.notation("O", "move S →") == "move S →"  # whose board it is is not known
    assert renderer.written("O", "if S5: move S E or move S NE", Style()) == (
        "if S5: move S ↓ or move S ↘"
    )
    assert renderer.spelled("O", "if S5: move S E\njump S NE", Style()) == (
        "if S5: move S down\njump S down right"
    )


def test_dice_of_a_plan_can_be_typed_as_the_board_shows_them() -> None:
    renderer = for_game("warp6")
    assert renderer.notation("Y", "place ◆A or place ▲ c") == "place y8a or place y4c"
    assert renderer.notation("B", "if y8a: move ■b") == "if y8a: move b6b"
    assert renderer.notation("B", "◆A5 +1") == "◆A5 +1"  # its number comes last
