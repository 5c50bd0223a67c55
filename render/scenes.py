"""The pictures that a game has in the gallery."""

from __future__ import annotations

from typing import NamedTuple

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


class GameGallery(NamedTuple):
    """The pictures of a game, from records in the gallery's folder.

    Attributes:
        scenes: in the order of the page.
        simulated: shown as people with each colour-vision deficiency see it.
        animated: record that is shown as an animation.
    """

    scenes: tuple[Scene, ...]
    simulated: Scene
    animated: str
