"""Pictures and words of Spoof."""

from __future__ import annotations

from collections.abc import Sequence

from PIL import Image, ImageDraw

from engine.game import Action
from render.palette import palette
from render.png import encode
from render.renderer import DEFAULT_STYLE, Names, Renderer, Style

from .rules import SpoofView


class SpoofRenderer(Renderer[SpoofView]):
    """A circle for each coin that is known, in a row for each hand."""

    command_verbs = ("guess",)
    hand_name = "coins"

    def picture(
        self,
        view: SpoofView,
        names: Names,
        style: Style = DEFAULT_STYLE,
        actions: Sequence[Action] = (),
        *,
        ghosts: Sequence[Action] = (),
    ) -> bytes:
        return encode(self.frame(view, names, style), palette(self.themes[style.theme]).flat)

    def frame(self, view: SpoofView, names: Names, style: Style = DEFAULT_STYLE) -> Image.Image:
        page = Image.new("L", (300, 150))
        for row, hand in enumerate(view.hands):
            for coin in range(int(hand) if hand.isdigit() else 0):
                corner = (20 + 60 * coin, 20 + 60 * row)
                ImageDraw.Draw(page).ellipse((*corner, corner[0] + 40, corner[1] + 40), 1)
        return page

    def text_board(self, view: SpoofView, names: Names) -> str:
        rows = zip(view.seats, view.hands, view.guesses, strict=True)
        return "\n".join(f"{names[seat]}: hand {hand}, guess {guess}" for seat, hand, guess in rows)

    def story(self, view: SpoofView, names: Names) -> str:
        words = {"held": "hid coins", "guessed": "guessed", "shown": "showed"}
        return " ".join(
            " ".join((names[event.facts[0]], words[event.kind], *event.facts[1:])) + "."
            for event in view.story
            if event.kind in words
        )

    def prompt(self, view: SpoofView, names: Names) -> str:
        if view.result:
            return f"{names.get(view.result[0], 'No player')} wins."
        players = " and ".join(names[seat] for seat in view.pending)
        return f"{players}: " + ("hide coins" if "-" in view.hands else "guess how many there are")

    def hand(self, view: SpoofView) -> str:
        if not view.seat:
            return ""
        coins = view.hands[view.seats.index(view.seat)]
        return "Your hand is still open." if coins == "-" else f"Coins in your hand: {coins}"

    def label(self, view: SpoofView, action: Action) -> str:
        return " ".join((action.verb.capitalize(), *action.args))
