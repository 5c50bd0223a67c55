"""Pictures and words of Spoof."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from PIL import ImageDraw

from render.plain import PlainRenderer
from render.renderer import Names
from render.themes import Theme

from .rules import SpoofView


class SpoofRenderer(PlainRenderer[SpoofView]):
    """A circle for each coin that is known, in a row for each hand."""

    command_verbs = ("guess",)
    hand_name = "coins"
    size = (300, 150)
    sentences: ClassVar[Mapping[str, str]] = {
        "held": "{seat} hid coins.",
        "guessed": "{seat} guessed {coins}.",
        "shown": "{seat} showed {coins}.",
    }

    def draw(self, view: SpoofView, names: Names, page: ImageDraw.ImageDraw, theme: Theme) -> None:
        for row, hand in enumerate(view.hands):
            for coin in range(int(hand) if hand.isdigit() else 0):
                corner = (20 + 60 * coin, 20 + 60 * row)
                page.ellipse((*corner, corner[0] + 40, corner[1] + 40), theme.metal)

    def text_board(self, view: SpoofView, names: Names) -> str:
        rows = zip(view.seats, view.hands, view.guesses, strict=True)
        return "\n".join(
            f"{names[seat]}: hand {hand or '-'}, guess {guess}" for seat, hand, guess in rows
        )

    def question(self, view: SpoofView) -> str:
        return "hide coins" if "" in view.hands else "guess how many there are"
