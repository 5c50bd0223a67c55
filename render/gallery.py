"""The gallery page: pictures from the records beside it, drawn by one command."""

from __future__ import annotations

from itertools import islice
from pathlib import Path

from engine import packages
from engine.record import Record
from render import for_game
from render.colour_vision import DEFICIENCIES, simulated
from render.records import names_of, views_of
from render.scenes import GameGallery, Scene


def galleries() -> tuple[GameGallery, ...]:
    """Return the galleries of the games that have one, in the order of lists.

    Raises:
        Exception: one cannot be imported.
    """
    references = (package.gallery for package in packages.installed().values())
    return tuple(packages.load(name, GameGallery) for name in references if name)


def scenes() -> tuple[Scene, ...]:
    """Return the scenes of all games in the order of the page."""
    return tuple(scene for gallery in galleries() for scene in gallery.scenes)


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
    for number, scene in enumerate(scenes(), 1):
        file = folder / f"{number}-{scene.record}.png"
        drawn, alt = _drawn(folder, scene)
        file.write_bytes(drawn)
        page += _entry(scene.words, alt, file)
    for scene in (gallery.simulated for gallery in galleries()):
        drawn, alt = _drawn(folder, scene)
        for deficiency in DEFICIENCIES:
            file = folder / f"{scene.record}-{deficiency}.png"
            file.write_bytes(simulated(drawn, deficiency))
            page += _entry(f"{scene.words} as seen with {deficiency} (simulated)", alt, file)
    for name in (gallery.animated for gallery in galleries()):
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
