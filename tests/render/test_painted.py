"""The painted data in render/ is the output of the programs in tools/paint/."""

from __future__ import annotations

import io
from collections.abc import Iterable
from random import Random

import numpy as np
import pytest
from PIL import Image

from render import for_game
from render.painted import GROUND_LEVELS, STAR_LEVELS, folder, painted, painted_colours, places
from render.palette import palette
from render.sprites import Sprite
from render.themes import THEMES, Colour, Theme
from render.wormholes.colours import THEMES as WORMHOLES
from tests.support.tiers import sampled
from tests.support.vision import contrast, lab
from tools.paint import sheet
from tools.paint.games import paintings

GAMES = paintings()

every_theme = pytest.mark.parametrize("theme", THEMES.values(), ids=list(THEMES))

one_theme = pytest.mark.parametrize(
    "theme",
    [
        pytest.param(theme, id=name, marks=() if name == "dark" else pytest.mark.slow)
        for name, theme in THEMES.items()
    ],
)
"""The others in the slow tests."""


@pytest.mark.first(test=1)
@sampled(2, 3, 400)
@one_theme
@pytest.mark.parametrize("game", GAMES)
def test_sprites_are_painted_again_byte_for_byte(game: str, theme: Theme, samples: int) -> None:
    painters = GAMES[game].painters()
    with Image.open(folder(game) / f"{theme.name}.png") as image:
        page = np.asarray(image)
    where = places(game)
    assert set(where) == set(painters)
    palette = list(painted_colours(game, theme.name))
    names = sorted(painters)
    for name in Random(8).sample(names, min(samples, len(names))):
        done = sheet.painted(theme, {name: painters[name]})
        left, top, wide, high = where[name]
        assert done.where[name][2:] == (wide, high), name
        again = done.indexes(palette)[:high, :wide]
        assert (again == page[top : top + high, left : left + wide]).all(), name


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
def test_grounds_are_painted_again_byte_for_byte(game: str) -> None:
    with Image.open(folder(game) / f"{GAMES[game].ground_name}.png") as image:
        again = GAMES[game].ground(GROUND_LEVELS, STAR_LEVELS)
        assert (np.asarray(image) == again).all()


@pytest.mark.parametrize("game", GAMES)
def test_emojis_are_painted_again_pixel_for_pixel(game: str) -> None:
    files, again = for_game(game).emoji_images(), GAMES[game].emojis()
    assert len(again) == (4 if game == "wormholes" else 0)
    assert {name: pixels(png) for name, png in files.items()} == {
        name: pixels(png) for name, png in again.items()
    }


def pixels(png: bytes) -> bytes:
    with Image.open(io.BytesIO(png)) as image:
        return image.tobytes()


@pytest.mark.parametrize("game", GAMES)
@every_theme
def test_palettes_of_painted_games_leave_an_entry(game: str, theme: Theme) -> None:
    """For animations."""
    assert len(palette(for_game(game).themes[theme.name]).colours) < 255


@every_theme
def test_bases_stand_out_from_tiles(theme: Theme) -> None:
    """Their rims and landing marks do, on the pixels of the picture."""
    colours = WORMHOLES[theme.name]
    for seat, glow in zip("OD", theme.seats, strict=True):
        page = painted("wormholes", colours, f"base-{seat}").page
        rim = palette(colours).colours[page.tobytes()[page.width * (page.height // 2) + 3]]
        assert sum(map(abs, np.subtract(rim, glow))) < 20
        for level in range(3):
            body = most_common(painted("wormholes", colours, f"tile-{level}"), colours)
            assert contrast(rim, body) >= 3


@every_theme
def test_grounds_are_quiet(theme: Theme) -> None:
    """The galaxy and the tiles have a third of the contrast of the pieces, in L*."""
    colours = WORMHOLES[theme.name]
    flat = palette(colours).colours
    clouds = lightness(colours.levels[:GROUND_LEVELS])
    coin = painted("wormholes", colours, "coin-suit-S10-large").page
    emblem = painted("wormholes", colours, "emblem-S-large").page
    pieces = lightness(flat[index] for index in {*coin.tobytes(), *emblem.tobytes()})
    tiles = lightness(
        most_common(painted("wormholes", colours, f"tile-{level}"), colours) for level in range(3)
    )
    for low, high in (clouds, tiles):
        assert high - low <= (pieces[1] - pieces[0]) / 3


def most_common(sprite: Sprite, theme: Theme) -> Colour:
    """The colour of most pixels of a sprite."""
    counts = sprite.page.histogram()
    return palette(theme).colours[counts.index(max(counts))]


def lightness(colours: Iterable[Colour]) -> tuple[float, float]:
    """The lowest and the highest L* of some colours."""
    values = [lab(colour, "normal")[0] for colour in colours]
    return min(values), max(values)
