"""Words and pictures of Dudo."""

from __future__ import annotations

from PIL import ImageDraw

from engine.game import Action
from render.invitation import Invitation
from render.plain import PlainRenderer, write
from render.renderer import Names
from render.themes import Theme

from .rules import DudoView


class DudoRenderer(PlainRenderer[DudoView]):
    """The dice of each player in a row, and the last bid beside the row of its player."""

    command_verbs = ("bid", "doubt")
    hand_name = "dice"
    invitation = Invitation("Bid on the dice under both cups, or doubt the bid.", turns=4)
    size = (480, 260)
    sentences = {
        "rolled": "All dice are rolled.",
        "bid": "{seat} bids {count} × {face}.",
        "doubted": "{seat} doubts it.",
        "showed": "{seat} has {dice}.",
        "lost": "{seat} loses a die.",
    }

    def draw(self, view: DudoView, names: Names, page: ImageDraw.ImageDraw, theme: Theme) -> None:
        for row, seat in enumerate(view.seats):
            top = 50 + 120 * row
            write(page, (30, top - 15), names[seat], 24, theme.text)
            dice = view.hands[row] or " " * view.left[row]
            for place, die in enumerate(dice[: view.left[row]] if view.result else dice):
                left = 30 + 85 * place
                box = (left, top, left + 65, top + 65)
                page.rounded_rectangle(box, 12, theme.paper, theme.seats[row], 5)
                write(page, (left + 21, top + 48), die.strip(), 42, theme.ink)
            if view.bid and seat == view.bidder:
                bid = f"{view.bid[0]} × {view.bid[1]}"
                write(page, (300, top + 48), bid, 42, theme.story)

    def text_board(self, view: DudoView, names: Names) -> str:
        lines = [
            f"{names[seat]}: {dice or f'{count} to roll'}"
            for seat, dice, count in zip(view.seats, view.hands, view.left, strict=True)
        ]
        bid = f"{view.bid[0]} × {view.bid[1]} by {names[view.bidder]}" if view.bid else "none yet"
        return "\n".join((*lines, f"Bid: {bid}"))

    def label(self, view: DudoView, action: Action) -> str:
        return " ".join((action.verb.capitalize(), " × ".join(action.args))).strip()

    def question(self, view: DudoView) -> str:
        return "bid more, or doubt the bid" if view.bid else "bid"
