"""Simulated colour-vision deficiencies."""

from __future__ import annotations

import io

import pytest
from PIL import Image

from render.colour_vision import DEFICIENCIES, simulated


@pytest.mark.parametrize("deficiency", DEFICIENCIES)
def test_grey_stays_and_colours_lose_a_dimension(deficiency: str) -> None:
    image = Image.new("P", (4, 1))
    image.putpalette([128, 128, 128, 255, 0, 0, 0, 255, 0, 0, 0, 255])
    image.putdata([0, 1, 2, 3])
    file = io.BytesIO()
    image.save(file, "PNG")
    with Image.open(io.BytesIO(simulated(file.getvalue(), deficiency))) as seen:
        grey, red, green, blue = (seen.convert("RGB").getpixel((x, 0)) for x in range(4))
    assert grey == (128, 128, 128)
    assert isinstance(red, tuple)
    assert isinstance(green, tuple)
    assert isinstance(blue, tuple)
    if deficiency == "tritanopia":
        assert abs(blue[1] - blue[2]) < 70, "blue looks like green"
    else:
        assert abs(red[0] - red[1]) < 75, "red looks yellow"
        assert abs(green[0] - green[1]) < 75, "and so does green"
