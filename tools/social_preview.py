"""Draws docs/social-preview.png, the picture of links to the repository: `make preview`.

It shows a board of each game from the records of the gallery, and the name.
"""

from __future__ import annotations

import io
from itertools import islice
from pathlib import Path
from random import Random

from PIL import Image, ImageDraw

from engine.record import Record
from render import for_game
from render.records import names_of, views_of
from render.renderer import Style
from render.themes import DARK
from render.typeface import LATIN

ROOT = Path(__file__).parent.parent

FILE = ROOT / "docs" / "social-preview.png"

SIZE = (1280, 640)
"""Width and height, as GitHub asks for it."""

PANEL = (380, 300)
"""Width and height of a board."""

SCALE = 2
"""Enlargement factor for drawing masks and stars, before they are reduced."""

BOARDS = (
    ("cascade", 103, (330, 150, 1090, 750)),
    ("chain", 36, (330, 150, 1090, 750)),
    ("tubes", 62, (330, 200, 1090, 800)),
)
"""Record, number of actions, and the part of the picture."""


def picture() -> bytes:
    """Return the picture as a PNG."""
    page = sky(SIZE)
    canvas = ImageDraw.Draw(page)
    middle = SIZE[0] / 2
    canvas.text((middle, 110), "Starpost", DARK.text, LATIN.font(124), anchor="mm")
    words = "Board games in space, played over days on Discord"
    canvas.text((middle, 210), words, DARK.faint, LATIN.font(40), anchor="mm")
    gap = (SIZE[0] - len(BOARDS) * PANEL[0]) // (len(BOARDS) + 1)
    for place, (name, actions, box) in enumerate(BOARDS):
        at = (gap + place * (PANEL[0] + gap), 270)
        title, board = _board(name, actions)
        paste_panel(page, board.resize(PANEL, Image.Resampling.LANCZOS, box), at)
        under = (at[0] + PANEL[0] / 2, at[1] + PANEL[1] + 34)
        canvas.text(under, title, DARK.accent, LATIN.font(34), anchor="mm")
    out = io.BytesIO()
    page.save(out, "PNG", optimize=True)
    return out.getvalue()


def _board(name: str, actions: int) -> tuple[str, Image.Image]:
    """Return the title of a game of the gallery, and its board after a number of actions."""
    file = ROOT / "docs" / "players" / "gallery" / f"{name}.match"
    record = Record.parse(file.read_text(encoding="utf-8"))
    view = next(islice(views_of(record), actions, None))
    picture = for_game(record.game().name).picture(view, names_of(record), Style())
    with Image.open(io.BytesIO(picture)) as board:
        return record.game().title, board.convert("RGB")


def paste_panel(page: Image.Image, panel: Image.Image, at: tuple[int, int]) -> None:
    """Put a picture with round corners and an edge onto the page."""
    mask = Image.new("L", (panel.width * SCALE, panel.height * SCALE))
    corners = (0, 0, mask.width - 1, mask.height - 1)
    ImageDraw.Draw(mask).rounded_rectangle(corners, 22 * SCALE, 255)
    edge = Image.new("RGB", (panel.width + 6, panel.height + 6), DARK.tile_edge)
    page.paste(edge, (at[0] - 3, at[1] - 3), mask.resize(edge.size, Image.Resampling.LANCZOS))
    page.paste(panel, at, mask.reduce(SCALE))


def sky(size: tuple[int, int]) -> Image.Image:
    """Return a page with stars."""
    page = Image.new("RGB", size, DARK.space[1])
    random = Random(8)
    canvas = ImageDraw.Draw(page)
    for _ in range(150):
        x, y = random.randrange(page.width), random.randrange(page.height)
        diameter = random.choice((0, 0, 1, 1, 2))
        canvas.ellipse((x, y, x + diameter, y + diameter), DARK.star)
    return page


def main() -> None:
    """Write the picture."""
    FILE.write_bytes(picture())
    print(FILE.relative_to(ROOT))


if __name__ == "__main__":
    main()
