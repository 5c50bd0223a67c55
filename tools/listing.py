"""Draws the pictures of the bot's entry in Discord's portal and App Directory: `make listing`.

Icon and cover go into bot/app/listing/, where `starpost portal` finds them; five screenshots and
the page with all texts go into docs/hosts/app-directory/. They show boards of the gallery and
pictures of the browser (`make screenshots`).
"""

from __future__ import annotations

import io
from math import cos, pi, sin
from pathlib import Path
from typing import NamedTuple

from babel import Locale
from PIL import Image, ImageDraw

from bot.app import listing
from bot.i18n import languages
from render.themes import DARK
from render.typeface import LATIN
from tools.social_preview import paste_panel, picture, sky

ROOT = Path(__file__).parent.parent
PLAYERS = ROOT / "docs" / "players"

FOLDER = ROOT / "docs" / "hosts" / "app-directory"

PAGE = FOLDER / "README.md"

ICON_SIZE = 1024
"""Width and height of the icon."""

WIDE = (1920, 1080)
"""Width and height of the cover and the screenshots, 16:9."""

TITLE_HEIGHT = 130
MARGIN = 50

ENLARGED = 2
"""Enlargement factor for drawing the icon, before it is reduced."""


class Shot(NamedTuple):
    """A screenshot: its title above pictures in a row.

    Attributes:
        pictures: their files, in docs/players/.
    """

    name: str
    title: str
    pictures: tuple[str, ...]


SHOTS = (
    Shot("1-coins", "Secret wormholes in a spiral galaxy", ("gallery/1-cascade.png",)),
    Shot("2-fleets", "Fleets of dice race into the wormhole", ("gallery/7-chain.png",)),
    Shot("3-tubes", "Build a space station, and race home", ("gallery/12-tubes.png",)),
    Shot(
        "4-buttons",
        "Every move is a few buttons, on the phone too",
        ("first-match/3-challenge.png", "first-match/6-space.png", "first-match/9-hint.png"),
    ),
    Shot(
        "5-days",
        "Matches that last for days: takebacks, notes, replays",
        ("by-post/1-takeback.png", "by-post/2-notes.png", "by-post/3-replay.png"),
    ),
)


def icon() -> bytes:
    """Return the icon: a signpost with three arms below a star."""
    side = ICON_SIZE * ENLARGED
    unit = side / 32
    page = sky((side, side))
    canvas = ImageDraw.Draw(page)
    glow = (*(round(unit * part) for part in (3, 3, 29, 29)),)
    canvas.ellipse(glow, DARK.tiles[1], DARK.tile_edge, round(unit / 4))
    canvas.rounded_rectangle((15.2 * unit, 10 * unit, 16.8 * unit, 27 * unit), unit / 2, DARK.faint)
    arms = ((11.6, 1, DARK.suits[0]), (16, -1, DARK.suits[2]), (20.4, 1, DARK.suits[1]))
    for top, direction, colour in arms:
        arm = ((-5, 0), (5, 0), (7.4, 1.6), (5, 3.2), (-5, 3.2))
        points = [((16 + direction * x) * unit, (top + y) * unit) for x, y in arm]
        canvas.polygon(points, colour, DARK.edge, round(unit / 3))
    canvas.polygon(_star(16 * unit, 8 * unit, 3.4 * unit), DARK.accent, DARK.edge, round(unit / 4))
    return _png(page.resize((ICON_SIZE, ICON_SIZE), Image.Resampling.LANCZOS))


def _star(x: float, y: float, radius: float) -> list[tuple[float, float]]:
    """Return the corners of a star with five points."""
    corners = []
    for corner in range(10):
        reach = radius * (0.42 if corner % 2 else 1)
        angle = corner * pi / 5
        corners.append((x + reach * sin(angle), y - reach * cos(angle)))
    return corners


def cover() -> bytes:
    """Return the cover: the picture of links to the repository on a page of 16:9."""
    page = sky(WIDE)
    with Image.open(io.BytesIO(picture())) as preview:
        height = WIDE[0] * preview.height // preview.width
        wide = preview.resize((WIDE[0], height), Image.Resampling.LANCZOS)
    page.paste(wide, (0, (WIDE[1] - height) // 2))
    return _png(page)


def draw_shot(shot: Shot) -> bytes:
    """Return a screenshot."""
    page = sky(WIDE)
    canvas = ImageDraw.Draw(page)
    middle = (WIDE[0] / 2, TITLE_HEIGHT / 2 + 8)
    canvas.text(middle, shot.title, DARK.text, LATIN.font(58), anchor="mm")
    height = WIDE[1] - TITLE_HEIGHT - MARGIN
    panels = [_enlarged(PLAYERS / file, height) for file in shot.pictures]
    gap = (WIDE[0] - sum(panel.width for panel in panels)) // (len(panels) + 1)
    x = gap
    for panel in panels:
        paste_panel(page, panel, (x, TITLE_HEIGHT))
        x += panel.width + gap
    return _png(page)


def _enlarged(file: Path, height: int) -> Image.Image:
    """Return a picture at another height."""
    with Image.open(file) as panel:
        size = (panel.width * height // panel.height, height)
        return panel.convert("RGB").resize(size, Image.Resampling.LANCZOS)


def _png(page: Image.Image) -> bytes:
    """Return a picture as a PNG of at most 256 colours, a third as large as one of all."""
    out = io.BytesIO()
    few = page.quantize(256, dither=Image.Dither.NONE)
    few.save(out, "PNG", optimize=True)
    return out.getvalue()


def text() -> str:
    """Return the page: the texts with their limits, and where each goes."""
    shots = "\n".join(f"![{shot.title}]({shot.name}.png)" for shot in SHOTS)
    names = (Locale.parse(tag, sep="-").get_display_name("en") or tag for tag in languages())
    return f"""\
# For Discord's App Directory

`make listing` writes this folder. `starpost portal` sends description, tags, icon and cover to
Discord and sets the installation links. The rest goes by hand into the [developer
portal](https://discord.com/developers/applications): the name and the addresses of your
[terms](../terms.md) and [privacy policy](../privacy-policy.md) on the page *General Information*,
summary, screenshots and support server on the pages *Discovery*, which appear once Discord has
verified the application.

| field | limit | text |
|---|---|---|
| name | | the name of your bot |
| description | {listing.DESCRIPTION_LIMIT} characters | {listing.description()} |
| summary | {listing.SUMMARY_LIMIT} characters | {listing.SUMMARY} |
| tags | {listing.TAGS_LIMIT} of {listing.TAG_LIMIT} characters | {", ".join(listing.TAGS)} |
| languages | | {", ".join(names)} |

## Icon and cover

![Icon](../../../bot/app/listing/icon.png)
![Cover](../../../bot/app/listing/cover.png)

## Screenshots

{shots}
"""


def main() -> None:
    """Write everything."""
    FOLDER.mkdir(exist_ok=True)
    listing.ICON.write_bytes(icon())
    listing.COVER.write_bytes(cover())
    for shot in SHOTS:
        (FOLDER / f"{shot.name}.png").write_bytes(draw_shot(shot))
    PAGE.write_text(text(), encoding="utf-8")
    print(f"{FOLDER.relative_to(ROOT)}, {listing.FOLDER.relative_to(ROOT)}")


if __name__ == "__main__":
    main()
