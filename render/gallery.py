"""The gallery page: pictures from the records beside it, drawn anew by one command."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from engine.game import PUBLIC
from engine.record import Record
from render import for_game
from render.records import at_turn, names_of, views_of
from render.renderer import Style


class Scene(NamedTuple):
    """One picture: after which turn of which record, for whom, and what there is to see."""

    record: str
    turn: int | None
    seat: str
    style: Style
    words: str


SCENES = (
    Scene("cascade", 27, PUBLIC, Style(), "One turn as a story: move, wormhole, sending away."),
)
"""In the order of the page."""


def make(folder: Path) -> None:
    """Draw all scenes and one whole match into the folder; the page is `folder` with `.md`.

    Raises:
        OSError: a record is missing, or the folder cannot be written.
        RecordError: a record does not hold.
    """
    page = ["# Gallery", "", f"Drawn from the records in {folder.name}/ by `make gallery`.", ""]
    for number, scene in enumerate(SCENES, 1):
        record = Record.parse((folder / f"{scene.record}.match").read_text(encoding="utf-8"))
        renderer, names = for_game(record.game().name), names_of(record)
        view = at_turn(views_of(record, scene.seat), scene.turn)
        file = folder / f"{number}-{scene.record}.png"
        file.write_bytes(renderer.picture(view, names, scene.style, view.legal))
        alt = renderer.alt_text(view, names).replace("\n", " ")
        page += [f"## {scene.words}", "", f"![{alt}]({folder.name}/{file.name})", ""]
    folder.with_suffix(".md").write_text("\n".join(page), encoding="utf-8")
