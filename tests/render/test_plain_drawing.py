"""Pictures drawn the fast way have the pixels of pictures drawn with nothing but Pillow."""

from __future__ import annotations

import io
from collections.abc import Sequence
from importlib import import_module
from typing import Any

import pytest
from PIL import Image

import render
from engine import games
from engine.game import Action, View
from render.renderer import Style
from render.sprites import Point, Sprite
from tests.support.positions import NAMES, STYLES, TABLES, positions
from tests.support.tiers import sampled

Subject = tuple[View, Style, Sequence[Action]]


@pytest.mark.slow
@sampled(6, 6, 150)
@pytest.mark.parametrize(("name", "options"), TABLES)
def test_pixels_are_those_of_a_plain_drawing(
    name: str, options: dict[str, str], samples: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    subjects: list[Subject] = []
    for number, view in enumerate(positions(games.get(name), options, samples)):
        style = STYLES[number * 5 % len(STYLES)]
        subjects += [(view, style, actions) for actions in ((), view.legal, view.legal[:2])]
    fast = [pixels(name, options, subject) for subject in subjects]
    again = [pixels(name, options, subject) for subject in reversed(subjects)]
    monkeypatch.setattr(Sprite, "put", put)
    monkeypatch.setattr(import_module(f"render.{name}.picture"), "encode", encode)
    plain = [pixels(name, options, subject) for subject in subjects]
    assert fast == plain
    assert again == plain[::-1]


def pixels(name: str, options: dict[str, str], subject: Subject) -> int:
    """A hash of the pixels of a picture."""
    view, style, actions = subject
    names = dict(zip(games.get(name).seats(options), NAMES, strict=False))
    with Image.open(
        io.BytesIO(render.for_game(name).picture(view, names, style, actions))
    ) as image:
        return hash((image.size, image.convert("RGB").tobytes()))


def put(sprite: Sprite, page: Image.Image, middle: Point) -> None:
    """See `Sprite.put`."""
    width, height = sprite.page.size
    corner = round(middle[0] - width / 2), round(middle[1] - height / 2)
    page.paste(sprite.page, corner, sprite.mask)


def encode(page: Image.Image, colours: bytes, *_: Any) -> bytes:
    """See `png.encode`."""
    copy, file = page.copy(), io.BytesIO()
    copy.putpalette(colours)
    copy.save(file, "PNG", compress_level=1)
    return file.getvalue()
