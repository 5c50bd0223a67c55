"""Positions of all games: they do not change, and other texts are refused."""

from __future__ import annotations

from dataclasses import FrozenInstanceError

import pytest

from engine import games


@pytest.mark.parametrize("name", games.names())
def test_a_state_cannot_be_written_to(name: str) -> None:
    game = games.get(name)
    state = game.start(game.rules[0], {})
    text = game.dump(state)
    with pytest.raises(FrozenInstanceError):
        state.turn = 1
    assert game.dump(state) == text


@pytest.mark.parametrize("name", games.names())
def test_a_text_that_is_no_position_is_refused(name: str) -> None:
    game = games.get(name)
    text = game.dump(game.start(game.rules[0], {}))
    for other in ("", f"{text.split(';')[0]};0", ";" * text.count(";")):
        with pytest.raises(ValueError, match="not a position"):
            game.load(other)


def test_warp_6_has_neither_a_space_127_nor_letters_for_numbers() -> None:
    game = games.get("warp6")
    text = game.dump(game.start(game.rules[0], {}))
    numbers, space = ";000000000000000000;", "-1,-1"
    assert numbers in text
    assert space in text
    for other in (text.replace(numbers, numbers.replace("0", "x")), text.replace(space, "-1,127")):
        with pytest.raises(ValueError, match="not a position"):
            game.load(other)
