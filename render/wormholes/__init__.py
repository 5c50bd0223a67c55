"""Wormholes as pictures and words."""

from __future__ import annotations

from engine.game import Action
from engine.wormholes.view import WormholesView
from render.renderer import DEFAULT, Names, Renderer, Style
from render.wormholes import picture, words


class WormholesRenderer(Renderer[WormholesView]):
    """See `Renderer`."""

    def picture(self, view: WormholesView, names: Names, style: Style = DEFAULT) -> bytes:
        """The galaxy, on its side in landscape; a seat's own side is at the left or bottom."""
        return picture.draw(view, names, style)

    def text_board(self, view: WormholesView, names: Names) -> str:
        """Ships, dice, coins in hand, coins on the board, bases."""
        return words.text_board(view, names)

    def story(self, view: WormholesView, names: Names) -> str:
        """One sentence an event."""
        return words.story(view, names)

    def prompt(self, view: WormholesView, names: Names) -> str:
        """One sentence."""
        return words.prompt(view, names)

    def hand(self, view: WormholesView) -> str:
        """Own coins left; with notes what this player has seen."""
        return words.hand(view)

    def label(self, view: WormholesView, action: Action) -> str:
        """Ship, direction and target space where the move is by die."""
        return words.label(view, action)
