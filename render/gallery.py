"""The gallery page: pictures from the records beside it, drawn by one command."""

from __future__ import annotations

from itertools import islice
from pathlib import Path
from typing import NamedTuple

from engine.game import PUBLIC
from engine.record import Record
from render import for_game
from render.colour_vision import DEFICIENCIES, simulated
from render.records import names_of, views_of
from render.renderer import Style


class Scene(NamedTuple):
    """One picture: the record, the number of actions, the viewer, and a caption.

    With an overlay, the picture shows it instead of choices.
    """

    record: str
    actions: int
    seat: str
    style: Style
    words: str
    overlay: str = ""


SCENES = (
    Scene("cascade", 103, PUBLIC, Style(), "A turn as a story: moves, wormholes, a ship sent away"),
    Scene(
        "memory",
        11,
        "O",
        Style(),
        "Placing coins: areas to choose from, and the own values",
    ),
    Scene(
        "memory",
        121,
        "O",
        Style("light"),
        "Where each ship can go, and in which direction",
    ),
    Scene(
        "memory",
        63,
        "D",
        Style(orientation="portrait", own_side=True),
        "Portrait, from the player's own side, with notes of every coin seen",
    ),
    Scene("cascade", 128, "O", Style("contrast"), "High contrast: where to send the other ship?"),
    Scene("cascade", 131, PUBLIC, Style("light", "portrait"), "The end: everything is revealed"),
    Scene("chain", 36, PUBLIC, Style(), "Warp 6: a die falls through six rings in one turn"),
    Scene("chain", 41, "Y", Style("light"), "Where each die would end, and by which warps"),
    Scene("chain", 35, PUBLIC, Style(), "The chain of warps from a space", "110"),
    Scene("three", 62, PUBLIC, Style("contrast", "portrait"), "Three players, in high contrast"),
    Scene("chain", 145, PUBLIC, Style("light", "portrait"), "The end of a race"),
    Scene(
        "tubes", 62, PUBLIC, Style(), "Tom Tube: the path of an astronaut, and what it collected"
    ),
    Scene(
        "tubes",
        82,
        "D",
        Style("light", "portrait"),
        "Numbered places for the rhomb, and above them how it can lie",
    ),
    Scene("tubes", 143, "T", Style("contrast"), "Where an astronaut can go, and at what price"),
    Scene("tubes", 148, PUBLIC, Style(orientation="portrait"), "The end of a station"),
)
"""In the order of the page."""

SIMULATED_SCENES = (
    Scene("cascade", 103, PUBLIC, Style(), "Wormholes"),
    Scene("chain", 41, "Y", Style(), "Warp 6"),
    Scene("tubes", 143, "T", Style(), "Tom Tube"),
)
"""Shown as people with each colour-vision deficiency see them."""

ANIMATED_SCENES = ("cascade", "chain", "tubes")
"""Records that are shown as animations."""


def make(folder: Path) -> None:
    """Draw all scenes and whole matches into a folder; the page is `folder` with `.md`.

    Raises:
        OSError: a record is missing, or the folder cannot be written.
        RecordError: a record does not hold.
    """
    page = [
        "# Gallery",
        "",
        f"`make gallery` regenerates these pictures from the records in {folder.name}/.",
    ]
    for number, scene in enumerate(SCENES, 1):
        file = folder / f"{number}-{scene.record}.png"
        drawn, alt = _drawn(folder, scene)
        file.write_bytes(drawn)
        page += _entry(scene.words, alt, file)
    for scene in SIMULATED_SCENES:
        drawn, alt = _drawn(folder, scene)
        for deficiency in DEFICIENCIES:
            file = folder / f"{scene.record}-{deficiency}.png"
            file.write_bytes(simulated(drawn, deficiency))
            page += _entry(f"{scene.words} as seen with {deficiency} (simulated)", alt, file)
    for name in ANIMATED_SCENES:
        record = _read(folder, name)
        renderer, names = for_game(record.game().name), names_of(record)
        file = folder / f"{name}.gif"
        file.write_bytes(renderer.animation(views_of(record), names))
        title = f"A whole match of {record.game().title}"
        page += _entry(title, "All turns one after the other.", file)
    folder.with_suffix(".md").write_text("\n".join([*page, ""]), encoding="utf-8")


def _drawn(folder: Path, scene: Scene) -> tuple[bytes, str]:
    """Return a scene as a PNG, and its alt text."""
    record = _read(folder, scene.record)
    renderer, names = for_game(record.game().name), names_of(record)
    view = next(islice(views_of(record, scene.seat), scene.actions, None))
    alt = renderer.alt_text(view, names)
    if not scene.overlay:
        ghosts = renderer.quick_shortcuts(view, view.legal, scene.style).ghosts
        marked = () if ghosts else view.legal
        return renderer.picture(view, names, scene.style, marked, ghosts=ghosts), alt
    picture = renderer.overlaid(view, names, scene.style, scene.overlay)
    return picture, f"{renderer.overlay(view, scene.overlay)}\n{alt}"


def _read(folder: Path, name: str) -> Record:
    return Record.parse((folder / f"{name}.match").read_text(encoding="utf-8"))


def _entry(words: str, alt: str, file: Path) -> list[str]:
    """Return a picture on the page; the lines of its alt text become sentences."""
    lines = (" ".join(line.split()) for line in alt.splitlines() if line.strip())
    flat = " ".join(line if line.endswith((".", "!", "?", "…")) else f"{line}." for line in lines)
    return ["", f"## {words}", "", f"![{flat}]({file.parent.name}/{file.name})"]
