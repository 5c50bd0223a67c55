"""The gallery page: pictures from the records beside it, drawn by one command."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from itertools import islice
from pathlib import Path
from typing import Any

from engine import packages
from engine.game import View
from engine.record import Record
from render import for_game
from render.colour_vision import DEFICIENCIES, simulated
from render.records import names_of, views_of
from render.renderer import Names, Renderer
from render.scenes import GameGallery, Scene

PICTURE = re.compile(r"!\[[^]]*\]\((?P<path>[^)]+)\)")
"""A picture on a page, with its alt text."""


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
    alts = alt_texts(folder)
    page = [
        "# Gallery",
        "",
        f"`make gallery` regenerates these pictures from the records in {folder.name}/.",
    ]
    for name, scene in _boards():
        (folder / name).write_bytes(_drawn(folder, scene))
        page += _entry(scene.words, alts[name], folder / name)
    for scene in (gallery.simulated for gallery in galleries()):
        drawn = _drawn(folder, scene)
        for name, deficiency in _simulations(scene):
            (folder / name).write_bytes(simulated(drawn, deficiency))
            words = f"{scene.words} as seen with {deficiency} (simulated)"
            page += _entry(words, alts[name], folder / name)
    for name in (gallery.animated for gallery in galleries()):
        record = _read(folder, name)
        renderer, names = for_game(record.game().name), names_of(record)
        file = folder / f"{name}.gif"
        file.write_bytes(renderer.animation(views_of(record), names))
        title = f"A whole match of {record.game().title}"
        page += _entry(title, "All turns one after the other.", file)
    folder.with_suffix(".md").write_text("\n".join([*page, ""]), encoding="utf-8")


def alt_texts(folder: Path) -> dict[str, str]:
    """Return the alt texts of the boards on the page, in the current language, by file name.

    Args:
        folder: with the records.

    Raises:
        OSError: a record is missing.
        RecordError: a record does not hold.
    """
    texts = {name: _alt_text(folder, scene) for name, scene in _boards()}
    for scene in (gallery.simulated for gallery in galleries()):
        texts |= dict.fromkeys(dict(_simulations(scene)), _alt_text(folder, scene))
    return texts


def with_alt_texts(page: str, alts: Mapping[str, str]) -> str:
    """Return a page with new alt texts of its pictures, by file name; others keep theirs."""

    def replaced(picture: re.Match[str]) -> str:
        alt = alts.get(Path(picture["path"]).name)
        return picture[0] if alt is None else f"![{alt}]({picture['path']})"

    return PICTURE.sub(replaced, page)


def _boards() -> Iterator[tuple[str, Scene]]:
    """Yield file names and scenes in the order of the page."""
    for number, scene in enumerate(scenes(), 1):
        yield f"{number}-{scene.record}.png", scene


def _simulations(scene: Scene) -> Iterator[tuple[str, str]]:
    """Yield file names and deficiencies."""
    for deficiency in DEFICIENCIES:
        yield f"{scene.record}-{deficiency}.png", deficiency


def _drawn(folder: Path, scene: Scene) -> bytes:
    """Return a scene as a PNG."""
    renderer, view, names = _shown(folder, scene)
    if scene.overlay:
        return renderer.overlaid(view, names, scene.style, scene.overlay)
    ghosts = renderer.quick_shortcuts(view, view.legal, scene.style).ghosts
    marked = () if ghosts else view.legal
    return renderer.picture(view, names, scene.style, marked, ghosts=ghosts)


def _alt_text(folder: Path, scene: Scene) -> str:
    """Return the alt text of a scene in one line: its lines become sentences."""
    renderer, view, names = _shown(folder, scene)
    alt = renderer.alt_text(view, names)
    if scene.overlay:
        alt = f"{renderer.overlay(view, scene.overlay)}\n{alt}"
    lines = (" ".join(line.split()) for line in alt.splitlines() if line.strip())
    return " ".join(line if line.endswith((".", "!", "?", "…")) else f"{line}." for line in lines)


def _shown(folder: Path, scene: Scene) -> tuple[Renderer[Any], View, Names]:
    """Return the renderer of a scene, its view, and the names of the players."""
    record = _read(folder, scene.record)
    view = next(islice(views_of(record, scene.seat), scene.actions, None))
    return for_game(record.game().name), view, names_of(record)


def _read(folder: Path, name: str) -> Record:
    return Record.parse((folder / f"{name}.match").read_text(encoding="utf-8"))


def _entry(words: str, alt: str, file: Path) -> list[str]:
    """Return a picture on the page."""
    return ["", f"## {words}", "", f"![{alt}]({file.parent.name}/{file.name})"]
