"""Warp 6 as pictures and words."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from engine.game import Action
from engine.warp6.view import Warp6View
from engine.wording import Trait
from render.choice_text import ChoiceText
from render.renderer import DEFAULT_STYLE, Names, Overlay, Renderer, Row, Style
from render.warp6 import (
    buttons,
    chains,
    choice_text,
    planned,
    story,
    terms,
    vocabulary,
    words,
)
from render.warp6.invitation import DECISION_RULES, INVITATION
from render.warp6.terms import die_of

if TYPE_CHECKING:
    from PIL import Image

    from render.themes import Theme


class Warp6Renderer(Renderer[Warp6View]):
    """See `Renderer`."""

    invitation = INVITATION
    decision_rules = DECISION_RULES
    plan_note = planned.NOTE
    overlay_verb = chains.WARPS_VERB
    overlay_label = chains.WARPS_LABEL
    public_verbs = frozenset({"move"})
    command_verbs = ("move", "up", "down")
    revelations = story.REVELATIONS

    @property
    def themes(self) -> Mapping[str, Theme]:
        """Return the themes, with the colours of the painted sprites."""
        from render.warp6.colours import THEMES

        return THEMES

    def picture(
        self,
        view: Warp6View,
        names: Names,
        style: Style = DEFAULT_STYLE,
        actions: Sequence[Action] = (),
        *,
        ghosts: Sequence[Action] = (),
    ) -> bytes:
        """Return the spiral, and beside it each player's dice with the spaces they are on."""
        from render.warp6 import picture

        return picture.draw(view, names, style, actions, ghosts=ghosts)

    def frame(self, view: Warp6View, names: Names, style: Style = DEFAULT_STYLE) -> Image.Image:
        """Return the same picture, smaller."""
        from render.warp6 import picture

        return picture.page(view, names, style, small=True)

    def text_board(self, view: Warp6View, names: Names) -> str:
        """List each player's dice with their spaces and the ends of their moves."""
        return words.text_board(view, names)

    def story(self, view: Warp6View, names: Names) -> str:
        """Return one sentence for each action and its consequences."""
        return story.story(view, names)

    def spoken_story(self, view: Warp6View, names: Names) -> str:
        """Return it with a die in words, which a screen reader reads better than its shape."""
        return story.story(view, names, die_words=die_of)

    def setup_story(self, views: Sequence[Warp6View], names: Names) -> str:
        """Return one sentence for all that was placed."""
        return story.setup_story(views, names)

    def prompt(self, view: Warp6View, names: Names) -> str:
        """Return one sentence; after the end also the points."""
        return words.prompt(view, names)

    def aim(self, view: Warp6View, names: Names) -> str:
        """Return one sentence."""
        return words.aim(view)

    def hand(self, view: Warp6View) -> str:
        """Return the dice set in secret."""
        return words.hand(view)

    def label(self, view: Warp6View, action: Action) -> str:
        """Return the die, and the end of its move."""
        return words.label(view, action)

    def drawn_label(self, view: Warp6View, action: Action, names: Names | None = None) -> str:
        """Return the die and the space for a die that is placed, else its label."""
        return words.drawn_label(view, action)

    def describe_choice(self, view: Warp6View, action: Action, names: Names) -> ChoiceText:
        """Return a choice with the names of pieces and places; the secret numbers as a list."""
        if action.verb == "set":
            return super().describe_choice(view, action, names)
        return choice_text.describe_choice(view, action, names)

    def notation(self, seat: str, text: str, style: Style | None = None) -> str:
        """Return dice that are named as on the picture as the notation has them."""
        return terms.notation(seat, text)

    def names(self, seat: str, style: Style) -> Iterable[tuple[str, Trait]]:
        """Return names of dice and of their actions."""
        return vocabulary.names(seat)

    def traits(self, view: Warp6View, action: Action) -> Iterable[Trait]:
        """Return the spaces of a die, and its number."""
        return vocabulary.traits(view, action)

    def written(self, seat: str, text: str, style: Style) -> str:
        """Return the player's own dice with the names on the picture."""
        return terms.written(seat, text)

    def planned(self, view: Warp6View, action: Action, style: Style = DEFAULT_STYLE) -> str:
        """Return an action without what depends on the position."""
        return planned.planned(view, action)

    def plan_example(self, view: Warp6View) -> str:
        """Return orders with the viewer's own pieces."""
        return planned.example(view)

    def opening(self, words: str) -> str:
        """Return the kind of the first die placed."""
        return terms.opening(words)

    def name(self, word: str, names: Names | None = None) -> str:
        """Return a die as it looks, with its player."""
        return terms.name(word, names)

    def rows(
        self, view: Warp6View, actions: Sequence[Action], style: Style = DEFAULT_STYLE
    ) -> tuple[Row, ...]:
        """Lay out moves as buttons, then changes of a number."""
        return buttons.rows(view, actions)

    def blank(self, form: Action, place: int) -> str:
        """Return the die as it is named on the board."""
        return terms.sign(form.args[place][:3])

    def overlays(self, view: Warp6View) -> tuple[Overlay, ...]:
        """Return the spaces where dice would land."""
        return chains.overlays(view)

    def has_overlays(self, view: Warp6View) -> bool:
        """Return whether a die would land on a space by its number."""
        return bool(chains.landings(view))

    def overlay(self, view: Warp6View, name: str) -> str:
        """Return the chain of warps from a space."""
        return chains.describe(view, chains.space_named(name))

    def overlaid(self, view: Warp6View, names: Names, style: Style, name: str) -> bytes:
        """Return the chain of warps from a space as numbered arrows."""
        from render.warp6 import picture

        space = chains.space_named(name)
        return picture.draw(chains.with_chain_as_story(view, space), names, style, goal=space)

    def alt_text(self, view: Warp6View, names: Names) -> str:
        """Describe as much of the position as fits."""
        return words.alt_text(view, names)
