"""A base class for renderers of small games: one drawing, and sentences for events."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from typing import ClassVar, TypeVar

from PIL import Image, ImageDraw

from engine import games
from engine.game import CHANCE, Action, View
from engine.hands import HandsView
from render.i18n import _, format_list, titled
from render.palette import palette
from render.png import encode
from render.renderer import DEFAULT_STYLE, Names, Renderer, Style
from render.text import drawable
from render.themes import Colour, Theme
from render.typeface import runs

V = TypeVar("V", bound=View)


class PlainRenderer(Renderer[V]):
    """Words and pictures: a game adds `draw`, `text_board`, `question`, and `sentences`.

    Choices are not marked on the picture; their buttons say what they do.
    """

    size: ClassVar[tuple[int, int]] = (400, 200)
    """Width and height of a picture in pixels."""
    sentences: ClassVar[Mapping[str, str]] = {}
    """Kind of event → a sentence with its facts as fields, such as `{seat} takes {number}.`"""

    @abstractmethod
    def draw(self, view: V, names: Names, page: ImageDraw.ImageDraw, theme: Theme) -> None:
        """Draw the board on a page of the colour `theme.space[0]`.

        Args:
            view: all that the picture may show.
            names: the players' names, see `write`.
            page: the page.
            theme: its colours; the nearest of them takes the place of any other.
        """

    @abstractmethod
    def question(self, view: V) -> str:
        """Return the decision of the players after their names, such as `stay or fold`."""

    def frame(self, view: V, names: Names, style: Style = DEFAULT_STYLE) -> Image.Image:
        """Return the drawing as a page; see `Renderer.frame`."""
        theme = self.themes[style.theme]
        image = Image.new("RGB", self.size, theme.space[0])
        self.draw(view, names, ImageDraw.Draw(image), theme)
        return palette(theme).page(image)

    def picture(
        self,
        view: V,
        names: Names,
        style: Style = DEFAULT_STYLE,
        actions: Sequence[Action] = (),
        *,
        ghosts: Sequence[Action] = (),
    ) -> bytes:
        """Return the drawing as a PNG; see `Renderer.picture`."""
        return encode(self.frame(view, names, style), palette(self.themes[style.theme]).flat)

    def story(self, view: V, names: Names) -> str:
        """Return the `sentences` of the events; see `Renderer.story`."""
        declared = games.get(view.game).events
        return " ".join(
            self.sentences[kind].format_map(
                {
                    name: names.get(fact, fact) if name == "seat" else fact
                    for name, fact in zip(declared[kind], facts, strict=True)
                }
            )
            for kind, facts in view.story
            if kind in self.sentences
        )

    def prompt(self, view: V, names: Names) -> str:
        """Return the winner, or the players and their `question`; see `Renderer.prompt`."""
        if view.result:
            winner = names.get(view.result[0])
            return _("{winner} wins.").format(winner=winner) if winner else _("No player wins.")
        if view.pending == CHANCE:
            return _("A random event is still being resolved; one moment.")
        return titled(format_list([names[seat] for seat in view.pending]), self.question(view))

    def hand(self, view: V) -> str:
        """Return the viewer's hand, if the game has hands; see `Renderer.hand`."""
        if not isinstance(view, HandsView) or not view.seat:
            return ""
        hand = view.hands[view.seats.index(view.seat)]
        return _("Your hand: {pieces}").format(pieces=" ".join(hand)) if hand else ""

    def label(self, view: V, action: Action) -> str:
        """Return the action in notation; see `Renderer.label`."""
        return action.notation.capitalize()


def write(
    page: ImageDraw.ImageDraw, place: tuple[float, float], text: str, size: int, colour: Colour
) -> None:
    """Write a line of text, such as a player's name in any script, on a page.

    Args:
        page: the page.
        place: left end of the line on which the letters stand, in pixels.
        text: the text.
        size: size of the letters in pixels.
        colour: their colour.
    """
    x, baseline = place
    for run in runs(drawable(text, "?")):
        face = run.face.font(size)
        page.text((x, baseline), run.text, colour, face, anchor="ls", direction=run.direction)
        x += face.getlength(run.text, direction=run.direction)
