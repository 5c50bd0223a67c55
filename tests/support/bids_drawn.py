"""The game of secret bids: pictures, texts, and a computer player."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from PIL import Image, ImageDraw

from engine.computer.reasons import Reason
from engine.computer.shares import Shares, even, scaled, won_by
from engine.computer.situation import SCALE, Situation
from engine.computer.support import ComputerSupport
from engine.game import CHANCE, Action, RandomSource
from render.palette import palette
from render.png import encode
from render.renderer import DEFAULT_STYLE, Names, Renderer, Style
from tests.support.bids import BidsView, State

WORLDS = 8
"""Maximum number of worlds in which a bid is tried."""


class BidsRenderer(Renderer[BidsView]):
    """A bar as high as the card for each bid that is known."""

    command_verbs = ("bid",)

    def picture(
        self,
        view: BidsView,
        names: Names,
        style: Style = DEFAULT_STYLE,
        actions: Sequence[Action] = (),
        *,
        ghosts: Sequence[Action] = (),
    ) -> bytes:
        return encode(self.frame(view, names, style), palette(self.themes[style.theme]).flat)

    def frame(self, view: BidsView, names: Names, style: Style = DEFAULT_STYLE) -> Image.Image:
        page = Image.new("L", (200, 100))
        for place, bid in enumerate(self.bars(view)):
            height = 20 * int(bid) if bid.isdigit() else 2
            ImageDraw.Draw(page).rectangle((40 * place, 90 - height, 40 * place + 20, 90), 1)
        return page

    def bars(self, view: BidsView) -> str:
        """Return the bids to draw."""
        return view.bids

    def text_board(self, view: BidsView, names: Names) -> str:
        bids = zip(view.seats, view.bids, view.points, strict=True)
        return "\n".join(f"{names[seat]}: {bid}, {score} points" for seat, bid, score in bids)

    def story(self, view: BidsView, names: Names) -> str:
        return " ".join(map(str, view.story))

    def prompt(self, view: BidsView, names: Names) -> str:
        if view.result:
            return f"{names.get(view.result[0], 'No player')} wins."
        if view.pending == CHANCE:
            return "A prize is drawn."
        return f"{' and '.join(names[seat] for seat in view.pending)}: bid for {view.prize}"

    def hand(self, view: BidsView) -> str:
        return f"Your cards: {view.hand}" if view.seat else ""

    def label(self, view: BidsView, action: Action) -> str:
        return f"Bid {action.args[0]}" if action.args else "Bid"


def rank(state: State, action: Action) -> int:
    """Return the expected score of a bid in a world: an unknown bid is neither high nor low."""
    place = state.seats.index(action.actor)
    others = [bid for n, bid in enumerate(state.bids) if n != place and bid != "-"]
    best, card = max(others, default=""), action.args[0]
    return SCALE * (card > best) if best and card != best else SCALE // 2


def rate(situation: Situation, draw: RandomSource, nodes: int) -> list[tuple[int, Action]]:
    """Return the bids with the mean of their scores in several worlds."""
    count = max(1, min(WORLDS, nodes // len(situation.legal)))
    worlds = [situation.determinize(draw) for _ in range(count)]
    situation.tally.nodes += count * len(situation.legal)
    return [
        (sum(rank(world, action) for world in worlds) // count, action)
        for action in situation.legal
    ]


def explain(_situation: Situation, _action: Action) -> list[Reason]:
    """Return no reasons."""
    return []


class BidsValues:
    """Positions are worth what the seats have won so far."""

    def expected_scores(self, state: State) -> Shares:
        if state.result:
            return won_by(state.seats, state.result[0])
        return scaled(state.points) if any(state.points) else even(len(state.seats))

    def outcomes(self, state: State) -> Iterable[Action]:
        del state
        return ()

    def score_choices(
        self, situation: Situation, _made: Action, draw: RandomSource, nodes: int
    ) -> list[tuple[int, Action]]:
        return rate(situation, draw, nodes)


COMPUTER_SUPPORT = ComputerSupport(
    rank=rank,
    rate=rate,
    explain=explain,
    temperatures=(800, 400, 200, 0),
    values=BidsValues(),
    error_rates=(0.02, 0.01, 0.005, 0.0),
)
