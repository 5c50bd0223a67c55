"""Paint the sheets of sprites and the grounds: `make paint`, or with --keep in the same colours."""

from __future__ import annotations

import argparse
from collections.abc import Mapping

from PIL import Image

from render.painted import GROUND_LEVELS, STAR_LEVELS, folder, painted_colours
from render.themes import THEMES
from tools.paint import sheet
from tools.paint.games import Painting, paintings


def main() -> None:
    """Paint all games, or one."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("games", nargs="*", help=", ".join(paintings()))
    parser.add_argument("--keep", action="store_true", help="keep the colours of the sheets")
    arguments = parser.parse_args()
    paint({name: paintings()[name] for name in arguments.games or paintings()}, keep=arguments.keep)


def paint(games: Mapping[str, Painting], *, keep: bool) -> None:
    """Paint the sheets and the ground of games."""
    for game, painting in games.items():
        place = folder(game)
        place.mkdir(exist_ok=True)
        for theme in THEMES.values():
            painted = sheet.painted(theme, painting.painters())
            old = list(painted_colours(game, theme.name)) if keep else []
            sheet.write(place, theme, painted, old or painted.palette(painting.colours))
        for name, png in painting.emojis().items():
            (place / f"{name}.png").write_bytes(png)
        levels = painting.ground(GROUND_LEVELS, STAR_LEVELS)
        Image.fromarray(levels).save(place / f"{painting.ground_name}.png", optimize=True)


if __name__ == "__main__":
    main()
