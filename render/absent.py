"""The renderer of games that are not installed: nothing of them can be shown."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from engine.absent import absence
from engine.game import Action, View
from render.renderer import DEFAULT_STYLE, Names, Renderer, Style

if TYPE_CHECKING:
    from PIL import Image


class AbsentRenderer(Renderer[View]):
    """Refuses to show anything; see `engine.absent`."""

    def picture(
        self,
        view: View,
        names: Names,
        style: Style = DEFAULT_STYLE,
        actions: Sequence[Action] = (),
        *,
        ghosts: Sequence[Action] = (),
    ) -> bytes:
        """Refuse to draw."""
        raise absence(view.game)

    def frame(self, view: View, names: Names, style: Style = DEFAULT_STYLE) -> Image.Image:
        """Refuse to draw."""
        raise absence(view.game)

    def text_board(self, view: View, names: Names) -> str:
        """Refuse to show a board."""
        raise absence(view.game)

    def story(self, view: View, names: Names) -> str:
        """Refuse to tell a story."""
        raise absence(view.game)

    def prompt(self, view: View, names: Names) -> str:
        """Refuse to ask for a choice."""
        raise absence(view.game)

    def hand(self, view: View) -> str:
        """Refuse to show pieces."""
        raise absence(view.game)

    def label(self, view: View, action: Action) -> str:
        """Refuse to name a choice."""
        raise absence(view.game)
